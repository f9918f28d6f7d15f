"""What a match says: the record of an evaluation, computed from its games, and its JSON file."""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from spit_agents.match import GameResults
from spit_env.batch import Recall
from spit_env.rules import PRESETS
from spit_env.ruleset import Rules
from spit_env.state import END_REASONS
from spit_train.stats import wilson

Mode = Literal["argmax", "sample"]
FORMAT, FORMAT_VERSION = "spit-evaluation", 1


class BadEvaluation(ValueError):
    """A text that is not the JSON of an evaluation."""


class Rate(NamedTuple):
    """A share of games won, with its 95 % Wilson interval."""

    wins: int
    games: int
    share: float
    low: float
    high: float

    @classmethod
    def of(cls, wins: int, games: int) -> "Rate":
        """The rate of ``wins`` in ``games``, at least one."""
        return cls(wins, games, wins / games, *wilson(wins, games))


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """How one of the two bots did."""

    name: str
    rate: Rate
    by_seat: tuple[Rate, Rate]  # when it sat in seat 0, in seat 1
    decisions: float  # choices per game, waiting included
    bounced: float  # the share of its cards that reached a pile too late; 0 if it played none
    illegal: int  # illegal actions in all games; the engine took the lowest-numbered legal one instead

    @property
    def wins(self) -> int:
        """Games won."""
        return self.rate.wins


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What was played: enough to play it again."""

    a: str
    b: str
    latency_a: dict[str, Any]  # as `Latency.to_dict` gives it
    latency_b: dict[str, Any]
    games: int
    seed: int  # of the run; each game's own is in its row
    rules: str  # the preset with these values, else "custom"
    rules_hash: str
    rule_values: dict[str, Any]
    recall: Recall
    wait_ms: int
    mode: Mode = "argmax"  # how a policy picks from its distribution; scripted bots have none
    stepping: Literal["decision"] = "decision"
    versions: dict[str, str]  # of Python and of the packages that results could depend on


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The outcome of a match. ``a.wins + b.wins + none`` is the number of games."""

    setup: Setup
    a: Side
    b: Side
    none: int  # games that a guard cut off: a win for nobody
    endings: dict[str, int]  # games by `spit_env.state.END_REASONS`, as far as they occurred
    length_mean_s: float
    length_median_s: float
    rounds_mean: float  # completed rounds per game
    wall_s: float  # that playing took
    cpu_s: float
    rows: GameResults = field(repr=False, compare=False)  # one row for each game

    def to_dict(self) -> dict[str, Any]:
        """Plain data: all of the above, and the games as a table of ``columns`` and ``games``."""
        sides = {who: asdict(side) | side_rates(side) for who, side in (("a", self.a), ("b", self.b))}
        rest = {
            name: getattr(self, name)
            for name in ("none", "endings", "length_mean_s", "length_median_s", "rounds_mean", "wall_s", "cpu_s")
        }
        header = {"format": FORMAT, "version": FORMAT_VERSION, "setup": asdict(self.setup)}
        return header | sides | rest | game_table(self.rows)

    def to_json(self) -> str:
        """`to_dict` as JSON text, with one line for each game."""
        values = self.to_dict()
        games = ",\n  ".join(map(json.dumps, values.pop("games")))
        head = json.dumps(values, indent=1, allow_nan=False).removesuffix("\n}")
        return f'{head},\n "games": [\n  {games}\n ]\n}}\n'

    @classmethod
    def from_json(cls, text: str) -> "Evaluation":
        """Read `to_json` back. The figures are computed anew from the games.

        Raises:
            BadEvaluation: if the text is something else.
        """
        try:
            values = json.loads(text)
            kind = values["format"], values["version"]
            if kind != (FORMAT, FORMAT_VERSION):
                raise BadEvaluation(f"format and version {kind!r}; known: {(FORMAT, FORMAT_VERSION)!r}")
            rows = read_games(values["columns"], values["games"])
            return summarise(Setup(**values["setup"]), rows, values["wall_s"], values["cpu_s"])
        except BadEvaluation:
            raise
        except (ValueError, TypeError, LookupError) as error:
            raise BadEvaluation(f"not the JSON of an evaluation: {error!r}") from error


def summarise(setup: Setup, rows: GameResults, wall_s: float, cpu_s: float) -> Evaluation:
    """What the games say: apart from the times it took, a pure function of them."""
    reasons, counts = np.unique(rows.end_reason, return_counts=True)
    return Evaluation(
        setup=setup,
        a=summarise_side(setup.a, 0, rows),
        b=summarise_side(setup.b, 1, rows),
        none=int(np.sum(rows.winner < 0)),
        endings={END_REASONS[reason]: int(count) for reason, count in zip(reasons, counts)},
        length_mean_s=float(rows.time_ms.mean() / 1000),
        length_median_s=float(np.median(rows.time_ms) / 1000),
        rounds_mean=float(rows.rounds.mean()),
        wall_s=wall_s,
        cpu_s=cpu_s,
        rows=rows,
    )


def summarise_side(name: str, who: int, rows: GameResults) -> Side:
    """The figures of one bot: ``who`` is 0 for a, 1 for b."""
    won = rows.winner == who
    seat = (rows.first_seat + who) % 2
    landed, bounced = int(rows.landings[:, who].sum()), int(rows.bounces[:, who].sum())
    first, second = (Rate.of(int(won[seat == s].sum()), int((seat == s).sum())) for s in (0, 1))
    return Side(
        name=name,
        rate=Rate.of(int(won.sum()), len(won)),
        by_seat=(first, second),
        decisions=float(rows.decisions[:, who].mean()),
        bounced=bounced / (landed + bounced) if landed + bounced else 0.0,
        illegal=int(rows.illegal[:, who].sum()),
    )


def side_rates(side: Side) -> dict[str, Any]:
    """A side's rates with their fields named."""
    return {"rate": side.rate._asdict(), "by_seat": [rate._asdict() for rate in side.by_seat]}


def game_table(rows: GameResults) -> dict[str, Any]:
    """The games as plain data: names of ``columns``, and ``games``, a list of values for each.

    A result with one number for each bot makes two columns, ``..._a`` and ``..._b``; reasons are written by name.
    """
    columns: dict[str, list[Any]] = {}
    for name, values in rows._asdict().items():
        if values.ndim == 2:
            columns |= {f"{name}_a": values[:, 0].tolist(), f"{name}_b": values[:, 1].tolist()}
        else:
            columns[name] = values.tolist()
    columns["end_reason"] = [END_REASONS[reason] for reason in columns["end_reason"]]
    return {"columns": list(columns), "games": [list(game) for game in zip(*columns.values())]}


def read_games(columns: list[str], games: list[list[Any]]) -> GameResults:
    """`game_table` read back."""
    table = dict(zip(columns, zip(*games, strict=True), strict=True))
    table["end_reason"] = tuple(map(END_REASONS.index, table["end_reason"]))
    arrays = {
        name: np.stack([table[f"{name}_a"], table[f"{name}_b"]], axis=1) if name not in table else np.array(table[name])
        for name in GameResults._fields
    }
    return GameResults(**{name: values.astype(np.int64, casting="safe") for name, values in arrays.items()})


def rules_name(rules: Rules) -> str:
    """The preset that has these values, else ``custom``."""
    return next((name for name, preset in PRESETS.items() if preset == rules), "custom")


def rules_hash(rules: Rules) -> str:
    """Twelve hexadecimal digits that change with any value: of the SHA-256 of the sorted JSON of all of them."""
    text = json.dumps(rules.to_dict(), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]
