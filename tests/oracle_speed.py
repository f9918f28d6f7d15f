"""The slow oracle: Speed in plain Python, read from docs/race.md and docs/speed.md apart from the kernels.

`tests.oracle_speed_table` has the cards and what is legal, this file what happens to them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from spit_env.latency import Latency, LogNormal
from spit_env.speed.rules import SpeedRules
from tests.oracle_race import LOCKED, PAUSE, PICK, RACE
from tests.oracle_speed_table import JOKER, Player, Table, fits, is_joker, rank


class SpeedOracle(Table):
    def __init__(
        self, rules: SpeedRules, latencies: Sequence[Latency], seed: int,
        labels: Sequence[int] | None = None, wait_ms: int = 100,
    ) -> None:  # fmt: skip
        super().__init__(rules, latencies, seed, labels or range(rules.n_players), wait_ms)
        self._deal()

    def set_up(self, position: Mapping[str, Any]) -> None:
        """Begin anew with the cards of a snapshot, as if the piles had just been started."""
        for player, cards, stock in zip(self.players, position["held"], position["stocks"], strict=True):
            player.slots = [None if card == -1 else card for card in cards[: self.size]]
            player.stock = list(stock)
        self.piles = [list(pile) for pile in position["piles"]]
        self.tops = [rank(pile[-1]) if pile else None for pile in self.piles]
        self.reserves = [list(reserve) for reserve in position["reserves"]]
        self.starters = [None for _ in self.piles]
        self._begin_here(position)

    # A hand's way

    def _begin(self, player: Player, action: int) -> LogNormal:
        if action == self.draw:
            return player.latency.rearrange
        if action == self.call:
            return player.latency.call
        slot, pile, above = self.play_of(player.seat, action)
        card = player.slots[slot]
        assert card is not None
        player.slots[slot], player.card, player.target = None, card, pile
        player.name = self.names(self._view(player)[pile])[above] if is_joker(card) else rank(card)
        player.height = len(self.piles[pile])
        self.seen.add(card)
        return player.latency.play

    def _take_back(self, player: Player) -> None:
        slot, _, _ = self.play_of(player.seat, player.action)
        player.slots[slot] = player.card

    def _arrive(self, player: Player) -> None:
        if player.target is not None:
            self._land_on(player, player.target)
        elif player.action == self.draw:
            player.rest()
            card = player.stock.pop()
            player.slots[player.slots.index(None)] = card
            self._dealt_open(card)
            self._visible()
            self._draw_on(player)
        else:
            self._won(player, "finished")

    def _land_on(self, player: Player, pile: int) -> None:
        late = self.rules.land_check == "strict" and len(self.piles[pile]) > player.height
        if late or not fits(player.name, self.tops[pile], self.rules):
            self._bounce(player)
            return
        self.piles[pile].append(player.card)
        self.tops[pile] = player.name
        player.rest()
        player.landings += 1
        self.progress_at = self.time
        self._visible()
        if player.is_out() and not self.rules.announce:
            self._won(player, "finished")
        else:
            self._draw_on(player)

    def _draw_on(self, player: Player) -> None:
        if self.rules.refill == "auto" and self.can_draw(player):
            self._launch(player, self.draw)

    # Turning

    def _found_stuck(self) -> None:
        if self.can_turn():
            self._enter(PAUSE)
        else:
            self._blocked()

    def _let_lie(self) -> None:
        self._found_stuck()

    def _pause_over(self) -> None:
        if self.phase == LOCKED and self.rules.starters:
            sources = [[] if card is None else [card] for card in self.starters]
            self.starters = [None for _ in self.piles]
        elif self.rules.layout == "row4":
            sources = [player.stock for player in self.players]
        else:
            if not all(self.reserves):
                self._make_reserves_anew()
            sources = self.reserves
        for pile, source in enumerate(sources):
            if source:
                card = source.pop()
                self.piles[pile].append(card)
                self.tops[pile] = rank(card)
                self.seen.add(card)
        self.progress_at = self.time
        self._enter(RACE)
        self.counted += self.rules.spit_pause_ms
        out = [player for player in self.by_label if player.is_out()]
        if out and not self.rules.announce:
            self._won(out[self._coin(len(out))], "finished")

    # The end of a deal

    def _blocked(self) -> None:
        fewest = min(player.held() for player in self.players)
        least = [player for player in self.by_label if player.held() == fewest]
        self._won(least[self._coin(len(least))], "blocked")

    def _won(self, winner: Player, reason: str) -> None:
        winner.score += sum(player.held() for player in self.players if player is not winner)
        if self.rules.match_score == 0 or winner.score >= self.rules.match_score:
            self._over(winner.seat, reason)
            return
        self._enter(PICK)
        self.round += 1
        if self.round == self.rules.max_rounds:
            self._over(-1, "max_rounds")
        else:
            self._deal()

    def _deal(self) -> None:
        self._give_cards()
        self._enter(LOCKED)
        self.counted = 0

    def snapshot(self) -> dict[str, object]:
        players = self.players
        ranks = [*range(13), JOKER]
        return super().snapshot() | {
            "held": [player.five_slots() for player in players],
            "held_n": [len(player.cards()) for player in players],
            "stocks": [list(player.stock) for player in players],
            "reserves": [list(reserve) for reserve in self.reserves],
            "starter": [-1 if card is None else card for card in self.starters],
            "piles": [list(pile) for pile in self.piles],
            "top": [-1 if top is None else top for top in self.tops],
            "accepts": [sum(1 << r for r in ranks if fits(r, top, self.rules)) for top in self.tops],
            "named": [player.name if player.card >= 0 else -1 for player in players],
            "unseen": self.count_ranks(card for card in self.pack() if card not in self.seen),
            "mixed": self.count_ranks(card for heap in self.reserves for card in heap if card in self.seen),
            "score": [player.score for player in players],
        }  # fmt: skip
