"""Whether a state record can be a game of Spit, and the fields that follow from others.

Kernels trust their caller and check no bounds. So a record that comes from a text is looked through here before one
may touch it.
"""

from typing import Any

import numpy as np

from spit_env.cards import RANKS, SUITS, card_name, rank_of
from spit_env.errors import BadBoard
from spit_env.latency import MAX_MS, MAX_PERCEPTION_MS
from spit_env.ruleset import decode_value
from spit_env.spit.moves import source_of, target_of
from spit_env.spit.rules import SpitRules
from spit_env.spit.state import (
    ACTIONS,
    CARDS,
    DEPTH,
    FACE_DOWN,
    FIRST_FLIP,
    FIRST_MOVE,
    GAP,
    SEATS,
    SPIT,
    STACKS,
    STATE,
    accept_bits,
)
from spit_env.state import (
    DIRTY_ALL,
    END_REASONS,
    IDLE,
    NEVER,
    OVER,
    PAUSE,
    PHASE_NAMES,
    PICK,
    RETURN,
    SLAP,
    SOLO,
    THINK,
    TRAVEL,
)

# The values that a field may have, where it is more than its type says. Fields not named here are at least 0.
_RANGES: dict[str, tuple[int, int]] = {
    "time": (0, NEVER), "wait_ms": (0, 60_000), "phase": (0, len(PHASE_NAMES) - 1), "chooser": (-1, SEATS - 1),
    "winner": (-1, SEATS - 1), "end_reason": (0, len(END_REASONS) - 1), "paused": (0, 1), "tie_turn": (0, 1),
    "hand": (0, RETURN), "declined": (0, 1), "label": (0, SEATS - 1), "dirty": (0, DIRTY_ALL),
    "action": (0, ACTIONS - 1), "card": (-1, CARDS - 1), "look": (-1, NEVER), "perception": (0, MAX_PERCEPTION_MS),
    "return_ms": (-1, 10**8), "stack": (0, CARDS - 1), "height": (0, DEPTH), "down": (0, DEPTH),
    "top": (GAP, RANKS - 1), "deck": (0, CARDS - 1), "deck_n": (0, CARDS), "pile": (0, CARDS - 1),
    "pile_n": (0, CARDS), "pile_at_launch": (0, CARDS), "known": (0, RANKS), "seen": (0, 1), "unseen": (0, SUITS),
    "lost": (0, SUITS), "budget": (0, 100), "consent": (0, 1), "spit_to": (0, SEATS - 1), "spit_fixed": (0, 1),
    "takes": (-1, SEATS - 1), "stuck": (0, 1), "round_winner": (-1, SEATS - 1),
}  # fmt: skip


def cards_of(record: Any) -> list[int]:
    """All cards of a game, in no order that matters: stacks, decks, piles and those in a hand."""
    cards = [int(card) for card in record["card"] if card >= 0]
    for p in range(SEATS):
        cards += record["deck"][p, : record["deck_n"][p]].tolist() + record["pile"][p, : record["pile_n"][p]].tolist()
        for s in range(STACKS):
            cards += record["stack"][p, s, : record["height"][p, s]].tolist()
    return cards


def derive(record: Any) -> None:
    """Write `top`, `accepts`, `unseen` and `lost`, which follow from the cards and from what is known of them."""
    record["accepts"] = record["lost"] = 0
    record["unseen"] = SUITS - record["seen"].reshape(RANKS, SUITS).sum(1)
    for p in range(SEATS):
        hidden = record["deck"][p, : record["deck_n"][p]].tolist()
        for s in range(STACKS):
            height, down = int(record["height"][p, s]), int(record["down"][p, s])
            stack = record["stack"][p, s, :height].tolist()
            hidden += stack[:down]
            record["top"][p, s] = GAP if height == 0 else FACE_DOWN if down == height else rank_of(stack[-1])
        for card in hidden:
            if record["seen"][card] and not record["known"][card]:
                record["lost"][p, rank_of(card)] += 1
        if record["pile_n"][p]:
            record["accepts"][p] = record["accept_bits"][rank_of(record["pile"][p, record["pile_n"][p] - 1])]


def rules_of(record: Any) -> SpitRules:
    """The rules that a record holds.

    Raises:
        ValueError: if it holds no possible rules.
    """
    values: dict[str, Any] = {}
    for name, kind in SpitRules.kinds().items():
        if name in ("ace_wrap", "doubles"):
            continue
        try:
            values[name] = decode_value(kind, int(record[name]))
        except ValueError as error:
            raise BadBoard(f"{name}: {error}") from None
    for wrap, doubles in ((True, False), (False, False), (True, True), (False, True)):
        rules = SpitRules(**values, ace_wrap=wrap, doubles=doubles)
        if np.array_equal(accept_bits(rules), record["accept_bits"]):
            return rules
    raise BadBoard("accept_bits: no rule lets just these ranks fit each other")


def check_state(record: Any) -> None:
    """Make sure that a kernel can run this record, and that it is a game between two moments.

    Raises:
        ValueError: if not; the message names the field and what would be right.
    """
    _check_ranges(record)
    rules_of(record)
    _check_cards(record)
    for p in range(SEATS):
        _check_hand(record, p)
    phase = record["phase"]
    if phase in (SOLO, PICK) and record["chooser"] < 0:
        raise BadBoard(f"chooser: -1 in phase {PHASE_NAMES[phase]!r}, in which somebody must choose")
    if phase in (SOLO, PICK, SLAP) and not record["pile_n"].any() and not (phase == PICK and record["one_pile_finish"]):
        raise BadBoard(f"pile_n: no pile in phase {PHASE_NAMES[phase]!r}, in which there is one to take")
    if (phase == OVER) != (record["end_reason"] > 0):
        raise BadBoard(f"end_reason: {record['end_reason']} does not go with phase {PHASE_NAMES[phase]!r}")


def _check_ranges(record: Any) -> None:
    for name in STATE.names or ():
        if name == "latency":
            low, high = np.zeros(3), np.array([MAX_MS, MAX_MS, 2.0])
        elif name == "accept_bits" or (name in SpitRules.__dataclass_fields__ and name not in _RANGES):
            continue  # `rules_of` looks at them
        else:
            low, high = map(np.asarray, _RANGES.get(name, (0, 2**63 - 1)))
        value = np.asarray(record[name])
        if not ((value >= low) & (value <= high)).all():  # NaN is refused too
            raise BadBoard(f"{name}: a value is outside {low.tolist()} to {high.tolist()}")
    for name in ("progress_at", "race_from", "changed_at"):
        if record[name] > record["time"]:
            raise BadBoard(f"{name}: {record[name]} is later than time, {record['time']}")
    if sorted(record["label"].tolist()) != list(range(SEATS)):
        raise BadBoard(f"label: {record['label'].tolist()} must hold each of 0 to {SEATS - 1} once")


def _check_cards(record: Any) -> None:
    cards = cards_of(record)
    for card in cards:
        if cards.count(card) > 1:
            raise BadBoard(f"the card {card_name(card)} is in two places")
    if (record["down"] > record["height"]).any():
        raise BadBoard("down: more cards are face down than the stack has")
    right = np.array([record], STATE)[0]
    derive(right)
    for name in ("top", "accepts", "unseen", "lost"):
        if not np.array_equal(right[name], record[name]):
            raise BadBoard(f"{name}: {record[name].tolist()} is wrong; the cards make it {right[name].tolist()}")
    for card in range(CARDS):
        if record["known"][card] not in (0, (1 + rank_of(card)) * record["seen"][card]):
            raise BadBoard(f"known: {record['known'][card]} cannot be said of {card_name(card)}")
    for p in range(SEATS):
        for s in range(STACKS):
            up = record["stack"][p, s, record["down"][p, s] : record["height"][p, s]].tolist()
            if len({rank_of(card) for card in up}) > 1:
                raise BadBoard(f"stack: face-up cards of two ranks in stack {s + 1} of seat {p}")


def _check_hand(record: Any, p: int) -> None:
    hand, action, card = (int(record[name][p]) for name in ("hand", "action", "card"))
    busy = hand in (TRAVEL, RETURN)
    carries = busy and action > 0 and not FIRST_FLIP <= action < FIRST_MOVE and action < SPIT
    if busy != (action > 0) or carries != (card >= 0) or (hand == RETURN and not carries):
        raise BadBoard(f"hand: seat {p}: state {hand}, action {action} and card {card} do not go together")
    if hand != IDLE and record["phase"] in (PAUSE, SOLO, PICK, OVER):
        raise BadBoard(f"hand: seat {p}: state {hand}, but hands are idle in phase {PHASE_NAMES[record['phase']]!r}")
    if hand in (THINK, TRAVEL, RETURN) and record["until"][p] <= record["time"]:
        raise BadBoard(f"until: seat {p}: {record['until'][p]} must be later than time, {record['time']}")
    if not busy or action >= SPIT:
        return
    heights, tops = record["height"][p], record["top"][p]
    source = source_of(action)
    if carries and heights[source] == DEPTH:
        raise BadBoard(f"height: no room in stack {source + 1} of seat {p} for the card in its hand")
    if not carries and tops[source] != FACE_DOWN:
        raise BadBoard(f"action: seat {p} turns stack {source + 1}, whose top is not face down")
    if hand == TRAVEL and action >= FIRST_MOVE and tops[target_of(action)] not in (GAP, rank_of(card)):
        raise BadBoard(f"action: seat {p}: {card_name(card)} cannot go onto stack {target_of(action) + 1}")
