"""What an evaluation counts, that it counts every game, and that its file holds everything."""

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

from spit_agents.base import Actions, Player
from spit_agents.errors import BadPlayer
from spit_agents.match import PER_PLAYER, GameResults
from spit_env.errors import BadRules
from spit_env.latency import make_latency
from spit_env.spit.rules import PRESETS
from spit_env.state import END_REASONS
from spit_train.evaluate import evaluate, make_players
from spit_train.evaluation import TIMES, BadEvaluation, Evaluation, Place, Rate, rules_hash, summarise_side
from spit_train.match_text import spent_text
from spit_train.stats import wilson
from tests.spit_rules import make_rules

GAMES = 40


@cache
def outcome() -> Evaluation:
    """A match that everything can be asked of: some games end by themselves, some are cut off."""
    return evaluate(["random@emma:expert", "greedy@emma:hard"], GAMES, 5, rules={"max_rounds": 4})


class Wild:
    """A bot that breaks the rules whenever it is asked."""

    def act(self, views: Any, masks: Any, draws: Any) -> Actions:
        return np.full(len(masks), 99, np.int64)


def test_every_game_is_counted_once() -> None:
    match = outcome()
    assert sum(side.wins for side in match.sides) + match.none == GAMES == len(match.rows.winner)
    assert sum(match.endings.values()) == GAMES
    assert match.none == match.endings["max_rounds"] > 0
    assert match.endings["finished"] > 0
    for side in match.sides:
        assert [rate.games for rate in side.by_seat] == [GAMES // 2] * 2
        assert sum(rate.wins for rate in side.by_seat) == side.wins


def test_a_game_without_a_winner_is_a_win_for_nobody() -> None:
    match = outcome()
    assert sum(side.rate.share for side in match.sides) == pytest.approx(1 - match.none / GAMES)


def test_figures_are_those_of_the_games() -> None:
    match = outcome()
    rows = match.rows
    for who, side in enumerate(match.sides):
        won = rows.winner == who
        seat = np.abs(rows.first_seat - who)
        assert side.rate == Rate(won.sum(), GAMES, won.mean(), *wilson(int(won.sum()), GAMES))
        assert side.place == Place.of(rows.rank[:, who], 2)
        assert side.by_seat == tuple(Rate.of(int((won & (seat == s)).sum()), GAMES // 2) for s in (0, 1))
        assert side.decisions == rows.decisions[:, who].mean()
        late, landed = rows.bounces[:, who].sum(), rows.landings[:, who].sum()
        assert side.bounced == late / (late + landed)
        assert side.illegal == 0
    assert match.length_mean_s == rows.time_ms.mean() / 1000
    assert match.length_median_s == np.median(rows.time_ms) / 1000
    assert match.rounds_mean == rows.rounds.mean()


def test_each_deal_is_played_from_both_seats() -> None:
    rows = outcome().rows
    assert rows.first_seat.tolist() == [0, 1] * (GAMES // 2)
    assert (rows.seed[0::2] == rows.seed[1::2]).all()
    assert len(np.unique(rows.seed)) == GAMES // 2


def test_a_bot_against_itself_wins_half() -> None:
    match = evaluate(["greedy", "greedy"], 20, 3)
    assert match.sides[0].wins == match.sides[1].wins


def test_another_seed_gives_other_games() -> None:
    again = evaluate(["random@emma:expert", "greedy@emma:hard"], GAMES, 6, rules={"max_rounds": 4})
    assert not set(again.rows.seed.tolist()) & set(outcome().rows.seed.tolist())


def test_progress_ends_with_all_games() -> None:
    seen: list[tuple[int, int]] = []
    evaluate(
        ["greedy", "greedy"], 6, 1, rules={"max_rounds": 1}, progress=lambda done, games: seen.append((done, games))
    )
    assert seen[-1] == (6, 6)
    assert seen == sorted(seen)


def test_illegal_actions_are_counted() -> None:
    wild = Player("wild", Wild(), make_latency("emma:hard"))
    match = evaluate([wild, "greedy"], 2, 1, rules={"max_rounds": 1, "max_idle_ms": 5000})
    assert match.sides[0].illegal == match.rows.illegal[:, 0].sum() > 0
    assert match.sides[1].illegal == 0


# --- Setup -----------------------------------------------------------------------------------------------------------


def test_the_setup_says_what_was_played() -> None:
    setup = outcome().setup
    assert setup.players == ("random@emma:expert", "greedy@emma:hard")
    assert (setup.games, setup.seed) == (GAMES, 5)
    assert setup.latencies == tuple(make_latency(name).to_dict() for name in ("emma:expert", "emma:hard"))
    assert (setup.game, setup.rules) == ("spit", "custom")
    assert make_rules(setup.rule_values) == make_rules(max_rounds=4)
    assert (setup.recall, setup.temperatures, setup.stepping) == ("perfect", (None, None), "decision")
    assert set(setup.versions) == {"python", "spit-env", "numpy", "numba"}


def test_every_preset_has_its_own_hash() -> None:
    assert len({rules_hash(rules) for rules in PRESETS.values()}) == len(PRESETS)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("a", "b", "speed_a", "speed_b"),
    [
        ("random", "greedy", "emma:hard", "emma:hard"),
        ("random", "emma:easy", "emma:easy", "emma:easy"),
        ("emma:expert", "greedy", "emma:expert", "emma:expert"),
        ("emma:expert", "greedy@emma:easy", "emma:expert", "emma:easy"),
        ("emma", "emma:medium", "emma:medium", "emma:medium"),
    ],
)
def test_a_bot_without_a_speed_plays_at_the_others(a: str, b: str, speed_a: str, speed_b: str) -> None:
    players = make_players([a, b])
    assert [player.latency for player in players] == [make_latency(speed_a), make_latency(speed_b)]


@pytest.mark.plain
def test_a_factor_is_no_speed() -> None:
    slowed, other = make_players(["random*2", "greedy"])
    assert slowed.latency == make_latency("emma:hard").scaled(2)
    assert other.latency == make_latency("emma:hard")


@pytest.mark.plain
def test_a_player_keeps_its_speed() -> None:
    player = Player("wild", Wild(), make_latency("emma:easy"))
    assert [p.latency for p in make_players(["greedy", player])] == [make_latency("emma:easy")] * 2
    assert make_players([player, "greedy"])[0] is player


@pytest.mark.plain
@pytest.mark.parametrize("games", [-2, 0, 1, 7])
def test_games_are_whole_deals(games: int) -> None:
    with pytest.raises(ValueError, match=f"games={games} must be a multiple of 2: each deal is played from every seat"):
        evaluate(["greedy", "greedy"], games, 1)


@pytest.mark.plain
def test_unknown_names_are_refused() -> None:
    with pytest.raises(BadPlayer, match="greedy"):
        evaluate(["gredy", "greedy"], 2, 1)
    with pytest.raises(BadPlayer, match="rules emma are for 2 players: name 2 bots, not 3"):
        evaluate(["greedy"] * 3, 6, 1)
    with pytest.raises(BadRules, match="pagat"):
        evaluate(["greedy", "greedy"], 2, 1, rules="pagt")


# --- The file --------------------------------------------------------------------------------------------------------


def test_json_round_trip() -> None:
    match = outcome()
    text = match.to_json()
    again = Evaluation.from_json(text)
    assert again == match
    assert again.to_json() == text
    for name, mine, others in zip(match.rows._fields, match.rows, again.rows, strict=True):
        assert mine.dtype == others.dtype == np.int64, name
        assert (mine == others).all(), name


def test_json_holds_every_game() -> None:
    match = outcome()
    values = json.loads(match.to_json())
    assert values == json.loads(json.dumps(match.to_dict()))
    games = [dict(zip(values["columns"], game, strict=True)) for game in values["games"]]
    assert len(games) == GAMES
    assert [game["seed"] for game in games] == match.rows.seed.tolist()
    assert [game["decisions_1"] for game in games] == match.rows.decisions[:, 1].tolist()
    assert {game["end_reason"] for game in games} <= set(END_REASONS)
    assert values["sides"][0]["rate"]["share"] == np.mean([game["winner"] == 0 for game in games])


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-10],
        lambda text: "{}",
        lambda text: "[]",
        lambda text: text.replace('"version": 1', '"version": 2'),
        lambda text: text.replace('"finished"', '"vanished"'),
        lambda text: text.replace('"wait_ms"', '"weight_ms"'),
        lambda text: text.replace('"players"', '"people"'),
    ],
    ids=["cut short", "empty", "a list", "version", "reason", "setup", "players"],
)
def test_damaged_json_is_refused(damage: Any) -> None:
    with pytest.raises(BadEvaluation):
        Evaluation.from_json(damage(outcome().to_json()))


@pytest.mark.plain
def test_a_side_that_played_no_card_was_never_late() -> None:
    nothing = GameResults(*outcome_fields())
    side = summarise_side("idle", 1, nothing._replace(first_seat=np.array([0, 1])))
    assert (side.bounced, side.wins, side.decisions, side.place) == (0, 0, 0, None)
    assert (side.think_ms, side.travel_ms) == (None, None)
    assert spent_text(side) == "- / - ms"


def test_json_from_before_the_times_is_read() -> None:
    match = outcome()
    old = match.to_dict()
    keep = [k for k, name in enumerate(old["columns"]) if name[:-2] not in TIMES]
    old |= {"columns": [old["columns"][k] for k in keep], "games": [[game[k] for k in keep] for game in old["games"]]}
    again = Evaluation.from_json(json.dumps(old))
    assert again.sides[0].think_ms is None
    assert [side.rate for side in again.sides] == [side.rate for side in match.sides]


def outcome_fields() -> list[Any]:
    """Arrays of the shapes of `GameResults`, for two games."""
    return [np.zeros((2, 2) if name in PER_PLAYER else 2, np.int64) for name in GameResults._fields]
