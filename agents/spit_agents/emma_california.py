"""How Emma plays California Speed.

Cards that are covered in the other player's row are that player's when the rows are taken up, so that is where she
plays if she can. Beyond that a cover is worth what the card may match where it lands: known cards for certain, unknown
ones by their chances. A card in flight is taken as landed.
"""

from typing import Any, NamedTuple

from spit_agents.chance import below, next_word, percent_first
from spit_agents.packed import count_bits, put, rank_at
from spit_env.california.state import ACTIONS, FIRST_COVER, SEATS, STACKS
from spit_env.cards import RANKS
from spit_env.jit import entry, kernel
from spit_env.state import NOOP, TRAVEL

NOTHING = -(2**30)  # worth less than any action
PLACES = SEATS * STACKS  # the own row's first
ROW = (1 << STACKS) - 1


class CaliforniaWeights(NamedTuple):
    """What counts how much; a card in the other player's row is 100."""

    # What the action does
    away: int = 100  # covers in the other player's row
    home: int = 30  # covers in the own row
    first: int = 60  # it comes before the other player's card in flight to that place
    late: int = -90  # it comes after that card, and bounces
    wait: int = -1000  # it is none
    # What can be covered then
    open_away: int = 38  # each place of the other player's row
    open_home: int = -53  # each of the own row


class Table(NamedTuple):
    """The places: the own row, then the other player's."""

    tops: int  # packed
    coverable: int  # a bit for each
    rule: int  # 1: two equal cards on top of one stack may be covered


@entry
def choose_best(views: Any, masks: Any, draws: Any, w: CaliforniaWeights, rule: int, actions: Any) -> None:
    """One action for each row; ``rule``: what fits (`spit_agents.fits`)."""
    for row in range(actions.shape[0]):
        actions[row] = best_action(views[row], masks[row], int(draws[row]), w, rule)


@kernel
def best_action(view: Any, mask: Any, draw: int, w: CaliforniaWeights, rule: int) -> int:
    """The legal action worth most."""
    now = table_now(view, rule)
    best, choice, ties = NOTHING, NOOP, 0
    for a in range(ACTIONS):
        if mask[a] != 0:
            value = w.wait + table_worth(then_theirs(view, now), w) if a == NOOP else cover_worth(view, a, now, w)
            if value > best:
                best, choice, ties = value, a, 1
            elif value == best and ties > 0:
                ties += 1
                draw = next_word(draw)
                if below(draw, ties) == 0:
                    choice = a
    return choice


@kernel
def table_now(view: Any, rule: int) -> Table:
    """The places as they lie."""
    tops, coverable = 0, 0
    for place in range(PLACES):
        tops = put(tops, place, int(view.top[place // STACKS, place % STACKS]))
        coverable |= int(view.coverable[place // STACKS, place % STACKS]) << place
    return Table(tops, coverable, rule)


@kernel
def covered(t: Table, place: int, rank: int) -> Table:
    """The places after a card has landed on one; rank 0 matches nothing."""
    coverable = t.coverable & ~(1 << place)
    if t.rule == 1 and rank > 0 and rank_at(t.tops, place) == rank:
        coverable |= 1 << place
    for other in range(PLACES):
        if other != place and rank > 0 and rank_at(t.tops, other) == rank:
            coverable |= 1 << other | 1 << place
    return Table(put(t.tops, place, rank), coverable, t.rule)


@kernel
def their_place(view: Any) -> int:
    """The place that the other player's card in flight is to cover, -1 if there is none."""
    if view.hand[1] != TRAVEL or view.flight_row[1] == 0:
        return -1
    return STACKS * (int(view.flight_row[1]) - 1) + int(view.flight_stack[1]) - 1


@kernel
def then_theirs(view: Any, t: Table) -> Table:
    """The places once the other player's card in flight has come down."""
    place = their_place(view)
    if place < 0 or (t.coverable >> place) & 1 == 0:
        return t
    return covered(t, place, int(view.flight_card[1]))


@kernel
def cover_worth(view: Any, a: int, now: Table, w: CaliforniaWeights) -> int:
    """What a legal cover is worth."""
    place, theirs = a - FIRST_COVER, their_place(view)
    before = then_theirs(view, now)
    if place != theirs:
        return landing_worth(view, before, place, w)
    chance = percent_first(view, 1)
    early = w.first + landing_worth(view, now, place, w)
    still_open = (before.coverable >> place) & 1 != 0
    late = landing_worth(view, before, place, w) if still_open else w.late + table_worth(before, w)
    return (chance * early + (100 - chance) * late) // 100


@kernel
def landing_worth(view: Any, t: Table, place: int, w: CaliforniaWeights) -> int:
    """What it is worth that the next own card lands on a place; if it is not known, on average."""
    value = w.away if place >= STACKS else w.home
    card = int(view.pack_card[0, 0])
    if card > 0:
        return value + table_worth(covered(t, place, card), w)
    total, cards = 0, 0
    for r in range(RANKS):
        n = int(view.unseen[r])
        if n > 0:
            total += n * table_worth(covered(t, place, r + 1), w)
            cards += n
    return value + (total // cards if cards > 0 else table_worth(covered(t, place, 0), w))


@kernel
def table_worth(t: Table, w: CaliforniaWeights) -> int:
    """What the places are worth to the own side."""
    return w.open_home * count_bits(t.coverable & ROW) + w.open_away * count_bits(t.coverable >> STACKS)
