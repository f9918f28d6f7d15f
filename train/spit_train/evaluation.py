"""What a match says: the record of an evaluation, computed from its games, and its JSON file."""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from spit_agents.match import PER_PLAYER, GameResults
from spit_env.batch import Recall
from spit_env.rules import PRESETS
from spit_env.ruleset import Rules
from spit_env.state import END_REASONS
from spit_train.screen import Margin, screen_margin
from spit_train.stats import Correlation, deal_correlation, deal_interval, game_scores, grouped_mean, wilson

FORMAT, FORMAT_VERSION = "spit-evaluation", 1
TIMES = ("thinks", "think_ms", "travels", "travel_ms")  # columns


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


class Place(NamedTuple):
    """A mean place, 1 being the first, with its 95 % interval over deals: the games of one deal share its luck."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, ranks: npt.NDArray[np.int64], players: int) -> "Place | None":
        """The mean of places in games, ``players`` in a row being one deal; games without a winner (0) are left out.

        None if there is no other.
        """
        if not ranks.any():
            return None
        deals = ranks.reshape(-1, players)
        mean, low, high = grouped_mean(deals.sum(axis=1), (deals > 0).sum(axis=1))
        return cls(mean, max(1.0, low), min(float(players), high))


class Score(NamedTuple):
    """A mean score, a game that nobody won being a win shared by all, with its 95 % interval over deals."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """How one of the bots did."""

    name: str
    rate: Rate  # of first places
    score: Score
    place: Place | None  # None if nobody won a game
    by_seat: tuple[Rate, ...]  # when it sat in seat 0, in seat 1, ...
    decisions: float  # choices per game, waiting included
    bounced: float  # the share of its cards that reached a pile too late; 0 if it played none
    illegal: int  # illegal actions in all games; the engine took the lowest-numbered legal one instead
    think_ms: float | None  # the mean time to think in the games; None if it never thought
    travel_ms: float | None  # the mean time of the hand's ways, those back left out

    @property
    def wins(self) -> int:
        """Games won."""
        return self.rate.wins


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What was played: enough to play it again."""

    players: tuple[str, ...]
    bots: tuple[str, ...]  # of each player, a hash of the bot's code and weights
    latencies: tuple[dict[str, Any], ...]  # of each player, as `Latency.to_dict` gives it
    games: int
    seed: int  # of the run; each game's own is in its row
    game: str
    rules: str  # the preset with these values, else "custom"
    rules_hash: str
    rule_values: dict[str, Any]
    recall: Recall
    wait_ms: int
    temperatures: tuple[float | None, ...]  # of each player: at which a net samples, 0: argmax; None: it is no net
    stepping: Literal["decision"] = "decision"
    versions: dict[str, str]  # of Python and of the packages that results could depend on


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The outcome of a match. The wins of all sides and ``none`` together are the number of games."""

    setup: Setup
    sides: tuple[Side, ...]  # in the order of the players
    none: int  # games that a guard cut off: a win for nobody
    endings: dict[str, int]  # games by `spit_env.state.END_REASONS`, as far as they occurred
    length_mean_s: float
    length_median_s: float
    rounds_mean: float  # completed rounds per game
    correlation: Correlation  # between the games of a deal, by the first player's scores
    margin: Margin | None  # of the first player after the first round; see `first_round`
    rows: GameResults = field(repr=False, compare=False)  # one row for each game

    def to_dict(self) -> dict[str, Any]:
        """Plain data: all of the above, and the games as a table of ``columns`` and ``games``."""
        sides = {"sides": [asdict(side) | side_figures(side) for side in self.sides]}
        rest = {
            name: getattr(self, name) for name in ("none", "endings", "length_mean_s", "length_median_s", "rounds_mean")
        }
        rest["correlation"] = self.correlation._asdict()
        rest["margin"] = self.margin and finite(self.margin._asdict())
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
        except ValueError as error:
            raise BadEvaluation(f"not JSON: {error}") from error
        return cls.from_dict(values)

    @classmethod
    def from_dict(cls, values: Any) -> "Evaluation":
        """Read `to_dict` back.

        Raises:
            BadEvaluation: if the data is something else.
        """
        try:
            kind = values["format"], values["version"]
            if kind != (FORMAT, FORMAT_VERSION):
                raise BadEvaluation(f"format and version {kind!r}; known: {(FORMAT, FORMAT_VERSION)!r}")
            setup = values["setup"]
            setup = setup | {name: tuple(setup[name]) for name in ("players", "bots", "latencies", "temperatures")}
            if not 0 < len(values["games"]) == setup["games"]:
                raise BadEvaluation(f"{len(values['games'])} games where the setup says {setup['games']!r}")
            rows = read_games(values["columns"], values["games"], len(setup["players"]))
            return summarise(Setup(**setup), rows)
        except BadEvaluation:
            raise
        except (ValueError, TypeError, LookupError) as error:
            raise BadEvaluation(f"not the JSON of an evaluation: {error!r}") from error


def summarise(setup: Setup, rows: GameResults) -> Evaluation:
    """What the games say: a pure function of them."""
    reasons, counts = np.unique(rows.end_reason, return_counts=True)
    return Evaluation(
        setup=setup,
        sides=tuple(summarise_side(name, who, rows) for who, name in enumerate(setup.players)),
        none=int(np.sum(rows.winner < 0)),
        endings={END_REASONS[reason]: int(count) for reason, count in zip(reasons, counts)},
        length_mean_s=float(rows.time_ms.mean() / 1000),
        length_median_s=float(np.median(rows.time_ms) / 1000),
        rounds_mean=float(rows.rounds.mean()),
        correlation=deal_correlation(game_scores(rows.winner, len(setup.players))),
        margin=first_round(rows),
        rows=rows,
    )


def summarise_side(name: str, who: int, rows: GameResults) -> Side:
    """The figures of one bot, player number ``who``."""
    players = rows.rank.shape[1]
    won = rows.winner == who
    seat = (rows.first_seat + who) % players
    landed, bounced = int(rows.landings[:, who].sum()), int(rows.bounces[:, who].sum())
    return Side(
        name=name,
        rate=Rate.of(int(won.sum()), len(won)),
        score=Score(*deal_interval(game_scores(rows.winner, players, who))),
        place=Place.of(rows.rank[:, who], players),
        by_seat=tuple(Rate.of(int(won[seat == s].sum()), int((seat == s).sum())) for s in range(players)),
        decisions=float(rows.decisions[:, who].mean()),
        bounced=bounced / (landed + bounced) if landed + bounced else 0.0,
        illegal=int(rows.illegal[:, who].sum()),
        think_ms=mean_time(rows.think_ms[:, who], rows.thinks[:, who]),
        travel_ms=mean_time(rows.travel_ms[:, who], rows.travels[:, who]),
    )


def first_round(rows: GameResults) -> Margin | None:
    """The margin of the first player after the first round, if games of two deals or more went on after it."""
    went_on = rows.round1_cards.any(axis=1).reshape(-1, rows.rank.shape[1]).any(axis=1)
    return screen_margin(rows) if went_on.sum() > 1 else None


def mean_time(spent: npt.NDArray[np.int64], times: npt.NDArray[np.int64]) -> float | None:
    """What one took in the mean over all games, None if there was none."""
    return float(spent.sum() / times.sum()) if times.any() else None


def side_figures(side: Side) -> dict[str, Any]:
    """A side's rates and its place with their fields named."""
    place = None if side.place is None else side.place._asdict()
    return {
        "rate": side.rate._asdict(), "score": side.score._asdict(), "place": place,
        "by_seat": [rate._asdict() for rate in side.by_seat],
    }  # fmt: skip


def finite(value: Any) -> Any:
    """Plain data with None in place of infinite numbers, which JSON does not have."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: finite(item) for key, item in value.items()}
    return [finite(item) for item in value] if isinstance(value, list | tuple) else value


def game_table(rows: GameResults) -> dict[str, Any]:
    """The games as plain data: names of ``columns``, and ``games``, a list of values for each.

    A result with one number for each bot makes as many columns, ``..._0``, ``..._1``, ...; reasons are written by name.
    """
    columns: dict[str, list[Any]] = {}
    for name, values in rows._asdict().items():
        if values.ndim == 2:
            columns |= {f"{name}_{who}": values[:, who].tolist() for who in range(values.shape[1])}
        else:
            columns[name] = values.tolist()
    columns["end_reason"] = [END_REASONS[reason] for reason in columns["end_reason"]]
    return {"columns": list(columns), "games": [list(game) for game in zip(*columns.values())]}


def read_games(columns: list[str], games: list[list[Any]], players: int) -> GameResults:
    """`game_table` of so many players read back; `TIMES`, which the first files did not have, are then 0."""
    table = dict(zip(columns, zip(*games, strict=True), strict=True))
    if f"{TIMES[0]}_0" not in table:
        table |= {f"{name}_{who}": (0,) * len(games) for name in TIMES for who in range(players)}
    table["end_reason"] = tuple(map(END_REASONS.index, table["end_reason"]))
    arrays = {
        name: np.stack([table[f"{name}_{who}"] for who in range(players)], axis=1)
        if name in PER_PLAYER
        else np.array(table[name])
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
