"""Players by name: options, knobs, people, bots of one's own and of other distributions."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from spit_agents import AGENTS, BadPlayer, Emma, Fallible, Greedy, Uniform, make_player, play_match
from spit_agents.catalogue import BOTS, BRAIN_OF
from spit_agents.options import Option, options_of, read_options
from spit_agents.plugins import plugins
from spit_env.latency import PROFILES
from spit_train.cli import main

MINE = '''
class Patient:
    """A bot with options of every kind."""

    def __init__(self, depth: int = 1, temper: float = 0.5, calm: bool = False, mood: str = "good", what=None) -> None:
        if depth > 9:
            raise ValueError(f"depth={depth} must be 9 at most")
        self.told = depth, temper, calm, mood, what

    def act(self, views, masks, draws):
        return masks.argmax(axis=1)


WORDS = ["no", "bot"]


class Plain:
    def act(self, views, masks, draws):
        return masks.argmax(axis=1)


def strict(level: int = 3) -> Patient:
    return Patient(level)
'''


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module of bots that Python finds."""
    (tmp_path / "bots_of_mine.py").write_text(MINE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "bots_of_mine", raising=False)
    return "bots_of_mine"


Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, mine: str) -> Install:
    """Puts a distribution beside the module: all there is to it is a folder that names its bots."""

    def installed(distribution: str, **bots: str) -> None:
        folder = tmp_path / f"{distribution}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
        lines = [f"{name.replace('__', ':')} = {where}" for name, where in bots.items()]
        (folder / "entry_points.txt").write_text("[spit.bots]\n" + "\n".join(lines) + "\n")

    return installed


@pytest.mark.plain
def test_knobs_are_options_of_every_bot() -> None:
    agent = make_player("emma:hard,recall=0.5").agent
    assert isinstance(agent, Fallible)
    assert (type(agent.agent), agent.recall, agent.slips) == (Emma, 0.5, 0.0)
    player = make_player("emma,slips=0.05@emma:easy*1.1")
    assert player.name == "emma,slips=0.05@emma:easy*1.1"
    assert player.latency == PROFILES["emma:easy"].scaled(1.1)
    assert isinstance(player.agent, Fallible)
    assert player.agent.slips == 0.05
    assert make_player("emma,slips=0.05").agent is player.agent
    assert isinstance(make_player("random,wait=true").agent, Uniform)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("emma,recal=1", r"player 'emma,recal=1': unknown option 'recal' \(did you mean 'recall'\?\); known: recall"),
        ("emma,recall=2", r"recall='2' must be a number from 0 to 1$"),
        ("emma,slips=nan", r"slips='nan' must be a number from 0 to 1$"),
        ("emma,recall=half", r"recall='half' must be a number from 0 to 1$"),
        ("emma,recall", r"option 'recall': write recall=VALUE, once$"),
        ("emma,slips=0,slips=1", r"option 'slips': write slips=VALUE, once$"),
        ("random,wait=yes", r"wait='yes' must be true or false$"),
        ("greedy,wait=true", r"unknown option 'wait'; known: recall, a number from 0 to 1; slips"),
        ("emma:hrd,recall=1", r"unknown player 'emma:hrd' \(did you mean 'emma:hard'\?\)"),
        ("policy:no.npz,recall=1", r"policy:no\.npz cannot be read .*No such file"),
        ("emma@", r"cannot read player 'emma@'; write BOT\[,key=value\.\.\.\]\[@PROFILE\]\[\*FACTOR\]"),
    ],
)
def test_a_wrong_option_is_refused_with_what_would_be_right(name: str, says: str) -> None:
    with pytest.raises(BadPlayer, match=says) as caught:
        make_player(name)
    assert "\n" not in str(caught.value)


@pytest.mark.plain
@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_is_a_player(name: str) -> None:
    player = make_player(name)
    assert player.agent is make_player(BRAIN_OF[name.partition(":")[0]]).agent
    assert player.latency == PROFILES[name]
    assert ("literature" in AGENTS[name]) == (isinstance(player.agent, Greedy))


@pytest.mark.plain
def test_a_bot_of_ones_own_takes_options_of_all_kinds(mine: str) -> None:
    player = make_player(f"{mine}:Patient,depth=3,temper=1e-1,calm=TRUE,mood=bad,slips=1")
    assert isinstance(player.agent, Fallible)
    assert player.agent.agent.told == (3, 0.1, True, "bad", None)  # type: ignore[attr-defined]
    assert make_player(f"{mine}:strict").agent.told[0] == 3  # type: ignore[attr-defined]
    assert make_player(f"{mine}:Plain").agent is make_player(f"{mine}:Plain").agent


@pytest.mark.plain
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Patient,dept=3", r"unknown option 'dept' \(did you mean 'depth'\?\); known: depth, a whole number; temper"),
        ("Patient,depth=1.5", r"depth='1\.5' must be a whole number$"),
        ("Patient,what=1", r"unknown option 'what'"),
        ("Patient,depth=10", r"player '.*,depth=10': depth=10 must be 9 at most$"),
        ("Plain,depth=1", r"unknown option 'depth'; known: recall"),
        ("Nobody", r"player '.*:Nobody': module .* has no attribute 'Nobody'"),
        ("WORDS", r"player '.*:WORDS': a list, where a class with a method act is wanted$"),
    ],
)
def test_so_it_does_when_they_are_wrong(mine: str, name: str, says: str) -> None:
    with pytest.raises(BadPlayer, match=says):
        make_player(f"{mine}:{name}")


@pytest.mark.plain
def test_a_bot_can_say_what_its_options_are() -> None:
    class Ranged:
        OPTIONS = {"depth": Option(int, 1, 9, "how far it looks")}  # noqa: RUF012

    known = options_of(Ranged)
    assert read_options(["depth=9"], known) == {"depth": 9}
    with pytest.raises(BadPlayer, match="depth='10' must be a whole number from 1 to 9"):
        read_options(["depth=10"], known)
    assert Option(int, 1).wanted == "a whole number from 1"
    assert options_of(dict) == {}


def test_a_bot_of_another_distribution_has_a_name(install: Install) -> None:
    install("patience", patient="bots_of_mine:Patient", patient__strict="bots_of_mine:strict")
    player = make_player("patient,depth=4@emma:easy")
    assert player.agent.told[0] == 4  # type: ignore[attr-defined]
    assert make_player("patient:strict").agent.told[0] == 3  # type: ignore[attr-defined]
    assert play_match((player, make_player("greedy")), 2, seed=1).illegal.sum() == 0
    with pytest.raises(BadPlayer, match=r"unknown player 'patiant' \(did you mean 'patient'\?\)"):
        make_player("patiant")
    assert [(found.name, found.distribution, found.problem) for found in plugins(BOTS)] == [
        ("patient", "patience 1.0", ""),
        ("patient:strict", "patience 1.0", ""),
    ]


def test_a_bot_of_another_distribution_cannot_take_a_stock_name(install: Install) -> None:
    install("thief", emma="bots_of_mine:Patient", emma__best="bots_of_mine:Patient")
    assert isinstance(make_player("emma").agent, Emma)
    with pytest.raises(BadPlayer, match=r"bot 'emma:best' of thief 1\.0: the name is taken by a stock bot"):
        make_player("emma:best")
    assert [found.problem for found in plugins(BOTS)] == ["the name is taken by a stock bot"] * 2


def test_the_list_of_bots_tells_of_them_and_of_options(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install("patience", patient="bots_of_mine:Patient", emma="bots_of_mine:Patient", lost="no_such_module:Bot")
    assert main(["bots"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "patient of patience 1.0" in lines
    assert "lost of patience 1.0" in lines
    assert "emma of patience 1.0: NOT USED, the name is taken by a stock bot" in lines
    assert any(line.startswith("recall every bot a number from 0 to 1 ") for line in lines)
    assert any(line.startswith("wait random true or false ") for line in lines)
    assert any("literature" in line for line in lines if line.startswith("human:"))


def test_a_broken_one_is_told_of_when_it_is_asked_for(install: Install) -> None:
    install("broken", lost="no_such_module:Bot", gone="bots_of_mine:Nobody", twice="bots_of_mine:Plain")
    install("other", twice="bots_of_mine:Plain")
    assert make_player("greedy").name == "greedy"
    with pytest.raises(BadPlayer, match=r"bot 'lost' of broken 1\.0: ModuleNotFoundError: No module named 'no_such"):
        make_player("lost")
    with pytest.raises(BadPlayer, match=r"bot 'gone' of broken 1\.0: AttributeError: .*'Nobody'"):
        make_player("gone")
    with pytest.raises(BadPlayer, match=r"bot 'twice' of broken 1\.0: several distributions have a bot of this name"):
        make_player("twice")
