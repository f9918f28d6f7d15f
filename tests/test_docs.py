"""The docs say what the code does: what is generated is compared with what generates it."""

import re
from pathlib import Path

import yaml

from spit_env.games import SPIT
from spit_train.config import TrainConfig, load_config
from spit_train.quickstart import QUICKSTART

ROOT = Path(__file__).parent.parent


def test_the_observation_page_holds_the_table() -> None:
    assert SPIT.observation.markdown() in (ROOT / "docs" / "observation.md").read_text()


def test_the_observation_page_lists_the_actions() -> None:
    page = (ROOT / "docs" / "observation.md").read_text()
    for number, name in enumerate(SPIT.action_names):
        assert f"| {number} | {name} |" in page


def test_the_quickstart_config_is_the_one_in_the_package() -> None:
    assert load_config(ROOT / "configs" / "quickstart.yaml") == QUICKSTART


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
