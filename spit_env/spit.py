"""The game of Spit: its verbs for the race core. docs/spit.md says the same in prose, in the same order."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spit_env import race
from spit_env.cards import RANKS, rank_of
from spit_env.draws import DEAL, SHUFFLE, below, word
from spit_env.jit import implement, kernel
from spit_env.latency import CALL, FLIP, PLAY, REARRANGE
from spit_env.race import DIRTY_MASK, DIRTY_TABLE, LOCKED, NOOP, PAUSE, PICK, RACE, SLAP, SOLO, Game, core_fields
from spit_env.rules import Rules

SEATS = 2
STACKS = 5
DEPTH = 8  # a stack's most: 4 face-down cards under 4 of one rank
CARDS = 52
FACE_DOWN, GAP = -1, -2  # what `top` says of a stack without a face-up top

# Actions (RULES 6.1)
FIRST_PLAY = 1
FIRST_FLIP = FIRST_PLAY + STACKS * SEATS
FIRST_MOVE = FIRST_FLIP + STACKS
SPIT = FIRST_MOVE + STACKS * (STACKS - 1)
FIRST_PICK = SPIT + 1
ACTIONS = FIRST_PICK + SEATS

# What of an observation is stale, besides the core's bits.
DIRTY_DECKS = race.DIRTY_GAME
DIRTY_STACKS = 2 * race.DIRTY_GAME  # shifted by the seat whose stacks they are

_RULES = (
    "short_layout", "deal_order", "pickup_shuffle", "pickup_orientation", "combine", "rearrange_needs_facedown",
    "prespit_combine", "flip", "land_check", "stuck_test", "spit_trigger", "solo_spit", "rearrange_budget",
    "round_end", "one_pile_finish", "win", "blocked", "blocked_tie", "pile_count_visibility",
)  # fmt: skip

STATE = np.dtype(
    core_fields(SEATS)
    + [
        ("stack", "i1", (SEATS, STACKS, DEPTH)),  # cards, bottom to top
        ("height", "i1", (SEATS, STACKS)),
        ("down", "i1", (SEATS, STACKS)),  # how many of them are face down
        ("top", "i1", (SEATS, STACKS)),  # rank of the face-up top, else FACE_DOWN or GAP
        ("deck", "i1", (SEATS, CARDS)),  # bottom to top
        ("deck_n", "i1", (SEATS,)),
        ("pile", "i1", (SEATS, CARDS)),  # pile i is the own pile of seat i; bottom to top
        ("pile_n", "i1", (SEATS,)),
        ("accepts", "i4", (SEATS,)),  # bit r: a card of rank r fits the pile now
        ("accept_bits", "i4", (RANKS,)),  # the same for each rank on top, from the rules
        ("pile_at_launch", "i1", (SEATS,)),
        ("known", "i1", (CARDS,)),  # 1 + rank if everybody knows where the card is, else 0
        ("seen", "i1", (CARDS,)),  # has been face up in this game
        ("unseen", "i1", (RANKS,)),  # cards of a rank that have never been face up
        ("lost", "i1", (SEATS, RANKS)),  # seen, and since a shuffle somewhere among the player's face-down cards
        ("budget", "i1", (SEATS,)), ("consent", "i1", (SEATS,)),
        ("spit_to", "i1", (SEATS,)), ("spit_fixed", "i1", (SEATS,)),
        ("takes", "i1", (SEATS,)),  # the pile that a player picks up, -1: none
        ("stuck", "i1"),  # spit_trigger="request_when_stuck": the table has been found stuck
        ("round_winner", "i1"),
    ]
    + [(name, "i1") for name in _RULES],
    align=True,
)  # fmt: skip


def accept_bits(rules: Rules) -> npt.NDArray[np.int32]:
    """Shape (13,): for each rank on top of a pile, the ranks that fit it as bits (S0-08, S0-10, C-10, C-23)."""
    bits = np.zeros(RANKS, np.int32)
    for top in range(RANKS):
        for step in (-1, 1):
            if rules.ace_wrap or 0 <= top + step < RANKS:
                bits[top] |= 1 << ((top + step) % RANKS)
        if rules.doubles:
            bits[top] |= 1 << top
    return bits


def blank(rules: Rules) -> np.void:
    """A state record that holds the rules and nothing else."""
    record = np.zeros(1, STATE)
    for name, value in rules.code().items():
        if name in STATE.names:  # type: ignore[operator]
            record[name] = value
    record["accept_bits"] = accept_bits(rules)
    record["label"] = np.arange(SEATS)
    return record[0]  # type: ignore[no-any-return]


# --- Cards and layouts -----------------------------------------------------------------------------------------------


@kernel
def mark(g: Game, bits: int) -> None:
    """These parts of every observation are stale."""
    for p in range(SEATS):
        g.dirty[p] |= bits


@kernel
def set_top(g: Game, p: int, s: int) -> None:
    """Bring `top` up to date with the stack."""
    h = g.height[p, s]
    if h == 0:
        g.top[p, s] = GAP
    elif g.down[p, s] == h:
        g.top[p, s] = FACE_DOWN
    else:
        g.top[p, s] = rank_of(g.stack[p, s, h - 1])
    mark(g, DIRTY_STACKS << p)


@kernel
def reveal(g: Game, card: int, owner: int) -> None:
    """A card is turned face up: everybody knows it and where it is."""
    if g.known[card] == 0:
        r = rank_of(card)
        if g.seen[card] != 0:
            g.lost[owner, r] -= 1
        else:
            g.unseen[r] -= 1
            g.seen[card] = 1
        g.known[card] = r + 1


@kernel
def draw(g: Game, p: int) -> int:
    """The top card of a deck."""
    g.deck_n[p] -= 1
    mark(g, DIRTY_DECKS)
    return g.deck[p, g.deck_n[p]]


@kernel
def put_on_stack(g: Game, p: int, s: int, card: int) -> None:
    """A card on top of a stack, face down if it is under those counted in `down`."""
    g.stack[p, s, g.height[p, s]] = card
    g.height[p, s] += 1


@kernel
def put_on_pile(g: Game, pile: int, card: int) -> None:
    """A card face up on a pile."""
    g.pile[pile, g.pile_n[pile]] = card
    g.pile_n[pile] += 1
    g.accepts[pile] = g.accept_bits[rank_of(card)]


@kernel
def deal_round(g: Game) -> None:
    """Lay out the stacks of all players; the board is locked until the first spit (S0-02..06, A-04..07)."""
    for p in range(SEATS):
        g.pile_n[p] = 0
        g.accepts[p] = 0
        g.spit_to[p] = p
        g.spit_fixed[p] = 0
        for s in range(STACKS):
            g.height[p, s] = 0
        wholes = 0  # stacks that can be laid in full
        while wholes < STACKS and (wholes + 1) * (wholes + 2) // 2 <= g.deck_n[p]:
            wholes += 1
        stacks = wholes if g.short_layout == 1 else STACKS
        if g.deal_order == 0:
            for s in range(stacks):
                while g.height[p, s] <= s and g.deck_n[p] > 0:
                    put_on_stack(g, p, s, draw(g, p))
        else:
            for row in range(STACKS):
                for s in range(row, stacks):
                    if g.deck_n[p] > 0:
                        put_on_stack(g, p, s, draw(g, p))
        for s in range(STACKS):
            h = g.height[p, s]
            g.down[p, s] = max(0, h - 1)
            if h > 0:
                reveal(g, g.stack[p, s, h - 1], p)
            set_top(g, p, s)
    g.stuck = 0
    refill_budgets(g)
    race.enter_phase(g, LOCKED, g.spit_pause_ms)
    g.raced = 0


@kernel
def refill_budgets(g: Game) -> None:
    """After progress: rearranging is possible again, and nobody has called for a spit (A-22)."""
    g.stuck = 0
    for p in range(SEATS):
        g.budget[p] = g.rearrange_budget
        g.consent[p] = 0


@implement(race.deal_game, STATE)
def deal_game(g: Game) -> None:
    cards = np.arange(CARDS)
    for i in range(CARDS - 1, 0, -1):
        j = below(word(g.seed, DEAL, g.deal_n), i + 1)
        g.deal_n += 1
        cards[i], cards[j] = cards[j], cards[i]
    for p in range(SEATS):
        first = g.label[p] * (CARDS // SEATS)
        for i in range(CARDS // SEATS):
            g.deck[p, i] = cards[first + i]
        g.deck_n[p] = CARDS // SEATS
    for r in range(RANKS):
        g.unseen[r] = CARDS // RANKS
    deal_round(g)


# --- Moves -----------------------------------------------------------------------------------------------------------


@kernel
def pile_of(p: int, relative: int) -> int:
    """The pile that is number `relative` as seat p counts: 0 is the own one."""
    return (p + relative) % SEATS


@kernel
def face_down_cards(g: Game, p: int) -> int:
    """How many cards of the player's stacks are face down."""
    n = 0
    for s in range(STACKS):
        n += g.down[p, s]
    return n


@kernel
def may_rearrange(g: Game, p: int) -> bool:
    """Whether combining and filling count as moves at all (S0-16, A-22)."""
    return g.budget[p] > 0 and (g.rearrange_needs_facedown == 0 or face_down_cards(g, p) > 0)


@kernel
def fits_move(g: Game, p: int, i: int, j: int) -> bool:
    """Whether the face-up top of stack i may go onto stack j (S0-13, S0-14, A-16)."""
    if g.top[p, j] == GAP:
        return g.height[p, i] > 1 and g.phase == RACE
    return g.combine == 0 and g.top[p, i] == g.top[p, j]


@kernel
def can_rearrange(g: Game, p: int) -> bool:
    """Whether there is a legal combine or fill."""
    if not may_rearrange(g, p):
        return False
    for i in range(STACKS):
        if g.top[p, i] >= 0:
            for j in range(STACKS):
                if i != j and fits_move(g, p, i, j):
                    return True
    return False


@kernel
def may_spit(g: Game, p: int) -> bool:
    """Whether the player may call for a spit (C-17)."""
    return (g.spit_trigger == 1 and g.stuck != 0) or (g.spit_trigger == 2 and g.consent[p] == 0)


@kernel
def accepted(v: Game) -> int:
    """The ranks that fit any pile, as bits."""
    bits = 0
    for pile in range(SEATS):
        bits |= v.accepts[pile]
    return bits


@implement(race.can_act, STATE)
def can_act(g: Game, v: Game, p: int) -> bool:
    if g.phase == SLAP:
        return True
    if g.phase == LOCKED:
        return g.prespit_combine != 0 and can_rearrange(g, p)
    bits = accepted(v)
    for s in range(STACKS):
        t = g.top[p, s]
        if t == FACE_DOWN or (t >= 0 and (bits >> t) & 1):
            return True
    return can_rearrange(g, p) or may_spit(g, p)


@implement(race.write_mask, STATE)
def write_mask(g: Game, v: Game, p: int, mask: Any) -> None:
    for a in range(ACTIONS):
        mask[a] = 0
    mask[NOOP] = 1
    if g.phase == SOLO or g.phase == PICK or g.phase == SLAP:
        mask[NOOP] = 1 if g.phase == SLAP else 0
        for relative in range(SEATS):
            if g.pile_n[pile_of(p, relative)] > 0 or (g.phase == PICK and g.one_pile_finish == 1):
                mask[FIRST_PICK + relative] = 1
        return
    may_play = False
    if g.phase == RACE:
        for s in range(STACKS):
            t = g.top[p, s]
            if t == FACE_DOWN:
                mask[FIRST_FLIP + s] = 1
            elif t >= 0:
                for relative in range(SEATS):
                    if (v.accepts[pile_of(p, relative)] >> t) & 1:
                        mask[FIRST_PLAY + SEATS * s + relative] = 1
                        may_play = True
        if may_spit(g, p):
            mask[SPIT] = 1
    if may_rearrange(g, p):
        for i in range(STACKS):
            if g.top[p, i] >= 0:
                for j in range(STACKS):
                    if i != j and fits_move(g, p, i, j):
                        mask[FIRST_MOVE + (STACKS - 1) * i + (j if j < i else j - 1)] = 1
    if may_play and g.must_play != 0 and g.time - g.progress_at >= g.stall_ms:
        mask[NOOP] = 0


@kernel
def source_of(action: int) -> int:
    """The stack that a PLAY, FLIP, COMBINE or FILL takes from or turns."""
    if action < FIRST_FLIP:
        return (action - FIRST_PLAY) // SEATS
    if action < FIRST_MOVE:
        return action - FIRST_FLIP
    return (action - FIRST_MOVE) // (STACKS - 1)


@kernel
def target_of(action: int) -> int:
    """The stack that a COMBINE or FILL goes to."""
    i, j = source_of(action), (action - FIRST_MOVE) % (STACKS - 1)
    return j if j < i else j + 1


@implement(race.contested_pile, STATE)
def contested_pile(g: Game, p: int) -> int:
    a = g.action[p]
    return pile_of(p, (a - FIRST_PLAY) % SEATS) if FIRST_PLAY <= a < FIRST_FLIP else -1


@implement(race.launch, STATE)
def launch(g: Game, p: int, action: int) -> int:
    if action >= SPIT:
        return CALL
    if FIRST_FLIP <= action < FIRST_MOVE:
        return FLIP
    s = source_of(action)
    g.height[p, s] -= 1
    g.card[p] = g.stack[p, s, g.height[p, s]]
    set_top(g, p, s)
    if action < FIRST_FLIP:
        g.pile_at_launch[p] = g.pile_n[pile_of(p, (action - FIRST_PLAY) % SEATS)]
        return PLAY
    g.budget[p] -= 1
    return REARRANGE


@implement(race.put_back, STATE)
def put_back(g: Game, p: int) -> None:
    if g.card[p] >= 0:
        s = source_of(g.action[p])
        put_on_stack(g, p, s, g.card[p])
        set_top(g, p, s)
        g.card[p] = -1


@implement(race.arrive, STATE)
def arrive(g: Game, p: int, bounce: bool) -> int:
    a = g.action[p]
    if a >= FIRST_PICK:
        take_piles(g, p, pile_of(p, a - FIRST_PICK))
        return 0
    if a == SPIT:
        if g.spit_trigger == 2:
            g.consent[p] = 1
            race.touch(g, DIRTY_TABLE)
        elif g.stuck != 0:
            begin_spit(g)
        return 0
    s = source_of(a)
    if a < FIRST_FLIP:
        pile = contested_pile(g, p)
        rank = rank_of(g.card[p])
        changed = g.land_check == 1 and g.pile_n[pile] != g.pile_at_launch[p]
        if bounce or changed or not (g.accepts[pile] >> rank) & 1:
            return -1
        put_on_pile(g, pile, g.card[p])
        g.card[p] = -1
        g.landings[p] += 1
        progress(g)
        if stack_cards(g, p) == 0:
            round_won(g, p, True)
            return 0
    elif a < FIRST_MOVE:
        g.down[p, s] -= 1
        reveal(g, g.stack[p, s, g.height[p, s] - 1], p)
        set_top(g, p, s)
        progress(g)
        return 0
    else:
        to = target_of(a)
        put_on_stack(g, p, to, g.card[p])
        g.card[p] = -1
        set_top(g, p, to)
        race.touch(g, DIRTY_TABLE)
    if g.flip == 1 and g.top[p, s] == FACE_DOWN:
        return FIRST_FLIP + s
    return 0


@kernel
def progress(g: Game) -> None:
    """A card has landed on a pile, or a card was flipped."""
    g.progress_at = g.time
    refill_budgets(g)
    race.touch(g, DIRTY_TABLE)


# --- Stuck and spit --------------------------------------------------------------------------------------------------


@implement(race.is_stuck, STATE)
def is_stuck(g: Game, p: int) -> bool:
    if g.spit_trigger == 2 and g.consent[p] != 0:
        return True
    bits = accepted(g)
    gap = False
    equal = False
    ranks = 0
    for s in range(STACKS):
        t = g.top[p, s]
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


@kernel
def decks_left(g: Game) -> int:
    """How many players have a deck."""
    n = 0
    for p in range(SEATS):
        n += g.deck_n[p] > 0
    return n


@kernel
def piles_left(g: Game) -> int:
    """How many piles there are."""
    n = 0
    for p in range(SEATS):
        n += g.pile_n[p] > 0
    return n


@implement(race.table_stuck, STATE)
def table_stuck(g: Game, stalled: bool) -> None:
    if g.spit_trigger == 1 and not stalled and decks_left(g) > 0:
        if g.stuck == 0:
            g.stuck = 1
            race.touch(g, DIRTY_TABLE)
    else:
        begin_spit(g)


@kernel
def begin_spit(g: Game) -> None:
    """All stop; after a pause the decks spit, or without any deck the round is blocked (S0-20, S0-22)."""
    if decks_left(g) > 0:
        race.enter_phase(g, PAUSE, g.spit_pause_ms)
    else:
        blocked(g)


@implement(race.end_pause, STATE)
def end_pause(g: Game) -> None:
    if g.phase == PAUSE and decks_left(g) == 1 and piles_left(g) > 1:
        for p in range(SEATS):
            if g.deck_n[p] > 0:
                if g.solo_spit == 1 and g.spit_fixed[p] == 0:
                    race.enter_phase(g, SOLO, 0)
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
    race.enter_race(g)


@kernel
def blocked(g: Game) -> None:
    """All are stuck and there is no deck (C-04, C-05, A-31)."""
    if g.blocked == 1 and piles_left(g) > 1:
        g.round_winner = -1
        race.enter_phase(g, SLAP, 0)
    elif g.blocked == 2:
        void_round(g)
    else:
        p = fewest_cards(g, g.blocked_tie == 0 or g.blocked == 1)
        if p < 0:
            void_round(g)
        elif g.blocked == 3:
            race.end_game(g, p, race.BLOCKED)
        else:
            round_won(g, p, False)


@kernel
def void_round(g: Game) -> None:
    """Nobody wins the round: each takes up the own pile."""
    for p in range(SEATS):
        g.takes[p] = p
    pick_up(g)


@kernel
def stack_cards(g: Game, p: int) -> int:
    """Cards in a player's stacks, those in flight not counted."""
    n = 0
    for s in range(STACKS):
        n += g.height[p, s]
    return n


@kernel
def fewest_cards(g: Game, toss: bool) -> int:
    """The player with the fewest stack cards, in flight or not; equal: a coin, or -1 without one. Decks are empty."""
    best = CARDS
    ties = 0
    for p in range(SEATS):
        n = stack_cards(g, p) + (1 if g.card[p] >= 0 else 0)
        if n < best:
            best = n
            ties = 0
        ties += n == best
    if ties > 1 and not toss:
        return -1
    index = race.coin(g, ties) if ties > 1 else 0
    for label in range(SEATS):
        p = race.seat_of(g, label)
        if stack_cards(g, p) + (1 if g.card[p] >= 0 else 0) == best:
            if index == 0:
                return p
            index -= 1
    return -1


# --- End of a round --------------------------------------------------------------------------------------------------


@kernel
def round_won(g: Game, p: int, finished: bool) -> None:
    """Seat p has won the round: by having no stack cards left (finished), or a blocked one (S0-22..25, A-28..31)."""
    g.round_winner = p
    piles = piles_left(g)
    if finished and g.deck_n[p] == 0 and (g.win == 1 or (g.win == 0 and piles == 1)):
        race.end_game(g, p, race.FINISHED)
    elif piles <= 1 and g.one_pile_finish == 0:
        other = pile_of(p, 1)
        g.takes[p] = -1
        g.takes[other] = p if g.pile_n[p] > 0 else other
        pick_up(g)
    elif piles <= 1 or g.round_end == 0:
        race.enter_phase(g, PICK, 0)
        g.chooser = p
    elif g.round_end == 1:
        other = pile_of(p, 1)
        if g.pile_n[p] == g.pile_n[other]:
            smaller = race.seat_of(g, race.coin(g, SEATS))
        else:
            smaller = p if g.pile_n[p] < g.pile_n[other] else other
        take_piles(g, p, smaller)
    else:
        race.enter_phase(g, SLAP, 0)


@implement(race.end_slap, STATE)
def end_slap(g: Game) -> None:
    p = g.round_winner if g.round_winner >= 0 else fewest_cards(g, True)
    race.enter_phase(g, PICK, 0)
    g.chooser = p


@implement(race.choose_outside, STATE)
def choose_outside(g: Game, p: int, action: int) -> None:
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
    """Everybody picks up pile and stacks; then the next round, if nobody has run out of cards (A-01..03, S0-30)."""
    race.enter_phase(g, PICK, 0)  # hands are freed first: a card in flight is a stack card again
    g.chooser = -1
    for label in range(SEATS):
        collect(g, race.seat_of(g, label))
    for p in range(SEATS):
        if g.deck_n[p] == 0:
            race.end_game(g, p, race.NO_CARDS_LEFT)
            return
    g.rounds += 1
    if g.rounds >= g.max_rounds:
        race.end_game(g, -1, race.MAX_ROUNDS)
    else:
        deal_round(g)


@kernel
def collect(g: Game, p: int) -> None:
    """One player's new deck: the rest of the deck on top, then the pile, then the own leftovers."""
    cards = np.empty(CARDS, np.int8)  # bottom to top
    n = 0
    for s in range(STACKS - 1, -1, -1):
        for k in range(g.height[p, s]):
            cards[n] = g.stack[p, s, k]
            n += 1
        g.height[p, s] = 0
        g.down[p, s] = 0
        set_top(g, p, s)
    pile = g.takes[p]
    if pile >= 0:
        size = g.pile_n[pile]
        for k in range(size):
            cards[n] = g.pile[pile, size - 1 - k if g.pickup_orientation == 0 else k]
            n += 1
    for k in range(g.deck_n[p]):
        cards[n] = g.deck[p, k]
        n += 1
    if g.pickup_shuffle != 0:
        for r in range(RANKS):
            g.lost[p, r] = 0
        for i in range(n - 1, 0, -1):
            j = below(word(g.seed, SHUFFLE, g.shuffle_n), i + 1)
            g.shuffle_n += 1
            cards[i], cards[j] = cards[j], cards[i]
        for i in range(n):
            g.known[cards[i]] = 0
            g.lost[p, rank_of(cards[i])] += g.seen[cards[i]]
    for i in range(n):
        g.deck[p, i] = cards[i]
    g.deck_n[p] = n
    mark(g, DIRTY_DECKS | DIRTY_MASK)
