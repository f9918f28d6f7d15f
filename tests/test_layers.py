"""The layering: imports run one way, a core import stays light, and files stay short."""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {
    "spit_env": ROOT / "spit_env",
    "spit_agents": ROOT / "agents" / "spit_agents",
    "spit_train": ROOT / "train" / "spit_train",
}
# Which of our other packages each one may import.
BELOW = {
    "spit_env": set[str](),
    "spit_agents": {"spit_env"},
    "spit_train": {"spit_env", "spit_agents"},
}
CORE = {"numpy", "numba", "gymnasium", "pettingzoo"}
# Numba itself loads yaml where it is installed, so yaml is left to the test of what our files import.
HEAVY = {"torch", "stable_baselines3", "sb3_contrib", "matplotlib", "rich", "pandas", "pygame"}
LONGEST = 400


def imports(file: Path) -> Iterator[tuple[int, str]]:
    """Line and top-level package of each absolute import anywhere in a file."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names = [node.module]
        else:
            continue
        for name in names:
            yield node.lineno, name.partition(".")[0]


def loaded_by(statement: str) -> set[str]:
    """The top-level modules that a fresh process holds after a statement."""
    code = f"{statement}; import json, sys; print(json.dumps(list(sys.modules)))"
    paths = [str(folder.parent) for folder in FOLDERS.values()]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    return {name.partition(".")[0] for name in json.loads(done.stdout)}


@pytest.mark.parametrize("package", FOLDERS)
def test_imports_run_one_way(package: str) -> None:
    barred = set(FOLDERS) - BELOW[package] - {package}
    found = [
        f"{file.relative_to(ROOT)}:{line} imports {name}"
        for file in sorted(FOLDERS[package].rglob("*.py"))
        for line, name in imports(file)
        if name in barred
    ]
    assert not found


def test_the_core_imports_only_its_declared_dependencies() -> None:
    allowed = CORE | {"spit_env"} | sys.stdlib_module_names
    found = [
        f"{file.relative_to(ROOT)}:{line} imports {name}"
        for file in sorted(FOLDERS["spit_env"].rglob("*.py"))
        for line, name in imports(file)
        if name not in allowed
    ]
    assert not found


@pytest.mark.parametrize("package", ["spit_env", "spit_agents"])
def test_importing_loads_nothing_heavy(package: str) -> None:
    loaded = loaded_by(f"import {package}")
    assert package in loaded
    assert not loaded & HEAVY


def test_files_stay_short() -> None:
    lengths = {
        str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines())
        for folder in (*FOLDERS.values(), ROOT / "tests")
        for file in folder.rglob("*.py")
    }
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


@pytest.mark.parametrize("folder", ["agents", "train"])
def test_a_grouping_folder_is_no_package(folder: str) -> None:
    assert list((ROOT / folder).glob("*.py")) == []
