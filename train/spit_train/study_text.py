"""What ``spit eval`` says, as a document."""

import shlex

from spit_train.document import Document, Grid, Section, grid
from spit_train.evaluation import Evaluation
from spit_train.handicap import Handicap
from spit_train.match_text import (
    cards_table,
    conditions,
    correlation_sentences,
    facts_table,
    games_text,
    labelled,
    margin_text,
    mean_text,
    others_text,
    rate_text,
    result_tables,
    speed_text,
    versions_text,
    win_sentence,
)
from spit_train.study import Study
from spit_train.study_plots import levels_plots, match_plots, ratio_plot, speed_plot


def study_document(study: Study) -> Document:
    """The report of a study."""
    build = levels_sections if study.levels else match_sections
    return Document(
        title=title_of(study),
        lead=tuple(lead_of(study)),
        sections=tuple(build(study)),
        command=command_of(study),
    )


def title_of(study: Study) -> str:
    """Who played whom."""
    players = labelled(study.matches[0].setup.players)
    return f"{players[0]} against Emma at each level" if study.levels else " v ".join(players)


def command_of(study: Study) -> str:
    """The command that makes the same study, wherever its bots are found."""
    setup = study.matches[0].setup
    words = ["spit", "eval", *(setup.players[:1] if study.levels else setup.players)]
    words += ["--deals", str(setup.games // len(setup.players)), "--seed", str(study.seed)]
    words += ["--rules", setup.rules, "--recall", setup.recall]
    if study.test:
        test = study.test
        words += ["--sprt", f"{test.elo0:g}", f"{test.elo1:g}", "--alpha", f"{100 * test.alpha:g}%"]
        words += ["--beta", f"{100 * test.beta:g}%"]
    elif study.until:
        words += ["--until", f"{100 * study.until:g}%"]
    elif study.screening:
        words += ["--screen"]
    elif not study.handicap:
        words += ["--no-speed"]
    return shlex.join(words)


# --- The answers -----------------------------------------------------------------------------------------------------


def lead_of(study: Study) -> list[str]:
    """The answers, the most important first."""
    match = study.matches[0]
    speed = [f"{study.handicap}."] if study.handicap else []
    if study.levels:
        return [
            f"{labelled(match.setup.players)[0]} against Emma at each level, {match.setup.games:,} games each.",
            *speed,
        ]
    if study.screening:
        return [
            f"{margin_text(match)}.",
            "Only first rounds were played: who wins is not known; confirm by whole games.",
        ]
    wins = [win_sentence(match), *correlation_sentences(match)]
    if study.verdict:
        return [verdict_sentence(study), *wins, "A test that stops by its own result biases this share: play other "
                "deals, a fixed number of them, to state a strength."]  # fmt: skip
    return [*([until_sentence(study)] if study.until else []), *wins, *speed]


def verdict_sentence(study: Study) -> str:
    """What the sequential test has decided."""
    match, test, verdict = study.matches[0], study.test, study.verdict
    assert test is not None
    assert verdict is not None
    games, name = match.setup.games, labelled(match.setup.players)[0]
    if verdict.decision == "undecided":
        return (
            f"Undecided after {games:,} games: the log likelihood ratio, {verdict.ratios[-1]:.2f}, has reached neither "
            f"{verdict.lower:.2f} (H0, {test.elo0:g} Elo) nor {verdict.upper:.2f} (H1, {test.elo1:g} Elo)."
        )
    yes, no = (test.elo1, test.elo0) if verdict.decision == "H1" else (test.elo0, test.elo1)
    return (
        f"{verdict.decision} accepted after {games:,} games: {name} is about {yes:g} Elo better than "
        f"{others_text(match)} rather than {no:g}."
    )


def until_sentence(study: Study) -> str:
    """Whether the wanted precision was reached."""
    match = study.matches[0]
    score, wanted = match.sides[0].score, study.until or 0.0
    reach = (score.high - score.low) / 2
    if reach <= wanted:
        return (
            f"The 95 % interval over deals reaches {percent2(reach)} to both sides after {match.setup.games:,} games."
        )
    return (
        f"After all {match.setup.games:,} games the 95 % interval over deals still reaches {percent2(reach)} to both "
        f"sides, more than the wanted {percent2(wanted)}: play more."
    )


def percent2(share: float) -> str:
    """A small share in running text."""
    return f"{100 * share:.2f} %"


# --- A match ---------------------------------------------------------------------------------------------------------


def match_sections(study: Study) -> list[Section]:
    """The results of a match, and how its games went."""
    match = study.matches[0]
    tables = [cards_table(match)] if study.screening else result_tables(match)
    path = (ratio_plot(study),) if study.verdict else ()
    return [
        Section("Result", (*tables, *path)),
        *speed_sections(study.handicap),
        Section("Games", match_plots(match, whole=not study.screening), detail=True),
        Section("Facts", (facts_table(match, test_facts(study), whole=not study.screening),)),
    ]


def test_facts(study: Study) -> list[tuple[str, str]]:
    """What was asked of the games while they were played, and how the line of speeds fits."""
    if study.test and study.verdict:
        test, verdict = study.test, study.verdict
        return [
            ("test", f"H0 {test.elo0:g} Elo, H1 {test.elo1:g} Elo; error rates {test.alpha:.2g} and {test.beta:.2g}"),
            ("log likelihood ratio", f"{verdict.ratios[-1]:.2f}; ends at {verdict.lower:.2f} or {verdict.upper:.2f}"),
        ]
    return speed_facts(study.handicap)


def speed_facts(handicap: Handicap | None) -> list[tuple[str, str]]:
    """How the speed-equivalent was found."""
    if handicap is None:
        return []
    games, found = handicap.deals * len(handicap.players), handicap.found
    text = f"{games} games more at {len({point.ratio for point in handicap.points})} speeds"
    if found is None:
        return [("speed-equivalent", text)]
    line = found.line
    fit = f"p = {line.p_value:.2g}" if line.dispersion == 1 else (
        f"badly, p = {line.p_value:.2g}: intervals are {line.dispersion**0.5:.2f} times as wide"
    )  # fmt: skip
    return [("speed-equivalent", f"{text} on which a line fits ({fit})")]


# --- Levels ----------------------------------------------------------------------------------------------------------


def levels_sections(study: Study) -> list[Section]:
    """The results against each level."""
    match = study.matches[0]
    facts = [
        ("games at each level", games_text(match)),
        (f"speed of {match.setup.players[0]}", speed_text(match.setup.latencies[0])),
        *speed_facts(study.handicap),
        *conditions(match),
        ("seed", str(study.seed)),
        ("versions", versions_text(match.setup.versions)),
    ]
    warnings = [sentence for each in study.matches for sentence in correlation_sentences(each)]
    return [
        Section("Result", (*levels_tables(study.matches), *warnings, *levels_plots(study.matches))),
        *speed_sections(study.handicap),
        Section("Facts", (grid(["", ""], facts),)),
    ]


def level_names(matches: tuple[Evaluation, ...]) -> list[str]:
    """The opponents, one for each match."""
    return [match.setup.players[1] for match in matches]


def levels_tables(matches: tuple[Evaluation, ...]) -> list[Grid]:
    """A row for each level: one table, or two where places have to be told."""
    seats = [f"seat {seat}" for seat in range(len(matches[0].sides))]
    many = len(seats) > 2
    results, games = [], []
    for level, match in zip(level_names(matches), matches):
        side = match.sides[0]
        place = [mean_text(side.place)] if many else []
        results.append([level, rate_text(side.rate), *place, *(f"{rate.share:.3f}" for rate in side.by_seat)])
        games.append([f"{match.setup.games}", f"{match.length_mean_s:.1f}", f"{match.rounds_mean:.1f}",
                      f"{side.bounced:.1%}", f"{side.illegal}"])  # fmt: skip
    head = [f"{matches[0].setup.players[0]} v", "first places" if many else "win rate"]
    head += ["mean place"] if many else []
    head_games = ["games", "length s", "rounds", "too late", "illegal"]
    right = [*seats, *head_games]
    if not many:
        rows = [[*result, *play] for result, play in zip(results, games)]
        return [grid([*head, *seats, *head_games], rows, right)]
    rows = [[level, *play] for level, play in zip(level_names(matches), games)]
    return [grid([*head, *seats], results, right), grid(["", *head_games], rows, right)]


# --- Speed -----------------------------------------------------------------------------------------------------------


def speed_sections(handicap: Handicap | None) -> list[Section]:
    """The points that the speed-equivalent was fitted to."""
    if handicap is None:
        return []
    rows = [
        [f"{point.ratio:.3f}", f"{point.games:.0f}", f"{point.wins:.1f}", f"{point.wins / point.games:.3f}"]
        for point in sorted(handicap.points)
        if point.games
    ]
    words = (
        f"{handicap.players[0]} was played at other speeds against {' and '.join(handicap.players[1:])}, on other "
        "deals. A ratio of 1.25 says that the others' times are 1.25 times as long as its own. A game that nobody won "
        "is shared."
    )
    points = grid(["ratio", "games", "wins", "share"], rows, ("games", "wins", "share"))
    return [Section("Skill as speed", (words, speed_plot(handicap), points), detail=True)]
