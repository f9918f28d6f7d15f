"""The slow oracle: Spit in plain Python, read from docs/race.md and docs/spit.md apart from the kernels.

Seats are 0 and 1; a player's pile 0 is the own pile, pile 1 the other's. A pile exists when it has cards.
`tests.oracle_race` has the time, `tests.oracle_table` the cards, this file what happens to them.
"""

from collections.abc import Sequence

from spit_env.draws import SHUFFLE
from spit_env.latency import Latency, LogNormal
from spit_env.spit.rules import SpitRules
from tests.oracle_race import LOCKED, PAUSE, PICK, RACE, SLAP, SOLO
from tests.oracle_table import FLIPS, PICKS, PLAYS, REARRANGES, SPIT, Player, Table, fits, flip, source_and_target


class Oracle(Table):
    def __init__(
        self, rules: SpitRules, latencies: Sequence[Latency], seed: int,
        labels: Sequence[int] = (0, 1), wait_ms: int = 100,
    ) -> None:  # fmt: skip
        super().__init__(rules, latencies, seed, labels, wait_ms)
        self.round_winner: Player | None = None  # whom a SLAP that nobody does falls to
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

    # A hand's way

    def _begin(self, player: Player, action: int) -> LogNormal:
        if action in PLAYS:
            stack, pile = divmod(action - 1, 2)
            player.card, player.target = player.stacks[stack].pop(), player.seat ^ pile
            player.height = len(self.piles[player.target])
            return player.latency.play
        if action in FLIPS:
            return player.latency.flip
        if action in REARRANGES:
            player.card = player.stacks[source_and_target(action)[0]].pop()
            player.budget -= 1
            return player.latency.rearrange
        return player.latency.call

    def _take_back(self, player: Player) -> None:
        action = player.action
        source = (action - 1) // 2 if action in PLAYS else source_and_target(action)[0]
        player.stacks[source].append(player.card)

    def _arrive(self, player: Player) -> None:
        action, card = player.action, player.card
        if player.target is not None:
            self._land_on(player, self.piles[player.target])
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

    def _choose_outside(self, player: Player, action: int) -> None:
        if self.phase == PICK:
            self._share(player.seat, player.seat ^ (action - PICKS))
        else:
            player.spits_on = action - PICKS
            self._pause_over()

    def _found_stuck(self) -> None:
        if self.rules.spit_trigger == "request_when_stuck" and any(player.deck for player in self.players):
            self.stuck_mark = True
        else:
            self._table_spits()

    def _let_lie(self) -> None:
        self._table_spits()

    def _nobody_slapped(self) -> None:
        fewest = self.fewest_stack_cards()
        winner = self.round_winner or fewest[self._coin(len(fewest))]
        self._enter(PICK, winner.seat)

    def _deal(self) -> None:
        self._lay_stacks()
        self.stuck_mark, self.round_winner = False, None
        self._enter(LOCKED)
        self.counted = 0

    def _pause_over(self) -> None:
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
