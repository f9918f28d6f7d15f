"""Cohorts of games: the same results however they are played, nothing lost, and faults that say where they are."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from spit_agents import GameResults, Player, make_player, play_match
from spit_agents.base import Actions
from spit_env.latency import make_latency
from spit_env.rules import make_rules
from spit_train import harness
from spit_train.cohort import Cohort, fingerprint, sub_seed
from spit_train.harness import play_cohorts
from spit_train.journal import BadJournal, Block, Journal, gaps

ROOT = Path(__file__).resolve().parent.parent
PATHS = os.pathsep.join(map(str, (ROOT, ROOT / "agents", ROOT / "train")))


class Broken:
    """A bot that fails."""

    def act(self, views: Any, masks: Any, draws: Any) -> Actions:
        raise RuntimeError("my own fault")


def cohort(a: str = "greedy", b: str = "random", deals: int = 40, seed: int = 5, **values: Any) -> Cohort:
    rules = make_rules(values.pop("rules", {"max_rounds": 3}))
    return Cohort(players=(make_player(a), make_player(b)), deals=deals, seed=seed, rules=rules, **values)


def same(one: GameResults, other: GameResults) -> bool:
    return all(bool((a == b).all()) and a.shape == b.shape for a, b in zip(one, other, strict=True))


def whole(c: Cohort) -> GameResults:
    """The games of a cohort in one piece."""
    return play_match(c.players, c.deals, c.seed, rules=c.rules, one_round=c.one_round)


# --- The same games, however they are played -------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2, None])
def test_results_do_not_depend_on_the_workers(workers: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "WORTH_A_POOL_S", 0.0)
    cohorts = [cohort(), cohort("random", "random*1.5", 70)]
    seen: list[tuple[int, int]] = []
    played = play_cohorts(cohorts, workers=workers, progress=lambda done, games: seen.append((done, games)))
    assert all(same(rows, whole(c)) for rows, c in zip(played, cohorts, strict=True))
    assert seen[0] == (0, 220)
    assert seen[-1] == (220, 220)
    assert seen == sorted(seen)


@pytest.mark.parametrize("block_s", [0.0, 0.01, 100.0])
def test_results_do_not_depend_on_the_blocks(block_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "BLOCK_S", block_s)
    monkeypatch.setattr(harness, "FIRST_GAMES", 7)
    assert same(play_cohorts([cohort()])[0], whole(cohort()))


def test_three_players_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "FIRST_GAMES", 4)
    players = tuple(make_player(name) for name in ("greedy", "random", "emma"))
    c = Cohort(players=players, deals=5, seed=2, rules=make_rules("speed_3p"))
    assert same(play_cohorts([c])[0], whole(c))


def test_a_game_may_be_left_after_its_first_round() -> None:
    c = cohort(rules="emma", one_round=True)
    rows, long = whole(c), whole(cohort(rules="emma"))
    assert (rows.round1_cards == long.round1_cards).all()
    assert (rows.rounds <= 1).all()
    assert (long.rounds > 1).any()
    assert (rows.winner[rows.end_reason == 0] == -1).all()
    assert (rows.round1_cards.sum(axis=1) >= 50)[rows.end_reason == 0].all()  # two may lie on the piles
    assert rows.decisions.sum() < long.decisions.sum() / 2


# --- Nothing is lost -------------------------------------------------------------------------------------------------


def test_a_run_goes_on_with_what_its_journal_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.jsonl"
    play_cohorts([cohort(deals=15)], journal=Journal(path))
    held = Journal(path)
    assert held.games == 30
    played: list[tuple[int, int]] = []
    play = Cohort.play
    monkeypatch.setattr(
        Cohort, "play", lambda c, first, deals, size: played.append((first, deals)) or play(c, first, deals, size)
    )
    assert same(play_cohorts([cohort()], journal=held)[0], whole(cohort()))
    assert played == [(15, 25)]
    assert same(play_cohorts([cohort()], journal=Journal(path))[0], whole(cohort()))
    assert same(play_cohorts([cohort(deals=7)], journal=Journal(path))[0], whole(cohort(deals=7)))
    assert played == [(15, 25)]


def test_another_cohort_takes_nothing_from_a_journal() -> None:
    keys = {
        c.key()
        for c in (
            cohort(), cohort("random", "greedy"), cohort("greedy*1.1"), cohort(rules="emma"), cohort(one_round=True),
            cohort(recall="none"), cohort(wait_ms=50), cohort("emma"), cohort(seed=6),
        )
    }  # fmt: skip
    assert len(keys) == 9
    assert cohort(deals=1).key() == cohort(deals=2).key()


def test_a_line_that_was_cut_short_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    journal = Journal(path)
    play_cohorts([cohort(deals=4)], journal=journal)
    size = path.stat().st_size
    play_cohorts([cohort(deals=8)], journal=journal)
    data = path.read_bytes()
    for cut in range(size, len(data), 97):
        path.write_bytes(data[:cut])
        assert Journal(path).games == 8
        assert path.stat().st_size == size
        path.write_bytes(data[:cut])
        assert same(play_cohorts([cohort(deals=8)], journal=Journal(path))[0], whole(cohort(deals=8)))


def test_a_journal_in_memory_can_be_saved(tmp_path: Path) -> None:
    journal = Journal()
    play_cohorts([cohort(deals=4)], journal=journal)
    journal.save(tmp_path / "games.jsonl")
    assert Journal(tmp_path / "games.jsonl").games == 8


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("hello\n", "line 1: not JSON"),
        ('{"format": "spit-games", "version": 99}\n', "no journal of games of version 1"),
        ('{"format":"spit-games","version":1}\n{"cohort": "x"}\n', "line 2: no block of games"),
        ('{"format":"spit-games","version":1}\n[]\n', "line 2: no block of games"),
    ],
)  # fmt: skip
def test_what_is_no_journal_is_refused_and_left_alone(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(text)
    with pytest.raises(BadJournal, match=complaint):
        Journal(path)
    assert path.read_text() == text


def test_gaps_are_what_is_missing() -> None:
    nothing = whole(cohort(deals=1))
    blocks = [Block(3, 2, nothing), Block(5, 1, nothing), Block(8, 4, nothing)]
    assert list(gaps(blocks, 15)) == [(0, 3), (6, 2), (12, 3)]
    assert list(gaps([], 2)) == [(0, 2)]
    assert list(gaps([Block(0, 2, nothing)], 2)) == []


SLOW_RUN = """
import sys
from pathlib import Path
from spit_train.evaluate import evaluate
from spit_train.journal import Journal

if __name__ == "__main__":
    print("go", flush=True)
    evaluate(["greedy", "random"], 200_000, 1, workers=int(sys.argv[2]), journal=Journal(Path(sys.argv[1])))
"""


@pytest.mark.parametrize(("workers", "how"), [(1, signal.SIGINT), (2, signal.SIGINT), (2, signal.SIGKILL)])
def test_stopping_keeps_what_is_finished_and_leaves_no_process(
    workers: int, how: signal.Signals, tmp_path: Path
) -> None:
    script, games = tmp_path / "run.py", tmp_path / "games.jsonl"
    script.write_text(SLOW_RUN)
    run = subprocess.Popen(
        [sys.executable, str(script), str(games), str(workers)], env=os.environ | {"PYTHONPATH": PATHS},
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    wait_until(lambda: games.exists() and games.stat().st_size > 1000)
    run.send_signal(how)
    _, said = run.communicate(timeout=60)
    assert run.returncode != 0
    if how == signal.SIGINT:
        assert "KeyboardInterrupt" in said
    kept = Journal(games).games
    assert kept > 0
    wait_until(lambda: not alive_in_group(run.pid))
    again = cohort(deals=kept // 2, rules="emma", seed=1)
    assert same(play_cohorts([again], journal=Journal(games))[0], whole(again))


def wait_until(true: Any, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def alive_in_group(group: int) -> bool:
    """Whether a process of a group lives."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


# --- Faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
def test_a_bots_fault_is_its_own(workers: int) -> None:
    players = Player("broken", Broken(), make_latency()), make_player("random")
    began = time.monotonic()
    with pytest.raises(RuntimeError, match="my own fault") as caught:
        play_cohorts([Cohort(players=players, deals=50, seed=1, rules=make_rules("emma"))], workers=workers)
    assert time.monotonic() - began < 30
    assert "in act" in str(caught.value.__cause__) or workers == 1


def test_a_fingerprint_changes_with_what_a_bot_is() -> None:
    bots = [make_player(name).agent for name in ("emma", "greedy", "random")]
    assert len({fingerprint(bot) for bot in [*bots, Broken()]}) == 4
    assert fingerprint(Broken()) == fingerprint(Broken())


def test_seeds_for_purposes_differ_and_last() -> None:
    assert len({sub_seed(seed, what) for seed in range(50) for what in "abc"}) == 150
    assert sub_seed(7, "speed") == 7306680683975573606
    assert all(0 <= sub_seed(seed, "x") < 2**63 for seed in range(100))


@pytest.mark.parametrize("name", ["emma", "emma,recall=0.5,slips=0.1", "greedy"])
def test_playing_leaves_a_bot_as_it_is(name: str) -> None:
    before = cohort(name).key()
    play_cohorts([cohort(name, deals=1)])
    assert cohort(name).key() == before
