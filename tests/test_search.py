"""The searching bot: what it may know, that it replays, and that it wins."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spit_agents import Agent, BadPlayer, Emma, Search, make_player, play_match
from spit_agents.base import informed
from spit_agents.playout import habit, make_room
from spit_env.batch import Batch, make_seeds
from spit_env.jit import entry
from spit_env.spit.state import FIRST_PICK
from spit_env.state import DIRTY_ALL, RETURN, THINK, TRAVEL

GAMES = ("emma", "speed_3p", "california")


def midway(rules: str, size: int = 8, steps: int = 25, recall: Any = "perfect") -> Batch:
    """Games some way on, played by Emma."""
    batch = Batch(size, rules, recall=recall)
    batch.reset(make_seeds(7, size))
    emma = informed(make_player("emma").agent, batch.rules)
    for _ in range(steps):
        rows, seats = np.nonzero(batch.asked)
        actions = np.zeros((size, batch.game.seats), np.int64)
        actions[rows, seats] = emma.act(*batch.seen(rows, seats), batch.draws(rows, seats))
        batch.step(actions)
    return batch


def chosen(agent: Agent, batch: Batch) -> list[int]:
    """What it does in all places that are asked."""
    rows, seats = np.nonzero(batch.asked)
    views, masks = batch.seen(rows, seats)
    actions = agent.act(views, masks, batch.draws(rows, seats))
    assert masks[np.arange(len(rows)), actions].all()
    return [int(action) for action in actions]


@pytest.mark.parametrize("recall", ["perfect", "none"])
@pytest.mark.parametrize("rules", GAMES)
def test_it_sees_no_hidden_card_and_no_hidden_time(rules: str, recall: str) -> None:
    batch = midway(rules, size=1, recall=recall)
    agent = informed(Search(rollouts=4), batch.rules)
    for _ in range(12):
        rows, seats = np.nonzero(batch.asked)
        seat = int(seats[0])
        view, mask = batch.seen(rows[:1], seats[:1])
        draw = batch.draws(rows[:1], seats[:1])
        before = agent.act(view, mask, draw)
        batch.game.shuffle_unknown(batch, seat, np.random.default_rng(1))
        game = batch.games[0]
        for other in range(batch.game.seats):
            if other != seat and game.hand[other] == THINK:
                game.until[other] += 1234
        game.dirty = DIRTY_ALL
        batch.write()
        view, mask = batch.seen(rows[:1], seats[:1])
        assert agent.act(view, mask, draw) == before
        actions = np.zeros((1, batch.game.seats), np.int64)
        actions[0, seat] = before[0]
        batch.step(actions)
        if batch.over[0]:
            break


@pytest.mark.parametrize("rules", GAMES)
def test_rows_may_come_in_any_order_and_number(rules: str) -> None:
    batch = midway(rules)
    agent = informed(Search(rollouts=4), batch.rules)
    together = chosen(agent, batch)
    rows, seats = np.nonzero(batch.asked)
    views, masks = batch.seen(rows, seats)
    draws = batch.draws(rows, seats)
    alone = [int(agent.act(views[k : k + 1], masks[k : k + 1], draws[k : k + 1])[0]) for k in range(len(rows))][::-1]
    assert alone[::-1] == together
    assert agent.act(views[::-1], masks[::-1], draws[::-1]).tolist() == alone


@entry
def by_habit(g: Any, p: int, view: Any, mask: Any, rule: int, numbers: Any, word: int) -> int:
    """What seat p of a game does by habit."""
    return habit(g, p, view, mask, rule, numbers, word)


@pytest.mark.parametrize("rules", ["emma", "pagat"])
def test_the_habit_is_what_emma_does(rules: str) -> None:
    batch = Batch(64, rules)
    batch.reset(make_seeds(9, 64))
    emma = informed(Emma(), batch.rules)
    room = make_room(batch.game, batch.rules)
    told = batch.game.observation.zeros((1,)).view(np.ndarray)
    kinds = set()
    for _ in range(150):
        rows, seats = np.nonzero(batch.asked)
        views, masks = batch.seen(rows, seats)
        draws = batch.draws(rows, seats)
        chosen = emma.act(views, masks, draws)
        for k, (row, seat) in enumerate(zip(rows, seats)):
            for name in ("pace", "spread"):
                told[name] = views[name][k]
            game = batch.games.view(np.ndarray)[row]
            action = by_habit(game, int(seat), told[0], room.mask, room.rule, room.numbers, int(draws[k]))
            assert action == chosen[k] or chosen[k] >= FIRST_PICK
            kinds.add((views.flight_kind[k, 1], views.hand[k, 1], masks[k].sum() > 2, action > 0))
        actions = np.zeros((64, 2), np.int64)
        actions[rows, seats] = chosen
        batch.step(actions)
    assert {(1, TRAVEL, True, True), (1, RETURN, True, True), (2, TRAVEL, True, True), (3, TRAVEL, True, True)} <= kinds


def test_it_beats_emma() -> None:
    played = play_match((make_player("search,rollouts=8"), make_player("emma")), 12, seed=5, batch_size=24)
    again = play_match((make_player("search,rollouts=8"), make_player("emma")), 2, seed=5, batch_size=3)
    assert played.illegal.sum() == 0
    assert played.win_rate > 0.7
    assert played.time_ms[:4].tolist() == again.time_ms.tolist()


def test_a_time_may_be_given_instead() -> None:
    batch = midway("emma")
    agent = informed(Search(ms=0.5), batch.rules)
    assert len(chosen(agent, batch)) == len(np.nonzero(batch.asked)[0])


def test_wrong_arguments_and_games_are_refused() -> None:
    with pytest.raises(ValueError, match="rollouts=0 must be"):
        Search(rollouts=0)
    with pytest.raises(ValueError, match="ms=0 must be"):
        Search(ms=0)
    batch = midway("emma", size=1, steps=1)
    with pytest.raises(BadPlayer, match="must know the rules"):
        chosen(Search(), batch)
    with pytest.raises(BadPlayer, match="another game"):
        chosen(informed(Search(), midway("california", 1, 1).rules), batch)


def test_it_plays_the_same_without_the_jit() -> None:
    code = (
        "from tests.test_search import *\n"
        "for rules in GAMES:\n"
        "    batch = midway(rules, 1, 9)\n"
        "    print(chosen(informed(Search(rollouts=1), batch.rules), batch))\n"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"NUMBA_DISABLE_JIT": off}, cwd=Path(__file__).parents[1],
            capture_output=True, text=True, check=True,
        ).stdout
        for off in ("0", "1")
    ]  # fmt: skip
    assert told[0] == told[1]
    assert told[0].count("[") == len(GAMES)
