"""The conformance kit: the shipped environments pass it, and each promise that is broken is found and named."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from spit_env import conformance
from spit_env.conformance import ConformanceError, __main__, fingerprint
from spit_env.env import SpitEnv, parallel_env
from spit_env.rules import PRESETS
from spit_env.state import OVER

decision = partial(parallel_env, latency=("emma:hard", "emma:easy"), stepping="decision")
tick = partial(parallel_env, latency="emma:impossible", rules={"max_rounds": 2}, tick_ms=100)
solo = partial(gymnasium.make, "spit/SpitSolo-v0", opponent=["emma:hard", "random"])
DELAYED = ({"think": [200, 0.3], "perception_ms": 300}, {"think": [300, 0.3], "perception_ms": 80})


@pytest.mark.parametrize("make_env", [tick, decision, solo], ids=["tick", "decision", "solo"])
def test_the_shipped_environments_keep_every_promise(make_env: Any) -> None:
    conformance.check_all(make_env, seeds=(7,))


@pytest.mark.plain
@pytest.mark.parametrize("make_env", [tick, decision, solo], ids=["tick", "decision", "solo"])
@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
def test_the_beginning_of_a_game_keeps_every_promise(check: Any, make_env: Any) -> None:
    check(make_env, seeds=(3,), steps=70)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_keeps_them(preset: str) -> None:
    make_env = partial(parallel_env, rules=preset, stepping="decision")
    conformance.check_masks(make_env, seeds=(1,), steps=400)
    conformance.check_bounds(make_env, seeds=(2,))
    conformance.check_no_leak(make_env, seeds=(3,), steps=400)
    conformance.check_episode(make_env, seeds=(4,))


@pytest.mark.parametrize("recall", ["perfect", "none"])
@pytest.mark.parametrize("latency", ["emma:expert", DELAYED], ids=["sees now", "sees late"])
@pytest.mark.parametrize("stepping", ["tick", "decision"])
def test_no_recall_and_no_delay_tells_of_hidden_cards(stepping: str, latency: Any, recall: str) -> None:
    for visibility in ("hidden", "noisy"):
        rules = {"pickup_shuffle": True, "pile_count_visibility": visibility}
        make_env = partial(parallel_env, rules=rules, latency=latency, stepping=stepping, recall=recall)
        conformance.check_no_leak(make_env, seeds=(5, 6), steps=300)
        conformance.check_masks(make_env, seeds=(5,), steps=101)
        conformance.check_bounds(make_env, seeds=(5,), steps=300)


@pytest.mark.slow
@pytest.mark.parametrize("stepping", ["tick", "decision"])
@pytest.mark.parametrize("preset", PRESETS)
def test_five_hundred_pairs_of_deals_that_look_alike(preset: str, stepping: str) -> None:
    seeds = range(500 // len(PRESETS) + 1)
    conformance.check_no_leak(partial(parallel_env, rules=preset, stepping=stepping), seeds=seeds, steps=150)


@pytest.mark.slow
def test_masks_agree_with_what_is_accepted_a_hundred_thousand_times() -> None:
    """In 200 states of each preset, each of the 39 actions for each of the two players."""
    for n, preset in enumerate(PRESETS):
        make_env = partial(parallel_env, rules=preset, stepping="decision")
        conformance.check_masks(make_env, seeds=range(100 * n, 100 * n + 4), steps=500, every=10)


# --- The kit itself: every broken promise is found -------------------------------------------------------------------

Change = Callable[[SpitEnv, list[Any]], None]


class Broken(SpitEnv):
    """Decision stepping, with something done to what each step returns."""

    def __init__(self, change: Change, after: int = 12) -> None:
        super().__init__(rules={"max_rounds": 2}, stepping="decision")
        self.change, self.after, self.taken = change, after, 0

    def reset(self, seed: Any = None, options: Any = None) -> Any:
        self.taken = 0
        return super().reset(seed, options)

    def step(self, actions: Any) -> Any:
        results = list(super().step(actions))
        self.taken += 1
        if self.taken >= self.after:
            self.change(self, results)
        return tuple(results)


def both_masks(results: list[Any], agent: str) -> tuple[Any, Any]:
    return results[0][agent]["action_mask"], results[4][agent]["action_mask"]


def own_noise(env: SpitEnv, results: list[Any]) -> None:
    results[0]["player_1"]["observation"][5] = np.random.default_rng().integers(0, 100)


def global_noise(env: SpitEnv, results: list[Any]) -> None:
    np.random.randint(100)  # noqa: NPY002


def hash_order(env: SpitEnv, results: list[Any]) -> None:
    results[4]["player_0"]["id"] = id(env)


def empty_mask(env: SpitEnv, results: list[Any]) -> None:
    for mask in both_masks(results, "player_0"):
        mask[:] = 0


def wide_mask(env: SpitEnv, results: list[Any]) -> None:
    for part in (results[0], results[4]):
        part["player_0"]["action_mask"] = part["player_0"]["action_mask"].astype(np.int64)


def two_masks(env: SpitEnv, results: list[Any]) -> None:
    results[4]["player_1"]["action_mask"][38] ^= 1


def eager_mask(env: SpitEnv, results: list[Any]) -> None:
    for p, agent in enumerate(env.possible_agents):
        if not env.batch.asked[0, p]:
            for mask in both_masks(results, agent):
                mask[1] = 1


def shy_mask(env: SpitEnv, results: list[Any]) -> None:
    for agent in env.possible_agents:
        for mask in both_masks(results, agent):
            if mask.sum() > 1:
                mask[np.flatnonzero(mask)[-1]] = 0


def unflagged(env: SpitEnv, results: list[Any]) -> None:
    for agent in env.possible_agents:
        results[4][agent]["action_rejected"] = False


def out_of_bounds(env: SpitEnv, results: list[Any]) -> None:
    if env.game.phase == OVER:
        results[0]["player_0"]["observation"][0] = 9


def extra_key(env: SpitEnv, results: list[Any]) -> None:
    results[0]["player_0"]["hint"] = 1


def marked_deck(env: SpitEnv, results: list[Any]) -> None:
    if env.game.deck_n[1] > 3:
        results[0]["player_0"]["observation"][-1] = env.game.deck[1, 0]


def shared_array(env: SpitEnv, results: list[Any]) -> None:
    results[0]["player_0"]["observation"] = env.batch.flat[0, 0]


def shared_mask(env: SpitEnv, results: list[Any]) -> None:
    results[0]["player_0"]["action_mask"] = env.batch.masks[0, 0]


def bonus(env: SpitEnv, results: list[Any]) -> None:
    results[1]["player_0"] += 0.25


def both_ends(env: SpitEnv, results: list[Any]) -> None:
    results[2] = dict.fromkeys(results[2], True)


def numpy_flag(env: SpitEnv, results: list[Any]) -> None:
    results[3]["player_1"] = np.bool_(results[3]["player_1"])


def odd_reason(env: SpitEnv, results: list[Any]) -> None:
    if env.game.phase == OVER:
        results[4]["player_1"]["end_reason"] = "tired"


def odd_place(env: SpitEnv, results: list[Any]) -> None:
    if env.game.phase == OVER:
        results[4]["player_1"]["rank"] = 1


def one_agent_leaves(env: SpitEnv, results: list[Any]) -> None:
    for part in results:
        part.pop("player_1")


def goes_on(env: SpitEnv, results: list[Any]) -> None:
    if env.game.phase == OVER:
        env.taken = 0  # type: ignore[attr-defined]
        env.agents = list(env.possible_agents)
        results[2] = results[3] = dict.fromkeys(env.agents, False)


@pytest.mark.parametrize(
    ("check", "change", "says"),
    [
        ("check_determinism", own_noise, r"step 12, player_1: the same seed .* observation observation\[5\]: "),
        ("check_determinism", global_noise, "step 12, all: drew from the global generator"),
        ("check_determinism", hash_order, "step 12, player_0: .* info id: "),
        ("check_masks", empty_mask, "step 12, player_0: the mask must be"),
        ("check_determinism", empty_mask, "step 12, player_0: the action mask is all zero"),
        ("check_masks", wide_mask, "step 12, player_0: the mask is int64"),
        ("check_masks", two_masks, "step 12, player_1: the masks in observation and info differ"),
        ("check_masks", eager_mask, r"cannot choose now, but the mask holds \[0, 1\]"),
        ("check_masks", shy_mask, "with mask 0 gave action_rejected=False"),
        ("check_masks", unflagged, "with mask 0 gave action_rejected=False"),
        ("check_bounds", out_of_bounds, "player_0: the observation is outside its space: observation"),
        ("check_bounds", extra_key, "outside its space"),
        ("check_no_leak", marked_deck, "player_0: tells of cards .* observation observation"),
        ("check_no_aliasing", shared_array, "player_0: .*changed"),
        ("check_no_aliasing", shared_mask, "player_0: .*(changed|all zero)"),
        ("check_episode", bonus, "do not sum to zero"),
        ("check_episode", both_ends, "step 12, player_0: terminated=True, truncated=False in a game that is over: F"),
        ("check_episode", numpy_flag, "player_1: end flags must be bool"),
        ("check_episode", odd_reason, "player_1: end_reason='tired'"),
        ("check_episode", odd_place, "player_1: rank=1 with terminated=False, truncated=True"),
        ("check_episode", one_agent_leaves, r"step 12, all: observations has the keys \['player_0'\]"),
        ("check_episode", goes_on, "end_reason='max_rounds' with|in a game that is over"),
    ],
)
def test_a_broken_promise_is_found(check: str, change: Change, says: str) -> None:
    arguments: dict[str, Any] = {"every": 1} if check == "check_masks" else {}
    with pytest.raises(ConformanceError, match=says) as caught:
        getattr(conformance, check)(partial(Broken, change), seeds=(4,), **arguments)
    assert "\n" not in str(caught.value)
    assert re.match(r"seed (4|99), step \d+, (player_[01]|all): ", str(caught.value))


def test_a_copy_that_goes_another_way_is_found() -> None:
    class Forgetful(SpitEnv):
        def __setstate__(self, state: dict[str, Any]) -> None:
            self.__dict__.update(state)
            self.batch.games["travel_n"] += 1

    with pytest.raises(ConformanceError, match=r"seed 0, step .*copy of step 50 goes another way"):
        conformance.check_copies(partial(Forgetful, stepping="decision"))


def test_a_silent_step_past_the_end_is_found() -> None:
    class Silent(SpitEnv):
        def step(self, actions: Any) -> Any:
            return super().step(actions) if self.agents else ({}, {}, {}, {}, {})

    make_env = partial(Silent, rules={"max_rounds": 1}, stepping="decision")
    with pytest.raises(ConformanceError, match="past the end raised nothing"):
        conformance.check_episode(make_env)
    with pytest.raises(ConformanceError, match=r"^check_episode: seed 3, step"):
        conformance.check_all(make_env, seeds=(3,))


def test_other_factories_are_refused_in_one_line() -> None:
    with pytest.raises(ConformanceError, match=r"ParallelEnv or a gymnasium.Env, not a dict"):
        conformance.check_masks(dict)
    with pytest.raises(ConformanceError, match="this is another"):
        conformance.check_no_leak(partial(gymnasium.make, "CartPole-v1"))


def test_an_environment_that_cannot_be_pickled_is_copied_deeply() -> None:
    class WithLambda(SpitEnv):
        def __init__(self) -> None:
            super().__init__(stepping="decision")
            self.hook = lambda: None

    conformance.check_masks(WithLambda, seeds=(1,), steps=101)


def test_a_line_a_check_and_an_exit_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = """from spit_env import SpitEnv
class Bad(SpitEnv):
    def step(self, actions):
        results = super().step(actions)
        results[1]["player_0"] += 1.0
        return results
def make_env():
    return SpitEnv(rules={"max_rounds": 1}, stepping="decision")
def make_bad():
    return Bad(rules={"max_rounds": 1}, stepping="decision")
"""
    (tmp_path / "variant_of_mine.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert __main__.main(["variant_of_mine"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines] == [check.__name__ for check in conformance.CHECKS]
    assert all(line.endswith(": ok") for line in lines)
    assert __main__.main(["variant_of_mine:make_bad"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines if "FAILED" in line] == ["check_episode"]
    del sys.modules["variant_of_mine"]


def test_the_same_hash_in_every_process() -> None:
    code = (
        "import random, numpy as np; random.seed(%s); np.random.seed(%s)\n"
        "from functools import partial; import spit_env, spit_env.conformance as c\n"
        "print(c.fingerprint(partial(spit_env.parallel_env, tick_ms=100), (11,), 400),"
        " c.fingerprint(partial(spit_env.parallel_env, stepping='decision'), (12, 13), None))"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", code % (n, n)], env={"PYTHONHASHSEED": str(n)} | paths(), capture_output=True,
            text=True, check=True, timeout=120,
        ).stdout.split()
        for n in (1, 2)
    ]  # fmt: skip
    here = [
        fingerprint(partial(parallel_env, tick_ms=100), (11,), 400),
        fingerprint(partial(parallel_env, stepping="decision"), (12, 13)),
    ]
    assert printed == [here, here]
    assert len(set(here)) == 2


def paths() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k != "PYTHONHASHSEED"} | {"PYTHONPATH": ":".join(sys.path)}
