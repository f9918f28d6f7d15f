"""Plays the games of the tables in docs/bots.md and writes their numbers into the page: python docs/measure_bots.py

Each row of the page says what is to be played; this reads the rows, so a row that is added there is measured too.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from spit_agents import CaliforniaWeights, Emma, Player, SpeedWeights, SpitWeights, make_player
from spit_env.latency import make_latency
from spit_env.rules import make_rules
from spit_train.cohort import Cohort
from spit_train.harness import play_cohorts
from spit_train.journal import Journal
from spit_train.report import progress_bar
from spit_train.stats import wilson

PAGE = Path(__file__).resolve().parent / "bots.md"
KNOB_DEALS, KNOB_SEED = 5000, 51
TOLD_DEALS, TOLD_SEED = 2500, 41
WEIGHT_SEED = 31
# Of each section with weights: the rules of each column with numbers, the deals for each, and the table.
WEIGHTS: dict[str, tuple[tuple[str, ...], int, Any]] = {
    "## Emma at Spit": (("emma",), 5000, SpitWeights()),
    "## Emma at Speed": (("speed", "bicycle"), 2500, SpeedWeights()),
    "## Emma at California Speed": (("california",), 1000, CaliforniaWeights()),
}
PERCENT = re.compile(r"\d+(\.\d)? %")


class Untold(Emma):
    """Emma before she is told the rules."""

    def for_rules(self, rules: Any) -> "Untold":
        """She does not listen."""
        return self


class Wish(NamedTuple):
    """A number that the page wants: the games to play, and how the share of wins is written."""

    line: int
    cell: int
    cohort: Cohort
    write: Callable[[int, int, str], str]  # (wins, games, what the cell says now)


def brief(wins: int, games: int, before: str) -> str:
    """The share alone, in place of the first in the cell."""
    return PERCENT.sub(f"{wins / games:.1%}".replace("%", " %"), before, count=1)


def full(wins: int, games: int, _: str) -> str:
    """The share with its interval."""
    low, high = wilson(wins, games)
    return f"{100 * wins / games:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def a_cohort(names: Sequence[str | Player], rules: Any, deals: int, seed: int, recall: Any = "perfect") -> Cohort:
    """A match by the names of the players."""
    players = tuple(name if isinstance(name, Player) else make_player(name) for name in names)
    return Cohort(players=players, deals=deals, seed=seed, rules=make_rules(rules), recall=recall)


def wishes(lines: list[str]) -> list[Wish]:
    """All numbers that the page wants."""
    found: list[Wish] = []
    section, head = "", [""]
    for number, line in enumerate(lines):
        cells = [cell.strip() for cell in line.split("|")]
        if line.startswith("## "):
            section = line
        if line.startswith("| ") and not lines[number - 1].startswith("|"):
            head = cells
        elif line.startswith("| "):
            found += row_wishes(section, head, cells, [words_of(cell) for cell in cells], number)
    return found


def row_wishes(section: str, head: list[str], cells: list[str], words: list[list[str]], line: int) -> list[Wish]:
    """The numbers of one row of a table."""
    if head[1] == "knob":
        return [
            Wish(line, k, a_cohort([f"emma,{words[1][0]}", "emma"], words_of(head[k])[0], KNOB_DEALS, KNOB_SEED), brief)
            for k in range(2, len(head) - 1)
        ]
    if head[1:3] == ["rules", "`ace_wrap=False`"]:
        return told_wishes(cells, words, line)
    if head[1] == "weight" and section in WEIGHTS:
        return weight_wishes(section, cells, words, line)
    if head[1:3] == ["rules", "among `random`, seed 21"]:
        rules, deals = words[1][0], int(cells[4])
        others = make_rules(rules).seats - 1
        return [
            Wish(line, k, a_cohort(["emma"] + [bot] * others, rules, deals, seed), full)
            for k, bot, seed in ((2, "random", 21), (3, "greedy", 22))
        ]
    if "deals, seed" in head:
        at = head.index("deals, seed")
        deals, seed = map(int, cells[at].split(", "))
        rules = words[1][0] if head[1] == "rules" else "emma"
        recall = "none" if 'recall="none"' in cells[at - 1] else "perfect"
        return [Wish(line, at + 1, a_cohort([words[at - 2][0], words[at - 1][0]], rules, deals, seed, recall), full)]
    return []


def words_of(cell: str) -> list[str]:
    """What stands between backquotes."""
    return re.findall(r"`([^`]*)`", cell)


def told_wishes(cells: list[str], words: list[list[str]], line: int) -> list[Wish]:
    """Emma who is told which ranks fit against Emma who is not."""
    found = []
    for k, changes in ((2, {"ace_wrap": False}), (3, {"doubles": True}), (4, {"ace_wrap": False, "doubles": True})):
        if cells[k]:
            rules = {"preset": words[k][0] if words[k] else words[1][0], **changes}
            untold = Player("untold", Untold(), make_latency())
            found.append(Wish(line, k, a_cohort(["emma", untold], rules, TOLD_DEALS, TOLD_SEED), brief))
    return found


def weight_wishes(section: str, cells: list[str], words: list[list[str]], line: int) -> list[Wish]:
    """Emma with one weight at 0, or as the cell says, against the full table."""
    rules, deals, table = WEIGHTS[section]
    found = []
    for k, usual in enumerate(rules, 4):
        if not PERCENT.search(cells[k]):
            continue
        said = re.search(r"with (-?\d+)", cells[k])
        value = int(said[1]) if said else 0
        rules_name = words[k][0] if words[k] else usual
        weak = Player("weak", Emma(table._replace(**{words[1][0]: value})), make_latency())
        found.append(Wish(line, k, a_cohort([weak, "emma"], rules_name, deals, WEIGHT_SEED), brief))
    return found


def main() -> None:
    """Play everything and write the page."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    wanted = wishes(lines)
    with progress_bar("docs/bots.md") as progress:
        played = play_cohorts([w.cohort for w in wanted], workers=None, journal=Journal(), progress=progress)
    for wish, rows in zip(wanted, played, strict=True):
        cells = lines[wish.line].split("|")
        cells[wish.cell] = f" {wish.write(int((rows.winner == 0).sum()), len(rows.winner), cells[wish.cell].strip())} "
        lines[wish.line] = "|".join(cells)
        print(lines[wish.line])
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
