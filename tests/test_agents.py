"""Every bot keeps the protocol, and a match is the experiment that it says it is."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spit_agents import AGENTS, Agent, BadPlayer, Greedy, Player, Uniform, make_player, play_match
from spit_agents.arena import Arena
from spit_env.batch import Batch, make_seeds
from spit_env.latency import LEVELS, PROFILES, make_latency
from spit_env.rules import make_rules
from spit_env.ruleset import Rules
from spit_env.spit.rules import PRESETS
from spit_env.state import END_REASONS, NOOP

BOTS = ("random", "greedy", "emma")
CUT_OFF = {END_REASONS.index(reason) for reason in ("max_rounds", "max_round_ms", "max_idle_ms")}


def interval(wins: float, games: int) -> bool:
    """Whether a share is one half, to three standard deviations."""
    return abs(wins - 0.5) < 3 * 0.5 / games**0.5


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_plays_only_legal_actions_and_ends_its_games(bot: str, preset: str) -> None:
    played = play_match((make_player(bot), make_player("greedy")), 12, seed=3, rules=preset)
    assert played.illegal.sum() == 0
    assert (played.decisions > 20).all()
    if preset == "emma":
        assert (played.winner >= 0).all()


@pytest.mark.parametrize("recall", ["perfect", "none"])
@pytest.mark.parametrize("bot", BOTS)
def test_rows_may_come_in_any_order_and_number(bot: str, recall: str) -> None:
    batch = Batch(40, "wikipedia", recall=recall)  # type: ignore[arg-type]
    batch.reset(make_seeds(5, 40))
    agent, random = make_player(bot).agent, Uniform()
    rng = np.random.default_rng(0)
    for _ in range(60):
        rows, seats = np.nonzero(batch.asked)
        views, masks, draws = batch.observations[rows, seats], batch.masks[rows, seats], batch.draws(rows, seats)
        before = views.tobytes(), masks.tobytes(), draws.tobytes()
        chosen = agent.act(views, masks, draws)
        assert (views.tobytes(), masks.tobytes(), draws.tobytes()) == before
        assert chosen.shape == rows.shape
        assert masks[np.arange(len(rows)), chosen].all()
        mixed = rng.permutation(len(rows))
        assert (agent.act(views[mixed], masks[mixed], draws[mixed]) == chosen[mixed]).all()
        assert agent.act(views[:1], masks[:1], draws[:1])[0] == chosen[0]
        actions = np.zeros((40, 2), np.int64)
        actions[rows, seats] = random.act(views, masks, draws)
        batch.step(actions)


def test_the_random_bot_is_fair_and_waits_only_if_it_must_or_may() -> None:
    masks = np.zeros((6000, 39), np.int8)
    masks[:, [NOOP, 3, 20]] = 1
    draws = np.random.default_rng(1).integers(0, 2**32, len(masks), np.uint32)
    counts = np.bincount(Uniform().act(None, masks, draws), minlength=39)
    assert counts[3] + counts[20] == len(masks)
    assert interval(counts[3] / len(masks), len(masks))
    assert (np.bincount(Uniform(wait=True).act(None, masks, draws), minlength=39)[[NOOP, 3, 20]] > 1850).all()
    masks[:, [3, 20]] = 0
    assert (Uniform().act(None, masks, draws) == NOOP).all()


def test_results_do_not_depend_on_the_batch() -> None:
    a, b = make_player("emma:hard"), make_player("greedy@emma:expert")
    seen: list[tuple[int, int]] = []
    one = play_match((a, b), 30, seed=8)
    other = play_match((a, b), 30, seed=8, batch_size=7, progress=lambda ended, games: seen.append((ended, games)))
    for x, y in zip(one, other, strict=True):
        assert np.array_equal(x, y)
    assert seen[-1] == (60, 60)
    assert [ended for ended, _ in seen] == sorted({ended for ended, _ in seen})


def test_a_match_is_a_cohort_of_deals_with_the_seats_swapped() -> None:
    played = play_match((make_player("greedy"), make_player("random")), 20, seed=8)
    assert (played.seed == np.repeat(make_seeds(8, 20), 2)).all()
    assert (played.first_seat == np.tile([0, 1], 20)).all()
    assert not set(played.end_reason) & CUT_OFF
    assert (played.time_ms > 0).all()
    assert (played.landings <= played.decisions).all()
    assert set(played.round1_cards.sum(axis=1)) <= {0, 50, 51}  # each deck has spat once
    assert (played.rank == np.where(played.winner[:, None] == (0, 1), 1, 2)).all()
    assert played.win_rate == np.mean(played.winner == 0)


def test_the_players_of_a_match_trade_places() -> None:
    a, b = make_player("greedy"), make_player("random")
    one, other = play_match((a, b), 15, seed=4), play_match((b, a), 15, seed=4)
    swapped = np.arange(30) ^ 1  # who sat in seat 0 of row 2k of one match sits there in row 2k + 1 of the other
    assert (one.winner == 1 - other.winner[swapped]).all()
    assert (one.decisions == other.decisions[swapped, ::-1]).all()
    assert (one.round1_cards == other.round1_cards[swapped, ::-1]).all()


def test_a_match_needs_a_deal() -> None:
    with pytest.raises(ValueError, match="deals=0"):
        play_match((make_player("greedy"), make_player("random")), 0, seed=4)


def test_a_game_without_a_winner_is_won_by_nobody() -> None:
    played = play_match((make_player("greedy"), make_player("random")), 4, seed=4, rules={"max_rounds": 1})
    assert (played.winner == -1).all()
    assert set(played.end_reason) == {END_REASONS.index("max_rounds")}
    assert played.win_rate == 0
    assert (played.rank == 0).all()
    assert (played.round1_cards.sum(axis=1) == 52).all()


def test_greedy_beats_random() -> None:
    assert play_match((make_player("greedy"), make_player("random")), 200, seed=1).win_rate > 0.75


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_the_brain_at_a_speed(level: str) -> None:
    player = make_player(f"emma:{level}")
    assert player.agent is make_player("emma").agent
    assert player.latency == PROFILES[f"emma:{level}"]


def test_names_say_who_and_how_fast() -> None:
    assert make_player("greedy").latency == make_latency("emma:hard")
    assert make_player("greedy", versus=PROFILES["emma:easy"]).latency == PROFILES["emma:easy"]
    assert make_player("emma:hard", versus=PROFILES["emma:easy"]).latency == PROFILES["emma:hard"]
    assert make_player("greedy@emma:medium").latency == PROFILES["emma:medium"]
    assert make_player("emma:easy@emma:medium").latency == PROFILES["emma:medium"]
    slower = make_player("greedy@emma:hard*1.5")
    assert (slower.name, slower.latency) == ("greedy@emma:hard*1.5", PROFILES["emma:hard"].scaled(1.5))
    assert all(make_player(name).name == name for name in AGENTS if "FILE" not in name)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("gredy", "did you mean 'greedy'.*known: random, greedy, emma"),
        ("emma:hrd", "did you mean 'emma:hard'"),
        ("greedy@emma:hrd", "did you mean 'emma:hard'"),
        ("", "cannot read"),
        ("emma**2", "cannot read"),
        ("emma*0", "from 0.05 to 20"),
        ("emma*1.1.1", "from 0.05 to 20"),
        ("no_such_module:Bot", "No module named 'no_such_module'"),
        ("math:Bot", "no attribute 'Bot'"),
        ("collections:OrderedDict", "no method act"),
    ],
)
def test_a_wrong_name_is_refused_with_the_known_ones(name: str, says: str) -> None:
    with pytest.raises(BadPlayer, match=says):
        make_player(name)


def test_a_bot_of_ones_own_plays_by_module_and_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "class First:\n    def act(self, views, masks, draws):\n        return masks.argmax(axis=1)\n"
    (tmp_path / "bot_of_my_own.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    player = make_player("bot_of_my_own:First@emma:easy")
    assert player.latency == PROFILES["emma:easy"]
    played = play_match((player, make_player("greedy@emma:easy")), 3, seed=2)
    assert played.win_rate == 0  # it always waits
    assert played.illegal.sum() == 0
    del sys.modules["bot_of_my_own"]


def test_an_illegal_action_is_counted() -> None:
    class Wrong:
        def act(self, views: object, masks: np.ndarray, draws: np.ndarray) -> np.ndarray:
            return np.full(len(masks), 38)

    agent: Agent = Wrong()
    players = (Player("wrong", agent, make_latency()), Player("greedy", Greedy(), make_latency()))
    played = play_match(players, 2, seed=2)
    assert (played.illegal[:, 0] > 0).all()
    assert (played.illegal[:, 1] == 0).all()


class Knowing:
    """A bot that must know the rules: `for_rules` gives one that does."""

    def __init__(self, rules: Rules | None = None) -> None:
        self.rules = rules

    def for_rules(self, rules: Rules) -> "Knowing":
        return Knowing(rules)

    def act(self, views: Any, masks: Any, draws: Any) -> Any:
        assert self.rules == make_rules("pagat")
        return Uniform().act(views, masks, draws)


def test_a_bot_that_must_know_the_rules_is_told_them() -> None:
    bot = Knowing()
    player = Player("knowing", bot, make_latency())
    played = play_match((player, player), 2, seed=3, rules="pagat")
    assert (played.winner >= 0).all()
    assert bot.rules is None
    arena = Arena(2, [player], rules="pagat")
    arena.reset(1)
    arena.step(np.zeros(2, np.int64))
    assert [opponent.rules for opponent in arena.opponents] == [make_rules("pagat")]  # type: ignore[attr-defined]
