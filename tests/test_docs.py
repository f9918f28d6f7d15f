"""The docs say what the code does: what is generated is compared with what generates it."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
import yaml

from spit_env.games import game_of
from spit_env.latency import PROFILES, make_latency
from spit_train.calibrate_record import read_levels_file
from spit_train.calibrate_text import levels_table, neighbours
from spit_train.cli import main
from spit_train.config import TrainConfig, load_config
from spit_train.markdown import markdown_table
from spit_train.quickstart import QUICKSTART

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("rules", ["emma", "speed", "california"])
def test_the_observation_page_holds_the_table_and_the_actions(rules: str) -> None:
    game = game_of(rules)
    page = (ROOT / "docs" / "observation.md").read_text()
    assert game.observation.markdown() in page
    assert "".join(f"| {number} | {name} |\n" for number, name in enumerate(game.action_names)) in page
    assert f"\n{game.observation.size} values" in page


def rule_numbers(text: str) -> set[tuple[str, int]]:
    """The rules that a text cites, those between the ends of "S2-26 to S2-30" included."""
    cited = re.findall(r"\b(S\d|CS|C|A|I)-(\d+)(?: to \1-(\d+))?", text)
    return {(kind, n) for kind, first, last in cited for n in range(int(first), int(last or first) + 1)}


def test_the_rulebook_has_every_number_that_is_cited() -> None:
    listed = rule_numbers((ROOT / "docs" / "rulebook.md").read_text())
    assert {("S0", 13), ("S2", 30), ("A", 36), ("CS", 11), ("I", 10)} <= listed
    for folder, kind in (("spit_env", "py"), ("agents", "py"), ("train", "py"), ("tests", "py"), ("docs", "md")):
        for file in sorted((ROOT / folder).rglob(f"*.{kind}")):
            assert rule_numbers(file.read_text()) <= listed, file


def test_the_quickstart_config_is_the_one_in_the_package() -> None:
    assert load_config(ROOT / "configs" / "quickstart.yaml") == QUICKSTART


@pytest.mark.parametrize("file", sorted((ROOT / "configs").glob("*.yaml")), ids=lambda file: file.stem)
def test_every_config_can_be_read_and_is_named_like_its_file(file: Path) -> None:
    assert load_config(file).name == file.stem


def shown_commands() -> list[tuple[str, str]]:
    """The commands that the page on evaluation shows, with their output."""
    return re.findall(r"```console\n\$ (.*)\n((?:.*\n)*?)```", (ROOT / "docs" / "evaluation.md").read_text())


@pytest.mark.slow
@pytest.mark.parametrize(("command", "shown"), shown_commands(), ids=[command for command, _ in shown_commands()])
def test_the_evaluation_page_shows_what_is_printed(
    command: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(shlex.split(command)[1:]) == 0
    lines = capsys.readouterr().out.splitlines()
    kept = [line for line in lines if not re.match(r"versions|seed +\d+ \(", line)]
    assert "\n".join(kept) == shown.rstrip("\n")


def test_the_files_that_the_readme_names_exist() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text()):
        assert (ROOT / target).exists(), target


def test_the_annotated_config_names_every_key_with_its_default() -> None:
    data = yaml.safe_load((ROOT / "configs" / "train.yaml").read_text())
    expected = TrainConfig().to_dict()
    assert data.keys() == expected.keys()
    for section in ("speeds", "ppo", "evaluate"):
        assert data[section].keys() == expected[section].keys()
    config = load_config(ROOT / "configs" / "train.yaml")
    assert (config.ppo, config.speeds, config.opponents) == (
        TrainConfig().ppo,
        TrainConfig().speeds,
        TrainConfig().opponents,
    )


def test_the_bots_page_has_every_speed() -> None:
    page = (ROOT / "docs" / "bots.md").read_text()
    rows = [
        f"| `{name}` | {p.typical('think'):g} | {2 * p.hick:g} | {p.think.sigma:g} | {p.typical('play'):g} "
        f"| {p.typical('flip'):g} |\n"
        for name, p in PROFILES.items()
    ]
    assert "|---|---|---|---|---|---|\n" + "".join(rows) in page


def test_the_profiles_on_the_bots_page_can_be_read(tmp_path: Path) -> None:
    written = re.findall(r"```json\n(.*?)```", (ROOT / "docs" / "bots.md").read_text(), re.DOTALL)
    for number, text in enumerate(written):
        (tmp_path / f"{number}.json").write_text(text)
    assert make_latency(f"{tmp_path}/0.json").hick == 80
    assert make_latency(f"{tmp_path}/1.json:easy").think.median == 2200


def test_the_page_on_a_bot_of_your_own_shows_the_template_and_its_examples_run() -> None:
    page = ROOT / "docs" / "your-bot.md"
    template = (ROOT / "agents" / "spit_agents" / "template.py").read_text(encoding="utf-8")
    assert f"```python\n{template}```\n" in page.read_text(encoding="utf-8")
    assert doctest.testfile(str(page), module_relative=False).failed == 0


def test_the_levels_page_has_the_stock_levels() -> None:
    body = read_levels_file(ROOT / "spit_env" / "levels.json")
    page, told = (ROOT / "docs" / "levels.md").read_text(), body["calibration"]
    for table in (levels_table(body), *neighbours(body)):
        assert f"\n{markdown_table(table)}\n" in page
    assert f"(hash {told['rules_hash']}), seed {told['seed']}, on {told['date']}" in page
    assert f"    {told['command']}\n" in page
