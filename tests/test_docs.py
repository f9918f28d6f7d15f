"""The docs say what the code does: what is generated is compared with what generates it."""

from pathlib import Path

from spit_env.games import SPIT
from spit_train.config import load_config
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
    import re

    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text()):
        assert (ROOT / target).exists(), target
