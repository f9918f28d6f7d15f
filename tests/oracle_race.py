"""The slow oracle's race in plain Python, read from docs/race.md apart from the kernels: clock, hands, order of events.

It knows no rule of any game and no number of seats. What is legal, what an action does and what becomes of a stuck
table are the hooks at the end of `Race`, which a game's own class fills in.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any, Generic, TypeVar

from spit_env.draws import DEAL, SHUFFLE, TIES, below, log_normal_ms, word
from spit_env.draws import THINK as THINK_STREAM
from spit_env.draws import TRAVEL as TRAVEL_STREAM
from spit_env.latency import MAX_PERCEPTION_MS, Latency, LogNormal
from spit_env.ruleset import Rules

LOCKED, RACE, PAUSE, SOLO, SLAP, PICK, OVER = range(7)
IDLE, THINK, OPEN, TRAVEL, RETURN = range(5)
NOOP = 0

Shown = list[int | None]  # what lies on the table for all to see, as far as it matters to what is legal


@dataclass(eq=False)
class Racer:
    """A player, as far as the race goes: one hand."""

    seat: int
    label: int
    latency: Latency
    hand: int = IDLE
    until: int = 0
    action: int = NOOP
    card: int = -1
    target: int | None = None  # which pile the PLAY under way goes to
    flight_ms: int = 0
    declined: bool = False
    ask_at: int = 0
    landings: int = 0
    bounces: int = 0
    since: int = 0  # when the thinking or the travel under way began
    thought: int = 0  # ms, without the one under way
    moved: int = 0

    def rest(self) -> None:
        """The hand becomes IDLE."""
        self.hand, self.until, self.action, self.card, self.target = IDLE, 0, NOOP, -1, None
        self.declined, self.ask_at = False, 0


R = TypeVar("R", bound=Rules)
P = TypeVar("P", bound=Racer)


class Race(Generic[R, P]):
    def __init__(self, rules: R, players: Sequence[P], seed: int, wait_ms: int) -> None:
        self.rules, self.seed, self.wait_ms = rules, seed, wait_ms
        self.players = list(players)
        self.by_label = sorted(players, key=lambda player: player.label)
        self.phase, self.chooser = LOCKED, -1
        self.time = self.phase_at = self.phase_until = self.progress_at = self.race_since = 0
        self.counted = 0  # counted time of the round up to `race_since`
        self.round = 0
        self.winner = -1
        self.end_reason = ""
        self.clashes = 0  # tie_break="alternate": how often it has decided
        self.drawn: Counter[int] = Counter()  # by stream
        self.seen = set[int]()
        self.history: list[tuple[int, Shown]] = []  # times of visible events, what is shown after them

    def set_up(self, position: Mapping[str, Any]) -> None:
        """Begin anew with the cards of a snapshot."""
        raise NotImplementedError

    def _begin_here(self, position: Mapping[str, Any]) -> None:
        """The cards lie there: race."""
        self.drawn = Counter({DEAL: position["deal_n"]})
        self.seen = set(position["seen"])
        self.history.clear()
        self._enter(RACE)
        self.counted = 0

    # What a caller sees and does

    def legal(self, seat: int) -> list[int]:
        """The mask."""
        if self.phase in (SOLO, PICK) and seat == self.chooser:
            return self.moves(seat)
        if self.players[seat].hand != OPEN:
            return [NOOP]
        moves = self.moves(seat)
        late = self.time - self.progress_at >= self.rules.stall_ms
        forced = self.rules.must_play and late and any(self.is_play(action) for action in moves)
        return moves if forced else [NOOP, *moves]

    def asked(self) -> list[int]:
        """The seats asked now, in label order."""
        if self.phase in (SOLO, PICK):
            return [self.chooser]
        return [player.seat for player in self.by_label if player.hand == OPEN and player.ask_at <= self.time]

    def choose(self, seat: int, action: int) -> None:
        assert action in self.legal(seat), f"seat {seat} may not do {action}, only {self.legal(seat)}"
        player = self.players[seat]
        if self.phase in (SOLO, PICK) and seat == self.chooser:
            self._choose_outside(player, action)
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
            self._put_back(player)
            self._visible()
        for player in self._ending(THINK):
            self._spend(player)
            player.rest()
            if self.moves(player.seat):
                player.hand, player.ask_at = OPEN, self.time
        if self.phase in (LOCKED, PAUSE) and self.time >= self.phase_until and not self._anything_moving():
            self._pause_over()

    def _ending(self, hand: int) -> list[P]:
        return [player for player in self.by_label if player.hand == hand and player.until == self.time]

    def _end_travels(self) -> None:
        for player in self._ending(TRAVEL):
            self._spend(player)
            player.since = self.time
        if self.rules.tie_break == "both_return":
            plays = [player for player in self._ending(TRAVEL) if player.target is not None]
            aims = Counter(player.target for player in plays)
            for player in plays:
                if aims[player.target] > 1:
                    self._bounce(player)
        while ending := self._ending(TRAVEL):
            targets = {player.target for player in ending}
            clash = len(ending) > 1 and len(targets) == 1 and None not in targets
            if clash and self.rules.tie_break == "alternate":
                self.clashes += 1
                self._arrive(ending[0 if self.clashes % 2 else -1])
            else:
                self._arrive(ending[self._coin(len(ending))])

    def _settle(self) -> None:
        self._guards()
        if self.phase == RACE and not self._anything_moving():
            if all(self.is_stuck(player.seat) for player in self.players):
                self._found_stuck()
            if self.phase == RACE and self._stalled():
                self._let_lie()
        for player in self.by_label:
            if player.hand == OPEN and not self.moves(player.seat):
                player.rest()
            if player.hand == IDLE and self.phase in (LOCKED, RACE, SLAP) and self.moves(player.seat):
                think, choices = player.latency.think, len(self.moves(player.seat)) + 1
                bits = round(log2(choices) * 2**20) / 2**20
                slower = think._replace(shift=think.shift + player.latency.hick * bits)
                player.hand, player.since = THINK, self.time
                player.until = self.time + self._latency(player, THINK_STREAM, slower)

    def _guards(self) -> None:
        rules = self.rules
        if self.phase == RACE:
            if self.counted + self.time - self.race_since >= rules.max_round_ms:
                self._over(-1, "max_round_ms")
            elif self.time - self.history[-1][0] >= rules.max_idle_ms:
                self._over(-1, "max_idle_ms")
        elif self.phase == SLAP and self.time - self.phase_at >= (rules.stall_ms or rules.max_idle_ms):
            self._nobody_slapped()

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
        self.history.append((self.time, self.shown()))
        while len(self.history) > 1 and self.history[1][0] <= self.time - MAX_PERCEPTION_MS:
            self.history.pop(0)
        for player in self.players:
            if player.hand == OPEN and (self.phase != RACE or player.latency.perception_ms == 0):
                player.ask_at = self.time

    def _view(self, player: P) -> Shown:
        """What is shown, as a player sees it."""
        delay = player.latency.perception_ms
        if self.phase != RACE or delay == 0:
            return self.shown()
        past = [shown for at, shown in self.history if at <= self.time - delay]
        return past[-1] if past else self.history[0][1]

    # A hand's way

    def _launch(self, player: P, action: int) -> None:
        player.rest()
        time = self._begin(player, action)
        player.hand, player.action, player.since = TRAVEL, action, self.time
        player.flight_ms = self._latency(player, TRAVEL_STREAM, time)
        player.until = self.time + player.flight_ms
        self._visible()

    def _bounce(self, player: P) -> None:
        player.bounces += 1
        back_ms = player.flight_ms if self.rules.return_ms == -1 else self.rules.return_ms
        player.hand, player.until = RETURN, self.time + back_ms
        self._visible()

    def _put_back(self, player: P) -> None:
        """The card in the hand, if any, goes back where it came from; the hand becomes IDLE."""
        if player.card >= 0:
            self._take_back(player)
        player.rest()

    def _free_hands(self) -> None:
        for player in self.players:
            self._spend(player)
            self._put_back(player)

    def _spend(self, player: P) -> None:
        """Add up the time since the thinking or the travel began, which is now over."""
        if player.hand == THINK:
            player.thought += self.time - player.since
        elif player.hand == TRAVEL:
            player.moved += self.time - player.since

    def _anything_moving(self) -> bool:
        return any(player.hand in (TRAVEL, RETURN) for player in self.players)

    # Chance

    def _word(self, stream: int) -> int:
        self.drawn[stream] += 1
        return word(self.seed, stream, self.drawn[stream] - 1)

    def _coin(self, candidates: int) -> int:
        return below(self._word(TIES), candidates) if candidates > 1 else 0

    def _shuffle(self, cards: list[int], stream: int) -> None:
        for i in range(len(cards) - 1, 0, -1):
            j = below(self._word(stream), i + 1)
            cards[i], cards[j] = cards[j], cards[i]

    def _latency(self, player: P, stream: int, time: LogNormal) -> int:
        drawn = self._word(stream + player.label)
        return log_normal_ms(drawn, float(time.shift), float(time.median), float(time.sigma))

    # What a game fills in

    def moves(self, seat: int, truth: bool = False) -> list[int]:
        """What is legal besides NOOP for a free hand, from the seat's view or from the table itself."""
        raise NotImplementedError

    def is_play(self, action: int) -> bool:
        """Whether it is one of those that `must_play` asks for."""
        raise NotImplementedError

    def is_stuck(self, seat: int) -> bool:
        raise NotImplementedError

    def shown(self) -> Shown:
        """A copy of what lies on the table, for those who see it late."""
        raise NotImplementedError

    def _begin(self, player: P, action: int) -> LogNormal:
        """The hand takes what it carries, and its target; how long it will take."""
        raise NotImplementedError

    def _arrive(self, player: P) -> None:
        """The end of a travel."""
        raise NotImplementedError

    def _take_back(self, player: P) -> None:
        """The card in the hand goes back where it came from."""
        raise NotImplementedError

    def _pause_over(self) -> None:
        """The end of LOCKED or PAUSE."""
        raise NotImplementedError

    def _found_stuck(self) -> None:
        """All players are stuck."""
        raise NotImplementedError

    def _let_lie(self) -> None:
        """Those who can do something have let it lie for too long."""
        raise NotImplementedError

    def _choose_outside(self, player: P, action: int) -> None:
        """The chooser's decision in SOLO or PICK."""
        raise NotImplementedError

    def _nobody_slapped(self) -> None:
        raise NotImplementedError

    def snapshot(self) -> dict[str, object]:
        """The whole state as plain data; this part of it is the same for all games."""
        players, drawn = self.players, self.drawn
        return {
            "time": self.time, "phase": self.phase, "chooser": self.chooser, "round": self.round,
            "winner": self.winner, "end_reason": self.end_reason, "phase_until": self.phase_until,
            "progress_at": self.progress_at, "changed_at": self.history[-1][0], "raced": self.counted,
            "tie_turn": self.clashes % 2,
            "hand": [p.hand for p in players], "until": [p.until for p in players],
            "action": [p.action for p in players], "card": [p.card for p in players],
            "declined": [int(p.declined) for p in players], "ask_at": [p.ask_at for p in players],
            "landings": [p.landings for p in players], "bounces": [p.bounces for p in players],
            "think_n": [drawn[THINK_STREAM + p.label] for p in players],
            "travel_n": [drawn[TRAVEL_STREAM + p.label] for p in players],
            "thought_ms": [p.thought + (p.until - p.since if p.hand == THINK else 0) for p in players],
            "moved_ms": [p.moved + (p.until - p.since if p.hand == TRAVEL else 0) for p in players],
            "ties_n": drawn[TIES], "deal_n": drawn[DEAL], "shuffle_n": drawn[SHUFFLE],
            "seen": sorted(self.seen),
        }  # fmt: skip
