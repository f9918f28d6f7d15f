"""The actions of Spit that a net chooses among: which they are, and that each is judged by the table it leads to."""

from typing import Any

import numpy as np
import pytest

from spit_agents.candidates_spit import CANDIDATES, FEATURES, KINDS
from spit_agents.emma_spit import leads_on
from spit_agents.features import encoder_of
from spit_agents.features_spit import FEATURES as TABLE
from spit_agents.features_spit import OUTLOOK, write_outlook
from spit_agents.outlook_speed import ROOM
from spit_agents.outlook_spit import Outlook, can_dig, look
from spit_env.games import SPIT
from spit_env.jit import JIT_DISABLED, entry
from spit_env.spit.rules import PRESETS
from spit_env.spit.state import FIRST_FLIP, FIRST_MOVE, FIRST_PICK, FIRST_PLAY, SEATS, STACKS
from spit_env.spit.state import SPIT as CALL
from spit_env.state import NOOP
from tests.sights import any_sights, sights_of_games

encode = encoder_of(SPIT).encode
MOVES = [(s, to) for s in range(STACKS) for to in range(STACKS) if s != to]  # from FIRST_MOVE on


@entry
def leading(view: Any, s: int, to: int) -> bool:
    return leads_on(look(view, 0).own, s, to)


@entry
def numbers_of(view: Any, table: Any, out: Any) -> int:
    pile0, pile1, own, own_known, opp, opp_known = table
    busy = can_dig(look(view, 0).opp, opp)
    todo = np.empty(ROOM, np.int64)
    return write_outlook(view, Outlook(pile0, pile1, own, own_known, opp, opp_known, busy, 0), todo, out, 0)


def check_candidates(views: Any, masks: Any, candidates: Any, waits: bool) -> None:
    """Legal, distinct, at least one; what is left out leads nowhere, or there was no room."""
    there = candidates >= 0
    assert there.any(axis=1).all()
    assert (np.diff(there.astype(int), axis=1) <= 0).all()  # no place between two is free
    for view, mask, row in zip(views, masks, candidates, strict=True):
        actions = row[row >= 0].tolist()
        assert mask[actions].all()
        assert len(set(actions)) == len(actions)
        left_out = set(np.flatnonzero(mask).tolist()) - set(actions)
        moves = {a for a in left_out if FIRST_MOVE <= a < CALL}
        if NOOP in actions:
            assert waits or actions == [NOOP]
        elif NOOP in left_out:
            assert not waits
        if len(set(actions) - {NOOP}) < CANDIDATES - waits:
            assert left_out <= moves | {NOOP}
            assert not any(leading(view, *MOVES[a - FIRST_MOVE]) for a in moves)
        if len(actions) > 1:
            assert all(leading(view, *MOVES[a - FIRST_MOVE]) for a in actions if FIRST_MOVE <= a < CALL)


@pytest.mark.plain
@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("preset", PRESETS)
def test_candidates_of_real_games(preset: str, waits: bool) -> None:
    views, masks = sights_of_games(preset, every=20)
    asked = masks.sum(axis=1) > 1
    views, masks = views[asked], masks[asked]
    _, candidates = encode(views, masks, waits)
    check_candidates(views, masks, candidates, waits)
    assert (candidates[:, 2] >= 0).any()


@pytest.mark.plain
@pytest.mark.parametrize("waits", [False, True])
def test_candidates_whatever_is_legal(waits: bool) -> None:
    views, masks = any_sights("emma", 60 if JIT_DISABLED else 2000)
    _, candidates = encode(views, masks, waits)
    check_candidates(views, masks, candidates, waits)
    assert (candidates[:, -1] >= 0).any()  # there are too many in some rows


@pytest.mark.plain
def test_moves_that_lead_nowhere_are_chosen_where_nothing_else_may_be() -> None:
    views = SPIT.observation.zeros((1,)).view(np.recarray)
    masks = np.zeros((1, SPIT.actions), np.int8)
    masks[0, [FIRST_MOVE + 3, FIRST_MOVE + 7]] = 1
    assert encode(views, masks)[1].tolist() == [[FIRST_MOVE + 3] + [-1] * (CANDIDATES - 1)]
    masks[0, NOOP] = 1
    assert encode(views, masks)[1].tolist() == [[NOOP] + [-1] * (CANDIDATES - 1)]


@pytest.mark.plain
def test_unused_places_are_zeros() -> None:
    views, masks = sights_of_games("emma")
    made, candidates = encode(views, masks)
    described = made[:, TABLE:].reshape(len(made), CANDIDATES, FEATURES)
    assert not described[candidates < 0].any()
    assert (described[candidates >= 0][:, :KINDS].sum(axis=1) == 1).all()  # of one kind each


def packed(ranks: Any) -> int:
    return sum(int(rank) << 4 * s for s, rank in enumerate(ranks))


def table_after(view: Any, a: int) -> tuple[int, ...]:
    """The piles, and each player's open and remembered tops, as arrays tell it, with no hand under way."""
    cards = view.stack_card.astype(int)
    open_cards = view.stack_count - view.stack_down
    tops, known = (np.where(up, cards[:, :, 0], 0) for up in (open_cards > 0, open_cards <= 0))
    piles = view.pile_top.tolist()
    if FIRST_FLIP <= a < FIRST_MOVE:
        s = a - FIRST_FLIP
        tops[0, s], known[0, s] = known[0, s], 0
    elif FIRST_PLAY <= a < CALL:
        s, to = divmod(a - FIRST_PLAY, SEATS) if a < FIRST_FLIP else MOVES[a - FIRST_MOVE]
        card = tops[0, s]
        if a < FIRST_FLIP:
            piles[to] = int(card)
        else:
            tops[0, to] = card
        if open_cards[0, s] == 1:
            tops[0, s], known[0, s] = 0, cards[0, s, 1]
    return (*piles, *(packed(side[k]) for k in range(SEATS) for side in (tops, known)))


@pytest.mark.plain
@pytest.mark.parametrize("recall", ["perfect", "none"])
def test_candidates_are_judged_by_the_table_that_they_lead_to(recall: str) -> None:
    views, masks = sights_of_games("emma", recall, every=1 if JIT_DISABLED else 30)
    calm = (views.flight_card[:, 1] == 0) & (masks.sum(axis=1) > 1)
    views, masks = views[calm], masks[calm]
    made, candidates = encode(views, masks, waits=True)
    described = made[:, TABLE:].reshape(len(made), CANDIDATES, FEATURES)
    kinds, wanted = set(), np.empty(OUTLOOK, np.float32)
    for i in range(len(views)):
        for k, a in enumerate(candidates[i].tolist()):
            if a >= 0:
                assert numbers_of(views[i], table_after(views[i], a), wanted) == OUTLOOK
                assert np.array_equal(described[i, k, KINDS : KINDS + OUTLOOK], wanted)
                kinds.add(int(np.searchsorted([FIRST_PLAY, FIRST_FLIP, FIRST_MOVE, CALL, FIRST_PICK], a, "right")))
    assert {0, 1, 2, 3} <= kinds  # to wait, play, flip, rearrange
