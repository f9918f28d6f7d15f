"""The `spit` command: what it prints, what it writes, its exit codes, and that its help tells the truth."""

import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from itertools import chain
from pathlib import Path

import pytest

from spit_env.latency import PROFILES
from spit_env.rules import KINDS, PRESETS
from spit_train import report
from spit_train.cli import main
from spit_train.commands import COMMANDS
from spit_train.match_text import SHOWN_KINDS
from spit_train.rulebook import OWN, SHARED, meaning, standard

ROOT = Path(__file__).resolve().parent.parent
PATHS = os.pathsep.join(map(str, (ROOT, ROOT / "agents", ROOT / "train")))
CHEAP = ("eval", "tournament", "bots", "rules")  # commands whose examples take seconds
WIDTH = 100


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs in an empty folder, and may change the path."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))


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
    fewer = ["--games", "24"] if words[0] in ("eval", "tournament") and "--deals" not in words else []
    assert program == "spit"
    assert main([*words, *fewer]) == 0
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


# --- What is not done ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("", "COMMAND"),
        ("evl greedy emma", "did you mean 'eval'?"),
        ("eval", "required: BOT"),
        ("eval greedy --sprt 0 10", "are for a match: name a bot for each seat"),
        ("eval greedy emma --sprt 10 0", "--sprt 10 0: the first must be below the second"),
        ("eval greedy emma --sprt nan 5", "the first must be below the second"),
        ("eval greedy emma --sprt 0 10 --until 1%", "not allowed with"),
        ("eval greedy emma --sprt 0 10 --alpha 5", "such as 0.5%"),
        ("eval greedy emma --until 50%", "below 50%"),
        ("eval greedy emma --screen --deals 1", "a margin takes two deals or more"),
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
        ("eval greedy emma --out nowhere/out", "no folder 'nowhere'"),
        ("eval greedy emma --workers 0", "a whole number from 1"),
        ("tournament greedy greedy", "greedy: named twice"),
        ("tournament greedy emma --anchor random", "the anchor 'random' does not play"),
        ("bench --json nowhere/out.json", "no folder 'nowhere'"),
        ("bench --json .", "is a folder"),
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


# --- spit bots, spit rules -------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_bots_lists_levels_with_their_times(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bots"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^random ", out, re.MULTILINE)
    times = (re.escape(f"{PROFILES['emma:easy'].typical(kind):g} ms") for kind in SHOWN_KINDS)
    assert re.search(rf"^emma:easy +{' +'.join(times)}$", out, re.MULTILINE)
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
