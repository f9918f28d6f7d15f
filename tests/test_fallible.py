"""The knobs of every bot: what a worse memory leaves of a view, and how often a hand slips."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from spit_agents import BadPlayer, Fallible, Player, Uniform, make_player, play_match
from spit_agents.base import informed
from spit_env.batch import Batch, LatencySpec, make_seeds
from spit_env.games import SPIT
from spit_env.latency import Latency, make_latency
from spit_env.rules import PRESETS, make_rules
from spit_env.state import NOOP

GAMES = ("emma", "wikipedia", "speed", "speed_4p", "bicycle", "california")


def walk(batch: Batch, steps: int, *others: Batch) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Random games: the games and seats asked in each step, their views and masks; ``others`` make the same choices."""
    for _ in range(steps):
        rows, seats = np.nonzero(batch.asked)
        if not len(rows):
            return
        views, masks = batch.seen(rows, seats)
        yield rows, seats, views, masks
        actions = np.zeros((batch.size, batch.game.seats), np.int64)
        actions[rows, seats] = Uniform().act(views, masks, batch.draws(rows, seats))
        for each in (batch, *others):
            each.step(actions)


def dealt(rules: str, n: int = 12, recall: Any = "perfect", latency: LatencySpec = "emma:hard") -> Batch:
    batch = Batch(n, rules, latency, recall=recall)
    batch.reset(make_seeds(5, n))
    return batch


def forgetful(rules: str, recall: float) -> Fallible:
    return Fallible(Uniform(), recall).for_rules(make_rules(rules))


def differing(a: Any, b: Any) -> set[str]:
    return {name for name in a.dtype.names if (a[name] != b[name]).any()}


@pytest.mark.parametrize("perception_ms", [0, 250])
@pytest.mark.parametrize("rules", [name for name in PRESETS if name != "speed_jokers"])
def test_who_remembers_nothing_sees_what_there_is_to_see_without_recall(rules: str, perception_ms: int) -> None:
    slow = Latency.of(750, 450, perception_ms=perception_ms)
    perfect, none = dealt(rules, recall="perfect", latency=slow), dealt(rules, recall="none", latency=slow)
    nothing = forgetful(rules, 0.0)
    for rows, seats, views, _ in walk(perfect, 250, none):
        nothing.forget(views)
        assert differing(views, none.seen(rows, seats)[0]) == set()


def test_a_joker_on_top_is_taken_for_one_if_it_must_be_one() -> None:
    perfect, none = dealt("speed_jokers", 60), dealt("speed_jokers", 60, "none")
    nothing, apart, seen = forgetful("speed_jokers", 0.0), 0, 0
    for rows, seats, views, _ in walk(perfect, 250, none):
        nothing.forget(views)
        theirs = none.seen(rows, seats)[0]
        assert differing(views, theirs) <= {"unseen"}
        assert (views.unseen.sum(axis=1) == theirs.unseen.sum(axis=1)).all()
        apart, seen = apart + int((views.unseen != theirs.unseen).any(axis=1).sum()), seen + len(views)
    assert 0 < apart < 0.1 * seen


@pytest.mark.plain
@pytest.mark.parametrize("rules", GAMES)
def test_who_remembers_all_sees_the_view_itself(rules: str) -> None:
    class Last:
        def act(self, views: Any, masks: Any, draws: Any) -> Any:
            self.views = views
            return np.zeros(len(masks))

    last, batch = Last(), dealt(rules)
    views, masks = batch.seen(*np.nonzero(batch.asked))
    Fallible(last, 1.0).act(views, masks, np.zeros(len(masks), np.uint32))
    assert last.views is views
    before = views.copy()
    Fallible(last, 0.0).for_rules(make_rules(rules)).act(views, masks, np.zeros(len(masks), np.uint32))
    assert last.views is not views
    assert differing(views, before) == set()


def hidden(view: Any) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """The known cards that do not lie open: (place, rank), places of stacks and decks counted from the bottom."""
    names = view.dtype.names
    if "deck_card" in names:
        heaps = [("deck", view.deck_count, view.deck_card, None)]
        for s in range(5):
            up = view.stack_count[:, s] - view.stack_down[:, s]
            heaps.append((f"stack {s}", view.stack_count[:, s], view.stack_card[:, s], up))
    elif "pack_card" in names:
        heaps = [("pack", view.pack_count, view.pack_card, None)]
        heaps += [(f"stack {s}", view.height[:, s], view.stack_card[:, s], (1, 1)) for s in range(4)]
    else:
        for k in range(1, len(view.hand)):
            yield from (((k, "hand", s), int(rank)) for s, rank in enumerate(view.held_card[k]) if rank)
        return
    for name, count, card, up in heaps:
        for k in range(2):
            for d in range(int(up[k]) if up is not None else 0, min(int(count[k]), len(card[k]))):
                if card[k][d]:
                    yield (k, name, int(count[k]) - 1 - d), int(card[k][d])


@pytest.mark.parametrize("rules", ["emma", "speed_4p", "california"])
def test_a_card_that_is_forgotten_stays_so_where_it_lies_and_the_share_comes_out(rules: str) -> None:
    shares = (0.25, 0.5, 0.75)
    bots = [forgetful(rules, share) for share in shares]
    kept: dict[Any, tuple[bool, ...]] = {}
    for rows, seats, views, _ in walk(dealt(rules, 20), 300):
        left = []
        for bot in bots:
            worse = views.copy()
            bot.forget(worse)
            left.append([set(hidden(view)) for view in worse])
        for i, (row, seat, view) in enumerate(zip(rows, seats, views, strict=True)):
            for card in hidden(view):
                here = tuple(card in known[i] for known in left)
                assert kept.setdefault((row, seat, int(view.rounds), *card), here) == here
    assert len(kept) > 200
    outcomes = np.array(list(kept.values()))
    assert (np.diff(outcomes.astype(int), axis=1) >= 0).all()  # a larger share holds the smaller one
    assert np.abs(outcomes.mean(axis=0) - shares).max() < 0.06


@pytest.mark.parametrize(("rules", "name"), [("wikipedia", "lost"), ("speed_jokers", "mixed")])
def test_of_cards_without_a_place_the_share_is_kept_too(rules: str, name: str) -> None:
    half, before, after = forgetful(rules, 0.5), 0, 0
    for _, _, views, _ in walk(dealt(rules, 60), 200):
        worse = views.copy()
        half.forget(worse)
        assert (worse[name] <= views[name]).all()
        gone = (views[name].astype(int) - worse[name]).reshape(len(views), -1, views.unseen.shape[1]).sum(axis=1)
        assert (worse.unseen >= views.unseen + gone).all()
        before, after = before + int(views[name].sum()), after + int(worse[name].sum())
    assert before > 100
    assert after / before == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize(("rules", "names"), [("emma", "stack_card deck_card"), ("california", "stack_card pack_card")])
def test_nothing_tells_which_of_two_forgotten_cards_lies_where(rules: str, names: str) -> None:
    half, rng, compared = forgetful(rules, 0.5), np.random.default_rng(1), 0
    for _, _, views, _ in walk(dealt(rules, 40), 300):
        worse = views.copy()
        half.forget(worse)
        swapped, pairs = views.copy(), []
        for i in range(len(views)):
            gone = [(name, j) for name in names.split() for j in np.flatnonzero(views[name][i] != worse[name][i])]
            pairs.append(rng.permutation(len(gone))[:2].tolist() if len(gone) > 1 else None)
            if pairs[i]:
                (a, at_a), (b, at_b) = (gone[k] for k in pairs[i])
                swapped[a][i].flat[at_a], swapped[b][i].flat[at_b] = (
                    views[b][i].flat[at_b],
                    views[a][i].flat[at_a],
                )
        again = swapped.copy()
        half.forget(again)
        for i in range(len(views)):
            still = pairs[i] and all((again[name][i] == worse[name][i]).all() for name in names.split())
            if still and differing(swapped[i : i + 1], views[i : i + 1]):
                assert again[i].tobytes() == worse[i].tobytes()
                compared += 1
    assert compared > 100


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("bot", ["emma,recall=0.5,slips=0.3", "random,slips=1", "greedy,recall=0"])
def test_rows_may_come_in_any_order_and_number(bot: str, rules: str) -> None:
    agent, rng = informed(make_player(bot).agent, make_rules(rules)), np.random.default_rng(0)
    batch = dealt(rules, 40)
    for rows, seats, views, masks in walk(batch, 40):
        draws = batch.draws(rows, seats)
        before = views.tobytes(), masks.tobytes(), draws.tobytes()
        chosen = agent.act(views, masks, draws)
        assert (views.tobytes(), masks.tobytes(), draws.tobytes()) == before
        assert masks[np.arange(len(rows)), chosen].all()
        mixed = rng.permutation(len(rows))
        assert (agent.act(views[mixed], masks[mixed], draws[mixed]) == chosen[mixed]).all()
        assert agent.act(views[:1], masks[:1], draws[:1])[0] == chosen[0]


@pytest.mark.plain
def test_a_forgotten_card_is_blank_and_counts_as_unseen() -> None:
    view: Any = SPIT.observation.zeros((1,))
    view.stack_count[0, 1, 2], view.stack_down[0, 1, 2] = 3, 2
    view.stack_card[0, 1, 2, :3] = 9, 4, 7  # the 9 lies open
    view.deck_count[0, 0], view.deck_card[0, 0, :2] = 2, (0, 7)
    view.lost[0, 0, 2], view.pile_count[:] = 1, 5
    forgetful("emma", 0.0).forget(view)
    assert view.stack_card[0, 1, 2, :3].tolist() == [9, 0, 0]
    assert not view.deck_card.any()
    assert not view.lost.any()
    assert view.unseen[0].tolist() == [4, 4, 4, 4, 4, 4, 4, 4, 3, 4, 4, 4, 4]
    assert view.pile_count[0].tolist() == [-1, -1]
    view.pile_count[:] = 5
    forgetful_where_all_count = Fallible(Uniform(), 0.0).for_rules(make_rules("emma", pile_count_visibility="exact"))
    forgetful_where_all_count.forget(view)
    assert view.pile_count[0].tolist() == [5, 5]


@pytest.mark.plain
def test_a_hand_slips_as_often_as_it_should_and_only_to_what_is_legal() -> None:
    n = 20_000
    masks, draws = np.zeros((n, 39), np.int8), np.random.default_rng(1).integers(0, 2**32, n, np.uint32)
    masks[:, [NOOP, 3, 20, 30]] = 1

    class Third:
        def act(self, views: Any, masks: Any, draws: Any) -> Any:
            return np.full(len(masks), 3)

    counts = np.bincount(Fallible(Third(), slips=0.3).act(None, masks, draws), minlength=39) / n
    assert counts[NOOP] == 0
    assert counts[[20, 30]] == pytest.approx([0.1, 0.1], abs=0.008)
    assert counts[3] == pytest.approx(0.8, abs=0.012)
    masks[:, 1:] = 0
    assert (Fallible(Third(), slips=1.0).act(None, masks, draws) == NOOP).all()


def test_a_bot_that_forgets_must_know_the_rules() -> None:
    batch = dealt("speed")
    views, masks = batch.seen(*np.nonzero(batch.asked))
    with pytest.raises(BadPlayer, match="must know the rules"):
        make_player("emma,recall=0.5").agent.act(views, masks, np.zeros(len(masks), np.uint32))


def test_the_bot_behind_the_knobs_is_told_the_rules_too() -> None:
    class Knowing(Uniform):
        rules: Any = None

        def for_rules(self, rules: Any) -> "Knowing":
            told = Knowing()
            told.rules = rules
            return told

    bot = Fallible(Knowing(), 0.5)
    rules = make_rules("pagat")
    assert bot.for_rules(rules).agent.rules is rules  # type: ignore[attr-defined]


@pytest.mark.parametrize("knob", ["recall", "slips"])
@pytest.mark.parametrize("value", [-0.1, 1.5, float("nan")])
def test_a_share_is_from_0_to_1(knob: str, value: float) -> None:
    shares: dict[str, Any] = {knob: value}
    with pytest.raises(BadPlayer, match=f"{knob}=.* must be a number from 0 to 1"):
        Fallible(Uniform(), **shares)


def win_rate(a: str, b: str, deals: int, rules: str = "california") -> float:
    return play_match((make_player(a), make_player(b)), deals, seed=12, rules=rules).win_rate


def test_the_more_a_bot_remembers_and_the_less_its_hand_slips_the_more_it_wins() -> None:
    nothing, half = win_rate("emma,recall=0", "emma", 500), win_rate("emma,recall=0.5", "emma", 500)
    assert nothing < half - 0.02 < 0.47
    often, seldom = win_rate("emma,slips=0.5", "emma", 300), win_rate("emma,slips=0.1", "emma", 300)
    assert often < seldom - 0.05 < 0.45


def test_a_match_is_the_same_in_any_batch() -> None:
    players = make_player("emma,recall=0.5,slips=0.1"), make_player("greedy,slips=0.5@emma:expert")
    one, other = (play_match(players, 20, seed=8, batch_size=size) for size in (40, 7))
    for x, y in zip(one, other, strict=True):
        assert np.array_equal(x, y)
    full = Player("full", Fallible(make_player("emma").agent), make_latency())
    rows = play_match((full, players[1]), 20, seed=8)
    assert np.array_equal(rows.winner, play_match((make_player("emma"), players[1]), 20, seed=8).winner)
