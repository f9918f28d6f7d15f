"""What a net that plays Spit sees is the same for all shifts and the reflection of the ranks, and all orders of stacks.

So whatever a net makes of it has the symmetries of the game: where king and ace are neighbours, as in all presets.
"""

from typing import Any

import numpy as np
import pytest

from spit_agents.candidates_spit import CANDIDATES, FEATURES
from spit_agents.features import encoder_of
from spit_agents.features_spit import FEATURES as TABLE
from spit_agents.fits import rule_of
from spit_env.games import SPIT
from spit_env.jit import JIT_DISABLED
from spit_env.spit.rules import PRESETS
from spit_env.spit.state import FIRST_FLIP, FIRST_MOVE, FIRST_PLAY, SEATS, STACKS
from spit_env.spit.state import SPIT as CALL
from tests.sights import sights_of_games
from tests.spit_rules import make_rules

RANKED = ("flight_card", "pile_top", "stack_card", "deck_card")
COUNTED = ("unseen", "lost")  # by rank
WRAPPING = [preset for preset in PRESETS if make_rules(preset).ace_wrap]
RULES = [*WRAPPING, {"preset": "emma", "doubles": True}]
encode = encoder_of(SPIT).encode
everywhere = pytest.mark.parametrize("recall", ["perfect", "none"])
for_all_rules = pytest.mark.parametrize("rules", RULES, ids=str)


def sights(rules: Any, recall: str, tops: int) -> tuple[Any, Any, int]:
    """Views and masks with at least so many pile tops, and what fits."""
    views, masks = sights_of_games(rules, recall, every=10 if JIT_DISABLED else 15)
    chosen = (views.pile_top > 0).sum(axis=1) >= tops
    assert chosen.sum() > 10
    return views[chosen], masks[chosen], rule_of(make_rules(rules))


def renamed(views: Any, ranks: Any) -> Any:
    """Rank r + 1 is called ranks[r] + 1."""
    other = views.copy()
    names = np.concatenate([[0], ranks + 1])
    for name in RANKED:
        other[name] = names[views[name]]
    for name in COUNTED:
        other[name][..., ranks] = views[name]
    return other


def same(one: tuple[Any, Any], other: tuple[Any, Any]) -> bool:
    return all(np.array_equal(mine, its) for mine, its in zip(one, other, strict=True))


@pytest.mark.plain
@everywhere
@for_all_rules
def test_all_ranks_may_be_shifted(rules: Any, recall: str) -> None:
    """No number holds an absolute rank, as long as there is a pile to count from."""
    views, masks, rule = sights(rules, recall, tops=1)
    made = encode(views, masks, True, rule)
    for k in (1, 6, 12) if JIT_DISABLED else range(1, 13):
        other = renamed(views, (np.arange(13) + k) % 13)
        assert (other.stack_card != views.stack_card).any()
        assert same(encode(other, masks, True, rule), made)


@pytest.mark.plain
def test_all_ranks_may_be_shifted_where_one_pile_is_gone() -> None:
    views, masks, rule = sights("emma", "perfect", tops=2)
    for gone in range(SEATS):
        one_pile = views.copy()
        one_pile.pile_top[:, gone] = 0  # the other one's top is what ranks are counted from
        for k in (1, 6, 12):
            other = renamed(one_pile, (np.arange(13) + k) % 13)
            assert same(encode(other, masks, True, rule), encode(one_pile, masks, True, rule))


@pytest.mark.plain
@everywhere
@for_all_rules
def test_ranks_may_be_reflected(rules: Any, recall: str) -> None:
    """The second pile's top says in which direction ranks are counted, if it is not the first one's."""
    views, masks, rule = sights(rules, recall, tops=2)
    two = views.pile_top[:, 0] != views.pile_top[:, 1]
    views, masks = views[two], masks[two]
    other = renamed(views, 12 - np.arange(13))
    assert (other.pile_top == 14 - views.pile_top).all()
    assert same(encode(other, masks, True, rule), encode(views, masks, True, rule))


def permuted(views: Any, k: int, order: Any) -> Any:
    """Place i of player k's row is taken by what was stack order[i]."""
    other = views.copy()
    for name in ("stack_count", "stack_down", "stack_card"):
        other[name][:, k] = views[name][:, k][:, order]
    numbers = np.concatenate([[0], 1 + np.argsort(order)])
    for name in ("flight_from", "flight_to"):
        other[name][:, k] = numbers[views[name][:, k]]
    return other


def renumbered(order: Any) -> Any:
    """What each action is called after `permuted` of the own row, shape (actions,)."""
    to = np.argsort(order).tolist()
    pairs = [(s, t) for s in range(STACKS) for t in range(STACKS) if s != t]
    moves = dict(zip(pairs, range(FIRST_MOVE, CALL), strict=True))
    names = np.arange(SPIT.actions)
    for s in range(STACKS):
        names[FIRST_FLIP + s] = FIRST_FLIP + to[s]
        for pile in range(SEATS):
            names[FIRST_PLAY + SEATS * s + pile] = FIRST_PLAY + SEATS * to[s] + pile
    for (s, t), a in moves.items():
        names[a] = moves[to[s], to[t]]
    assert sorted(names.tolist()) == list(range(SPIT.actions))
    return names


def by_action(made: Any, candidates: Any) -> Any:
    """What is seen of each action, shape (rows, actions, numbers); -9 where it is no candidate."""
    described = made[:, TABLE:].reshape(len(made), CANDIDATES, FEATURES)
    seen = np.full((len(made), SPIT.actions, FEATURES), -9, np.float32)
    rows, places = np.nonzero(candidates >= 0)
    seen[rows, candidates[rows, places]] = described[rows, places]
    return seen


@pytest.mark.plain
@everywhere
@for_all_rules
def test_stacks_may_be_permuted(rules: Any, recall: str) -> None:
    """With either player's stacks in another order the table looks the same, and so does each action by its new name.

    Where there is no room for all actions, which are left out does depend on the order.
    """
    views, masks, rule = sights(rules, recall, tops=0)
    rng = np.random.default_rng(0)
    made, candidates = encode(views, masks, True, rule)
    room = candidates[:, -2] < 0  # and not only just
    assert room.mean() > 0.5
    for k in range(SEATS):
        for _ in range(2 if JIT_DISABLED else 8):
            order = rng.permutation(STACKS)
            names = renumbered(order) if k == 0 else np.arange(SPIT.actions)
            shuffled = np.empty_like(masks)
            shuffled[:, names] = masks
            other, others = encode(permuted(views, k, order), shuffled, True, rule)
            assert np.array_equal(other[:, :TABLE], made[:, :TABLE])
            assert np.array_equal(by_action(other, others)[room][:, names], by_action(made, candidates)[room])
