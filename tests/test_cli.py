"""The `spit` command: what it prints, what it writes, its exit codes, and that its help tells the truth."""

import io
import json
import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from spit_env.rules import KINDS, PRESETS
from spit_train import report
from spit_train.cli import main
from spit_train.commands import COMMANDS
from spit_train.evaluation import Evaluation
from spit_train.rulebook import OWN, SHARED, meaning, standard

ROOT = Path(__file__).resolve().parent.parent
PATHS = os.pathsep.join(map(str, (ROOT, ROOT / "agents", ROOT / "train")))
CHEAP = ("eval", "bots", "rules")  # commands whose examples take seconds
WIDTH = 100
BOTS = """
import numpy as np

class Wild:
    def act(self, views, masks, draws):
        return np.full(len(masks), 99, np.int64)

class Broken:
    def act(self, views, masks, draws):
        raise ValueError("my own fault")

class Stopped:
    def act(self, views, masks, draws):
        raise KeyboardInterrupt
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs in an empty folder, and may change the path."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module of bots in the current folder."""
    (tmp_path / "mybots.py").write_text(BOTS, encoding="utf-8")
    monkeypatch.delitem(sys.modules, "mybots", raising=False)
    return "mybots"


def spit(*words: str, code: str | None = None) -> "subprocess.CompletedProcess[str]":
    """The command in a process of its own."""
    how = ["-m", "spit_train.cli"] if code is None else ["-c", code]
    environment = os.environ | {"PYTHONPATH": PATHS}
    return subprocess.run(
        [sys.executable, *how, *words], capture_output=True, text=True, timeout=120, env=environment, check=False
    )


def examples(command: str) -> list[str]:
    """The examples that a command's help shows."""
    text = io.StringIO()
    with redirect_stdout(text):
        assert main([command, "--help"]) == 0
    return [line.strip() for line in text.getvalue().partition("examples:\n")[2].splitlines()]


# --- Help ------------------------------------------------------------------------------------------------------------


def test_help_is_instant() -> None:
    """It loads none of what takes time."""
    code = "import sys; from spit_train.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    for words in (["--help"], ["eval", "--help"], ["bench", "--help"]):
        done = spit(*words, code=code)
        loaded = {name.partition(".")[0] for name in done.stderr.split()}
        assert done.stdout.startswith("usage: spit")
        assert not loaded & {"numpy", "numba", "rich", "torch", "gymnasium", "spit_env", "spit_agents"}


@pytest.mark.plain
def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(re.search(rf"^ +{name}\b", out, re.MULTILINE) for name in COMMANDS)


@pytest.mark.plain
@pytest.mark.parametrize("command", CHEAP)
def test_help_teaches(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    out = capsys.readouterr().out
    assert "examples:" in out
    assert COMMANDS[command].about.split(".")[0].split()[0] in out
    assert max(map(len, out.splitlines())) <= WIDTH


@pytest.mark.parametrize("line", [line for command in CHEAP for line in examples(command)])
def test_examples_run(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    program, *words = shlex.split(line)
    assert program == "spit"
    assert main(words) == 0
    assert capsys.readouterr().out


@pytest.mark.plain
def test_examples_name_known_commands() -> None:
    for command in COMMANDS.values():
        assert command.examples
        assert all(shlex.split(line)[:2][1] in COMMANDS for line in command.examples)


@pytest.mark.plain
def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("spit-env")


# --- spit eval -------------------------------------------------------------------------------------------------------


def test_eval_prints_a_table_that_can_be_piped() -> None:
    done = spit("eval", "greedy", "emma:hard", "--games", "20", "--seed", "7", "--json", "out.json")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert "\x1b" not in done.stdout
    assert max(map(len, lines)) <= WIDTH
    assert lines == [line.rstrip() for line in lines]
    outcome = Evaluation.from_json(Path("out.json").read_text(encoding="utf-8"))
    table = {line[:18].strip(): line[18:].strip() for line in lines}
    assert table["win rate"].startswith(report.rate_text(outcome.sides[0].rate))
    assert table["in seat 1"].endswith(report.rate_text(outcome.sides[1].by_seat[1]))
    assert lines[0].split() == ["spit", "greedy", "emma:hard"]
    assert table["games"] == "20: 10 deals, each from both seats"
    assert table["rules"] == f"emma ({outcome.setup.rules_hash}), recall perfect"
    assert table["seed"].startswith("7 ")


def test_eval_rounds_up_to_whole_deals_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "greedy", "greedy", "--games", "3", "--json", "out.json"]) == 0
    assert "--games 3 is no multiple of 2; playing 4, each deal from every seat" in capsys.readouterr().err
    assert json.loads(Path("out.json").read_text(encoding="utf-8"))["setup"]["games"] == 4


def test_eval_takes_deals_rules_and_recall(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--deals", "3", "--rules", "pagat", "--recall", "none", "--json", "out.json"]
    assert main(["eval", "greedy", "greedy@emma:easy", *words]) == 0
    setup = json.loads(Path("out.json").read_text(encoding="utf-8"))["setup"]
    assert (setup["games"], setup["rules"], setup["recall"]) == (6, "pagat", "none")
    assert setup["latencies"][0] == setup["latencies"][1]
    assert "A: " not in capsys.readouterr().out


def test_illegal_actions_give_exit_code_1(bots: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", f"{bots}:Wild", "greedy", "--games", "2"]) == 1
    assert "illegal actions" in capsys.readouterr().err


def test_a_bots_own_error_keeps_its_traceback(bots: str) -> None:
    with pytest.raises(ValueError, match="my own fault"):
        main(["eval", f"{bots}:Broken", "greedy", "--games", "2"])


def test_ctrl_c_gives_exit_code_130(bots: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", f"{bots}:Stopped", "greedy", "--games", "2", "--json", "out.json"]) == 130
    assert capsys.readouterr().err.splitlines()[-1] == "spit eval: stopped by Ctrl-C"
    assert not Path("out.json").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("", "COMMAND"),
        ("evl greedy emma", "did you mean 'eval'?"),
        ("eval greedy", "required: B"),
        ("eval greedy emma random --games 5", "rules emma are for 2 players: name 2 bots, not 3"),
        ("eval gredy emma", "did you mean 'greedy'?"),
        ("eval greedy emma:hrd", "did you mean 'emma:hard'?"),
        ("eval greedy emma --game 4", "did you mean '--games'?"),
        ("eval greedy emma --games 0", "a whole number from 1"),
        ("eval greedy emma --games many", "'many' must be a whole number"),
        ("eval greedy emma --games 4 --deals 2", "not allowed with"),
        ("eval greedy emma --seed -1", "a whole number from 0"),
        ("eval greedy emma --seed 9223372036854775808", "to 9223372036854775807"),
        ("eval greedy emma --rules pagt", "did you mean 'pagat'?"),
        ("eval greedy emma --recall some", "perfect"),
        ("eval greedy emma --json nowhere/out.json", "no folder 'nowhere'"),
        ("eval greedy emma --json .", "is a folder"),
        ("rules pagt", "did you mean 'pagat'?"),
        ("bench --fast", "unknown option '--fast'"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(words: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.startswith("spit")
    assert says in err
    assert list(Path().iterdir()) == []


def test_a_missing_extra_is_named() -> None:
    code = "import sys; sys.modules['rich'] = None; from spit_train.cli import main; sys.exit(main(['bots']))"
    done = spit(code=code)
    assert done.returncode == 2
    assert "rich" in done.stderr
    assert "pip install 'spit-env[train]'" in done.stderr


def test_a_reader_that_stops_is_no_error() -> None:
    command = f"{shlex.quote(sys.executable)} -m spit_train.cli rules emma | head -n 1"
    environment = os.environ | {"PYTHONPATH": PATHS}
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert done.stdout.startswith("parameter")
    assert done.stderr == ""


# --- Files -----------------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_a_file_is_written_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    report.write_atomically("out.txt", "old")
    report.write_atomically("out.txt", "new")
    assert Path("out.txt").read_text(encoding="utf-8") == "new"

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        report.write_atomically("out.txt", "newest")
    assert Path("out.txt").read_text(encoding="utf-8") == "new"
    assert [path.name for path in Path().iterdir()] == ["out.txt"]


def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def full(path: Any, text: str) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(report, "write_atomically", full)
    assert main(["eval", "greedy", "greedy", "--games", "2", "--json", "out.json"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "spit eval: out.json: No space left on device"


# --- spit bots, spit rules -------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_bots_lists_levels_with_their_times(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bots"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^random ", out, re.MULTILINE)
    assert re.search(r"^human:casual +610 ms +549 ms +277 ms$", out, re.MULTILINE)


@pytest.mark.plain
def test_every_rule_has_a_meaning() -> None:
    assert set(SHARED) == {name for kind in KINDS.values() for name in kind.kinds()} - {*chain(*OWN.values())}
    for game, kind in KINDS.items():
        assert set(OWN[game]) <= set(kind.kinds())
        assert all(meaning(kind(), name) for name in kind.kinds())


@pytest.mark.plain
@pytest.mark.parametrize("name", PRESETS)
def test_rules_explains_each_parameter(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", name]) == 0
    out = capsys.readouterr().out
    for key, value in PRESETS[name].to_dict().items():
        star = "" if value == KINDS[PRESETS[name].GAME]().to_dict()[key] else r"\*"
        assert re.search(rf"^{key} +{value}{star}  ", out, re.MULTILINE), key
    assert max(map(len, out.splitlines())) <= WIDTH


@pytest.mark.plain
def test_rules_lists_the_presets(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    out = capsys.readouterr().out
    assert all(re.search(rf"^{name} ", out, re.MULTILINE) for name in PRESETS)
    assert "combine=off" in out
    for game in KINDS:
        assert re.search(rf"^{game} +differences from {standard(game)}$", out, re.MULTILINE)
