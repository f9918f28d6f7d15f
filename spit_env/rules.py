"""Variants as values: one frozen `Rules` record per game, and the named presets.

Every field names the conflict (C-..) or ruling (A-..) that it settles; the default of each is the game as played
against Emma. Contradictory values are refused with the reason.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from difflib import get_close_matches
from typing import Any, Literal, get_args, get_origin

from spit_env.errors import BadRules

ShortLayout = Literal["all", "whole_stacks"]
DealOrder = Literal["by_stack", "by_row"]
Combine = Literal["equal_rank", "off"]
Flip = Literal["manual", "auto"]
StuckTest = Literal["productive", "centre_only"]
SpitTrigger = Literal["auto", "request_when_stuck", "mutual_consent"]
SoloSpit = Literal["own_pile", "either_then_fixed", "both_piles"]
RoundEnd = Literal["winner_picks", "smaller_pile", "slap_race"]
OnePileFinish = Literal["other_takes_pile", "pick_pile_or_nothing"]
Win = Literal["one_pile", "no_cards_held", "after_pick"]
Blocked = Literal["fewest_stack_cards", "slap_race", "draw_round", "fewest_wins_game"]
BlockedTie = Literal["coin", "void_round"]
Orientation = Literal["oldest_first", "newest_first"]
TieBreak = Literal["random", "both_return", "alternate"]
LandCheck = Literal["at_landing", "strict"]
PileCounts = Literal["hidden", "noisy", "exact"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of a game of Spit. Equal values play equal games.

    Raises:
        BadRules: for an unknown value or values that contradict each other.
    """

    # Cards and layouts
    short_layout: ShortLayout = "all"  # C-02, A-05: with fewer than 15 cards
    deal_order: DealOrder = "by_stack"  # C-22, A-04
    pickup_shuffle: bool = False  # C-01
    pickup_orientation: Orientation = "oldest_first"  # which card of a taken pile is drawn first
    # The race
    combine: Combine = "equal_rank"  # C-07
    rearrange_needs_facedown: bool = True  # C-08
    prespit_combine: bool = False  # C-09: combining before the first spit of a round
    ace_wrap: bool = True  # C-10
    doubles: bool = False  # C-23: equal ranks may be played
    flip: Flip = "manual"  # C-15
    must_play: bool = False  # C-18, A-13: after `stall_ms` a player with a legal play may no longer wait
    tie_break: TieBreak = "random"  # two cards on one pile at the same millisecond
    land_check: LandCheck = "at_landing"
    return_ms: int = -1  # how long a bounced card travels back; -1: as long as it flew
    # Stuck, spit
    stuck_test: StuckTest = "productive"  # C-16, A-18
    spit_trigger: SpitTrigger = "auto"  # C-17
    solo_spit: SoloSpit = "own_pile"  # C-06: both stuck and only one deck left
    spit_pause_ms: int = 1500
    rearrange_budget: int = 12  # rearrangements per player between landings, flips and spits
    stall_ms: int = 5000  # how long those who could act may let it lie before the table counts as stuck; 0: for ever
    # Ends
    round_end: RoundEnd = "winner_picks"  # C-03
    one_pile_finish: OnePileFinish = "other_takes_pile"  # C-12, A-29
    win: Win = "one_pile"  # C-13, A-30
    blocked: Blocked = "fewest_stack_cards"  # C-04: both stuck and no deck left
    blocked_tie: BlockedTie = "coin"  # C-05
    pile_count_visibility: PileCounts = "hidden"
    # Guards of last resort: they truncate
    max_rounds: int = 100
    max_round_ms: int = 1_800_000  # of racing in one round
    max_idle_ms: int = 30_000  # without a visible event

    def __post_init__(self) -> None:
        for field in fields(self):
            _check_value(field.name, getattr(self, field.name), _TYPES[field.name])
        for wrong, why in (
            (self.must_play and self.stall_ms == 0, "must_play needs a stall limit: set stall_ms above 0"),
            (self.prespit_combine and self.combine == "off", "prespit_combine has nothing to allow with combine='off'"),
            (
                self.blocked_tie == "void_round" and self.blocked not in ("fewest_stack_cards", "fewest_wins_game"),
                f"blocked_tie='void_round' cannot occur with blocked={self.blocked!r}, which counts no cards",
            ),
            (
                self.pickup_shuffle and self.pickup_orientation != "oldest_first",
                "pickup_orientation means nothing with pickup_shuffle=True: leave it at 'oldest_first'",
            ),
            (
                self.stall_ms > self.max_idle_ms,
                f"stall_ms ({self.stall_ms}) above max_idle_ms ({self.max_idle_ms}) never acts",
            ),
        ):
            if wrong:
                raise BadRules(why)

    def to_dict(self) -> dict[str, Any]:
        """The values as plain data, in the order of the fields."""
        return asdict(self)

    def code(self) -> dict[str, int]:
        """The values as the integers that the state record holds: a name's place in its list, a flag as 0 or 1."""
        return {name: _code(_TYPES[name], value) for name, value in self.to_dict().items()}


_TYPES: dict[str, Any] = {field.name: field.type for field in fields(Rules)}
# The minimum of each number; all others are flags or names.
_MINIMA = {
    "return_ms": -1, "spit_pause_ms": 1, "rearrange_budget": 0, "stall_ms": 0,
    "max_rounds": 1, "max_round_ms": 1, "max_idle_ms": 1,
}  # fmt: skip
_MAXIMA = {"rearrange_budget": 100, "max_rounds": 10_000}


def _check_value(name: str, value: object, kind: Any) -> None:
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise BadRules(f"{name}={value!r} is unknown; one of {', '.join(map(repr, get_args(kind)))}")
    elif kind is bool:
        if not isinstance(value, bool):
            raise BadRules(f"{name}={value!r} must be True or False")
    else:
        low, high = _MINIMA[name], _MAXIMA.get(name, 10**8)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise BadRules(f"{name}={value!r} must be a whole number from {low} to {high}")


def _code(kind: Any, value: Any) -> int:
    return get_args(kind).index(value) if get_origin(kind) is Literal else int(value)


PRESETS: Mapping[str, Rules] = {
    "emma": Rules(),
    "classic_s1": Rules(rearrange_needs_facedown=False, spit_trigger="request_when_stuck"),
    "de_s3": Rules(
        combine="off",
        rearrange_needs_facedown=False,
        flip="auto",
        pickup_shuffle=True,
        short_layout="whole_stacks",
        win="no_cards_held",
        spit_trigger="request_when_stuck",
    ),
    "base_s4": Rules(combine="off", rearrange_needs_facedown=False, flip="auto", pickup_shuffle=True, must_play=True),
    "pagat": Rules(
        combine="off",
        rearrange_needs_facedown=False,
        pickup_shuffle=True,
        round_end="slap_race",
        blocked="slap_race",
        solo_spit="either_then_fixed",
    ),
    "wikipedia": Rules(
        prespit_combine=True,
        rearrange_needs_facedown=False,
        pickup_shuffle=True,
        round_end="slap_race",
        blocked="slap_race",
    ),
    "spit_s2": Rules(
        combine="off",
        rearrange_needs_facedown=False,
        pickup_shuffle=True,
        round_end="smaller_pile",
        win="no_cards_held",
    ),
}


def make_rules(rules: "str | Rules | Mapping[str, Any]" = "emma", /, **changes: Any) -> Rules:
    """Rules from a preset's name, a record or a mapping of values, with ``changes`` on top.

    >>> make_rules("classic_s1", doubles=True).doubles
    True

    Raises:
        BadRules: for an unknown preset, key or value; the message names the nearest known one.
    """
    if isinstance(rules, Rules):
        base = rules
    elif isinstance(rules, str):
        if rules not in PRESETS:
            raise BadRules(f"unknown rules {rules!r}{nearest(rules, PRESETS)}; known: {', '.join(PRESETS)}")
        base = PRESETS[rules]
    else:
        values = dict(rules)
        base = make_rules(values.pop("preset", "emma"))
        changes = values | changes
    for key in changes:
        if key not in _TYPES:
            raise BadRules(f"unknown rule {key!r}{nearest(key, _TYPES)}; known: {', '.join(_TYPES)}")
    return replace(base, **changes)


def nearest(word: str, known: Mapping[str, Any]) -> str:
    """A hint for a message: the known word nearest to a wrong one, or nothing."""
    close = get_close_matches(word, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
