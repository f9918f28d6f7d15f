"""Any game of Speed: strategies over rules and players, and a watch that looks at it after every event."""

from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from spit_env.batch import Batch
from spit_env.cards import JOKER, rank_or_joker
from spit_env.latency import Latency
from spit_env.speed.check import cards_of, check_state, pack_of
from spit_env.speed.moves import slot_of
from spit_env.speed.rules import PRESETS, SpeedRules
from spit_env.speed.state import draw_action
from spit_env.state import BLOCKED, FINISHED, IDLE, LOCKED, NOOP, OVER, PAUSE, PICK, RETURN, THINK, TRAVEL
from tests.rules.any_game import player
from tests.sampled_rules import speed_rules

RULES = st.integers(0, 2**32).map(lambda seed: next(speed_rules(1, seed)))
ANY_RULES = st.one_of(st.sampled_from(list(PRESETS.values())), RULES)
# Machines, whose cards meet in one millisecond, and people; some see late.
SPEEDS = st.sampled_from([player(3, 0.3), player(40, 0.0), player(250, 0.4)])
LATE = st.sampled_from([player(150, 0.3, 130), player(90, 0.3, 400)])
FOUR = st.tuples(SPEEDS, SPEEDS, SPEEDS, SPEEDS)
FOUR_LATE = st.tuples(LATE, st.sampled_from([player(250, 0.4), player(150, 0.3, 130)]), LATE, LATE)
ORDERS = st.permutations(range(4))


def seated(four: tuple[Latency, ...], rules: SpeedRules) -> tuple[Latency, ...]:
    """As many of them as there are seats."""
    return four[: rules.seats]


def labelled(order: list[int], rules: SpeedRules) -> tuple[int, ...]:
    """A label for each seat."""
    return tuple(label for label in order if label < rules.seats)


class Watch:
    """Looks at a game after every event (RULES 6.2)."""

    def __init__(self, batch: Batch) -> None:
        assert isinstance(batch.rules, SpeedRules)
        self.batch, self.rules = batch, batch.rules
        self.pack = pack_of(self.rules.decks, self.rules.jokers)
        self.turned = set[int]()
        self.was: Any = None

    def __call__(self) -> None:
        g = self.batch.games[0]
        check_state(g)  # what follows from other fields, recounted
        assert sorted(cards_of(g)) == self.pack, "I-1"
        self.hands(g)
        self.piles(g)
        self.score(g)
        self.was = g.copy()

    def hands(self, g: Any) -> None:
        """I-2: one hand, and at most one card in it, from a slot that is empty."""
        seats = len(g.hand)
        for p in range(seats):
            busy = g.hand[p] in (TRAVEL, RETURN)
            assert busy == (g.action[p] != NOOP), "I-2"
            assert (g.card[p] >= 0) == (busy and g.action[p] < draw_action(seats)), "I-2"
            if g.card[p] >= 0:
                assert g.held[p, slot_of(int(g.action[p]), seats)] == -1
                assert g.seen[g.card[p]]
            assert g.held_n[p] + (g.card[p] >= 0) <= g.hand_size, "I-4"
            if g.hand[p] in (THINK, TRAVEL, RETURN):
                assert g.until[p] > g.time, "nothing is left undone"
            if g.phase in (LOCKED, PAUSE, OVER):
                assert g.hand[p] == IDLE, "T-53"
        assert g.phase != PICK
        assert g.chooser == -1

    def piles(self, g: Any) -> None:
        """I-5 to I-7: neighbours fit, turned cards apart; piles grow, but for new reserves; none before the start."""
        was = self.was
        if g.phase == LOCKED:
            assert not g.pile_n.any(), "I-6"
            self.turned = set()
        if was is None or was.rounds != g.rounds:
            return
        turn = was.phase == PAUSE and (g.phase, g.phase_until) != (was.phase, was.phase_until)  # perhaps stuck again
        anew = turn and self.rules.layout == "hand5" and not was.reserve_n.all()
        played = {*was.held.reshape(-1).tolist(), *was.card.tolist()}
        for i in range(len(g.hand)):
            cards = g.pile[i, : g.pile_n[i]].tolist()
            old = was.pile[i, : was.pile_n[i]].tolist()
            if anew:
                old = old[-1:]  # S2-12: the top stays
            assert cards[: len(old)] == old, "I-7"
            self.turned |= {card for card in cards[len(old) :] if card not in played}
            for lower, upper in pairwise(cards):
                ranks = rank_or_joker(lower), rank_or_joker(upper)
                assert upper in self.turned or JOKER in ranks or self.fit(*ranks), "I-5"

    def fit(self, lower: int, upper: int) -> bool:
        """Whether two ranks are neighbours."""
        apart = abs(lower - upper)
        return apart == 1 or (apart == 12 and self.rules.ace_wrap) or (apart == 0 and self.rules.doubles)

    def score(self, g: Any) -> None:
        """S2-17, A-42: points come at the end of a deal only, to its winner; a game ends for a reason."""
        assert (g.phase == OVER) == (g.end_reason > 0)
        assert (g.winner >= 0) == (g.end_reason in (FINISHED, BLOCKED))
        held = g.held_n + g.stock_n + (g.card >= 0)
        if self.was is not None:
            gained = g.score - self.was.score
            assert (gained >= 0).all()
            assert (gained > 0).sum() <= (g.rounds > self.was.rounds) + (g.phase == OVER and self.was.phase != OVER)
            if g.winner >= 0:
                assert gained[g.winner] == held.sum() - held[g.winner] or self.was.phase == OVER
        if g.end_reason == FINISHED:
            assert held[g.winner] == 0
        if g.end_reason == BLOCKED:
            assert held[g.winner] == held.min()
        if g.winner >= 0:
            assert g.score[g.winner] >= g.match_score
        elif g.match_score > 0:
            assert g.score.max() < g.match_score
