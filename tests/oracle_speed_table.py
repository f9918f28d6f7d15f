"""The cards of the slow oracle of Speed: the deal, what fits, what is legal, reserves made anew."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from spit_env.draws import DEAL, SHUFFLE
from spit_env.latency import Latency
from spit_env.speed.rules import SpeedRules
from tests.oracle_race import RACE, Race, Racer, Shown

JOKER = 13  # the rank of a joker without a name


def is_joker(card: int) -> bool:
    return card >= 104


def rank(card: int) -> int:
    return JOKER if is_joker(card) else card % 52 // 4


def fits(name: int, top: int | None, rules: SpeedRules) -> bool:
    """Whether a card that counts as this rank fits a pile that shows that one."""
    if top is None:
        return False
    if top == JOKER:
        return True
    if name == JOKER:
        return False
    apart = abs(name - top)
    return apart == 1 or (apart == 12 and rules.ace_wrap) or (apart == 0 and rules.doubles)


@dataclass(eq=False)
class Player(Racer):
    slots: list[int | None] = field(default_factory=list)  # the hand
    stock: list[int] = field(default_factory=list)  # bottom to top
    name: int = -1  # the rank that the card in flight counts as
    height: int = 0  # of the target pile at the launch
    score: int = 0

    def cards(self) -> list[int]:
        """The hand."""
        return [card for card in self.slots if card is not None]

    def held(self) -> int:
        """How many cards the player has still to get rid of."""
        return len(self.cards()) + (self.card >= 0) + len(self.stock)

    def is_out(self) -> bool:
        return self.held() == 0

    def five_slots(self) -> list[int]:
        """The slots as the state record has them."""
        cards = [-1 if card is None else card for card in self.slots]
        return cards + [-1] * (5 - len(cards))


class Table(Race[SpeedRules, Player]):
    def __init__(
        self, rules: SpeedRules, latencies: Sequence[Latency], seed: int, labels: Sequence[int], wait_ms: int
    ) -> None:
        n = rules.n_players
        super().__init__(rules, [Player(i, labels[i], latencies[i]) for i in range(n)], seed, wait_ms)
        self.draw, self.call = 1 + 10 * n, 2 + 10 * n
        self.size = 4 if rules.layout == "row4" else 5
        self.piles: list[list[int]] = [[] for _ in range(n)]  # bottom to top, each before its seat
        self.tops: Shown = [None for _ in range(n)]  # the ranks that the piles show
        self.reserves: list[list[int]] = [[] for _ in range(n)]
        self.starters: list[int | None] = [None for _ in range(n)]

    # The deal

    def pack(self) -> list[int]:
        return [*range(52 * self.rules.decks), *range(104, 104 + self.rules.jokers)]

    def _give_cards(self) -> None:
        """Deal anew; nothing is known of these cards."""
        self.seen.clear()
        self.piles, self.tops = [[] for _ in self.piles], [None for _ in self.piles]
        if self.rules.layout == "row4":
            self._give_rows()
        else:
            self._give_hands()

    def _give_rows(self) -> None:
        for player in self.by_label:
            cards = list(range(52 * player.label, 52 * player.label + 52))
            self._shuffle(cards, DEAL)
            player.stock, player.slots = cards[:48], [*cards[48:]]
            self._dealt_open(*cards[48:])

    def _give_hands(self) -> None:
        rules, n = self.rules, len(self.players)
        cards = self.pack()
        self._shuffle(cards, DEAL)
        left_over = len(cards) - n * (rules.stock + 5 + rules.reserve + rules.starters)

        def take(count: int) -> list[int]:
            taken = cards[:count]
            del cards[:count]
            return taken

        for player in self.by_label:
            player.stock = take(rules.stock + (player.label < left_over))
            player.slots = [*take(5)]
        for player in self.by_label:
            self.reserves[player.seat] = take(rules.reserve)
            self.starters[player.seat] = take(1)[0] if rules.starters else None
        assert not cards

    def _dealt_open(self, *cards: int) -> None:
        """A row lies open, a hand does not."""
        if self.rules.layout == "row4":
            self.seen.update(cards)

    # Turning

    def can_turn(self) -> bool:
        if self.rules.layout == "row4":
            return any(player.stock for player in self.players)
        return any(self.reserves) or any(len(pile) > 1 for pile in self.piles)

    def _make_reserves_anew(self) -> None:
        cards: list[int] = []
        for player in self.by_label:
            seat = player.seat
            cards += self.reserves[seat] + self.piles[seat][:-1]
            self.piles[seat] = self.piles[seat][-1:]
        self._shuffle(cards, SHUFFLE)
        n = len(self.players)
        sizes = [len(cards) // n for _ in self.players]
        without = [player.seat for player in self.by_label]
        for _ in range(len(cards) % n):
            seat = without.pop(self._coin(len(without)))
            sizes[seat] += 1
        for player in self.by_label:
            size = sizes[player.seat]
            self.reserves[player.seat], cards = cards[:size], cards[size:]

    # What is legal

    def shown(self) -> Shown:
        return list(self.tops)

    def play(self, seat: int, slot: int, pile: int, above: bool = False) -> int:
        """The action that plays from a slot onto a pile."""
        n = len(self.players)
        return 1 + 5 * n * above + n * slot + (pile - seat) % n

    def play_of(self, seat: int, action: int) -> tuple[int, int, bool]:
        """Slot, pile and whether a joker is the rank above, of a PLAY."""
        n = len(self.players)
        above, rest = divmod(action - 1, 5 * n)
        slot, k = divmod(rest, n)
        return slot, (seat + k) % n, bool(above)

    def names(self, top: int | None) -> tuple[int, int]:
        """What a joker on this top is called as the rank below and as the rank above, -1: neither."""
        if top is None:
            return -1, -1
        if top == JOKER:
            return JOKER, -1
        wrap = self.rules.ace_wrap
        below = top - 1 if top > 0 else 12 if wrap else -1
        above = top + 1 if top < 12 else 0 if wrap else -1
        return below, above

    def moves(self, seat: int, truth: bool = False) -> list[int]:
        player = self.players[seat]
        if self.phase != RACE:
            return []
        tops = self.shown() if truth else self._view(player)
        moves = []
        for slot, card in enumerate(player.slots):
            if card is None or not self._may_go(player, card):
                continue
            for pile, top in enumerate(tops):
                if is_joker(card):
                    names = self.names(top)
                    moves += [self.play(seat, slot, pile, above) for above in (False, True) if names[above] >= 0]
                elif fits(rank(card), top, self.rules):
                    moves.append(self.play(seat, slot, pile))
        if self.can_draw(player):
            moves.append(self.draw)
        if self.rules.announce and player.is_out():
            moves.append(self.call)
        return sorted(moves)

    def _may_go(self, player: Player, card: int) -> bool:
        """Whether the player may part with this card, wherever it fits (A-39)."""
        hand = player.cards()
        natural = [other for other in hand if not is_joker(other)]
        if is_joker(card):
            return bool(natural or player.stock)
        return self.rules.jokers == 0 or natural != [card] or player.held() == 1

    def can_draw(self, player: Player) -> bool:
        return len(player.cards()) < self.size and bool(player.stock)

    def is_play(self, action: int) -> bool:
        return 0 < action < self.draw

    def is_stuck(self, seat: int) -> bool:
        return not self.moves(seat, truth=True)

    @staticmethod
    def count_ranks(cards: Iterable[int]) -> list[int]:
        """How many there are of each of the 13 ranks and of jokers."""
        ranks = [rank(card) for card in cards]
        return [ranks.count(r) for r in range(JOKER + 1)]
