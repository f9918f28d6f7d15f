"""What a net that plays Spit sees of the table: every place is written, in range, from the observation alone."""

from typing import Any

import numpy as np
import pytest

from spit_agents import candidates_spit
from spit_agents.encoding import SLOTS
from spit_agents.errors import BadPlayer
from spit_agents.features import HIGHEST, LOWEST, encoder_of
from spit_agents.features_spit import FEATURES, STACK
from spit_agents.outlook_speed import ROOM, longest_run
from spit_agents.outlook_spit import NEAR
from spit_agents.packed import put
from spit_env.batch import Batch
from spit_env.games import SPIT
from spit_env.jit import JIT_DISABLED, entry
from spit_env.spit.rules import PRESETS
from spit_env.spit.state import SEATS, STACKS
from tests.random_games import HASTY, choices_of, shuffled_unknown
from tests.sights import any_sights, check_writing, sights_of_games
from tests.spit_rules import make_rules

encoder = encoder_of(SPIT)
encode = encoder.encode


@pytest.mark.plain
def test_every_place_is_written_and_no_other() -> None:
    views, masks = any_sights("emma", 20)
    made, candidates = encode(views, masks)
    check_writing(encoder, views, masks)
    assert (made.shape, made.dtype) == ((20, encoder.size), np.float32)
    assert (candidates.shape, candidates.dtype) == ((20, encoder.candidates), np.int8)
    assert encoder.size == FEATURES + candidates_spit.CANDIDATES * candidates_spit.FEATURES
    assert [part.shape for part in encode(views[:0], masks[:0])] == [(0, encoder.size), (0, encoder.candidates)]


def test_a_game_without_an_encoder_is_refused() -> None:
    with pytest.raises(BadPlayer, match="no net can play chess: it has no encoder; games that have: spit"):
        encoder_of(SPIT._replace(name="chess"))


@pytest.mark.plain
@pytest.mark.parametrize("waits", [False, True])
def test_every_number_is_in_the_bridges_box(waits: bool) -> None:
    views, masks = any_sights("emma", 40 if JIT_DISABLED else 3000)
    for rule in range(len(NEAR)):
        made, _ = encode(views, masks, waits, rule)
        assert made.min() >= LOWEST
        assert made.max() <= HIGHEST


@pytest.mark.parametrize("preset", PRESETS)
def test_numbers_of_real_games_are_of_order_one(preset: str) -> None:
    made, _ = encode(*sights_of_games(preset))
    assert made.min() >= LOWEST
    assert made.max() <= 6.0
    assert (made[:, :FEATURES].std(axis=0) > 0).mean() > 0.6  # few places are the same throughout


@pytest.mark.parametrize("kind", ["bridge", "games"])
def test_training_has_this_box(kind: str) -> None:
    pytest.importorskip("stable_baselines3")
    from spit_agents.arena import Arena
    from spit_agents.catalogue import make_player
    from spit_train.bridge import SpitVecEnv
    from spit_train.config import TrainConfig
    from spit_train.train import make_games

    env: Any = SpitVecEnv(Arena(1, [make_player("random")])) if kind == "bridge" else make_games(TrainConfig())
    space = env.observation_space
    assert (space.low.min(), space.high.max(), space.shape) == (LOWEST, HIGHEST, (encoder.size,))
    assert env.action_space.n == encoder.candidates


@pytest.mark.plain
def test_a_shift_of_some_ranks_shows() -> None:
    views, masks = sights_of_games("emma")
    both = (views.pile_top > 0).all(axis=1)
    views, masks = views[both], masks[both]
    other = views.copy()
    other.pile_top = np.where(views.pile_top == 13, 1, views.pile_top + 1)
    assert (encode(other, masks)[0] != encode(views, masks)[0]).any(axis=1).all()


@pytest.mark.plain
def test_only_the_observation_goes_in() -> None:
    """A game whose unknown cards have changed places gives the same features."""
    rng = np.random.default_rng(0)
    batch, compared = Batch(1, make_rules("emma"), HASTY), 0
    batch.reset([3])
    for step in range(15 if JIT_DISABLED else 60):
        batch.step(choices_of(batch, rng), everyone=True)
        if batch.over[0]:
            break
        twin = Batch(1, make_rules("emma"), HASTY)
        twin.reset([3], boards=np.array([shuffled_unknown(batch.games[0], step)]))
        assert (twin.games.deck[0] != batch.games.deck[0]).any()
        if twin.games.time[0] == batch.games.time[0]:
            for p in (0, 1):
                one, other = ((b.observations[0, p : p + 1], b.masks[0, p : p + 1]) for b in (twin, batch))
                for mine, its in zip(encode(*one), encode(*other), strict=True):
                    assert np.array_equal(mine, its)
                compared += 1
    assert compared > 5
    views, masks = (part[:50] for part in sights_of_games("emma"))
    before = views.tobytes(), masks.tobytes()
    made = encode(views, masks)
    assert (views.tobytes(), masks.tobytes()) == before  # and it is not changed
    for mine, backwards in zip(made, encode(views[::-1], masks[::-1]), strict=True):  # row by row
        assert np.array_equal(mine, backwards[::-1])


@pytest.mark.plain
def test_the_relations_that_decide_a_move_are_right() -> None:
    """Own tops against piles, worked out in another way: how many stacks fit neither, one, the other or both piles."""
    views, masks = sights_of_games("emma")
    views, masks = views[views.pile_eye >= 0], masks[views.pile_eye >= 0]
    counted = views.pile_count[:, 1] <= views.pile_count[:, 0]
    views, masks = views[counted], masks[counted]  # ranks are counted from the own pile, which then comes first
    made, _ = encode(views, masks)
    first = SLOTS + SEATS + 2
    written = [made[:, [at + SLOTS + 1, at + SLOTS + 4]] for at in range(first, first + STACKS * STACK, STACK)]
    expected = []
    for s in range(STACKS):
        up = views.stack_count[:, 0, s] > views.stack_down[:, 0, s]
        top = np.where(up, views.stack_card[:, 0, s, 0], 0).astype(int)[:, None]
        fits = (top > 0) & (views.pile_top > 0) & np.isin((top - views.pile_top) % 13, (1, 12))
        expected.append(fits)
    one, other = (np.sort(np.stack(pairs, axis=1) @ [1, 2], axis=1) for pairs in (written, expected))
    assert np.array_equal(one, other)
    assert len(np.unique(one)) > 2


@entry
def run_of(tops: Any, pile0: int, pile1: int, rule: int) -> int:
    packed = 0
    for s in range(STACKS):
        packed = put(packed, s, tops[s])
    return longest_run(packed, put(pile0, 1, pile1), SEATS, rule, np.empty(ROOM, np.int64))


def longest(tops: tuple[int, ...], piles: tuple[int, int], rule: int) -> int:
    """How many tops can be played one after the other."""
    return max(
        (
            1 + longest(tops[:s] + tops[s + 1 :], (card, piles[1]) if i == 0 else (piles[0], card), rule)
            for s, card in enumerate(tops)
            for i in range(2)
            if card > 0 and NEAR[rule, piles[i]] >> card & 1
        ),
        default=0,
    )


@pytest.mark.plain
def test_runs_are_those_of_a_plain_search() -> None:
    rng, found = np.random.default_rng(0), set()
    for k in range(100 if JIT_DISABLED else 600):
        tops = rng.integers(0, 14, STACKS) if k % 2 else rng.integers(4, 9, STACKS)
        piles = int(rng.integers(0, 14)), int(rng.integers(1, 14))
        wanted = longest(tuple(tops.tolist()), piles, k % 4)
        assert run_of(tops, *piles, k % 4) == wanted
        found.add(wanted)
    assert found == {0, 1, 2, 3, 4, 5}
