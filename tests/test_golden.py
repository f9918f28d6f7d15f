"""Golden playthroughs: one for each preset, told again and compared line by line.

After a meant change of the rules: ``python -m spit_env.playthrough --regenerate tests/golden``, and review the diff.
"""

import subprocess
import sys
from itertools import zip_longest
from pathlib import Path

import pytest

from spit_env.playthrough import GOLDEN, Start, main, playthrough
from spit_env.rules import PRESETS
from spit_env.spit.rules import SpitRules
from tests.spit_rules import make_rules

FOLDER = Path(__file__).parent / "golden"
SPECIALITIES = {
    "emma": ("M2>", "F2", "back from", "pick, ", "locked", "L=-", "has won (finished)"),
    "classic_s1": (", stuck", ": SPIT", "rearrange_needs_facedown = False", "pick, "),
    "de_s3": (": SPIT", "shuffled by", "short_layout = whole_stacks", "has won (finished)"),
    "base_s4": ("may P1R: P1R", "shuffled by", "pick, "),
    "pagat": ("solo, E chooses", "slap: ", "shuffled by"),
    "wikipedia": ("slap: ", "prespit_combine = True", "shuffled by"),
    "spit_s2": ("round_end = smaller_pile", "shuffled by", "has won"),
    "speed": ("DRAW", "back from", "shuffled by", "has won (finished)"),
    "speed_wikipedia": ("locked", "doubles = True", "DRAW", "has won (finished)"),
    "speed_pagat": ("match_score = 25", "round 1, locked", "the pack, shuffled"),
    "speed_jokers": ("jokers = 2", "R=*d", "*c=5", "L+: ", "has won"),
    "speed_doubles": ("doubles = True", "has won (finished)"),
    "speed_3p": ("M=", "coin", "shuffled by", "has won (finished)"),
    "speed_4p": ("N=", "back from", "has won (finished)"),
    "bicycle": ("layout = row4", "DRAW", "back from", "has won (finished)"),
    "california": ("C1Y", "* |", "back from", "round 1", "has won (finished)"),
    "california_doubles": ("doubles = True", "has won (finished)"),
}


def compare(preset: str) -> None:
    """Tell the playthrough again; the first line that differs fails with its number and file."""
    file = FOLDER / f"{preset}.txt"
    assert file.exists(), f"{file} is missing: python -m spit_env.playthrough --regenerate {FOLDER}"
    golden = file.read_text(encoding="utf-8").splitlines()
    for number, (old, new) in enumerate(zip_longest(golden, playthrough(preset, GOLDEN[preset])), 1):
        if old != new:
            pytest.fail(f"line {number} of {file}: the game now goes\n  {new}\nand went\n  {old}", pytrace=False)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_game_goes_as_it_went(preset: str) -> None:
    compare(preset)


@pytest.mark.plain
def test_the_game_goes_as_it_went_without_the_jit() -> None:
    compare("emma")


@pytest.mark.plain
def test_every_preset_has_a_playthrough_and_nothing_else_lies_there() -> None:
    assert list(GOLDEN) == list(PRESETS)
    assert sorted(file.name for file in FOLDER.iterdir()) == sorted(f"{preset}.txt" for preset in PRESETS)


@pytest.mark.plain
@pytest.mark.parametrize("preset", PRESETS)
def test_a_playthrough_is_short_and_shows_what_its_rules_are_about(preset: str) -> None:
    text = (FOLDER / f"{preset}.txt").read_text(encoding="utf-8")
    assert text.count("\n") <= 600
    assert max(map(len, text.splitlines())) <= 220
    assert [what for what in SPECIALITIES[preset] if what not in text] == []


def test_a_line_that_differs_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (FOLDER / "emma.txt").read_text(encoding="utf-8").splitlines()
    monkeypatch.setattr(sys.modules[__name__], "FOLDER", tmp_path)
    (tmp_path / "emma.txt").write_text("\n".join([*lines[:6], lines[6] + " ", *lines[7:]]), encoding="utf-8")
    with pytest.raises(pytest.fail.Exception, match=r"line 7 of .*emma\.txt"):
        compare("emma")
    (tmp_path / "emma.txt").write_text("\n".join(lines[:-1]), encoding="utf-8")
    with pytest.raises(pytest.fail.Exception, match=rf"line {len(lines)} of .*\n.*\n.*\n  None"):
        compare("emma")
    with pytest.raises(AssertionError, match="is missing"):
        compare("pagat")


def test_regenerating_writes_the_same_files(tmp_path: Path) -> None:
    main(["--regenerate", str(tmp_path / "new")])
    for file in FOLDER.iterdir():
        assert (tmp_path / "new" / file.name).read_bytes() == file.read_bytes()


def test_the_command_prints_one_from_a_deal(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--rules", "emma", "--seed", "3", "--choices", "5"])
    lines = capsys.readouterr().out.splitlines()
    assert lines == list(playthrough("emma", Start(3, None, 5)))
    assert lines[0] == "Spit, emma rules, seed 3, 200 / 250 / 120 ms"
    assert "told no further" in lines[-1]
    done = subprocess.run(
        [sys.executable, "-m", "spit_env.playthrough", "--rules", "no"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "--rules" in done.stderr
    assert next(playthrough(SpitRules(), Start(1))) == "Spit, own rules, seed 1, 200 / 250 / 120 ms"
    assert "  stall_ms = 700" in list(playthrough(make_rules(stall_ms=700), Start(1, None, 1)))
