"""Nothing of the catalogue is left out: every T-.. has a test, every value of every rule is named in one."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_origin

import pytest

from spit_env.ruleset import Rules
from spit_env.speed.rules import SpeedRules
from spit_env.spit.rules import SpitRules

TESTS = Path(__file__).resolve().parent.parent
IDS = {*range(1, 68), *range(70, 81), 90, 91}
GAMES: dict[str, type[Rules]] = {"rules": SpitRules, "speed": SpeedRules}  # by the folder of their tests
# Numbers that mean something of their own.
SPECIAL = {
    "return_ms": {-1, 0}, "stall_ms": {0}, "rearrange_budget": {0}, "spit_pause_ms": {1}, "max_rounds": {1},
    "n_players": {2, 3, 4}, "decks": {1, 2}, "jokers": {0, 2, 4}, "stock": {0}, "reserve": {0}, "starters": {0, 1},
    "match_score": {0},
}  # fmt: skip


def cases(folder: Path) -> Iterator[ast.FunctionDef]:
    """Every test function in a folder, those about the record of rules itself left out."""
    for file in sorted(folder.rglob("test_*.py")):
        if file.stem in ("test_values", "test_catalogue"):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield node


def named_ids(node: ast.FunctionDef) -> set[int]:
    """The T-.. that a test's name and docstring name."""
    return {int(n) for n in re.findall(r"T-(\d\d)\b", ast.get_docstring(node) or "")} | {
        int(n) for n in re.findall(r"_t_?(\d\d)(?=_)", node.name)
    }


def mentions(node: ast.FunctionDef) -> tuple[set[str], set[object]]:
    """The names and the constants of a test, decorators included, its docstring left out."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    parts = [part for top in (*node.decorator_list, node.args, *body) for part in ast.walk(top)]
    names = {part.arg for part in parts if isinstance(part, ast.keyword | ast.arg) and part.arg}
    constants: set[object] = {(type(part.value), part.value) for part in parts if isinstance(part, ast.Constant)}
    constants |= {
        (int, -part.operand.value)
        for part in parts
        if isinstance(part, ast.UnaryOp) and isinstance(part.operand, ast.Constant) and type(part.operand.value) is int
    }
    return names | {str(value) for kind, value in constants if kind is str}, constants  # type: ignore[misc]


@pytest.mark.plain
def test_every_id_has_a_test() -> None:
    """RULES 7: T-01 to T-67, T-70 to T-80, T-90 and T-91; T-66 and T-67 are Emma's (tests/test_emma.py)."""
    found = set().union(*map(named_ids, cases(TESTS)))
    emma = ast.get_docstring(ast.parse((TESTS / "test_emma.py").read_text(encoding="utf-8"))) or ""
    found |= {int(n) for n in re.findall(r"T-(\d\d)\b", emma)}
    assert sorted(IDS - found) == []


@pytest.mark.plain
def test_every_test_of_the_catalogue_names_its_rule() -> None:
    """Each test here has a one-line docstring, with the id of its name and the number of a rule."""
    for node in cases(TESTS / "rules"):
        docstring = ast.get_docstring(node) or ""
        assert docstring, node.name
        assert "\n" not in docstring, node.name
        for n in re.findall(r"_t_?(\d\d)(?=_)", node.name):
            assert f"T-{n}" in docstring, node.name
        assert re.search(r"\b([STABCIO]\d?-\d\d?|RULES \d)", docstring), node.name


@pytest.mark.plain
@pytest.mark.parametrize(("folder", "field"), [(name, field) for name, kind in GAMES.items() for field in kind.kinds()])
def test_every_value_of_every_rule_is_tested(folder: str, field: str) -> None:
    """RULES 2: some test of the catalogue names the field and the value, apart from those of the record itself."""
    kind = GAMES[folder].kinds()[field]
    values = set(get_args(kind)) if get_origin(kind) else {True, False} if kind is bool else SPECIAL.get(field, set())
    found: set[object] = set()
    for node in cases(TESTS / folder):
        names, constants = mentions(node)
        if field in names:
            found |= constants
    assert found, "no test names it"
    assert {(type(value), value) for value in values} - found == set()
