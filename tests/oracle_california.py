"""The slow oracle: California Speed in plain Python, read from docs/race.md and docs/california.md apart from the
kernels.

A place is 4 * seat + stack.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from spit_env.california.rules import CaliforniaRules
from spit_env.cards import rank_of
from spit_env.draws import DEAL
from spit_env.latency import Latency, LogNormal
from tests.oracle_race import LOCKED, PAUSE, RACE, Race, Racer, Shown

PLACES = range(8)


@dataclass(eq=False)
class Player(Racer):
    pack: list[int] = field(default_factory=list)  # bottom to top


class CaliforniaOracle(Race[CaliforniaRules, Player]):
    def __init__(
        self, rules: CaliforniaRules, latencies: Sequence[Latency], seed: int,
        labels: Sequence[int] = (0, 1), wait_ms: int = 100,
    ) -> None:  # fmt: skip
        super().__init__(rules, [Player(i, labels[i], latencies[i]) for i in range(2)], seed, wait_ms)
        self.stacks: list[list[int]] = [[] for _ in PLACES]  # by place, bottom to top
        self.coverable = [False for _ in PLACES]
        pack = list(range(52))
        self._shuffle(pack, DEAL)
        self.by_label[0].pack, self.by_label[1].pack = pack[:26], pack[26:]
        self._enter(LOCKED)

    def set_up(self, position: Mapping[str, Any]) -> None:
        """Begin anew with the cards of a snapshot, as if rows had just been laid."""
        self.stacks = [list(stack) for row in position["stacks"] for stack in row]
        for player, pack in zip(self.players, position["packs"], strict=True):
            player.pack = list(pack)
        self._mark_matches()
        if "coverable" in position:  # more than the tops tell
            self.coverable = [bool(can) for row in position["coverable"] for can in row]
        self._begin_here(position)

    # What is legal

    def moves(self, seat: int, truth: bool = False) -> list[int]:
        player = self.players[seat]
        if self.phase != RACE or not player.pack:
            return []
        coverable = self.shown() if truth else self._view(player)
        return sorted(self.cover(seat, place) for place in PLACES if coverable[place])

    @staticmethod
    def cover(seat: int, place: int) -> int:
        """The action that covers a place."""
        owner, stack = divmod(place, 4)
        return 1 + 4 * (owner ^ seat) + stack

    def is_play(self, action: int) -> bool:
        return action > 0

    def is_stuck(self, seat: int) -> bool:
        return not self.moves(seat, truth=True)

    def shown(self) -> Shown:
        return [*self.coverable]

    # A card's way

    def _begin(self, player: Player, action: int) -> LogNormal:
        row, stack = divmod(action - 1, 4)
        player.target = 4 * (row ^ player.seat) + stack
        player.card = player.pack.pop()
        self.seen.add(player.card)
        return player.latency.play

    def _take_back(self, player: Player) -> None:
        player.pack.append(player.card)

    def _arrive(self, player: Player) -> None:
        place = player.target
        assert place is not None
        if not self.coverable[place]:
            self._bounce(player)
            return
        self.stacks[place].append(player.card)
        player.rest()
        player.landings += 1
        self.progress_at = self.time
        self._mark(place)
        self._visible()
        if not player.pack:
            self._over(player.seat, "finished")

    def top(self, place: int) -> int | None:
        """The rank on top."""
        return rank_of(self.stacks[place][-1]) if self.stacks[place] else None

    def _mark(self, place: int) -> None:
        """A card has landed on a place: what is coverable now?"""
        self.coverable[place] = False
        equal = [other for other in PLACES if self.top(other) == self.top(place)]
        if len(equal) > 1:
            for other in equal:
                self.coverable[other] = True
        under, upper = (rank_of(card) for card in self.stacks[place][-2:])
        if self.rules.doubles and under == upper:
            self.coverable[place] = True

    def _mark_matches(self) -> None:
        """Rows have been laid: what is coverable?"""
        tops = [self.top(place) for place in PLACES]
        self.coverable = [top is not None and tops.count(top) > 1 for top in tops]

    # Rows

    def _found_stuck(self) -> None:
        self._enter(PAUSE)

    def _let_lie(self) -> None:
        self._enter(PAUSE)

    def _pause_over(self) -> None:
        if self.phase == LOCKED:
            self._lay()
            return
        if self.rules.empty_pack == "wins_at_next_deal" and self._won_by_empty_pack():
            return
        self._take_up()
        self.round += 1
        if self.round == self.rules.max_rounds:
            self._over(-1, "max_rounds")
        else:
            self._lay()

    def _take_up(self) -> None:
        for player in self.players:
            for place in range(4 * player.seat, 4 * player.seat + 4):
                # Each goes under the pack with its oldest card on top.
                player.pack = [*reversed(self.stacks[place]), *player.pack]
                self.stacks[place] = []
        self.coverable = [False for _ in PLACES]

    def _lay(self) -> None:
        for player in self.players:
            for place in range(4 * player.seat, 4 * player.seat + 4):
                if player.pack:
                    self.stacks[place] = [player.pack.pop()]
                    self.seen.update(self.stacks[place])
        self._mark_matches()
        self.progress_at = self.time
        self._enter(RACE)
        self.counted = 0
        if self.rules.empty_pack == "wins_at_once":
            self._won_by_empty_pack()

    def _won_by_empty_pack(self) -> bool:
        empty = [player for player in self.by_label if not player.pack]
        if empty:
            self._over(empty[self._coin(len(empty))].seat, "finished")
        return bool(empty)

    def snapshot(self) -> dict[str, object]:
        tops = [self.top(place) for place in PLACES]
        unseen = [rank_of(card) for card in range(52) if card not in self.seen]
        return super().snapshot() | {
            "packs": [list(player.pack) for player in self.players],
            "stacks": rows([list(stack) for stack in self.stacks]),
            "top": rows([-1 if top is None else top for top in tops]),
            "coverable": rows([int(coverable) for coverable in self.coverable]),
            "unseen": [unseen.count(rank) for rank in range(13)],
        }  # fmt: skip


def rows(places: list[Any]) -> list[list[Any]]:
    return [places[:4], places[4:]]
