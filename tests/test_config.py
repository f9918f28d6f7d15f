"""Configs: what is wrong is said in one line, with the place and what would be right."""

from pathlib import Path

import pytest

from spit_train.config import BadConfig, TrainConfig, load_config, parse_config


def test_a_config_survives_the_way_to_plain_data_and_back() -> None:
    config = parse_config({"name": "x", "ppo": {"envs": 64, "n_steps": 64, "net": [32, 16]}, "minutes": 2})
    assert config.ppo.net == (32, 16)
    assert config.minutes == 2.0
    assert parse_config(config.to_dict()) == config


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"sed": 1}, "unknown key 'sed' in the top level (did you mean 'seed'?)"),
        ({"ppo": {"n_step": 1}}, "unknown key 'n_step' in section 'ppo' (did you mean 'n_steps'?)"),
        ({"steps": "many"}, "steps: 'many' is not a whole number"),
        ({"steps": True}, "steps: True is not a whole number"),
        ({"steps": 0}, "steps: 0 must be 1 or more"),
        ({"ppo": {"net": 128}}, "ppo.net: 128 is not a list of numbers"),
        ({"speeds": {"think_ms": [1]}}, "speeds.think_ms: 2 values are wanted, not [1]"),
        ({"ppo": 3}, "ppo.: a mapping of keys is wanted, not 3"),
        ({"opponents": {}}, "opponents: give at least one"),
        ({"opponents": {"self": 1, "emma": 0}}, "opponents: give at least one, each with a weight above 0"),
        ({"opponents": {"emma": "often"}}, "opponents.emma: 'often' is not a number"),
        ({"ppo": {"gamma": 0.99}}, "unknown key 'gamma' in section 'ppo'"),
        ({"ppo": {"batch_size": 0}}, "ppo.batch_size: 0 must be 1 to envs * n_steps = 65536"),
        ({"ppo": {"batch_size": 65537}}, "ppo.batch_size: 65537 must be 1 to envs * n_steps = 65536"),
        ({"ppo": {"envs": 0}}, "ppo.envs: 0 must be 1 or more"),
        ({"rules": "emmma"}, "unknown rules 'emmma' (did you mean 'emma'?)"),
        ([], "the file: a mapping of keys is wanted, not []"),
    ],
)
def test_what_is_wrong_is_named(data: object, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        parse_config(data)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_missing_or_no_yaml(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"nowhere\.yaml: cannot be read: No such file"):
        load_config(tmp_path / "nowhere.yaml")
    (tmp_path / "bad.yaml").write_text("a: [1")
    with pytest.raises(BadConfig, match=r"bad\.yaml: not YAML"):
        load_config(tmp_path / "bad.yaml")
    (tmp_path / "empty.yaml").write_text("")
    assert load_config(tmp_path / "empty.yaml") == TrainConfig()


def test_every_shipped_config_is_read() -> None:
    for path in (Path(__file__).parent.parent / "configs").glob("*.yaml"):
        load_config(path)
