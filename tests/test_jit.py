"""Compiling: cached on disk, invalidated by any source, closed to Python, and the same bytes without it."""

import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from spit_env import race
from spit_env.conformance import fingerprint
from spit_env.env import parallel_env
from spit_env.jit import JIT_DISABLED, cache_folder, is_compiled
from spit_env.rules import PRESETS
from spit_env.spit.moves import may_spit

ROOT = Path(__file__).resolve().parent.parent
PATHS = os.pathsep.join(str(ROOT / folder) for folder in (".", "agents", "train"))


def run(code: str, paths: str = PATHS, folder: Path = ROOT, **environment: str) -> str:
    """What a fresh process prints."""
    full = {k: v for k, v in os.environ.items() if k != "NUMBA_DISABLE_JIT"} | {"PYTHONPATH": paths} | environment
    done = subprocess.run(
        [sys.executable, "-c", code], env=full, cwd=folder, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def files(folder: Path) -> dict[str, tuple[int, int]]:
    """The cached files, their sizes and times."""
    found = [file for pattern in ("*.nbi", "*.nbc") for file in folder.rglob(pattern)]
    return {file.name: (file.stat().st_size, file.stat().st_mtime_ns) for file in found}


SMALL = """
from spit_env.batch import game_seeds, make_seeds
from spit_env.draws import log_normal_ms
make_seeds(1, 2), log_normal_ms(5, 0.0, 1.0, 1.0)
used = (game_seeds, log_normal_ms)
"""
WHOLE = """
from spit_agents import make_player, play_match
from spit_agents import greedy
from spit_env import batch
play_match((make_player("greedy"), make_player("random")), 2, seed=1)
used = (batch.start_games, batch.step_games, greedy.choose_greedily)
"""
COUNTS = "print(sum(map(len, (f.stats.cache_hits for f in used))), sum(map(len, (f.stats.cache_misses for f in used))))"


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize("code", [SMALL, pytest.param(WHOLE, marks=pytest.mark.slow)], ids=["small", "whole"])
def test_a_second_process_starts_warm(code: str, tmp_path: Path) -> None:
    count = code.split("used")[1].count(",") + 1
    cold = run(code + COUNTS, SPIT_CACHE_DIR=str(tmp_path)).split()
    assert cold == ["0", str(count)]
    compiled = files(tmp_path)
    assert len([name for name in compiled if name.endswith(".nbi")]) >= count
    warm = run(code + COUNTS, SPIT_CACHE_DIR=str(tmp_path)).split()
    assert warm == [str(count), "0"]
    assert files(tmp_path) == compiled


NAMES = """
import sys
from numba import from_dtype
from numba.core.itanium_mangler import mangle_type
from spit_env.games import game_named
made = {seats: from_dtype(game_named("speed", int(seats)).state) for seats in sys.argv[1:]}
print(*(mangle_type(made[seats]) for seats in "234"))
print(*(mangle_type(made[seats].typeof("hand")) for seats in "234"))
"""


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_names_of_compiled_functions_do_not_depend_on_what_came_before() -> None:
    """What processes compile for different games is then safe to load into one."""
    one, other = (run(NAMES.replace("sys.argv[1:]", f"{order!r}")) for order in ("234", "423"))
    assert one == other
    assert all(len(set(line.split())) == 3 for line in one.splitlines())


TABLES = """
from spit_agents import make_player, play_match
for rules, seats in RULES:
    bots = [make_player(name) for name in ("greedy", "random", "greedy", "random")[:seats]]
    played = play_match(bots, 3, seed=1, rules=rules)
    print(played.landings.sum(), played.time_ms.sum(), played.winner.tolist())
"""


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_games_compiled_by_different_processes_get_on_in_one(tmp_path: Path) -> None:
    rules = [("speed", 2), ("speed_3p", 3), ("speed_4p", 4)]
    alone = [run(TABLES.replace("RULES", f"{[one]!r}"), SPIT_CACHE_DIR=str(tmp_path)) for one in rules]
    for order in (1, -1):
        together = run(TABLES.replace("RULES", f"{rules[::order]!r}"), SPIT_CACHE_DIR=str(tmp_path))
        assert together == "".join(alone[::order])


FOLDERS = """
import sys
from pathlib import Path
from spit_env.jit import cache_folder
fresh = cache_folder.__wrapped__
root = Path(sys.argv[1])
def names():
    return [fresh(package).name for package in ("spit_env", "spit_agents")]
print(*names())
for changed in ("spit_agents/greedy.py", "spit_env/spit/moves.py"):
    file = root / changed
    text = file.read_text()
    file.write_text(text + "# changed\\n")
    print(*names())
    file.write_text(text)
print(*names())
(root / "spit_env/spit/more.py").write_text("")
print(*names())
"""


def test_any_changed_source_gets_another_folder(tmp_path: Path) -> None:
    for package in (ROOT / "spit_env", ROOT / "agents" / "spit_agents"):
        shutil.copytree(package, tmp_path / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    script = FOLDERS.replace("sys.argv[1]", repr(str(tmp_path)))
    printed = run(script, str(tmp_path), tmp_path, SPIT_CACHE_DIR=str(tmp_path / "cache"))
    before, agents_changed, core_changed, restored, added = (line.split() for line in printed.splitlines())
    assert before[0] != before[1]
    assert agents_changed[0] == before[0]  # the core does not depend on the bots
    assert agents_changed[1] != before[1]
    assert core_changed[0] != before[0]
    assert core_changed[1] != before[1]  # the bots call kernels of the core
    assert restored == before
    assert added[0] != before[0]


def test_the_folder_is_where_the_user_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIT_CACHE_DIR", str(tmp_path / "mine"))
    folder = cache_folder.__wrapped__("spit_env")
    assert folder.parent == tmp_path / "mine" / "spit-env"
    assert folder.is_dir()
    monkeypatch.delenv("SPIT_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder.__wrapped__("spit_env").parent == tmp_path / "xdg" / "spit-env"
    assert is_compiled() or not any(cache_folder("spit_env").rglob("*.nbi"))


def test_a_folder_that_cannot_be_written_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SPIT_CACHE_DIR", str(tmp_path / "file"))
    folder = cache_folder.__wrapped__("spit_env")
    assert folder.is_dir()
    assert tmp_path not in folder.parents


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_kernels_are_closed_to_python() -> None:
    for kernel, arguments in ((race.coin, (None, 2)), (may_spit, (None, 0)), (race.seat_of, ())):
        with pytest.raises(TypeError, match=r"kernel \w+ can be called from other kernels only, not from Python"):
            kernel(*arguments)  # type: ignore[operator]


PLAY = """
from functools import partial
from spit_env import PRESETS, parallel_env
from spit_env.conformance import fingerprint
late = {"think": [200, 0.3], "perception_ms": 150}
for n, preset in enumerate(PRESETS):
    decision = partial(parallel_env, rules=preset, stepping="decision", recall=("perfect", "none")[n % 2])
    print(fingerprint(decision, range(3 * n, 3 * n + 2), STEPS))
    latency = ["emma:impossible", late, late, late][: PRESETS[preset].seats]
    tick = partial(parallel_env, rules=preset, latency=latency, tick_ms=130)
    print(fingerprint(tick, (100 + n,), STEPS))
"""


@pytest.mark.skipif(JIT_DISABLED, reason="the other process is the plain one")
def test_the_same_bytes_without_the_jit() -> None:
    """The beginnings of three games of every preset, by tick and by decision, with and without recall and delay."""
    code = PLAY.replace("STEPS", "70")
    plain, compiled = run(code, NUMBA_DISABLE_JIT="1").split(), run(code).split()
    assert len(set(plain)) == 2 * len(PRESETS)
    assert plain == compiled


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="the other process is the plain one")
def test_whole_games_give_the_same_bytes_without_the_jit() -> None:
    code = PLAY.replace("STEPS", "None")
    assert run(code, NUMBA_DISABLE_JIT="1") == run(code)


def test_importing_is_light() -> None:
    code = (
        "import time; t = time.process_time(); import spit_env; t = time.process_time() - t\n"
        "import sys; print(t, 'torch' in sys.modules, 'spit_agents' in sys.modules, 'spit_train' in sys.modules)"
    )
    seconds, *heavy = min(run(code).split() for _ in range(2))
    assert heavy == ["False"] * 3
    assert float(seconds) < 1.5  # processor time; about 0.7 s where the machine is idle


def test_a_fingerprint_is_of_this_very_engine() -> None:
    """Two seeds give two hashes, so the comparisons above compare something."""
    make_env = partial(parallel_env, stepping="decision")
    assert fingerprint(make_env, (1,), 20) != fingerprint(make_env, (2,), 20)
    assert fingerprint(make_env, (1,), 20) == fingerprint(make_env, (1,), 20)
