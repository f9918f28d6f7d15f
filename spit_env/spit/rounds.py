"""Stuck, spitting, the end of a round and of the game. docs/spit.md, "Stuck" and "End of a round"."""

from spit_env import phases, verbs
from spit_env.jit import implement, kernel
from spit_env.phases import mark
from spit_env.spit.layout import (
    accepted,
    clear_pile,
    collect,
    deal_round,
    decks_left,
    draw,
    face_down_cards,
    pile_of,
    piles_left,
    put_on_pile,
    refill_budgets,
    reveal,
    stack_cards,
)
from spit_env.spit.state import CARDS, FIRST_PICK, GAP, SEATS, STACKS, STATE
from spit_env.state import (
    BLOCKED,
    DIRTY_TABLE,
    FINISHED,
    MAX_ROUNDS,
    NO_CARDS_LEFT,
    PAUSE,
    PICK,
    SLAP,
    SOLO,
    Game,
)


@implement(verbs.is_stuck, STATE)
def is_stuck(g: Game, p: int) -> bool:
    """The productive test of A-18, or the centre only (C-16)."""
    if g.spit_trigger == 2 and g.consent[p] != 0:
        return True
    bits = accepted(g)
    gap = False
    equal = False
    ranks = 0
    for s in range(STACKS):
        t = int(g.top[p, s])  # a wide integer, also without the JIT: it is shifted by
        if t >= 0:
            if (bits >> t) & 1:
                return False
            equal |= ((ranks >> t) & 1) != 0
            ranks |= 1 << t
        elif t == GAP:
            gap = True
        elif g.stuck_test == 0:
            return False
    if g.stuck_test == 1:
        return True
    digs = gap or (equal and g.combine == 0)
    return not (digs and g.budget[p] > 0 and face_down_cards(g, p) > 0)


@implement(verbs.table_stuck, STATE)
def table_stuck(g: Game, stalled: bool) -> None:
    """Wait for a call, or spit at once (C-17)."""
    if g.spit_trigger == 1 and not stalled and decks_left(g) > 0:
        g.stuck = 1
        mark(g, DIRTY_TABLE)
    else:
        begin_spit(g)


@kernel
def begin_spit(g: Game) -> None:
    """All stop; after a pause the decks spit, or without any deck the round is blocked (S0-20, S0-22)."""
    if decks_left(g) > 0:
        phases.enter_phase(g, PAUSE, g.spit_pause_ms)
    else:
        blocked(g)


@implement(verbs.end_pause, STATE)
def end_pause(g: Game) -> None:
    """The first spit of a round, or another (S0-05, S0-20, S0-21, C-06)."""
    if g.phase == PAUSE and decks_left(g) == 1 and piles_left(g) > 1:
        for p in range(SEATS):
            if g.deck_n[p] > 0:
                if g.solo_spit == 1 and g.spit_fixed[p] == 0:
                    phases.enter_phase(g, SOLO, 0)
                    g.chooser = p
                    return
                if g.solo_spit == 2:
                    spit_card(g, p, p)
                    if g.deck_n[p] > 0:
                        spit_card(g, p, pile_of(p, 1))
                    after_spit(g)
                    return
    spit_all(g)


@kernel
def spit_all(g: Game) -> None:
    """Each player with a deck turns its top card, at one instant (S0-05, S0-20, S0-21, A-49)."""
    for p in range(SEATS):
        if g.deck_n[p] > 0:
            spit_card(g, p, g.spit_to[p])
    after_spit(g)


@kernel
def spit_card(g: Game, p: int, pile: int) -> None:
    """Turn the top of a deck onto a pile."""
    card = draw(g, p)
    reveal(g, card, p)
    put_on_pile(g, pile, card)


@kernel
def after_spit(g: Game) -> None:
    """The race starts."""
    refill_budgets(g)
    phases.enter_race(g)


@kernel
def blocked(g: Game) -> None:
    """All are stuck and there is no deck (C-04, C-05, A-31)."""
    if g.blocked == 1 and piles_left(g) > 1:
        g.round_winner = -1
        phases.enter_phase(g, SLAP, 0)
    elif g.blocked == 2:
        void_round(g)
    else:
        p = fewest_cards(g, g.blocked_tie == 0 or g.blocked == 1)
        if p < 0:
            void_round(g)
        elif g.blocked == 3:
            phases.end_game(g, p, BLOCKED)
        else:
            round_won(g, p, False)


@kernel
def void_round(g: Game) -> None:
    """Nobody wins the round: each takes up the own pile."""
    for p in range(SEATS):
        g.takes[p] = p
    pick_up(g)


@kernel
def fewest_cards(g: Game, toss: bool) -> int:
    """The player with the fewest stack cards, in flight or not; equal: a coin, or -1 without one. Decks are empty."""
    best = CARDS
    ties = 0
    candidates = 0
    for p in range(SEATS):
        n = stack_cards(g, p) + (1 if g.card[p] >= 0 else 0)
        if n < best:
            best = n
            ties = candidates = 0
        if n == best:
            ties += 1
            candidates |= 1 << p
    if ties > 1 and not toss:
        return -1
    return phases.coin_among(g, candidates)


@kernel
def round_won(g: Game, p: int, finished: bool) -> None:
    """Seat p has won the round: by having no stack cards left (finished), or a blocked one (S0-22..25, A-28..31)."""
    g.round_winner = p
    piles = piles_left(g)
    if finished and g.deck_n[p] == 0 and (g.win == 1 or (g.win == 0 and piles == 1)):
        phases.end_game(g, p, FINISHED)
    elif piles <= 1 and g.one_pile_finish == 0:
        other = pile_of(p, 1)
        g.takes[p] = -1
        g.takes[other] = p if g.pile_n[p] > 0 else other
        pick_up(g)
    elif piles <= 1 or g.round_end == 0:
        phases.enter_phase(g, PICK, 0)
        g.chooser = p
    elif g.round_end == 1:
        other = pile_of(p, 1)
        if g.pile_n[p] == g.pile_n[other]:
            smaller = phases.seat_of(g, phases.coin(g, SEATS))
        else:
            smaller = p if g.pile_n[p] < g.pile_n[other] else other
        take_piles(g, p, smaller)
    else:
        phases.enter_phase(g, SLAP, 0)


@implement(verbs.end_slap, STATE)
def end_slap(g: Game) -> None:
    """The winner of the round picks in peace."""
    p = g.round_winner if g.round_winner >= 0 else fewest_cards(g, True)
    phases.enter_phase(g, PICK, 0)
    g.chooser = p


@implement(verbs.choose_outside, STATE)
def choose_outside(g: Game, p: int, action: int) -> None:
    """Name the pile to spit on, or pick one."""
    pile = pile_of(p, action - FIRST_PICK)
    if g.phase == SOLO:
        g.spit_to[p] = pile
        g.spit_fixed[p] = 1
        spit_all(g)
    else:
        take_piles(g, p, pile)


@kernel
def take_piles(g: Game, p: int, pile: int) -> None:
    """Seat p takes this pile, the other player the other."""
    g.takes[p] = pile
    g.takes[pile_of(p, 1)] = pile_of(pile, 1)
    pick_up(g)


@kernel
def pick_up(g: Game) -> None:
    """The round is over and it is settled who takes which pile. Hands are freed first: a card in flight is a stack
    card again (A-26). The core calls `next_round` before anything else happens."""
    phases.enter_phase(g, PICK, 0)
    g.round_over = 1


@implement(verbs.next_round, STATE)
def next_round(g: Game) -> None:
    """Everybody picks up pile and stacks; a new deal, if nobody has run out of cards (A-01..03, S0-30)."""
    for label in range(SEATS):
        collect(g, phases.seat_of(g, label))
    for pile in range(SEATS):
        clear_pile(g, pile)
    for p in range(SEATS):
        if g.deck_n[p] == 0:
            phases.end_game(g, p, NO_CARDS_LEFT)
            return
    g.rounds += 1
    if g.rounds >= g.max_rounds:
        phases.end_game(g, -1, MAX_ROUNDS)
    else:
        deal_round(g)
