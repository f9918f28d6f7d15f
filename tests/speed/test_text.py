"""Speed's moves as text."""

import pytest

from spit_env.errors import BadText
from spit_env.speed.state import action_count, call_action, draw_action
from spit_env.speed.text import PILE_LETTERS, SEAT_LETTERS, action_names, move_name, parse_move

SEATS = (2, 3, 4)


@pytest.mark.plain
@pytest.mark.parametrize("seats", SEATS)
def test_every_action_has_a_name_of_its_own_and_a_move_that_is_read_back(seats: int) -> None:
    actions = range(action_count(seats))
    names = action_names(seats)
    assert len(names) == len(set(names)) == action_count(seats)
    for seat in range(seats):
        moves = [move_name(action, seat, seats) for action in actions]
        assert len(set(moves)) == len(moves)
        assert [parse_move(move, seat, seats) for move in moves] == list(actions)
        assert [parse_move(f" {move.lower()} ", seat, seats) for move in moves] == list(actions)


@pytest.mark.plain
@pytest.mark.parametrize("seats", SEATS)
def test_a_pile_has_the_same_letter_for_all(seats: int) -> None:
    for p, letter in enumerate(PILE_LETTERS[:seats]):
        for seat in range(seats):
            relative = (p - seat) % seats
            assert parse_move(f"P1{letter}", seat, seats) == 1 + relative, "pile k is that of the k-th seat from here"
        assert action_names(seats)[parse_move(f"P1{letter}", p, seats)] == "play 1 own"


@pytest.mark.plain
def test_the_names() -> None:
    assert action_names(2)[:5] == ("noop", "play 1 own", "play 1 other", "play 2 own", "play 2 other")
    assert action_names(3)[4:7] == ("play 2 own", "play 2 next", "play 2 previous")
    assert action_names(4)[1:5] == ("play 1 own", "play 1 next", "play 1 across", "play 1 previous")
    assert action_names(4)[21:23] == ("play 1 own high", "play 1 next high")
    assert action_names(4)[-2:] == ("draw", "call")
    assert len(SEAT_LETTERS) == len(PILE_LETTERS) == 4


@pytest.mark.plain
def test_the_notation() -> None:
    assert move_name(0, 1, 2) == "-"
    assert [move_name(action, 1, 3) for action in (1, 2, 3, 16, 17)] == ["P1L", "P1M", "P1R", "P1L+", "P1M+"]
    assert move_name(draw_action(3), 2, 3) == "DRAW"
    assert move_name(call_action(3), 2, 3) == "CALL"


@pytest.mark.plain
@pytest.mark.parametrize("text", ["", "P1", "P6L", "P0L", "P1X", "P1M", "P1L-", "P1L++", "PLAY", "SPIT", "F1", "P1 L"])
def test_what_is_no_move_is_refused_with_what_would_be_one(text: str) -> None:
    with pytest.raises(BadText) as caught:
        parse_move(text, 0, 2)
    assert str(caught.value).startswith(f"not a move: {text!r}; write P1R")
    assert str(caught.value).endswith("the piles are R L")
