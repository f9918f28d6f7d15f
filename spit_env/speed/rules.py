"""The rules of Speed as values, and its presets.

Every field names the rule (S2-..), conflict (C-..) or ruling (A-..) that it settles; the default of each is the game of
the rule text: two players, a stock of 15, a hand of five, two reserves of five and two starters.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from spit_env.cards import PACK
from spit_env.ruleset import LandCheck, Rules

Layout = Literal["hand5", "row4"]
Refill = Literal["auto", "manual"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedRules(Rules):
    """The rules of a game of Speed.

    Raises:
        BadRules: for an unknown value, values that contradict each other, or a deal that does not come out even.
    """

    # Players and cards
    n_players: int = 2  # S2-01, S2-22
    decks: int = 1  # S2-22: two packs for four players
    jokers: int = 0  # S2-20: in all packs together
    layout: Layout = "hand5"  # S2-19: "row4" is Bicycle's row of four, each player with a pack
    stock: int = 15  # S2-03, S2-05, S2-06: the smallest stock; the deal must come out even
    reserve: int = 5  # S2-04: cards of each reserve
    starters: int = 1  # S2-04: cards that start each pile; 0: the reserves start them
    # The race
    ace_wrap: bool = True  # S2-02
    doubles: bool = False  # S2-21: equal ranks may be played
    refill: Refill = "auto"  # whether drawing follows by itself
    land_check: LandCheck = "at_landing"
    announce: bool = False  # S2-16: who is out must still call "Speed!"
    # Ends
    match_score: int = 0  # S2-17, A-42: deals are played until a score reaches it; 0: one deal

    GAME = "speed"
    LIMITS = Rules.LIMITS | {
        "n_players": (2, 4), "decks": (1, 2), "jokers": (0, 4), "stock": (0, 100), "reserve": (0, 50),
        "starters": (0, 1), "match_score": (0, 1000),
    }  # fmt: skip

    @property
    def seats(self) -> int:
        """How many players."""
        return self.n_players

    def contradictions(self) -> Iterator[str]:
        """See `Rules`."""
        yield from Rules.contradictions(self)
        if self.layout == "row4":
            if (self.n_players, self.decks, self.jokers) != (2, 2, 0):
                yield "layout='row4' is for two with a pack each, without jokers: n_players=2, decks=2, jokers=0"
            if (self.stock, self.reserve, self.starters) != (48, 0, 0):
                yield "layout='row4' deals a pack each: stock=48, reserve=0, starters=0"
            return
        if self.jokers > 2 * self.decks:
            yield f"jokers={self.jokers} of {self.decks} packs: a pack has 2"
        if self.reserve + self.starters == 0:
            yield "reserve=0 with starters=0 leaves nothing to start the piles with"
        each = self.stock + 5 + self.reserve + self.starters
        dealt, cards = self.n_players * each, PACK * self.decks + self.jokers
        if not 0 <= cards - dealt < self.n_players:
            yield (
                f"the deal must come out even: {self.n_players} * (stock {self.stock} + hand 5 + reserve "
                f"{self.reserve} + starters {self.starters}) = {dealt} of {cards} cards"
            )


PRESETS: Mapping[str, SpeedRules] = {
    "speed": SpeedRules(),
    "speed_wikipedia": SpeedRules(reserve=6, starters=0, doubles=True),
    "speed_pagat": SpeedRules(stock=10, reserve=10, match_score=25),
    "speed_jokers": SpeedRules(stock=16, jokers=2),
    "speed_doubles": SpeedRules(doubles=True),
    "speed_3p": SpeedRules(n_players=3, stock=6),
    "speed_4p": SpeedRules(n_players=4, decks=2),
    "bicycle": SpeedRules(layout="row4", decks=2, stock=48, reserve=0, starters=0),
}
