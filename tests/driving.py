"""Driving a game of any kind by moves in its text form, as a test tells them."""

from spit_env.state import NOOP, RETURN, THINK, TRAVEL
from tests.engine import Engine


def think(game: Engine, seat: int) -> None:
    """Let the seat's hand come to the end of its thinking."""
    while game.game.hand[seat] == THINK:
        game.advance(int(game.game.until[seat]))


def moves(game: Engine, seat: int = 0) -> set[str]:
    """All that is legal for the seat once it has thought, waiting apart."""
    think(game, seat)
    assert game.game.hand[seat] not in (TRAVEL, RETURN), "the hand is busy"
    return {game.batch.game.move_name(action, seat) for action in game.legal(seat) if action != NOOP}


def launch(game: Engine, seat: int, move: str) -> None:
    """Choose as soon as the hand is open; ``-`` waits."""
    think(game, seat)
    action = game.batch.game.parse_move(move, seat)
    assert action in game.legal(seat), f"{move} is not legal for seat {seat}: {sorted(moves(game, seat))}"
    game.choose(seat, action)
    game.advance(int(game.game.time))


def land(game: Engine, seat: int) -> None:
    """Let the hand come to the end of what it does, and of what follows by itself."""
    while game.game.hand[seat] in (TRAVEL, RETURN):
        game.advance(int(game.game.until[seat]))


def act(game: Engine, seat: int, move: str) -> None:
    """Choose as soon as the hand is open, and wait for the end of it."""
    launch(game, seat, move)
    land(game, seat)


def wait(game: Engine, ms: int) -> None:
    """Let so much time pass, nobody choosing."""
    game.advance(int(game.game.time) + ms)


def until(game: Engine, *phases: int) -> None:
    """Let time pass, nobody choosing, until one of these phases."""
    for _ in range(10_000):
        if game.game.phase in phases:
            return
        game.advance(single=True)
    raise AssertionError(f"no phase of {phases}")
