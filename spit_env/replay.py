"""Replays: what the players chose and when, with hashes that prove that the game goes as it went.

A replay is JSON lines. The first tells how the game begins; then come the choices and the visible events in order;
the last tells how it ended.

    {"format":"spit-replay","version":1,"game":"spit","rules":{...},"latencies":[...],"seed":7,"labels":[0,1],
     "wait_ms":100,"board":null}
    {"t":0,"hash":"..."}                        what the state is after the visible events of a millisecond
    {"t":2310,"seat":0,"move":"P1L"}            a choice; choices with no hash between them are of one moment
    {"end":"finished","winner":0,"time":93012,"hash":"...","sum":"..."}

Of an open hand's NOOPs only the first is told: the others change nothing. How the game was stepped is not told
either. ``sum`` stands for all lines above it.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from spit_env import race, verbs
from spit_env.batch import Batch, check_seed
from spit_env.errors import BadReplay
from spit_env.games import game_of
from spit_env.jit import entry
from spit_env.rules import KINDS, make_rules
from spit_env.ruleset import Rules
from spit_env.saves import check_keys, check_version, digest, dumps, load_game, read_object, save_game, state_hash
from spit_env.state import END_REASONS, NEVER, NOOP

__all__ = ["Recorder", "load_game", "play_back", "replay", "save_game", "state_hash"]

FORMAT, VERSION = "spit-replay", 1
Watch = Callable[[Any], None]
_HEADER = ("format", "version", "game", "rules", "latencies", "seed", "labels", "wait_ms", "board")


@entry
def advance_one(games: Any, past: Any, i: int, until: int) -> None:
    """Settle game i, then let time pass up to its next event or to ``until``."""
    race.advance(games[i], past[i], until, False, True)


@entry
def choose_one(games: Any, past: Any, i: int, p: int, action: int, mask: Any) -> bool:
    """The choice of seat p in game i, if it is legal; ``mask`` is for the seat's mask. Returns whether it was."""
    g = games[i]
    if not race.is_asked(g, p, False):
        return False
    v = race.table_seen(g, past[i], p)
    verbs.write_mask(g, v, p, mask)
    if mask[action] == 0:
        return False
    race.choose(g, v, p, action)
    return True


class _Game:
    """One game, stepped from event to event."""

    def __init__(self, header: dict[str, Any], watch: Watch | None = None) -> None:
        self._watch = watch
        seed = check_seed(header["seed"])
        if not isinstance(header["latencies"], list) or not isinstance(header["rules"], dict):
            raise ValueError("rules must be an object, latencies a list")
        rules = read_rules(header["game"], header["rules"])
        self.type = game_of(rules)
        labels = header["labels"]
        if not isinstance(labels, list) or sorted(map(repr, labels)) != list(map(repr, range(self.type.seats))):
            raise ValueError(f"labels={labels!r} must hold each of 0 to {self.type.seats - 1} once")
        if type(header["wait_ms"]) is not int:
            raise ValueError(f"wait_ms={header['wait_ms']!r} must be a whole number")
        batch = Batch(1, rules, header["latencies"], tick_ms=1, wait_ms=header["wait_ms"])
        boards = None
        if header["board"] is not None:
            boards = np.array([self.type.parse_board(header["board"], rules, seed)])
        batch.reset([seed], labels=labels, boards=boards)
        self._games, self._past = batch.games, batch.past
        self._mask = np.zeros(self.type.actions, np.int8)
        self._told = ""

    @property
    def state(self) -> Any:
        return self._games[0]

    def choose(self, seat: int, action: int) -> bool:
        return bool(choose_one(self._games, self._past, 0, seat, action, self._mask))

    def advance(self, until: int) -> Iterator[tuple[int, str]]:
        """Let time pass; time and hash after each millisecond in which something visible has happened."""
        now = int(self.state.time)
        self._pass(now)  # settles what was chosen
        while True:
            if self.state.changed_at == now:
                told = state_hash(self.state)
                if told != self._told:
                    self._told = told
                    yield now, told
            if now >= until:
                return
            self._pass(until)
            if self.state.time == now:
                return  # the clock stands still
            now = int(self.state.time)

    def _pass(self, until: int) -> None:
        """Let time pass up to the next event."""
        advance_one(self._games, self._past, 0, until)
        if self._watch is not None:
            self._watch(self.state)


def read_rules(game: object, values: dict[str, Any]) -> Rules:
    """The rules that a replay's header tells.

    Raises:
        ValueError: for a game or rules that this program does not know.
    """
    if game not in KINDS:
        raise ValueError(f"a game of {game!r}; this program plays {', '.join(map(repr, KINDS))}")
    return make_rules(KINDS[str(game)](), **values)


class Recorder:
    """Writes the replay of a game that somebody else steps.

    Args:
        batch: a batch of one game, just reset.
        board: the text that the game began from, if it did not begin with a deal.

    Call `choose` for each choice, in the order in which `Batch` applies them (NOOPs first), then ``batch.step``, then
    `advance`; or let `step` do all of it.

    Raises:
        ValueError: if the batch holds more than one game.
        BadReplay: if the batch's game does not begin as its seed, rules and board say.
    """

    def __init__(self, batch: Batch, board: str | None = None) -> None:
        if batch.size != 1:
            raise ValueError(f"a recorder follows one game; the batch has {batch.size}")
        self._batch = batch
        g = batch.games[0]
        header = {
            "format": FORMAT, "version": VERSION, "game": batch.game.name, "rules": batch.rules.to_dict(),
            "latencies": [latency.to_dict() for latency in batch.latencies], "seed": int(g.seed),
            "labels": g.label.tolist(), "wait_ms": batch.wait_ms, "board": board,
        }  # fmt: skip
        self._game = _Game(header)
        self._lines = [dumps(header)]
        self.advance()

    def choose(self, seat: int, action: int) -> None:
        """Seat ``seat`` chooses now; an illegal action stands for the lowest-numbered legal one, as in `Batch`."""
        if not self._batch.asked[0, seat]:
            return
        mask = self._batch.masks[0, seat]
        if not (0 <= action < len(mask) and mask[action]):
            action = int(mask.argmax())
        g = self._game.state
        if action == NOOP and g.declined[seat]:
            return
        if not self._game.choose(seat, int(action)):
            name = self._game.type.move_name(int(action), seat)
            raise BadReplay(f"the recording has gone astray: {name!r} at {g.time} ms is not legal")
        name = self._game.type.move_name(int(action), seat)
        self._lines.append(dumps({"t": int(g.time), "seat": seat, "move": name}))

    def advance(self) -> None:
        """Follow the batch to where its game now is."""
        for time, told in self._game.advance(int(self._batch.games[0].time)):
            self._lines.append(dumps({"t": time, "hash": told}))
        if state_hash(self._game.state) != state_hash(self._batch.games[0]):
            raise BadReplay(f"the recording has gone astray at {self._game.state.time} ms: was every choice told?")

    def step(self, actions: npt.NDArray[np.integer[Any]], *, everyone: bool = True) -> None:
        """`Batch.step`, recorded; ``actions`` of shape (1, seats)."""
        choices = [(seat, int(action)) for seat, action in enumerate(actions[0])]
        masks = self._batch.masks[0]
        noops = [0 <= action < len(masks[seat]) and masks[seat, action] and action == NOOP for seat, action in choices]
        for first in (True, False):
            for (seat, action), noop in zip(choices, noops):
                if bool(noop) == first:
                    self.choose(seat, action)
        self._batch.step(actions, everyone=everyone)
        self.advance()

    def lines(self) -> list[str]:
        """The replay up to now, without newlines. A game that is not over has the end ``""``."""
        g = self._game.state
        end = {
            "end": END_REASONS[g.end_reason], "winner": int(g.winner), "time": int(g.time), "hash": state_hash(g),
            "sum": _sum(self._lines),
        }  # fmt: skip
        return [*self._lines, dumps(end)]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the replay up to now. The file is whole at any moment: it takes the place of an older one at once."""
        target = Path(path)
        part = target.with_name(f"{target.name}.{os.getpid()}.part")
        try:
            part.write_text("\n".join(self.lines()) + "\n", encoding="utf-8", newline="\n")
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)


def replay(source: str | os.PathLike[str] | Iterable[str]) -> np.void:
    """Play a replay, from a file's path or its lines, and check it against every hash; returns the last state.

    Raises:
        BadReplay: if it is damaged, of another version, or goes otherwise than it says; the message has the line.
    """
    return deque(play_back(source), maxlen=1)[0]


def play_back(source: str | os.PathLike[str] | Iterable[str], watch: Watch | None = None) -> Iterator[np.void]:
    """The states of a replay, copied: at the beginning, after each choice and each visible event, at the end.

    ``watch`` is called with the state itself after every event, visible or not, as soon as it has happened.

    Raises:
        BadReplay: as `replay`, at the line that is wrong.
    """
    lines = _read_lines(source)
    header = read_object(lines[0] if lines else "", "line 1")
    if header.get("format") != FORMAT:
        raise BadReplay(f"line 1: not a replay: format={header.get('format')!r}, not {FORMAT!r}")
    check_version(header, VERSION)
    check_keys(header, _HEADER, "line 1")
    try:
        game = _Game(header, watch)
    except (ValueError, TypeError, AttributeError, OverflowError) as error:
        raise BadReplay(f"line 1: {error}") from None
    yield game.state.copy()
    for number, line in enumerate(lines[1:], 2):
        entry_ = read_object(line, f"line {number}")
        if "end" in entry_:
            if number < len(lines):
                raise BadReplay(f"line {number}: the end, but more lines follow")
            _check_end(game, entry_, lines, f"line {number}")
            yield game.state.copy()
            return
        if "hash" in entry_:
            _check_event(game, entry_, f"line {number}")
        else:
            _play_choice(game, entry_, f"line {number}")
        yield game.state.copy()
    raise BadReplay(f"line {len(lines)}: the replay breaks off here; its last line should tell the end")


def _sum(lines: list[str]) -> str:
    return digest("".join(line + "\n" for line in lines).encode())


def _read_lines(source: str | os.PathLike[str] | Iterable[str]) -> list[str]:
    if not isinstance(source, str | os.PathLike):
        return [line.removesuffix("\n") for line in source]
    try:
        text = Path(source).read_bytes().decode()
    except UnicodeDecodeError as error:
        raise BadReplay(f"not a text in UTF-8: {error}") from None
    lines = text.split("\n")
    if lines.pop():
        raise BadReplay(f"line {len(lines) + 1}: the file breaks off in this line")
    return lines


def _time(game: _Game, entry_: dict[str, Any], key: str, where: str) -> int:
    """When a line plays: a whole number, not before the game's time."""
    time = entry_[key]
    if type(time) is not int or not game.state.time <= time <= NEVER:
        raise BadReplay(f"{where}: {key}={time!r} must be a whole number from {game.state.time}, the time before it")
    return time


def _go_to(game: _Game, time: int, where: str) -> None:
    """Let time pass without an event."""
    for at, _ in game.advance(time):
        raise BadReplay(f"{where}: something happens at {at} ms that the replay does not tell")
    if game.state.time != time:
        raise BadReplay(f"{where}: the game does not get to {time} ms; it stands still at {game.state.time} ms")


def _check_event(game: _Game, entry_: dict[str, Any], where: str) -> None:
    check_keys(entry_, ("t", "hash"), where)
    time = _time(game, entry_, "t", where)
    for at, told in game.advance(time):
        if (at, told) != (time, entry_["hash"]):
            raise BadReplay(f"{where}: at {at} ms the game has another hash than the replay tells for {time} ms")
        return
    raise BadReplay(f"{where}: nothing visible happens at {time} ms")


def _play_choice(game: _Game, entry_: dict[str, Any], where: str) -> None:
    check_keys(entry_, ("t", "seat", "move"), where)
    time, seat, move = _time(game, entry_, "t", where), entry_["seat"], entry_["move"]
    if time > game.state.time:
        _go_to(game, time, where)
    if type(seat) is not int or not 0 <= seat < game.type.seats:
        raise BadReplay(f"{where}: seat={seat!r} must be 0 to {game.type.seats - 1}")
    try:
        action = game.type.parse_move(move, seat)
    except (ValueError, AttributeError):
        raise BadReplay(f"{where}: not a move: {str(move)[:20]!r}") from None
    if not game.choose(seat, action):
        raise BadReplay(f"{where}: seat {seat} cannot choose {move!r} at {time} ms")


def _check_end(game: _Game, entry_: dict[str, Any], lines: list[str], where: str) -> None:
    check_keys(entry_, ("end", "winner", "time", "hash", "sum"), where)
    time = _time(game, entry_, "time", where)
    _go_to(game, time, where)
    g = game.state
    facts = {
        "end": END_REASONS[g.end_reason], "winner": int(g.winner), "time": int(g.time), "hash": state_hash(g),
        "sum": _sum(lines[:-1]),
    }  # fmt: skip
    if lines[-1] != dumps(facts):
        wrong = next((key for key in facts if dumps(entry_[key]) != dumps(facts[key])), "end")
        raise BadReplay(f"{where}: {wrong}={entry_[wrong]!r} at {time} ms; the line should be {dumps(facts)}")
