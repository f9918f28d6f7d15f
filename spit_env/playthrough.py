"""Golden playthroughs: games told event by event in text, so that a change of the rules shows in review.

    python -m spit_env.playthrough --rules emma --seed 3
    python -m spit_env.playthrough --regenerate tests/golden

The players choose at random among what is legal, by the game's own stream of choices, and seldom wait. A block is one
event: the time and the state's hash, the table if it has changed, both hands, and what chance gave since the block
before; then what whoever is asked may do, and chooses.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from spit_env.batch import Batch
from spit_env.cards import card_name
from spit_env.draws import CHOICES, TIES, below, word
from spit_env.game_type import GameType
from spit_env.games import game_of
from spit_env.latency import Latency
from spit_env.replay import advance_one, choose_one, state_hash
from spit_env.rules import KINDS, make_rules
from spit_env.ruleset import Rules
from spit_env.state import END_REASONS, IDLE, LOCKED, NEVER, NOOP, OPEN, OVER, PHASE_NAMES, RETURN, THINK

# Times of their own: the stock levels are tuned now and then, and no golden playthrough should change with them.
THINK_MS, MOVE_MS, FLIP_MS = 200, 250, 120


class Start(NamedTuple):
    """What a golden playthrough begins with, and how many choices it tells."""

    seed: int
    board: str | None = None
    choices: int = 60


GOLDEN: Mapping[str, Start] = {
    # Combining, filling, a pick, a short layout, a one-pile round and its win.
    "emma": Start(188, "Y: 8c | x5d | - | 5h | -   d0\nE: 4h | xJc | xx8h | Ac | 2d   d3\nL=9c(33) R=Qs(4)", 90),
    # Calls for a spit, rearranging with all cards face up.
    "classic_s1": Start(97, "Y: 8c | x5d | - | 5h | 3h   d3\nE: 4h | Jc | x8h | Ac | Js   d5\nL=9c(17) R=Qs(16)", 90),
    # Flips by themselves, calls, a shuffle, whole stacks, a win with two piles.
    "de_s3": Start(167, "Y: 8c | x5d | - | x5h | 3h   d4\nE: 4h | Jc | x8h | Ac | Js   d5\nL=9c(20) R=Qs(11)", 90),
    # A play that must be made, a shuffle.
    "base_s4": Start(101, "Y: 8c | x5d | - | x5h | -   d1\nE: 4h | Jc | x8h | - | -   d2\nL=9c(20) R=Qs(20)", 78),
    # The pile of a solo spit chosen, a slap race.
    "pagat": Start(136, "Y: 8c | x5d | - | 5h | 3h   d0\nE: 4h | Jc | x8h | Ac | Js   d5\nL=9c(20) R=Qs(16)", 90),
    # Combining before the first spit, a slap race.
    "wikipedia": Start(50, "Y: 8c | x5d | - | 5h | 3h   d3\nE: 4h | Jc | x8h | Ac | Js   d4\nL=9c(17) R=Qs(17)", 90),
    # The smaller pile for the finisher.
    "spit_s2": Start(145, "Y: 8c | x5d | - | x5h | -   d2\nE: 4h | Jc | x8h | Ac | -   d3\nL=9c(18) R=Qs(19)", 90),
    # Drawing, a card that comes back, reserves made anew.
    "speed": Start(1, "Y: 7c K 3 9 2   s3\nE: x x x x x   s3\nL=6(6) r1   R=A(5) r1", 70),
    # The whole of a deal; the reserves start it.
    "speed_wikipedia": Start(4, None, 70),
    # The end of a deal, the score, the next deal.
    "speed_pagat": Start(3, "Y: 7c K   +19\nE: x x   +20\nL=6(6) r2   R=A(5) r1", 80),
    # Jokers named high and low, and one without a name.
    "speed_jokers": Start(63, "Y: 7c * 3 9 2   s1\nE: x x x x x   s2\nL=6(6) r1   R=* r1", 70),
    # A card on one of its own rank.
    "speed_doubles": Start(1, "Y: 7c K 3 9 2   s2\nE: x x x x x   s2\nL=6(6) r1   R=A(5) r1", 70),
    # Three at the table, an empty reserve.
    "speed_3p": Start(
        1, "Y: 7c K 3 9 2   s2\nE: x x x x x   s1\nF: x x x x   s1\nL=6(6) r1   M=Q(3) r0   R=A(5) r1", 80
    ),
    # Four, with two packs.
    "speed_4p": Start(
        1,
        "Y: 7c K 3   s1\nE: x x x x\nF: x x x x\nG: x x x x   s1\nL=6(6) r1   M=Q(3) r1   N=2 r1   R=A(5) r1",
        80,
    ),
    # Open rows, the decks turn.
    "bicycle": Start(2, "Y: 7c K 3 9   s6\nE: x x x x   s7\nL=6(6)   R=A(5)", 90),
    # Matches, covering, a card that comes too late, rows taken up.
    "california": Start(2, "Y: 7c | 9d3h | Kd | 2c   p3\nE: 7h | Jc8c | 9h | 2d   p4", 70),
    # Two equal cards on one stack.
    "california_doubles": Start(1, "Y: 7c | 9d3h | Kd | 2c   p3\nE: 7h | Jc8c | 9h | 2d   p4", 70),
}


def playthrough(rules: str | Rules, start: Start) -> Iterator[str]:
    """The lines of a playthrough."""
    values = make_rules(rules)
    game = game_of(values)
    batch = Batch(1, values, Latency.of(THINK_MS, MOVE_MS, FLIP_MS), tick_ms=1)
    boards = None if start.board is None else np.array([game.parse_board(start.board, values, start.seed)])
    batch.reset([start.seed], boards=boards)
    g, past = batch.games[0], batch.past
    title, named = game.name.replace("_", " ").title(), rules if isinstance(rules, str) else "own"
    yield f"{title}, {named} rules, seed {start.seed}, {THINK_MS} / {MOVE_MS} / {FLIP_MS} ms"
    default = KINDS[game.name]().to_dict()
    changed = {name: value for name, value in values.to_dict().items() if value != default[name]}
    yield from (f"  {name} = {value}" for name, value in changed.items())
    yield from _event(game, g, None)
    left = start.choices
    while g.phase != OVER:
        before = g.copy()
        asked = [p for p in range(game.seats) if g.chooser == p or (g.hand[p] == OPEN and g.ask_at[p] <= g.time)]
        if asked and left <= 0:
            break
        for p in asked:
            legal = _legal(game, batch.games, past, p)
            drawn = word(int(g.seed), CHOICES + int(g.label[p]), int(g.choice_n[p]))
            likely = legal if drawn % 8 == 0 else [a for a in legal if a != NOOP] or legal
            action = likely[below(drawn, len(likely))]
            may = ", ".join(game.move_name(a, p) for a in legal)
            yield f"  {game.seat_letters[p]} may {may}: {game.move_name(action, p)}"
            choose_one(batch.games, past, 0, p, action, np.zeros(game.actions, np.int8))
        left -= len(asked)
        advance_one(batch.games, past, 0, int(g.time) if asked else NEVER)  # settle what was chosen, or one event
        if state_hash(g) != state_hash(before) and (not asked or g.phase != before.phase):
            yield from _event(game, g, before)
    yield f"After {g.time} ms: {_ending(game, g)}"


def _legal(game: GameType, games: Any, past: Any, p: int) -> list[int]:
    mask = np.zeros(game.actions, np.int8)
    choose_one(games.copy(), past, 0, p, NOOP, mask)
    return [int(action) for action in np.flatnonzero(mask)]


def _event(game: GameType, g: Any, before: Any) -> Iterator[str]:
    """A block; a deal is told with every card and who knows it."""
    stuck = "stuck" in g.dtype.names and g.stuck
    chooser = f", {game.seat_letters[g.chooser]} chooses" if g.chooser >= 0 else ", stuck" if stuck else ""
    hands = ", ".join(_hand(game, g, p) for p in range(game.seats))
    yield f"{g.time} ms, round {g.rounds}, {PHASE_NAMES[g.phase]}{chooser}: {hands} [{state_hash(g)}]"
    if before is None or game.format_board(g, True) != game.format_board(before, True):
        board = game.format_board(g, before is None or g.phase == LOCKED)
        yield from (f"    {line}" for line in board.splitlines())
    for n in range(0 if before is None else before.ties_n, g.ties_n):
        yield f"    chance: coin {word(int(g.seed), TIES, n) / 2**32:.3f}"
    for name, what in (("deal_n", "the pack"), ("shuffle_n", "what was picked up")):
        if n := int(g[name]) - (0 if before is None else int(before[name])):
            yield f"    chance: {what}, shuffled by {n} draws"


def _hand(game: GameType, g: Any, p: int) -> str:
    if g.hand[p] in (IDLE, THINK, OPEN):
        state = {IDLE: "idle", THINK: f"thinks until {g.until[p]}", OPEN: "waits" if g.declined[p] else "open"}
        return f"{game.seat_letters[p]} {state[int(g.hand[p])]}"
    card = f" {card_name(int(g.card[p]))}" if g.card[p] >= 0 else ""
    back = " back from" if g.hand[p] == RETURN else ""
    return f"{game.seat_letters[p]}{card}{back} {game.move_name(int(g.action[p]), p)} until {g.until[p]}"


def _ending(game: GameType, g: Any) -> str:
    if g.phase != OVER:
        return "told no further"
    winner = f"{game.seat_letters[g.winner]} has won" if g.winner >= 0 else "nobody has won"
    return f"{winner} ({END_REASONS[g.end_reason]})"


def main(argv: list[str] | None = None) -> None:
    """Print one playthrough, or write all golden ones into a folder."""
    parser = argparse.ArgumentParser(prog="python -m spit_env.playthrough", description="Tell a game event by event.")
    parser.add_argument("--rules", default="emma", choices=list(GOLDEN), help="default: emma")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--choices", type=int, default=60, help="how many choices to tell (default: 60)")
    parser.add_argument("--regenerate", metavar="DIR", type=Path, help="write DIR/PRESET.txt for every preset instead")
    options = parser.parse_args(argv)
    if options.regenerate is None:
        sys.stdout.writelines(
            f"{line}\n" for line in playthrough(options.rules, Start(options.seed, None, options.choices))
        )
        return
    options.regenerate.mkdir(parents=True, exist_ok=True)
    for preset, start in GOLDEN.items():
        text = "".join(f"{line}\n" for line in playthrough(preset, start))
        (options.regenerate / f"{preset}.txt").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
