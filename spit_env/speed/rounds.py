"""Stuck, turning, the end of a deal and of the game. docs/speed.md, "Stuck" and "End of a deal"."""

from spit_env import phases, verbs
from spit_env.jit import implement, kernel
from spit_env.speed.state import CARDS, STATE
from spit_env.speed.table import can_turn, cards_held, deal, is_out, start, turn
from spit_env.state import BLOCKED, FINISHED, LOCKED, MAX_ROUNDS, PAUSE, PICK, Game


@implement(verbs.deal_game, STATE)
def deal_game(g: Game) -> None:
    """The first deal."""
    deal(g)


@implement(verbs.table_stuck, STATE)
def table_stuck(g: Game, stalled: bool) -> None:
    """All stop; after a pause cards are turned, or without any the deal is blocked (S2-11, A-41)."""
    if can_turn(g):
        phases.enter_phase(g, PAUSE, g.spit_pause_ms)
    else:
        deal_won(g, fewest_cards(g), BLOCKED)


@kernel
def fewest_cards(g: Game) -> int:
    """The player with the fewest cards; equal: a coin."""
    best = CARDS
    candidates = 0
    for p in range(g.hand.shape[0]):
        n = cards_held(g, p)
        if n < best:
            best = n
            candidates = 0
        if n == best:
            candidates |= 1 << p
    return phases.coin_among(g, candidates)


@implement(verbs.end_pause, STATE)
def end_pause(g: Game) -> None:
    """The start or a turn; then the race goes on. Pauses count against `max_round_ms`, so that turning ends."""
    if g.phase == LOCKED:
        start(g)
    else:
        turn(g)
    g.raced += g.spit_pause_ms
    phases.enter_race(g)
    if g.announce == 0:
        out = 0
        for p in range(g.hand.shape[0]):
            if is_out(g, p):
                out |= 1 << p
        if out != 0:  # a row whose player let the last card of the stock be turned
            deal_won(g, phases.coin_among(g, out), FINISHED)


@kernel
def deal_won(g: Game, p: int, reason: int) -> None:
    """Seat p has won the deal: a point for each card that the others hold, and perhaps the game (S2-15, S2-17, A-42).

    The core calls `next_round` before anything else happens.
    """
    for q in range(g.hand.shape[0]):
        if q != p:
            g.score[p] += cards_held(g, q)
    if g.match_score == 0 or g.score[p] >= g.match_score:
        phases.end_game(g, p, reason)
    else:
        phases.enter_phase(g, PICK, 0)
        g.round_over = 1


@implement(verbs.next_round, STATE)
def next_round(g: Game) -> None:
    """The next deal of a match (S2-17)."""
    g.rounds += 1
    if g.rounds >= g.max_rounds:
        phases.end_game(g, -1, MAX_ROUNDS)
    else:
        deal(g)


@implement(verbs.choose_outside, STATE)
def choose_outside(g: Game, p: int, action: int) -> None:
    """Nobody ever chooses outside the clock."""


@implement(verbs.end_slap, STATE)
def end_slap(g: Game) -> None:
    """Nothing is slapped for."""
