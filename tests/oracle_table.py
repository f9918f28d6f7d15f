"""The cards of the slow oracle of Spit: players, piles, what fits, what is legal, when a player is stuck."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from spit_env.cards import rank_of
from spit_env.draws import DEAL
from spit_env.latency import Latency
from spit_env.spit.rules import SpitRules
from tests.oracle_race import LOCKED, PICK, RACE, SLAP, SOLO, Race, Racer, Shown

SPIT, PICKS = 36, 37  # PICK and SLAP are 37 + pile
PLAYS, FLIPS, REARRANGES = range(1, 11), range(11, 16), range(16, 36)


def play(stack: int, pile: int) -> int:
    return 1 + 2 * stack + pile


def flip(stack: int) -> int:
    return 11 + stack


def rearrange(source: int, target: int) -> int:
    return 16 + 4 * source + (target if target < source else target - 1)


def source_and_target(action: int) -> tuple[int, int]:
    """The stacks of a COMBINE or FILL."""
    source, rest = divmod(action - 16, 4)
    return source, rest if rest < source else rest + 1


RANK = [rank_of(card) for card in range(52)]


def fits(card: int, top: int, rules: SpitRules) -> bool:
    apart = abs(RANK[card] - RANK[top])
    return apart == 1 or (apart == 12 and rules.ace_wrap) or (apart == 0 and rules.doubles)


def layout(cards: int, rules: SpitRules) -> list[int]:
    """The stack, 0 to 4, that each card from the top of a deck of so many goes to."""
    stacks = 5
    if rules.short_layout == "whole_stacks":
        while stacks * (stacks + 1) // 2 > cards:
            stacks -= 1
    if rules.deal_order == "by_stack":
        places = [stack for stack in range(stacks) for _ in range(stack + 1)]
    else:
        places = [stack for row in range(stacks) for stack in range(row, stacks)]
    return places[:cards]


@dataclass(eq=False)
class Player(Racer):
    deck: list[int] = field(default_factory=list)  # bottom to top
    stacks: list[list[int]] = field(default_factory=lambda: [[] for _ in range(5)])  # bottom to top
    down: list[int] = field(default_factory=lambda: [0] * 5)  # how many of each stack lie face down
    height: int = 0  # of the target pile at the launch
    budget: int = 0
    consent: bool = False
    spits_on: int | None = None  # the pile fixed by SOLO: 0 own, 1 the other's

    def face_up(self, stack: int) -> int | None:
        """The top card if it is face up."""
        return self.stacks[stack][-1] if len(self.stacks[stack]) > self.down[stack] else None

    def face_down(self, stack: int) -> bool:
        """Whether the stack has cards and its top is face down."""
        return 0 < len(self.stacks[stack]) == self.down[stack]


class Table(Race[SpitRules, Player]):
    def __init__(
        self, rules: SpitRules, latencies: Sequence[Latency], seed: int, labels: Sequence[int], wait_ms: int
    ) -> None:
        super().__init__(rules, [Player(i, labels[i], latencies[i]) for i in range(2)], seed, wait_ms)
        self.piles: list[list[int]] = [[], []]  # by owner, bottom to top
        self.stuck_mark = False
        self.known = set[int]()
        pack = list(range(52))
        self._shuffle(pack, DEAL)
        self.by_label[0].deck, self.by_label[1].deck = pack[:26], pack[26:]

    # What is seen

    def _show(self, *cards: int) -> None:
        self.seen.update(cards)
        self.known.update(cards)

    def shown(self) -> Shown:
        """The tops of the piles, by owner."""
        return [pile[-1] if pile else None for pile in self.piles]

    # What is legal

    def moves(self, seat: int, truth: bool = False) -> list[int]:
        rules, player = self.rules, self.players[seat]
        if self.phase == SLAP or (self.phase in (SOLO, PICK) and seat == self.chooser):
            nothing_too = self.phase == PICK and rules.one_pile_finish == "pick_pile_or_nothing"
            return [PICKS + pile for pile in (0, 1) if nothing_too or self.piles[seat ^ pile]]
        if self.phase not in (LOCKED, RACE):
            return []
        moves = []
        if self.phase == RACE:
            tops = self.shown() if truth else self._view(player)
            for stack in range(5):
                card = player.face_up(stack)
                if card is None:
                    continue
                for pile in (0, 1):
                    top = tops[seat ^ pile]
                    if top is not None and fits(card, top, rules):
                        moves.append(play(stack, pile))
            moves += [flip(stack) for stack in range(5) if player.face_down(stack)]
        if player.budget > 0 and (any(player.down) or not rules.rearrange_needs_facedown):
            moves += self._rearrangements(player)
        if self.phase == RACE and (
            (rules.spit_trigger == "request_when_stuck" and self.stuck_mark)
            or (rules.spit_trigger == "mutual_consent" and not player.consent)
        ):
            moves.append(SPIT)
        return moves

    def _rearrangements(self, player: Player) -> list[int]:
        ups = [player.face_up(stack) for stack in range(5)]
        combining, filling = self._combining(), self.phase == RACE
        found = []
        for source, card in enumerate(ups):
            if card is None:
                continue
            for target, onto in enumerate(ups):
                fill = filling and not player.stacks[target] and len(player.stacks[source]) > 1
                combine = combining and onto is not None and RANK[card] == RANK[onto]
                if target != source and (fill or combine):
                    found.append(rearrange(source, target))
        return found

    def _combining(self) -> bool:
        return self.rules.combine == "equal_rank" and (self.phase == RACE or self.rules.prespit_combine)

    def is_play(self, action: int) -> bool:
        return action in PLAYS

    def is_stuck(self, seat: int) -> bool:
        player = self.players[seat]
        if player.consent:
            return True
        ups = [card for stack in range(5) if (card := player.face_up(stack)) is not None]
        if any(fits(card, top, self.rules) for card in ups for top in self.shown() if top is not None):
            return False
        if self.rules.stuck_test == "centre_only":
            return True
        pair = self._combining() and len({RANK[card] for card in ups}) < len(ups)
        can_dig = any(player.down) and player.budget > 0 and (pair or not all(player.stacks))
        return not can_dig and not any(player.face_down(stack) for stack in range(5))

    def fewest_stack_cards(self) -> list[Player]:
        """The players with fewest, in label order."""
        counts = [sum(map(len, player.stacks)) for player in self.by_label]
        return [player for player, count in zip(self.by_label, counts) if count == min(counts)]

    def _lay_stacks(self) -> None:
        """Each player lays a round's stacks from the top of the deck."""
        for player in self.players:
            player.stacks = [[] for _ in range(5)]
            for stack in layout(len(player.deck), self.rules):
                player.stacks[stack].append(player.deck.pop())
            player.down = [max(0, len(stack) - 1) for stack in player.stacks]
            player.spits_on, player.consent, player.budget = None, False, self.rules.rearrange_budget
            self._show(*(stack[-1] for stack in player.stacks if stack))

    def snapshot(self) -> dict[str, object]:
        players = self.players
        return super().snapshot() | {
            "stuck": int(self.stuck_mark),
            "stacks": [[list(stack) for stack in p.stacks] for p in players],
            "down": [list(p.down) for p in players],
            "decks": [list(p.deck) for p in players],
            "piles": [list(pile) for pile in self.piles],
            "budget": [p.budget for p in players], "consent": [int(p.consent) for p in players],
            "known": sorted(self.known),
        }  # fmt: skip
