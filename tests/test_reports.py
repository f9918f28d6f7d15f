"""Reports of studies and tournaments: what they say, and that their files are what they should be."""

import dataclasses
import json
import math
import re
import shlex
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from spit_agents.match import GameResults
from spit_env.latency import LEVELS
from spit_train.cli import parse
from spit_train.document import Document, Grid, Plot, printable
from spit_train.evaluation import Evaluation, summarise
from spit_train.markdown import markdown_of
from spit_train.match_text import cards_table, facts_table, result_tables
from spit_train.page import page_of
from spit_train.record import BadReport
from spit_train.report import WIDTH, print_document
from spit_train.screen import screen_margin
from spit_train.sequential import sequential_test
from spit_train.stats import game_scores
from spit_train.study import Hypotheses, Study
from spit_train.study_text import levels_tables, study_document
from spit_train.tournament import Tournament, pair_shares, sum_up
from spit_train.tournament_text import cross_table, tournament_document
from tests.made_matches import NAMES, made_handicap, made_match, won

EVIL = "<script>alert('x')</script>|$\\frac$*_`&amp;\x1b[31m\n\udc80 id=\"url(#x)\""


def levels_study(name: str = "greedy", others: int = 1, **values: object) -> Study:
    matches = [made_match([name, *[f"emma:{level}"] * others], seed=k, edge=0.1 * k) for k, level in enumerate(LEVELS)]
    return Study(matches=tuple(matches), levels=True, seed=7, **values)  # type: ignore[arg-type]


def sequential_study(edge: float, deals: int) -> Study:
    match, test = made_match(deals=deals, edge=edge, cut=0.0), Hypotheses(0, 50)
    verdict = sequential_test(game_scores(match.rows.winner, 2), *test)
    rows = GameResults(*(column[: 2 * verdict.deals] for column in match.rows))
    setup = dataclasses.replace(match.setup, games=2 * verdict.deals)
    return Study(matches=(summarise(setup, rows),), levels=False, seed=1, test=test, verdict=verdict)


def screening() -> Study:
    match = made_match()
    rows = match.rows._replace(
        winner=np.full_like(match.rows.winner, -1), end_reason=np.zeros_like(match.rows.end_reason),
        rank=np.zeros_like(match.rows.rank), rounds=np.ones_like(match.rows.rounds),
    )  # fmt: skip
    return Study(matches=(summarise(match.setup, rows),), levels=False, seed=1, screening=screen_margin(rows))


def one(match: Evaluation, **values: object) -> Study:
    return Study(matches=(match,), levels=False, seed=1, **values)  # type: ignore[arg-type]


def tournament(players: int = 2) -> Tournament:
    names = ["emma:hard", "greedy", "random@emma:easy", "zeta*1.1"]
    if players == 2:
        pairs = [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
        return sum_up([made_match(pair, seed=k) for k, pair in enumerate(pairs)], "emma:hard", 3)
    tables = [tuple(name for name in names if name != left) for left in names]
    return sum_up([made_match(table, seed=k) for k, table in enumerate(tables)], "greedy", 3)


def lopsided() -> Tournament:
    """One player never wins."""
    never = [won(made_match(["greedy", other]), [1] * 60) for other in ("emma:hard", "emma:easy")]
    return sum_up([*never, made_match(["emma:hard", "emma:easy"])], "emma:hard", 0)


STUDIES: dict[str, Callable[[], Study]] = {
    "match": lambda: one(made_match()),
    "with speed": lambda: one(made_match(), handicap=made_handicap()),
    "without a speed": lambda: one(made_match(), handicap=made_handicap(slope=0.0)),
    "mirrored": lambda: one(won(made_match(["emma", "emma"]), [0, 1, 1, 0] * 15)),
    "one deal": lambda: one(made_match(deals=1)),
    "three": lambda: one(made_match(NAMES[:3]), handicap=made_handicap(NAMES[:3])),
    "four": lambda: one(made_match(NAMES)),
    "levels": lambda: levels_study(handicap=made_handicap(("greedy", "emma"))),
    "levels of three": lambda: levels_study(others=2),
    "accepted": lambda: sequential_study(0.3, 400),
    "undecided": lambda: sequential_study(0.0, 10),
    "precise": lambda: one(made_match(), until=0.2),
    "not precise": lambda: one(made_match(), until=0.01),
    "screening": screening,
    "hostile": lambda: one(made_match([EVIL, EVIL + "2"]), handicap=made_handicap((EVIL, EVIL + "2"))),
    "hostile levels": lambda: levels_study(EVIL),
}
TOURNAMENTS: dict[str, Callable[[], Tournament]] = {
    "tournament": tournament,
    "tournament of three": lambda: tournament(3),
    "lopsided": lopsided,
    "hostile tournament": lambda: sum_up([made_match([EVIL, "emma"])], "emma", 0),
}
every_report = pytest.mark.parametrize("name", [*STUDIES, *TOURNAMENTS])


@cache
def made(name: str) -> Study | Tournament:
    return STUDIES[name]() if name in STUDIES else TOURNAMENTS[name]()


@cache
def document(name: str) -> Document:
    subject = made(name)
    return study_document(subject) if isinstance(subject, Study) else tournament_document(subject)


def lead(name: str) -> str:
    return " ".join(document(name).lead)


# --- The files -------------------------------------------------------------------------------------------------------


@every_report
def test_json_round_trip(name: str) -> None:
    def refuse(word: str) -> None:
        raise AssertionError(word)

    subject = made(name)
    text = subject.to_json()
    again = type(subject).from_json(text)
    assert again.to_json() == text
    values = json.loads(text, parse_constant=refuse)  # NaN, Infinity
    assert (values["format"], values["version"]) == (f"spit-{type(subject).__name__.lower()}", 1)
    assert [len(match["games"]) for match in values["matches"]] == [match.setup.games for match in subject.matches]


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-10],
        lambda text: "[]",
        lambda text: "{}",
        lambda text: text.replace('"version": 1', '"version": 2', 1),
        lambda text: text.replace("spit-study", "spit-tournament"),
        lambda text: text.replace('"finished"', '"vanished"'),
        lambda text: text.replace('"handicap"', '"handy"'),
        lambda text: text.replace('"ratio"', '"ration"'),
        lambda text: text.replace('"games": 60,', '"games": 61,'),
        lambda text: re.sub(r'"matches": .*', '"matches": []}', text, flags=re.S),
    ],
)
def test_other_json_is_refused_in_one_line(damage: Callable[[str], str]) -> None:
    with pytest.raises(BadReport) as caught:
        Study.from_json(damage(made("with speed").to_json()))
    assert len(str(caught.value).splitlines()) == 1
    with pytest.raises(BadReport):
        Tournament.from_json(damage(made("tournament").to_json().replace('"seed": 3,', "")))


@every_report
def test_markdown_tables_have_equal_columns(name: str) -> None:
    text = markdown_of(document(name), "Written today.")
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert tables
    for table in tables:
        lines = table.splitlines()
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1
        assert re.fullmatch(r"\|(-+:?\|)+", lines[1])
    assert text.isascii() or "\N{REPLACEMENT CHARACTER}" in text
    assert all(line.isprintable() for line in text.split("\n"))
    command = f"\n\n    {printable(document(name).command)}\n\n"
    assert command in text
    assert "<" not in text.replace(command, "").replace("\\<", "")


@every_report
def test_the_page_is_whole_and_asks_for_nothing(name: str) -> None:
    text = page_of(document(name), "Written today.")
    page = ElementTree.fromstring(text)
    assert not re.search(r"https?:|//[a-z]|@import|src=", text)
    tags = [element.tag for element in page.iter()]
    assert not {"script", "link", "img", "iframe", "object"} & set(tags)
    assert tags.count("svg") == tags.count("figcaption") == sum(isinstance(block, Plot) for block in blocks(name))
    ids = [element.get("id") for element in page.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'(?:url\(|href=")#([^)"]*)', re.sub(r"<text.*?</text>|aria-label=.*?>", "", text)))
    assert used - {"x"} <= set(ids)
    assert "#0000" not in text.replace("hostile", "")


@pytest.mark.parametrize("name", ["with speed", "tournament"])
def test_the_page_is_the_same_every_time(name: str) -> None:
    assert page_of(document(name), "Written today.") == page_of(document(name), "Written today.")


def blocks(name: str) -> list[object]:
    return [block for section in document(name).sections for block in section.blocks]


@every_report
def test_the_terminal_shows_all_but_details(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    print_document(document(name))
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert "\x1b" not in out
    assert lines == [line.rstrip() for line in lines]
    if "hostile" not in name:
        assert " ".join(document(name).lead).split() == " ".join(lines).split()[: len(lead(name).split())]


@pytest.mark.parametrize("name", [name for name in (*STUDIES, *TOURNAMENTS) if "hostile" not in name])
def test_the_command_is_one_that_can_be_given(name: str) -> None:
    program, command, *words = shlex.split(document(name).command)
    args = parse([command, *words], command)
    match, subject = made(name).matches[0], made(name)
    assert (program, args.deals, args.rules) == ("spit", match.setup.games // len(match.sides), match.setup.rules)
    if isinstance(subject, Tournament):
        assert (args.bots, args.anchor) == (list(subject.players), subject.ratings.anchor)
    else:
        assert args.bots == list(match.setup.players[: 1 if subject.levels else None])
        assert (args.until, args.screen) == (subject.until, subject.screening is not None)
        assert subject.test == (Hypotheses(args.sprt[0], args.sprt[1], args.alpha, args.beta) if args.sprt else None)
        assert args.no_speed == (not subject.handicap and not args.sprt and not args.until and not args.screen)


# --- What studies say ------------------------------------------------------------------------------------------------


def cells(grid: Grid) -> dict[str, tuple[str, ...]]:
    return {row[0].strip(): row[1:] for row in grid.rows}


def test_a_match_says_who_wins_and_what_that_is_worth() -> None:
    side = made("match").matches[0].sides[0]
    assert lead("match") == (
        f"emma:hard wins {100 * side.rate.share:.1f} % [{100 * side.rate.low:.1f}, {100 * side.rate.high:.1f}] of 60 "
        "games against emma:hard*1.10."
    )
    assert document("with speed").lead[1].startswith("emma:hard wins half only if the others are 19.8 % slower [")
    assert "no speed-equivalent" in lead("without a speed")
    facts = cells(facts_table(made("match").matches[0]))
    assert facts["after round 1"][0].startswith("emma:hard is ")
    assert facts["games"] == ("60: 30 deals, each from both seats",)


def test_mirrored_deals_raise_the_alarm() -> None:
    match = made("mirrored").matches[0]
    (table,) = result_tables(match)
    assert "mirror each other (correlation -1.00)" in lead("mirrored")
    assert cells(table)["over deals"] == ("0.500 (0.442 to 0.558)",) * 2
    assert "[44.2, 55.8]" in lead("mirrored")
    assert "over deals" not in cells(result_tables(made("match").matches[0])[0])


def test_levels_are_one_table() -> None:
    study = made("levels")
    (table,) = levels_tables(study.matches)
    assert table.head[:3] == ("greedy v", "win rate", "seat 0")
    assert [row[0] for row in table.rows] == [f"emma:{level}" for level in LEVELS]
    for row, match in zip(table.rows, study.matches, strict=True):
        assert row[1].startswith(f"{match.sides[0].rate.share:.3f} ")
        assert row[4] == "60"
        assert row[5] == f"{match.length_mean_s:.1f}"
    places, games = levels_tables(made("levels of three").matches)
    assert places.head[1:3] == ("first places", "mean place")
    assert len(places.rows) == len(games.rows) == len(LEVELS)


def test_a_sequential_test_says_its_verdict_and_its_bias() -> None:
    verdict = r"H1 accepted after \d+ games: emma:hard is about 50 Elo better than emma:hard\*1.10 rather than 0\. "
    assert re.match(verdict, lead("accepted"))
    assert "biases this share" in lead("accepted")
    assert "Undecided after 20 games" in lead("undecided")
    assert "neither -2.94 (H0, 0 Elo) nor 2.94 (H1, 50 Elo)" in lead("undecided")


def test_until_says_what_was_reached() -> None:
    assert re.match(r"The 95 % interval over deals reaches 1\d\.\d\d % to both sides after 60 games\.", lead("precise"))
    assert "more than the wanted 1.00 %: play more" in lead("not precise")


def test_screening_says_nothing_of_wins() -> None:
    study = made("screening")
    assert isinstance(study, Study)
    assert study.screening is not None
    text = markdown_of(document("screening"), "")
    assert "win rate" not in text
    assert "without a winner" not in text
    assert "Only first rounds were played" in text
    table = cells(cards_table(study.matches[0]))
    assert table["emma:hard"][1].startswith(f"{study.screening.mean:.2f} (")
    assert float(table["emma:hard"][2]) == -float(table["emma:hard*1.10"][2])


# --- What tournaments say --------------------------------------------------------------------------------------------


def test_the_cross_table_is_that_of_the_games() -> None:
    outcome = made("tournament")
    assert isinstance(outcome, Tournament)
    table = cross_table(outcome)[1]
    assert isinstance(table, Grid)
    names = [rating.name for rating in outcome.ratings.players]
    for match in outcome.matches:
        one, other = (names.index(name) for name in match.setup.players)
        share = 100 * match.sides[0].score.mean
        assert table.rows[one][1 + other] == f"{share:.1f}"
        assert table.rows[other][1 + one] == f"{100 - share:.1f}"
    assert all(row[k] == "-" for k, row in enumerate(table.rows, 1))


def test_shares_at_larger_tables_are_among_the_games_that_either_won() -> None:
    match = won(made_match(NAMES[:3]), [0] * 30 + [1] * 10 + [2] * 50)
    shares = pair_shares([match])
    assert shares[NAMES[0], NAMES[1]] == 0.75
    assert shares[NAMES[2], NAMES[1]] == pytest.approx(5 / 6)
    assert math.isclose(shares[NAMES[0], NAMES[2]] + shares[NAMES[2], NAMES[0]], 1)


def test_a_tournament_names_the_best_and_marks_what_was_corrected() -> None:
    outcome = made("tournament")
    assert isinstance(outcome, Tournament)
    assert lead("tournament").startswith(f"{outcome.ratings.players[0].name} ")
    assert outcome.cycle in lead("tournament")
    text = markdown_of(document("lopsided"), "")
    assert re.search(r"\| greedy \| -\d+\\\* \|", text)
    assert "\\* All games between some bots went one way" in text
    assert "All games" not in markdown_of(document("tournament"), "")
