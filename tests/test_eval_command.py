"""`spit eval` and `spit tournament`: what they print and write, also if they are stopped, and their exit codes."""

import json
import re
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from spit_env.latency import LEVELS
from spit_train import harness, study_files
from spit_train.cli import main
from spit_train.cohort import Cohort
from spit_train.match_text import rate_text
from spit_train.study import Study
from spit_train.tournament import Tournament
from tests.test_cli import WIDTH, spit

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
FILES = {"games.jsonl", "report.html", "report.json", "report.md"}


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


def run(line: str, out: str = "out") -> Study:
    """The study of a command line."""
    assert main([*line.split(), "--out", out]) == 0
    return Study.from_json(Path(out, "report.json").read_text(encoding="utf-8"))


# --- What is printed and written -------------------------------------------------------------------------------------


def test_eval_prints_a_table_that_can_be_piped() -> None:
    done = spit("eval", "greedy", "emma:hard", "--games", "20", "--seed", "7", "--out", "out")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert "\x1b" not in done.stdout
    assert max(map(len, lines)) <= WIDTH
    assert lines == [line.rstrip() for line in lines]
    study = Study.from_json(Path("out/report.json").read_text(encoding="utf-8"))
    (match,) = study.matches
    table = dict(re.split("  +", line.strip(), maxsplit=1) for line in lines if "  " in line.strip())
    assert table["win rate"].startswith(rate_text(match.sides[0].rate))
    assert table["in seat 1"].endswith(rate_text(match.sides[1].by_seat[1]))
    assert lines[0].startswith("greedy wins ")
    assert table["spit"].split() == ["greedy", "emma:hard"]
    assert table["games"] == "20: 10 deals, each from both seats"
    assert table["rules"] == f"emma ({match.setup.rules_hash}), recall perfect"
    assert table["seed"].startswith("7 ")
    assert {path.name for path in Path("out").iterdir()} == FILES


def test_eval_rounds_up_to_whole_deals_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("eval greedy greedy --games 3 --no-speed").matches[0].setup.games == 4
    assert "--games 3 is no multiple of 2; playing 4, each deal from every seat" in capsys.readouterr().err


def test_eval_takes_deals_rules_and_recall(capsys: pytest.CaptureFixture[str]) -> None:
    study = run("eval greedy greedy@emma:easy --deals 3 --rules pagat --recall none --no-speed")
    setup = study.matches[0].setup
    assert (setup.games, setup.rules, setup.recall, study.handicap) == (6, "pagat", "none", None)
    assert setup.latencies[0] == setup.latencies[1]
    assert "A: " not in capsys.readouterr().out


def test_one_bot_alone_meets_emma_at_each_level(capsys: pytest.CaptureFixture[str]) -> None:
    study = run("eval greedy --games 20 --no-speed")
    assert study.levels
    assert len({match.setup.seed for match in study.matches}) == len(LEVELS)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("emma:")] == [f"emma:{level}" for level in LEVELS]


def test_a_test_stops_early_and_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    study = run("eval emma greedy --sprt 0 50 --games 4000")
    assert study.verdict is not None
    assert (study.verdict.decision, study.verdict.deals) == ("H1", study.matches[0].setup.games // 2)
    assert study.verdict.deals < 100
    assert "emma is about 50 Elo better than greedy rather than 0." in capsys.readouterr().out


def test_until_stops_at_the_precision(capsys: pytest.CaptureFixture[str]) -> None:
    match = run("eval emma greedy --until 5% --games 4000").matches[0]
    assert match.setup.games < 1000
    assert "interval over deals reaches 4.9" in capsys.readouterr().out


def test_screening_leaves_games_after_a_round(capsys: pytest.CaptureFixture[str]) -> None:
    study = run("eval emma greedy --screen --games 40")
    assert study.screening is not None
    assert study.screening == study.matches[0].margin
    out = capsys.readouterr().out
    assert "win rate" not in out
    assert f"z {study.screening.z:.1f}" in out


def test_a_tournament_is_the_same_in_any_order() -> None:
    texts = []
    for words in ("greedy random emma", "emma greedy random"):
        assert main(["tournament", *words.split(), "--games", "20", "--out", "out"]) == 0
        texts.append(Path("out/report.json").read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    assert Tournament.from_json(texts[0]).players == ("emma", "greedy", "random")
    assert {path.name for path in Path("out").iterdir()} == FILES


# --- The same report, however it came about --------------------------------------------------------------------------


def test_the_record_does_not_depend_on_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "FIRST_GAMES", 16)
    for workers in ("1", "2"):
        assert main(["eval", "random", "greedy", "--games", "90", "--workers", workers, "--out", workers]) == 0
    assert Path("1/report.json").read_bytes() == Path("2/report.json").read_bytes()


@pytest.mark.parametrize("kept", [True, False])
def test_a_stopped_run_goes_on_to_the_same_report(
    kept: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --out its games are there; without it they are saved where the message says."""
    monkeypatch.setattr(harness, "FIRST_GAMES", 16)
    command = ["eval", "greedy", "random", "--games", "60", "--workers", "1"]
    folder = "half" if kept else "spit-eval-1"
    play, blocks = Cohort.play, count()

    def stopping(cohort: Cohort, *part: Any) -> Any:
        if next(blocks) == 7:
            raise KeyboardInterrupt
        return play(cohort, *part)

    with monkeypatch.context() as patch:
        patch.setattr(Cohort, "play", stopping)
        assert main([*command, "--out", folder] if kept else command) == 130
    said = capsys.readouterr().err
    assert "games are kept. The same command" in said
    assert kept or f"--out {folder} goes on" in said
    assert {path.name for path in Path(folder).iterdir()} == {"games.jsonl"}
    for out in (folder, "whole"):
        assert main([*command, "--out", out]) == 0
    assert Path(folder, "report.json").read_bytes() == Path("whole/report.json").read_bytes()


# --- Exit codes ------------------------------------------------------------------------------------------------------


def test_illegal_actions_give_exit_code_1(bots: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", f"{bots}:Wild", "greedy", "--games", "2", "--no-speed", "--out", "out"]) == 1
    assert "illegal actions" in capsys.readouterr().err
    side = json.loads(Path("out/report.json").read_text(encoding="utf-8"))["matches"][0]["sides"][0]
    assert side["illegal"] > 0
    assert main(["tournament", f"{bots}:Wild", "greedy", "--games", "2"]) == 1
    assert f"illegal actions by {bots}:Wild" in capsys.readouterr().err


def test_a_bots_own_error_keeps_its_traceback(bots: str) -> None:
    with pytest.raises(ValueError, match="my own fault"):
        main(["eval", f"{bots}:Broken", "greedy", "--games", "2"])


def test_ctrl_c_gives_exit_code_130(bots: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", f"{bots}:Stopped", "greedy", "--games", "2", "--out", "out"]) == 130
    assert capsys.readouterr().err.splitlines()[-1] == "spit eval: stopped by Ctrl-C"
    assert not Path("out/report.json").exists()


def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def full(path: Path, text: str) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(study_files, "write_atomically", full)
    assert main(["eval", "greedy", "greedy", "--games", "2", "--no-speed", "--out", "out"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "spit eval: out/report.json: No space left on device"
