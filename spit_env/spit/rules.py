"""The rules of Spit as values, and its presets.

Every field names the conflict (C-..) or ruling (A-..) that it settles; the default of each is the game as played
against Emma.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from spit_env.ruleset import LandCheck, Rules

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
PileCounts = Literal["hidden", "noisy", "exact"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpitRules(Rules):
    """The rules of a game of Spit. Spit is for two: no rule text has it for more (S2-22 speaks of Speed).

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
    land_check: LandCheck = "at_landing"
    # Stuck, spit
    stuck_test: StuckTest = "productive"  # C-16, A-18
    spit_trigger: SpitTrigger = "auto"  # C-17
    solo_spit: SoloSpit = "own_pile"  # C-06: both stuck and only one deck left
    rearrange_budget: int = 12  # rearrangements per player between landings, flips and spits
    # Ends
    round_end: RoundEnd = "winner_picks"  # C-03
    one_pile_finish: OnePileFinish = "other_takes_pile"  # C-12, A-29
    win: Win = "one_pile"  # C-13, A-30
    blocked: Blocked = "fewest_stack_cards"  # C-04: both stuck and no deck left
    blocked_tie: BlockedTie = "coin"  # C-05
    pile_count_visibility: PileCounts = "hidden"

    GAME = "spit"
    LIMITS = Rules.LIMITS | {"rearrange_budget": (0, 100)}

    def contradictions(self) -> Iterator[str]:
        """See `Rules`."""
        yield from Rules.contradictions(self)
        if self.prespit_combine and self.combine == "off":
            yield "prespit_combine has nothing to allow with combine='off'"
        if self.blocked_tie == "void_round" and self.blocked not in ("fewest_stack_cards", "fewest_wins_game"):
            yield f"blocked_tie='void_round' cannot occur with blocked={self.blocked!r}, which counts no cards"
        if self.pickup_shuffle and self.pickup_orientation != "oldest_first":
            yield "pickup_orientation means nothing with pickup_shuffle=True: leave it at 'oldest_first'"


PRESETS: Mapping[str, SpitRules] = {
    "emma": SpitRules(),
    "classic_s1": SpitRules(rearrange_needs_facedown=False, spit_trigger="request_when_stuck"),
    "de_s3": SpitRules(
        combine="off",
        rearrange_needs_facedown=False,
        flip="auto",
        pickup_shuffle=True,
        short_layout="whole_stacks",
        win="no_cards_held",
        spit_trigger="request_when_stuck",
    ),
    "base_s4": SpitRules(
        combine="off", rearrange_needs_facedown=False, flip="auto", pickup_shuffle=True, must_play=True
    ),
    "pagat": SpitRules(
        combine="off",
        rearrange_needs_facedown=False,
        pickup_shuffle=True,
        round_end="slap_race",
        blocked="slap_race",
        solo_spit="either_then_fixed",
    ),
    "wikipedia": SpitRules(
        prespit_combine=True,
        rearrange_needs_facedown=False,
        pickup_shuffle=True,
        round_end="slap_race",
        blocked="slap_race",
    ),
    "spit_s2": SpitRules(
        combine="off",
        rearrange_needs_facedown=False,
        pickup_shuffle=True,
        round_end="smaller_pile",
        win="no_cards_held",
    ),
}
