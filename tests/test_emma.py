"""Emma: how she judges piles (T-66), her levels (T-67), her seats, and single decisions on made-up tables."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spit_agents import CaliforniaWeights, Emma, SpeedWeights, SpitWeights, make_player, play_match
from spit_env.batch import Batch, make_seeds
from spit_env.games import SPIT
from spit_env.latency import LEVELS
from spit_env.spit.text import ACTION_NAMES
from spit_env.state import PICK, TRAVEL

BIG = 4000  # enough for three standard deviations of a fair coin to be 2.4 points


def picks(bot: str, own: int, other: int, recall: Any) -> float:
    """How often a bot that has won the round takes its own pile, for piles of these sizes."""
    agent = make_player(bot).agent
    won = Batch(1)
    won.reset([1])
    while won.games.phase[0] != PICK:
        rows, seats = np.nonzero(won.asked)
        actions = np.zeros((1, 2), np.int64)
        actions[rows, seats] = agent.act(won.observations[rows, seats], won.masks[rows, seats], won.draws(rows, seats))
        won.step(actions)
    board = won.games[0].copy()
    chooser = int(board.chooser)
    board.pile_n[chooser], board.pile_n[1 - chooser] = own, other
    batch = Batch(BIG, recall=recall)
    batch.reset(make_seeds(3, BIG), boards=np.repeat(np.asarray(board)[None], BIG))
    rows, seats = np.nonzero(batch.asked)
    assert len(rows) == BIG
    assert set(seats) == {chooser}
    chosen = agent.act(batch.observations[rows, seats], batch.masks[rows, seats], batch.draws(rows, seats))
    named = [ACTION_NAMES[a] for a in chosen]
    assert set(named) <= {"pick own", "pick other"}
    return named.count("pick own") / BIG


@pytest.mark.parametrize("recall", ["perfect", "none"])
@pytest.mark.parametrize("bot", ["emma", "greedy"])
def test_piles_are_judged_by_eye(bot: str, recall: str) -> None:
    assert picks(bot, 6, 19, recall) == 1
    assert picks(bot, 19, 6, recall) == 0
    for own, other in ((12, 13), (13, 12)):
        assert abs(picks(bot, own, other, recall) - 0.5) < 1.5 / BIG**0.5


@pytest.mark.parametrize(("slower", "faster"), list(pairwise(LEVELS)))
def test_a_faster_level_wins_more(slower: str, faster: str) -> None:
    played = play_match((make_player(f"emma:{faster}"), make_player(f"emma:{slower}")), 150, seed=6)
    assert (played.winner >= 0).all()
    assert played.win_rate > 0.5 + 3 * 0.5 / 300**0.5


def test_both_seats_win_half_of_the_games() -> None:
    deals = 2000
    emma = make_player("emma:hard")
    played = play_match((emma, emma), deals, seed=9)
    assert played.win_rate == 0.5  # the second game of a deal is the first one again
    seat0 = np.mean(played.winner[::2] == 0)
    assert abs(seat0 - 0.5) < 1.5 / deals**0.5
    assert (played.winner >= 0).all()


@pytest.mark.parametrize("recall", ["perfect", "none"])
def test_emma_beats_greedy(recall: Any) -> None:
    played = play_match((make_player("emma"), make_player("greedy")), 500, seed=9, recall=recall)
    assert played.win_rate > 0.7
    assert (played.winner >= 0).all()


def decide(legal: str, *, draw: int = 0, emma: Emma | None = None, **fields: Any) -> str:
    """What Emma does on a made-up table; ``fields`` of the observation, ``legal`` actions besides NOOP."""
    view = SPIT.observation.zeros((1,))
    view.phase = 1
    view.pace, view.spread = 77, 10  # 450 ms, sigma 0.2
    for name, value in fields.items():
        view[name][0] = value
    mask = np.zeros((1, SPIT.actions), np.int8)
    mask[0, [0, *(ACTION_NAMES.index(name) for name in legal.split(", "))]] = 1
    chosen = (emma or Emma()).act(view, mask, np.array([draw], np.uint32))
    return ACTION_NAMES[chosen[0]]


def stacks(*tops: tuple[int, ...], down: tuple[int, ...] = (0,) * 5) -> dict[str, Any]:
    """Own stacks: known ranks from the top down; the opponent has none."""
    count, card = np.zeros((2, 5), np.int8), np.zeros((2, 5, 8), np.int8)
    for s, known in enumerate(tops):
        count[0, s] = len(known)
        card[0, s, : len(known)] = known
    return {"stack_count": count, "stack_card": card, "stack_down": [down, (0,) * 5]}


@pytest.mark.plain
def test_a_card_in_flight_is_seen() -> None:
    table: dict[str, Any] = stacks((7,), (2,)) | {"pile_top": (6, 8)}
    flight: dict[str, Any] = {"hand": (2, TRAVEL), "flight_kind": (0, 1), "flight_card": (0, 5), "flight_left": (0, 2)}
    assert decide("play 1 own, play 1 other", **table, **flight, flight_pile=(0, 1)) == "play 1 other"
    flight["flight_card"] = (0, 9)
    assert decide("play 1 own, play 1 other", **table, **flight, flight_pile=(0, 2)) == "play 1 own"


@pytest.mark.plain
def test_a_remembered_card_is_turned_first() -> None:
    table: dict[str, Any] = stacks((10,), (7,), down=(1, 1, 0, 0, 0)) | {"pile_top": (6, 1)}
    assert decide("flip 1, flip 2", **table) == "flip 2"
    assert decide("flip 1, flip 2", **{**table, "pile_top": (9, 1)}) == "flip 1"


@pytest.mark.plain
def test_rearranging_must_lead_somewhere() -> None:
    shut: dict[str, Any] = stacks((5, 5), (9,), (), down=(0, 0, 0, 0, 0)) | {"pile_top": (12, 12)}
    assert decide("move 1 to 3, move 1 to 4", **shut) == "noop"
    dig: dict[str, Any] = stacks((5, 5, 0), (5,), (), down=(1, 0, 0, 0, 0)) | {"pile_top": (12, 12)}
    assert decide("move 2 to 1, move 1 to 2", **dig) == "move 1 to 2"


@pytest.mark.plain
def test_a_spit_is_called_for_when_nothing_else_is_left() -> None:
    assert decide("spit", **stacks((5,), (9,)), pile_top=(12, 12)) == "spit"
    assert decide("spit, play 1 own", **stacks((5,), (9,)), pile_top=(6, 12)) == "play 1 own"


@pytest.mark.plain
def test_equal_actions_are_chosen_among_by_the_draw() -> None:
    table: dict[str, Any] = stacks((0,), (0,), (0,), down=(1, 1, 1, 0, 0)) | {"pile_top": (6, 6)}
    rng = np.random.default_rng(2)
    seen = [decide("flip 1, flip 2, flip 3", draw=int(d), **table) for d in rng.integers(0, 2**32, 600)]
    assert min(seen.count(f"flip {s}") for s in (1, 2, 3)) > 150


@pytest.mark.plain
def test_weights_are_values() -> None:
    table: dict[str, Any] = stacks((7,), (0,), down=(0, 1, 0, 0, 0)) | {"pile_top": (6, 12)}
    assert decide("play 1 own, flip 2", emma=Emma(SpitWeights()._replace(flip=1000)), **table) == "flip 2"
    assert decide("play 1 own, flip 2", emma=Emma(SpitWeights()._replace(flip=-1000)), **table) == "play 1 own"
    assert decide("play 1 own, flip 2", emma=Emma(SpitWeights()._replace(wait=9000)), **table) == "noop"


@pytest.mark.parametrize(
    ("game", "weights"),
    [("Spit", SpitWeights()), ("Speed", SpeedWeights()), ("California Speed", CaliforniaWeights())],
)
def test_the_page_on_bots_has_the_weights(game: str, weights: Any) -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "bots.md").read_text(encoding="utf-8")
    section = page.partition(f"\n## Emma at {game}\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:3] for line in section.splitlines() if line.startswith("| `")]
    values = {name.strip(" `"): value.strip() for name, value in rows}
    assert {name: values.get(name) for name in weights._fields} == {k: str(v) for k, v in weights._asdict().items()}


def test_weights_are_for_one_game_and_the_others_keep_theirs() -> None:
    emma, plain = Emma(SpeedWeights()._replace(wait=9000)), make_player("emma").agent
    batch = Batch(20)
    batch.reset(make_seeds(5, 20))
    rows, seats = np.nonzero(batch.asked)
    seen = *batch.seen(rows, seats), batch.draws(rows, seats)
    assert (emma.act(*seen) == plain.act(*seen)).all()
