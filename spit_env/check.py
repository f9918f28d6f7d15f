"""Whether a state record can be a game between two moments: what holds of every game.

Kernels trust their caller and check no bounds. So a record that comes from a text is looked through before one may
touch it. Each game has a `check` module of its own, which begins with `check_core` and adds what its rules ask.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from spit_env.cards import card_name
from spit_env.errors import BadBoard
from spit_env.latency import MAX_HICK_MS, MAX_MS, MAX_PERCEPTION_MS
from spit_env.ruleset import Rules, decode_value
from spit_env.state import (
    DIRTY_ALL,
    END_REASONS,
    IDLE,
    LOCKED,
    MAX_ROUNDS,
    NEVER,
    OVER,
    PAUSE,
    PHASE_NAMES,
    PICK,
    RETURN,
    SOLO,
    THINK,
    TRAVEL,
)

Ranges = Mapping[str, tuple[int, int]]  # the least and the greatest value of fields
STILL = (PAUSE, SOLO, PICK, OVER)  # phases in which no game lets a hand do anything


def core_ranges(seats: int, actions: int, cards: int) -> dict[str, tuple[int, int]]:
    """The values of the fields that all games have, where they are more than the type says.

    Fields that are not named, here or by the game, are at least 0. ``cards`` is how many numbers cards can have.
    """
    return {
        "time": (0, NEVER), "wait_ms": (0, 60_000), "phase": (0, len(PHASE_NAMES) - 1), "chooser": (-1, seats - 1),
        "winner": (-1, seats - 1), "end_reason": (0, len(END_REASONS) - 1), "round_over": (0, 1), "paused": (0, 1),
        "tie_turn": (0, 1), "hand": (0, RETURN), "declined": (0, 1), "label": (0, seats - 1), "dirty": (0, DIRTY_ALL),
        "action": (0, actions - 1), "card": (-1, cards - 1), "look": (-1, NEVER), "perception": (0, MAX_PERCEPTION_MS),
        "hick": (0, MAX_HICK_MS), "return_ms": (-1, 10**8),
    }  # fmt: skip


def check_core(record: Any, ranges: Ranges, rules: type[Rules]) -> None:
    """Make sure that every field is in its range, and that labels, times, phase and end go together.

    ``ranges`` are `core_ranges` and the game's own. Fields that only hold a rule are left to `read_rules`.

    Raises:
        BadBoard: if not; the message names the field and what would be right.
    """
    _check_ranges(record, ranges, rules)
    time, phase, reason = (int(record[name]) for name in ("time", "phase", "end_reason"))
    for name in ("progress_at", "race_from", "changed_at"):
        if record[name] > time:
            raise BadBoard(f"{name}: {record[name]} is later than time, {time}")
    seats = len(record["label"])
    if sorted(record["label"].tolist()) != list(range(seats)):
        raise BadBoard(f"label: {record['label'].tolist()} must hold each of 0 to {seats - 1} once")
    under_way = np.isin(record["hand"], (TRAVEL, RETURN)).any()
    if phase in (LOCKED, PAUSE) and record["phase_until"] <= time and not under_way:
        raise BadBoard(f"phase_until: {record['phase_until']} is not later than time, {time}: the pause would not end")
    if (phase == OVER) != (reason > 0):
        raise BadBoard(f"end_reason: {reason} does not go with phase {PHASE_NAMES[phase]!r}")
    won = 0 < reason < MAX_ROUNDS
    if won != (record["winner"] >= 0):
        raise BadBoard(f"winner: {record['winner']} does not go with the end reason {END_REASONS[reason]!r}")


def _check_ranges(record: Any, ranges: Ranges, rules: type[Rules]) -> None:
    for name in record.dtype.names:
        if name == "latency":
            low, high = np.zeros(3), np.array([MAX_MS, MAX_MS, 2.0])
        elif name == "accept_bits" or (name in rules.__dataclass_fields__ and name not in ranges):
            continue
        else:
            low, high = map(np.asarray, ranges.get(name, (0, 2**63 - 1)))
        value = np.asarray(record[name])
        if not ((value >= low) & (value <= high)).all():  # NaN is refused too
            raise BadBoard(f"{name}: a value is outside {low.tolist()} to {high.tolist()}")


def read_rules(record: Any, rules: type[Rules], fields: Mapping[str, str]) -> dict[str, Any]:
    """The values of rules that a record holds, by the rule's name; ``fields`` says in which field each stands.

    Raises:
        BadBoard: for a number that stands for no value.
    """
    values: dict[str, Any] = {}
    for name, kind in rules.kinds().items():
        if name in fields:
            try:
                values[name] = decode_value(kind, int(record[fields[name]]))
            except ValueError as error:
                raise BadBoard(f"{fields[name]}: {error}") from None
    return values


def check_distinct(cards: Sequence[int]) -> None:
    """Make sure that no card is in two places.

    Raises:
        BadBoard: if one is.
    """
    for card in cards:
        if cards.count(card) > 1:
            raise BadBoard(f"the card {card_name(card)} is in two places")


def check_derived(record: Any, derive: Callable[[Any], None], names: Collection[str]) -> None:
    """Make sure that fields are as ``derive`` writes them.

    Raises:
        BadBoard: if one is not; the message has what it should be.
    """
    right = np.array([record], record.dtype)[0]
    derive(right)
    for name in names:
        if not np.array_equal(right[name], record[name]):
            raise BadBoard(f"{name}: {record[name].tolist()} is wrong; the cards make it {right[name].tolist()}")


def check_hand(record: Any, p: int, carries: bool, still: Collection[int] = STILL) -> None:
    """Make sure that what the hand of seat p does can be.

    ``carries``: whether the action that stands in the record takes a card into the hand; ``still``: the phases in
    which hands are idle.

    Raises:
        BadBoard: if it cannot.
    """
    hand, action, card = (int(record[name][p]) for name in ("hand", "action", "card"))
    busy = hand in (TRAVEL, RETURN)
    if busy != (action > 0) or (busy and carries) != (card >= 0) or (hand == RETURN and not carries):
        raise BadBoard(f"hand: seat {p}: state {hand}, action {action} and card {card} do not go together")
    if hand != IDLE and record["phase"] in still:
        raise BadBoard(f"hand: seat {p}: state {hand}, but hands are idle in phase {PHASE_NAMES[record['phase']]!r}")
    if hand in (THINK, TRAVEL, RETURN) and record["until"][p] <= record["time"]:
        raise BadBoard(f"until: seat {p}: {record['until'][p]} must be later than time, {record['time']}")
