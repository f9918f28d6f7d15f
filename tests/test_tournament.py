"""Tournaments: who plays whom, and what is played again when another bot joins. Ratings: test_ratings.py."""

import json
import sys
from pathlib import Path

import pytest

from spit_agents.errors import BadPlayer
from spit_env.rules import make_rules
from spit_train.cli import main
from spit_train.tournament import Tournament, make_cohorts, make_field

SPIT, THREE = make_rules("emma"), make_rules("speed_3p")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))


def report(words: str) -> str:
    """What a tournament of few games writes."""
    assert main(["tournament", *words.split(), "--games", "12", "--workers", "1", "--out", "out"]) == 0
    return Path("out/report.json").read_text(encoding="utf-8")


def kept() -> list[str]:
    """The cohorts of the blocks of games that are kept, in the order in which they were played."""
    lines = Path("out/games.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    return [json.loads(line)["cohort"] for line in lines]


# --- Who plays -------------------------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(
    ("names", "wanted", "anchor", "field"),
    [
        (["random", "greedy"], None, "emma:hard", ["emma:hard", "greedy", "random"]),  # one joins
        (["random", "emma*2", "emma:easy"], None, "emma:easy", ["emma*2", "emma:easy", "random"]),
        (["emma:easy", "emma:hard*1.1", "emma"], None, "emma", ["emma", "emma:easy", "emma:hard*1.1"]),
        (["emma:easy", "emma:hard"], None, "emma:hard", ["emma:easy", "emma:hard"]),
        (["random", "greedy"], "random", "random", ["greedy", "random"]),  # and none is needed
    ],
)
def test_the_ratings_are_anchored_to_an_emma(
    names: list[str], wanted: str | None, anchor: str, field: list[str]
) -> None:
    for order in (names, names[::-1]):
        players, found = make_field(order, SPIT, wanted)
        assert (found, [player.name for player in players]) == (anchor, field)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["greedy", "random", "greedy"], "greedy: named twice; a bot against itself is `spit eval`"),
        (["emma", "greedy", "emma:hard"], "emma and emma:hard are the same bot at the same speed: name one of them"),
        (["greedy", "emma:hrd"], "did you mean 'emma:hard'"),
    ],
)
def test_a_field_that_is_refused(names: list[str], message: str) -> None:
    with pytest.raises(BadPlayer, match=message):
        make_field(names, SPIT)
    with pytest.raises(BadPlayer, match="for 3 players"):
        make_field(["emma", "greedy"], THREE)
    with pytest.raises(BadPlayer, match="the anchor 'emma' does not play"):
        make_field(["random", "greedy"], SPIT, "emma")


@pytest.mark.plain
def test_every_set_that_fills_a_table_has_deals_of_its_own() -> None:
    players, _ = make_field(["emma", "greedy", "random", "emma*1.1"], THREE)
    cohorts = make_cohorts(players, 5, 0, THREE, "perfect")
    assert len({cohort.title for cohort in cohorts}) == len({cohort.seed for cohort in cohorts}) == len(cohorts) == 4
    assert all(cohort.games == 15 for cohort in cohorts)
    fewer = make_cohorts(players[1:], 5, 0, THREE, "perfect")
    assert {cohort.key() for cohort in fewer} < {cohort.key() for cohort in cohorts}


# --- What is played --------------------------------------------------------------------------------------------------


def test_when_a_bot_joins_only_its_games_are_played() -> None:
    first = report("greedy random emma")
    before = kept()
    assert len(set(before)) == 3
    report("greedy random emma greedy*1.5")
    assert kept()[: len(before)] == before
    assert len(set(kept()[len(before) :])) == 3
    assert len(set(kept())) == 6
    assert report("emma random greedy") == first  # nothing is played, and the order does not matter
    assert len(set(kept())) == 6


def test_three_at_a_table() -> None:
    text = report("random greedy emma random*1.2 --rules speed_3p")
    outcome = Tournament.from_json(text)
    assert len(outcome.matches) == 4
    assert {len(match.sides) for match in outcome.matches} == {3}
    assert {rating.name for rating in outcome.ratings.players} == {"emma", "greedy", "random", "random*1.2"}
    assert outcome.to_json() == text
    assert report("greedy random*1.2 emma random --rules speed_3p") == text
