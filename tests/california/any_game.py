"""Any game of California Speed: rules, and what its matches must be as the rules say it."""

from itertools import permutations
from typing import Any, get_args, get_origin

from hypothesis import strategies as st

from spit_env.california.check import stack_of
from spit_env.california.rules import PRESETS, CaliforniaRules
from spit_env.cards import rank_of

_NUMBERS = {
    "return_ms": (-1, 0, 40), "stall_ms": (0, 700, 5000), "spit_pause_ms": (1, 300), "max_rounds": (2, 100),
    "max_round_ms": (9000, 1_800_000), "max_idle_ms": (5000, 30_000),
}  # fmt: skip


def possible(values: dict[str, Any]) -> CaliforniaRules:
    """A record of these values, contradictions among them resolved."""
    values["stall_ms"] = 700 if values["must_play"] and not values["stall_ms"] else values["stall_ms"]
    return CaliforniaRules(**values)


RULES = st.fixed_dictionaries(
    {
        name: st.sampled_from(get_args(kind) if get_origin(kind) else _NUMBERS.get(name, (False, True)))
        for name, kind in CaliforniaRules.kinds().items()
    }
).map(possible)
ANY_RULES = st.one_of(st.sampled_from(list(PRESETS.values())), RULES)

Place = tuple[int, int]
PLACES = [(q, s) for q in (0, 1) for s in range(4)]


class Table:
    """The rows, and which places are coverable, told landing by landing (CS-03, CS-04, CS-10)."""

    def __init__(self, stacks: dict[Place, list[int]], coverable: set[Place], doubles: bool) -> None:
        self.stacks = {place: list(stack) for place, stack in stacks.items()}
        self.coverable, self.doubles = set(coverable), doubles

    @classmethod
    def laid(cls, stacks: dict[Place, list[int]], doubles: bool) -> "Table":
        """As it is when the rows have just been laid."""
        tops = [rank_of(stack[-1]) for stack in stacks.values() if stack]
        matched = {place for place, stack in stacks.items() if stack and tops.count(rank_of(stack[-1])) > 1}
        return cls(stacks, matched, doubles)

    def land(self, place: Place, card: int) -> "Table":
        """As it is when a card has landed on a coverable place."""
        assert place in self.coverable
        table = Table(self.stacks, self.coverable - {place}, self.doubles)
        table.stacks[place].append(card)
        tops = {at: rank_of(stack[-1]) for at, stack in table.stacks.items() if stack}
        equal = {at for at in tops if tops[at] == tops[place]}
        if len(equal) > 1:
            table.coverable |= equal
        if self.doubles and rank_of(self.stacks[place][-1]) == tops[place]:
            table.coverable.add(place)
        return table


def rows_of(record: Any) -> dict[Place, list[int]]:
    """The cards of each place, bottom to top."""
    return {(q, s): stack_of(record, q, s) for q, s in PLACES}


def coverable_of(record: Any) -> set[Place]:
    return {(q, s) for q, s in PLACES if record["coverable"][q, s]}


def after(before: Any, record: Any) -> list[set[Place]]:
    """What may be coverable now: as often as there are orders in which cards landed since, all in one millisecond."""
    doubles, now = bool(record["doubles"]), rows_of(record)
    if record["rounds"] > before["rounds"] or not before["height"].any():
        return [Table.laid(now, doubles).coverable]
    start = Table(rows_of(before), coverable_of(before), doubles)
    landed = [(place, card) for place in PLACES for card in now[place][len(start.stacks[place]) :]]
    found = []
    for order in permutations(landed):
        table = start
        for place, card in order:
            if place not in table.coverable:
                break
            table = table.land(place, card)
        else:
            if table.stacks == now:
                found.append(table.coverable)
    return found
