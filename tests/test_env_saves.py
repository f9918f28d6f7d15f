"""Saving, restoring and recording through the environment."""

from pathlib import Path

import numpy as np
import pytest

import spit_env


def play(env: spit_env.SpitEnv, observations: dict, steps: int, seed: int = 0) -> tuple[dict, bytes]:
    rng = np.random.default_rng(seed)
    outputs = b""
    for _ in range(steps):
        if not env.agents:
            break
        actions = {a: int(rng.choice(np.flatnonzero(observations[a]["action_mask"]))) for a in env.agents}
        observations, rewards, *_ = env.step(actions)
        outputs += b"".join(o["observation"].tobytes() + o["action_mask"].tobytes() for o in observations.values())
        outputs += repr(rewards).encode()
    return observations, outputs


@pytest.mark.parametrize("stepping", ["tick", "decision"])
@pytest.mark.parametrize("latency", ["emma:hard", spit_env.Latency.of(400, 300, perception_ms=200)])
def test_t58_a_restored_game_waits_and_then_goes_on_as_if_never_stopped(stepping: str, latency: object) -> None:
    env = spit_env.parallel_env(stepping=stepping, latency=latency)
    observations, _ = env.reset(seed=5)
    observations, _ = play(env, observations, 150)
    text = env.save_game()
    _, expected = play(env, observations, 60, seed=1)

    other = spit_env.parallel_env(stepping=stepping, latency=latency)
    restored, infos = other.load_game(text)
    assert all(np.array_equal(restored[a]["observation"], observations[a]["observation"]) for a in other.agents)
    time = infos["player_0"]["time_ms"]
    with pytest.raises(spit_env.GamePaused, match="call resume"):
        other.step({"player_0": 0, "player_1": 0})
    assert other.game.time == time
    other.resume()
    assert play(other, restored, 60, seed=1)[1] == expected


@pytest.mark.parametrize("stepping", ["tick", "decision"])
def test_a_recorded_game_replays_to_its_end(tmp_path: Path, stepping: str) -> None:
    env = spit_env.parallel_env(stepping=stepping, record=True)
    observations, _ = env.reset(seed=6)
    play(env, observations, 200)
    env.save_replay(tmp_path / "game.jsonl")
    final = spit_env.replay(tmp_path / "game.jsonl")
    assert final["time"] == env.game.time
    assert (final["stack"] == env.game.stack).all()


def test_nothing_was_recorded() -> None:
    env = spit_env.parallel_env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="record=True"):
        env.save_replay("x")


def test_a_delayed_game_needs_room_for_what_was_seen() -> None:
    env = spit_env.parallel_env(latency=spit_env.Latency.of(400, 300, perception_ms=200))
    env.reset(seed=1)
    with pytest.raises(ValueError, match="perception_ms"):
        spit_env.parallel_env().load_game(env.save_game())
