"""The slow oracle: Spit in plain Python, read from docs/race.md and docs/spit.md apart from the kernels.

Seats are 0 and 1; a player's pile 0 is the own pile, pile 1 the other's. A pile exists when it has cards.
`tests.oracle_table` has the cards, this file the time.
"""

from collections.abc import Sequence  # noqa: I001

from spit_env.draws import DEAL, SHUFFLE, TIES
from spit_env.draws import THINK as THINK_STREAM
from spit_env.draws import TRAVEL as TRAVEL_STREAM
from spit_env.latency import MAX_PERCEPTION_MS, Latency
from spit_env.spit.rules import SpitRules
from tests.oracle_table import (
    FLIPS, IDLE, LOCKED, NOOP, OPEN, OVER, PAUSE, PICK, PICKS, PLAYS, RACE, REARRANGES, RETURN, SLAP, SOLO,
    SPIT, THINK, TRAVEL, Player, Table, fits, flip, source_and_target,
)  # fmt: skip


class Oracle(Table):
    def __init__(
        self, rules: SpitRules, latencies: Sequence[Latency], seed: int,
        labels: Sequence[int] = (0, 1), wait_ms: int = 100,
    ) -> None:  # fmt: skip
        super().__init__(rules, latencies, seed, labels)
        self.wait_ms = wait_ms
        self.time = self.phase_at = self.phase_until = self.progress_at = self.race_since = 0
        self.counted = 0  # counted time of the round up to `race_since`
        self.round = 0
        self.winner = -1
        self.end_reason = ""
        self.round_winner: Player | None = None  # whom a SLAP that nobody does falls to
        self.clashes = 0  # tie_break="alternate": how often it has decided
        self.history: list[tuple[int, list[int | None]]] = []  # times of visible events, pile tops after them
        self._deal()

    @classmethod
    def from_position(
        cls, rules: SpitRules, latencies: Sequence[Latency], seed: int,
        stacks: Sequence[Sequence[Sequence[int]]], down: Sequence[Sequence[int]],
        decks: Sequence[Sequence[int]], piles: Sequence[Sequence[int]],
        labels: Sequence[int] = (0, 1), wait_ms: int = 100,
    ) -> "Oracle":  # fmt: skip
        """A game that has just spat at time 0. Lists are bottom to top; an empty pile does not exist."""
        game = cls(rules, latencies, seed, labels, wait_ms)
        for memory in (game.drawn, game.seen, game.known, game.history):
            memory.clear()
        for seat, player in enumerate(game.players):
            player.stacks = [list(stack) for stack in stacks[seat]]
            player.down, player.deck = list(down[seat]), list(decks[seat])
            for stack, hidden in zip(player.stacks, player.down, strict=True):
                game._show(*stack[hidden:])
        game.piles = [list(pile) for pile in piles]
        game._show(*game.piles[0], *game.piles[1])
        game._progress()
        game._enter(RACE)
        return game

    # What a caller sees and does

    def legal(self, seat: int) -> list[int]:
        """The mask."""
        if self.phase in (SOLO, PICK) and seat == self.chooser:
            return self.moves(seat)
        if self.players[seat].hand != OPEN:
            return [NOOP]
        moves = self.moves(seat)
        late = self.time - self.progress_at >= self.rules.stall_ms
        forced = self.rules.must_play and late and any(action in PLAYS for action in moves)
        return moves if forced else [NOOP, *moves]

    def asked(self) -> list[int]:
        """The seats asked now, in label order."""
        if self.phase in (SOLO, PICK):
            return [self.chooser]
        return [player.seat for player in self.by_label if player.hand == OPEN and player.ask_at <= self.time]

    def choose(self, seat: int, action: int) -> None:
        assert action in self.legal(seat), f"seat {seat} may not do {action}, only {self.legal(seat)}"
        player = self.players[seat]
        if self.phase == PICK and seat == self.chooser:
            self._share(seat, seat ^ (action - PICKS))
        elif self.phase == SOLO and seat == self.chooser:
            player.spits_on = action - PICKS
            self._spit()
        elif action != NOOP:
            self._launch(player, action)
        elif player.hand == OPEN:
            player.declined, player.ask_at = True, self.time + self.wait_ms

    def advance(self, until: int | None = None, stop_at_choice: bool = False) -> None:
        while True:
            self._settle()
            if self.phase in (SOLO, PICK, OVER) or (stop_at_choice and self.asked()):
                return
            event = self._next_event(stop_at_choice)
            if until is not None and event > until:
                self.time = max(self.time, until)
                return
            self.time = event
            self._events()

    # Time

    def _next_event(self, asking: bool) -> int:
        rules = self.rules
        times = [self.phase_until, *(player.until for player in self.players)]
        if self.phase == RACE:
            times.append(self.race_since + rules.max_round_ms - self.counted)
            times.append(self.history[-1][0] + rules.max_idle_ms)
            times.append(self.progress_at + rules.stall_ms)
            for player in self.players:
                times += [at + player.latency.perception_ms for at, _ in self.history]
        if self.phase == SLAP:
            times.append(self.phase_at + (rules.stall_ms or rules.max_idle_ms))
        if asking:
            times += [player.ask_at for player in self.players]
        return min(time for time in times if time > self.time)

    def _events(self) -> None:
        """Everything of one millisecond but the settling."""
        for player in self.players:
            delay = player.latency.perception_ms
            changes = any(at + delay == self.time for at, _ in self.history)
            if self.phase == RACE and player.hand == OPEN and delay > 0 and changes:
                player.ask_at = self.time
        self._end_travels()
        for player in self._ending(RETURN):
            player.put_back()
            self._visible()
        for player in self._ending(THINK):
            player.rest()
            if self.moves(player.seat):
                player.hand, player.ask_at = OPEN, self.time
        if self.phase in (LOCKED, PAUSE) and self.time >= self.phase_until and not self._anything_moving():
            self._spit()

    def _ending(self, hand: int) -> list[Player]:
        return [player for player in self.by_label if player.hand == hand and player.until == self.time]

    def _end_travels(self) -> None:
        while ending := self._ending(TRAVEL):
            targets = {player.target() for player in ending}
            clash = len(ending) > 1 and len(targets) == 1 and None not in targets
            if clash and self.rules.tie_break == "both_return":
                for player in ending:
                    self._bounce(player)
            elif clash and self.rules.tie_break == "alternate":
                self.clashes += 1
                self._land(ending[0 if self.clashes % 2 else -1])
            else:
                self._land(ending[self._coin(len(ending))])

    def _settle(self) -> None:
        rules = self.rules
        if self.phase == RACE:
            if self.counted + self.time - self.race_since >= rules.max_round_ms:
                self._over(-1, "max_round_ms")
            elif self.time - self.history[-1][0] >= rules.max_idle_ms:
                self._over(-1, "max_idle_ms")
        elif self.phase == SLAP and self.time - self.phase_at >= (rules.stall_ms or rules.max_idle_ms):
            fewest = self.fewest_stack_cards()
            winner = self.round_winner or fewest[self._coin(len(fewest))]
            self._enter(PICK, winner.seat)
        if self.phase == RACE and not self._anything_moving():
            if not self.stuck_mark and all(self.is_stuck(seat) for seat in (0, 1)):
                if rules.spit_trigger == "request_when_stuck" and any(player.deck for player in self.players):
                    self.stuck_mark = True
                else:
                    self._table_spits()
            if self.phase == RACE and self._stalled():
                self._table_spits()
        for player in self.by_label:
            if player.hand == OPEN and not self.moves(player.seat):
                player.rest()
            if player.hand == IDLE and self.phase in (LOCKED, RACE, SLAP) and self.moves(player.seat):
                player.hand = THINK
                player.until = self.time + self._latency(player, THINK_STREAM, player.latency.think)

    def _stalled(self) -> bool:
        stall_ms = self.rules.stall_ms
        if stall_ms == 0 or self.rules.must_play or self.time - self.progress_at < stall_ms:
            return False
        able = [player for player in self.players if self.moves(player.seat, truth=True)]
        return bool(able) and all(player.hand == OPEN and player.declined for player in able)

    def _enter(self, phase: int, chooser: int = -1) -> None:
        self._free_hands()
        if self.phase == RACE:
            self.counted += self.time - self.race_since
        self.phase, self.chooser, self.phase_at, self.race_since = phase, chooser, self.time, self.time
        self.phase_until = self.time + self.rules.spit_pause_ms if phase in (LOCKED, PAUSE) else 0
        self._visible()

    def _over(self, winner: int, reason: str) -> None:
        self.winner, self.end_reason = winner, reason
        self._enter(OVER)

    def _visible(self) -> None:
        """Something that all can see has happened."""
        if self.history and self.history[-1][0] == self.time:
            self.history.pop()
        self.history.append((self.time, self._tops()))
        while len(self.history) > 1 and self.history[1][0] <= self.time - MAX_PERCEPTION_MS:
            self.history.pop(0)
        for player in self.players:
            if player.hand == OPEN and (self.phase != RACE or player.latency.perception_ms == 0):
                player.ask_at = self.time

    def _view(self, player: Player) -> list[int | None]:
        delay = player.latency.perception_ms
        if self.phase != RACE or delay == 0:
            return self._tops()
        past = [tops for at, tops in self.history if at <= self.time - delay]
        return past[-1] if past else self.history[0][1]

    # A hand's way

    def _launch(self, player: Player, action: int) -> None:
        player.rest()
        kind = player.latency.call
        if action in PLAYS:
            kind, player.card = player.latency.play, player.stacks[(action - 1) // 2].pop()
        elif action in FLIPS:
            kind = player.latency.flip
        elif action in REARRANGES:
            kind, player.card = player.latency.rearrange, player.stacks[source_and_target(action)[0]].pop()
            player.budget -= 1
        player.hand, player.action = TRAVEL, action
        player.flight_ms = self._latency(player, TRAVEL_STREAM, kind)
        player.until = self.time + player.flight_ms
        target = player.target()
        player.height = 0 if target is None else len(self.piles[target])
        self._visible()

    def _bounce(self, player: Player) -> None:
        player.bounces += 1
        back_ms = player.flight_ms if self.rules.return_ms == -1 else self.rules.return_ms
        player.hand, player.until = RETURN, self.time + back_ms
        self._visible()

    def _land(self, player: Player) -> None:
        """The end of a travel."""
        action, card, target = player.action, player.card, player.target()
        if target is not None:
            self._land_on(player, self.piles[target])
            return
        player.rest()
        if action in FLIPS:
            player.down[action - 11] -= 1
            self._show(player.stacks[action - 11][-1])
            self._progress()
        elif action in REARRANGES:
            source, onto = source_and_target(action)
            player.stacks[onto].append(card)
            self._flip_on(player, source)
        elif action == SPIT:
            player.consent = self.rules.spit_trigger == "mutual_consent"
            if self.stuck_mark:
                self._table_spits()
        else:
            self._share(player.seat, player.seat ^ (action - PICKS))
        self._visible()

    def _land_on(self, player: Player, pile: list[int]) -> None:
        late = self.rules.land_check == "strict" and len(pile) > player.height
        if late or not pile or not fits(player.card, pile[-1], self.rules):
            self._bounce(player)
            return
        pile.append(player.card)
        stack = (player.action - 1) // 2
        player.rest()
        player.landings += 1
        self._progress()
        self._visible()
        if any(player.stacks):
            self._flip_on(player, stack)
        else:
            self._finished(player)

    def _flip_on(self, player: Player, stack: int) -> None:
        if self.rules.flip == "auto" and player.face_down(stack):
            self._launch(player, flip(stack))

    def _progress(self) -> None:
        self.progress_at, self.stuck_mark = self.time, False
        for player in self.players:
            player.budget, player.consent = self.rules.rearrange_budget, False

    # A round's way

    def _deal(self) -> None:
        self._lay_stacks()
        self.stuck_mark, self.round_winner = False, None
        self._enter(LOCKED)
        self.counted = 0

    def _spit(self) -> None:
        """The decks spit, or their one owner is asked where to."""
        spits = [(player, player.seat) for player in self.players if player.deck]
        if len(spits) == 1 and all(self.piles):
            player, own = spits[0]
            if self.rules.solo_spit == "both_piles":
                spits.append((player, 1 - own))
            elif self.rules.solo_spit == "either_then_fixed":
                if player.spits_on is None:
                    self._enter(SOLO, own)
                    return
                spits = [(player, own ^ player.spits_on)]
        for player, owner in spits:
            if player.deck:
                self.piles[owner].append(player.deck.pop())
                self._show(self.piles[owner][-1])
        self._progress()
        self._enter(RACE)

    def _table_spits(self) -> None:
        if any(player.deck for player in self.players):
            self._enter(PAUSE)
        else:
            self._blocked()

    def _blocked(self) -> None:
        self._free_hands()
        fewest = self.fewest_stack_cards()
        void = len(fewest) > 1 and self.rules.blocked_tie == "void_round"
        if self.rules.blocked == "slap_race" and all(self.piles):
            self._enter(SLAP)
        elif self.rules.blocked == "draw_round" or void:
            self._share(0, 0)
        else:
            winner = fewest[self._coin(len(fewest))]
            if self.rules.blocked == "fewest_wins_game":
                self._over(winner.seat, "blocked")
            else:
                self._round_won(winner)

    def _finished(self, player: Player) -> None:
        one_pile = bool(self.piles[0]) != bool(self.piles[1])
        wins = {"one_pile": one_pile, "no_cards_held": True, "after_pick": False}[self.rules.win]
        if wins and not player.deck:
            self._over(player.seat, "finished")
        else:
            self._round_won(player)

    def _round_won(self, player: Player) -> None:
        standing = [owner.seat for owner in self.by_label if self.piles[owner.seat]]
        if len(standing) < 2:
            if self.rules.one_pile_finish == "other_takes_pile":
                self._share(player.seat, 1 - standing[0] if standing else 0)
            else:
                self._enter(PICK, player.seat)
        elif self.rules.round_end == "winner_picks":
            self._enter(PICK, player.seat)
        elif self.rules.round_end == "smaller_pile":
            least = min(len(pile) for pile in self.piles)
            smaller = [owner for owner in standing if len(self.piles[owner]) == least]
            self._share(player.seat, smaller[self._coin(len(smaller))])
        else:
            self.round_winner = player
            self._enter(SLAP)

    def _share(self, seat: int, owner: int) -> None:
        """The round is over: a seat takes the owner's pile or its empty place, the other player the other."""
        self._free_hands()
        for player in self.by_label:
            pile = self.piles[owner if player.seat == seat else 1 - owner]
            taken = pile if self.rules.pickup_orientation == "oldest_first" else pile[::-1]
            leftovers = [card for stack in player.stacks for card in reversed(stack)]
            player.deck = [*player.deck[::-1], *taken, *leftovers][::-1]
            player.stacks, player.down = [[] for _ in range(5)], [0] * 5
            if self.rules.pickup_shuffle:
                self._shuffle(player.deck, SHUFFLE)
                self.known -= set(player.deck)
        self.piles = [[], []]
        empty = [player for player in self.by_label if not player.deck]
        if empty:
            self._over(empty[0].seat, "no_cards_left")
            return
        self.round += 1
        if self.round == self.rules.max_rounds:
            self._over(-1, "max_rounds")
        else:
            self._deal()

    def snapshot(self) -> dict[str, object]:
        players = self.players
        return self.position() | {
            "time": self.time, "round": self.round, "winner": self.winner, "end_reason": self.end_reason,
            "phase_until": self.phase_until, "progress_at": self.progress_at,
            "hand": [p.hand for p in players], "until": [p.until for p in players],
            "action": [p.action for p in players], "card": [p.card for p in players],
            "declined": [int(p.declined) for p in players], "ask_at": [p.ask_at for p in players],
            "ties_n": self.drawn[TIES], "deal_n": self.drawn[DEAL], "shuffle_n": self.drawn[SHUFFLE],
        }  # fmt: skip
