"""The check that a bot keeps the protocol finds what breaks it, and lets the bots of ours pass."""

from typing import Any

import numpy as np
import pytest

from spit_agents import Greedy, Uniform, make_player, play_match
from spit_agents.check import check_bot, main
from spit_agents.template import FollowUps


class Broken:
    """Uniform, but for what ``how`` says."""

    def __init__(self, how: str) -> None:
        self.how, self.calls = how, 0

    def act(self, views: Any, masks: Any, draws: Any) -> Any:
        self.calls += 1
        chosen = Uniform().act(views, masks, draws)
        match self.how:
            case "list":
                return chosen.tolist()
            case "float":
                return chosen * 1.0
            case "short":
                return chosen[:-1]
            case "illegal":
                return np.full(len(masks), 38)
            case "outside":
                return np.full(len(masks), 390)
            case "views":
                views.pile_top[0, 0] += 1
            case "masks":
                masks[:, 0] = 0
            case "memory":
                return chosen if self.calls % 2 else np.asarray(masks.argmax(axis=1))
            case "chance":
                return Uniform().act(views, masks, np.random.default_rng().integers(0, 2**32, len(draws), np.uint32))
            case "order":
                return Uniform().act(views, masks, np.sort(draws))
            case "number":
                return chosen if len(masks) > 1 else np.asarray(masks.argmax(axis=1))
            case "error":
                raise KeyError("lost")
        return chosen


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("list", r"step 0: act must return whole numbers as an array of shape \(\d+,\), not list"),
        ("float", r"not float64 of shape"),
        ("short", r"not int64 of shape"),
        ("illegal", r"actions are illegal, such as 38 in row 0"),
        ("outside", r"actions are illegal, such as 390 in row 0"),
        ("views", r"act writes into views: it must work on a copy"),
        ("masks", r"act writes into masks"),
        ("memory", r"the same rows again give other actions"),
        ("chance", r"all chance must come from draws"),
        ("order", r"rows in another order and number give other actions: each row must be decided by itself"),
        ("number", r"rows alone give other actions"),
        ("error", r"test_check\.py:\d+ raised KeyError: 'lost'"),
    ],
)
def test_what_breaks_the_protocol_is_found_and_told(how: str, says: str) -> None:
    checked = check_bot(Broken(how), "emma")
    assert checked.plays
    assert not checked.kept
    with pytest.raises(AssertionError, match=says):
        raise AssertionError(checked.problem)


@pytest.mark.parametrize("rules", ["emma", "wikipedia", "speed_3p", "california"])
@pytest.mark.parametrize("bot", ["random,wait=true", "greedy,slips=0.5", "emma,recall=0.5"])
def test_the_bots_of_ours_keep_it(bot: str, rules: str) -> None:
    checked = check_bot(make_player(bot).agent, rules)
    assert checked.kept, checked.problem
    assert checked.decisions > 0
    assert checked.seconds > 0


def test_the_template_keeps_it_and_plays_better_than_greedy(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spit_agents.template:FollowUps", "emma", "de_s3", "speed"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["rules", "emma", "de_s3", "speed"]
    assert lines[1].endswith("  kept")
    assert lines[3].endswith("  does not play: this bot plays Spit only")
    mine = make_player("spit_agents.template:FollowUps")
    assert isinstance(mine.agent, FollowUps)
    assert play_match((mine, make_player("greedy")), 500, seed=61).win_rate > 0.5 + 3 * 0.5 / 1000**0.5


def test_exit_codes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["spit_agents.template:FollowUps", "speed"]) == 1  # it plays nothing that was asked for
    monkeypatch.setattr(Greedy, "act", Broken("illegal").act)
    assert main(["greedy", "emma"]) == 1
    assert "  FAILED: step 0: " in capsys.readouterr().out
    for arguments, says in (
        ([], "cannot read player ''"),
        (["gredy"], "did you mean 'greedy'"),
        (["greedy", "ema"], "'emma'"),
    ):
        assert main(arguments) == 2
        assert says in capsys.readouterr().err
