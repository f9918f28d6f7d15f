"""The random streams: Philox as published, fair numbers, and latencies with the distribution that is configured."""

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist

import numpy as np
import pytest

from spit_env import draws
from spit_env.batch import Batch, game_seeds, make_seeds
from spit_env.draws import NORMALS, below, exponential, log_normal_ms, philox, word
from spit_env.jit import JIT_DISABLED
from spit_env.latency import KINDS, PROFILES, Latency, LogNormal
from spit_env.state import THINK

# Random123, kat_vectors, "philox4x32 10": counter, key, result.
KNOWN_ANSWERS = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]
MASK = 0xFFFFFFFF


def words(text: str) -> list[int]:
    return [int(part, 16) for part in text.split()]


def reference(counter: Sequence[int], key: Sequence[int]) -> list[int]:
    """Philox4x32-10, written from the paper: each round two 32 x 32 bit products and two key words."""
    c, k = list(counter), list(key)
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c[0], 1 << 32)
        high1, low1 = divmod(0xCD9E8D57 * c[2], 1 << 32)
        c = [high1 ^ c[1] ^ k[0], low1, high0 ^ c[3] ^ k[1], low0]
        k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
    return c


@pytest.mark.plain
def test_philox_gives_the_published_answers() -> None:
    for counter, key, result in KNOWN_ANSWERS:
        assert reference(words(counter), words(key)) == words(result)
    assert list(philox(0, 0, 0)) == words(KNOWN_ANSWERS[0][2])
    rng = np.random.default_rng(0)
    for _ in range(300):
        seed = int(rng.integers(0, 2**63))
        stream, counter = (int(n) for n in rng.integers(0, 2**32, 2))
        expected = reference([counter, stream, 0, 0], [seed & MASK, seed >> 32])
        assert list(philox(seed, stream, counter)) == expected
        assert word(seed, stream, counter) == expected[0]
    extreme = 2**63 - 1
    assert list(philox(extreme, MASK, MASK)) == reference([MASK, MASK, 0, 0], [extreme & MASK, extreme >> 32])


@pytest.mark.plain
def test_streams_are_apart() -> None:
    streams = [getattr(draws, name) for name in ("DEAL", "TIES", "NOISE", "SHUFFLE", "THINK", "TRAVEL", "CHOICES")]
    assert len(set(streams)) == len(streams)
    firsts = {word(seed, stream + label, n) for seed in (0, 1, 2**32, 2**62) for stream in (1, 2, 4, 16, 32, 48)
              for label in (0, 1) for n in range(5)}  # fmt: skip
    assert len(firsts) > 4 * (6 * 2 - 1) * 5 - 2  # DEAL + 1 is TIES


@pytest.mark.plain
def test_seeds_of_games_are_non_negative_and_distinct() -> None:
    seeds = make_seeds(7, 2000)
    assert len(set(seeds.tolist())) == 2000
    assert (seeds >= 0).all()
    later = np.empty(3, np.int64)
    game_seeds(7, 1000, later)
    assert later.tolist() == seeds[1000:1003].tolist()
    assert not set(seeds.tolist()) & set(make_seeds(8, 2000).tolist())


@pytest.mark.plain
def test_numbers_below_n_are_fair() -> None:
    drawn = [below(word(3, 4, k), 52) for k in range(4000 if JIT_DISABLED else 20_000)]
    counts = np.bincount(drawn, minlength=52)
    expected = len(drawn) / 52
    assert ((counts - expected) ** 2 / expected).sum() < 92  # chi square, 51 degrees, p = 0.0004
    assert (below(0, 7), below(MASK, 7)) == (0, 6)


@pytest.mark.plain
def test_the_exponential_is_exact() -> None:
    for x in np.linspace(-7, 7, 141).tolist():
        assert abs(exponential(x) / math.exp(x) - 1) < 1e-12


@pytest.mark.plain
def test_the_normals_are_the_slices_of_the_distribution() -> None:
    assert NORMALS.shape == (4096,)
    assert (np.diff(NORMALS) > 0).all()
    assert np.array_equal(NORMALS, -NORMALS[::-1])
    assert abs(NORMALS.std() - 1) < 2e-3
    assert np.array_equal(NORMALS * 2**20, np.round(NORMALS * 2**20))


def cdf(latency: LogNormal) -> Callable[[float], float]:
    """The chance that the time, rounded to whole milliseconds and at least 1, is at most so long."""

    def at(ms: float) -> float:
        x = (ms + 0.5 - latency.shift) / latency.median
        return NormalDist(0, latency.sigma).cdf(math.log(x)) if x > 0 else 0.0

    return at


def kolmogorov_smirnov(sample: np.ndarray, at: Callable[[float], float]) -> float:
    """The greatest distance between the sample's distribution and the expected one, at whole milliseconds."""
    values, counts = np.unique(sample, return_counts=True)
    share = counts.cumsum() / len(sample)
    return max(abs(s - at(float(v))) for v, s in zip(values, share))


@pytest.mark.parametrize("profile", ["emma:easy", "emma:hard", "emma:impossible", "human:casual"])
def test_latencies_have_the_configured_distribution(profile: str) -> None:
    for n, kind in enumerate(("think", "play", "flip")):
        latency: LogNormal = getattr(PROFILES[profile], kind)
        sample = np.array(
            [log_normal_ms(word(5, 100 + n, k), latency.shift, latency.median, latency.sigma) for k in range(100_000)]
        )
        assert sample.min() >= 1
        assert kolmogorov_smirnov(sample, cdf(latency)) < 0.005
        assert abs(np.median(sample) / (latency.shift + latency.median) - 1) < 0.01


@pytest.mark.plain
def test_a_shift_moves_and_no_spread_is_exact() -> None:
    for drawn in (0, 12345, 2**31, MASK):
        assert log_normal_ms(drawn, 0.0, 250.0, 0.0) == 250
        assert log_normal_ms(drawn, 40.0, 250.0, 0.0) == 290
        assert log_normal_ms(drawn, 0.0, 0.0, 0.5) == 1
        assert log_normal_ms(drawn, 500.0, 250.0, 0.4) == 500 + log_normal_ms(drawn, 0.0, 250.0, 0.4)
    low, high = log_normal_ms(0, 0.0, 1000.0, 0.5), log_normal_ms(MASK, 0.0, 1000.0, 0.5)
    assert abs(low * high / 1000**2 - 1) < 0.01  # as far below as above


def test_a_game_draws_the_times_of_each_seat_from_its_own_profile() -> None:
    """10,000 first think times in the engine, for each seat against its configured distribution."""
    speeds = (Latency.of(400, 300), PROFILES["emma:expert"])
    batch = Batch(10_000, {"prespit_combine": True}, speeds, tick_ms=1500)
    batch.reset(make_seeds(2, 10_000))
    batch.step(np.zeros((10_000, 2), np.int64))
    for p in (0, 1):
        began = batch.games.time == 1500
        thinking = (batch.games.hand[:, p] == THINK) & began
        assert thinking.mean() > 0.9
        sample = batch.games.until[thinking, p] - 1500
        assert kolmogorov_smirnov(sample, cdf(speeds[p].think)) < 0.0163  # p = 0.01


@pytest.mark.plain
def test_kinds_and_profiles() -> None:
    assert KINDS == ("think", "play", "rearrange", "flip", "call")
    for latency in PROFILES.values():
        assert latency.table().shape == (5, 4)
