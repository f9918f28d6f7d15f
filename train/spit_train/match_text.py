"""The tables and sentences of one match."""

from collections.abc import Mapping, Sequence
from typing import Any

from spit_env.latency import PROFILES, Latency
from spit_train.document import Grid, grid
from spit_train.evaluation import Evaluation, Place, Rate, Score, Setup, Side
from spit_train.screen import Margin, screen_margin

SHOWN_KINDS = ("think", "play", "flip")  # of `spit_env.latency.KINDS`


# --- Figures as text -------------------------------------------------------------------------------------------------


def labelled(names: Sequence[str]) -> list[str]:
    """The names, with a letter before each if two are the same."""
    if len(set(names)) == len(names):
        return list(names)
    return [f"{letter}: {name}" for letter, name in zip("ABCD", names)]


def rate_text(rate: Rate) -> str:
    """A share with its interval."""
    return f"{rate.share:.3f} ({rate.low:.3f} to {rate.high:.3f})"


def mean_text(mean: Place | Score | Margin | None, digits: int = 2) -> str:
    """A mean with its interval."""
    return "-" if mean is None else f"{mean.mean:.{digits}f} ({mean.low:.{digits}f} to {mean.high:.{digits}f})"


def percent(share: float) -> str:
    """A share in running text."""
    return f"{100 * share:.1f} %"


def spent_text(side: Side) -> str:
    """How long one time to think and one way of the hand took in the games, in the mean."""
    return " / ".join("-" if ms is None else f"{ms:.0f}" for ms in (side.think_ms, side.travel_ms)) + " ms"


def speed_text(values: Mapping[str, Any]) -> str:
    """A speed in short: its typical times, and the profile's name if it is one."""
    latency = Latency.from_dict(values)
    times = " / ".join(f"{latency.typical(kind):.0f}" for kind in SHOWN_KINDS)
    known = [name for name, profile in PROFILES.items() if profile == latency]
    return f"{times} ms" + (f" ({known[0]})" if known else "")


def versions_text(versions: Mapping[str, str]) -> str:
    """Versions in a line."""
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def others_text(match: Evaluation) -> str:
    """The opponents of the first player."""
    return " and ".join(labelled(match.setup.players)[1:])


# --- Tables ----------------------------------------------------------------------------------------------------------


def result_tables(match: Evaluation) -> list[Grid]:
    """How the bots did: a column for each of two, a row for each of more."""
    return [table_of_two(match)] if len(match.sides) == 2 else tables_of_many(match)


def table_of_two(match: Evaluation) -> Grid:
    """How two bots did, side by side."""
    sides = match.sides
    rows = [
        ["games won", *(str(side.wins) for side in sides)],
        ["win rate", *(rate_text(side.rate) for side in sides)],
        *([["  over deals", *(mean_text(side.score, 3) for side in sides)]] if match.correlation.alarm else []),
        *([f"  in seat {seat}", *(rate_text(side.by_seat[seat]) for side in sides)] for seat in range(2)),
        ["decisions per game", *(f"{side.decisions:.1f}" for side in sides)],
        ["cards too late", *(f"{side.bounced:.1%}" for side in sides)],
        ["illegal actions", *(str(side.illegal) for side in sides)],
        [" / ".join(SHOWN_KINDS), *map(speed_text, match.setup.latencies)],
        ["mean think / travel", *map(spent_text, sides)],
    ]
    return grid([match.setup.game, *labelled(match.setup.players)], rows)


def tables_of_many(match: Evaluation) -> list[Grid]:
    """How three or four bots did, one below the other: the places, the play, the times."""
    names = labelled(match.setup.players)
    seats = [f"seat {seat}" for seat in range(len(names))]
    over_deals = ["over deals"] if match.correlation.alarm else []
    places = [
        [name, rate_text(side.rate), *(mean_text(side.score, 3) for _ in over_deals), mean_text(side.place),
         *(f"{rate.share:.3f}" for rate in side.by_seat)]
        for name, side in zip(names, match.sides)
    ]  # fmt: skip
    play = [
        [name, f"{side.decisions:.1f}", f"{side.bounced:.1%}", str(side.illegal)]
        for name, side in zip(names, match.sides)
    ]
    times = [
        [name, speed_text(latency), spent_text(side)]
        for name, side, latency in zip(names, match.sides, match.setup.latencies)
    ]
    return [
        grid([match.setup.game, "first places", *over_deals, "mean place", *seats], places),
        grid(["", "decisions/game", "too late", "illegal"], play),
        grid(["", " / ".join(SHOWN_KINDS), "mean think / travel"], times),
    ]


def cards_table(match: Evaluation) -> Grid:
    """What the first rounds say of each bot; who wins is not known."""
    margins = [screen_margin(match.rows, who) for who in range(len(match.sides))]
    rows = [
        [name, f"{mean_cards(match, who):.2f}", mean_text(margin), f"{margin.z:.1f}", f"{side.decisions:.1f}",
         f"{side.bounced:.1%}", str(side.illegal)]
        for who, (name, side, margin) in enumerate(zip(labelled(match.setup.players), match.sides, margins))
    ]  # fmt: skip
    head = ["first rounds", "cards left", "cards ahead", "z", "decisions", "too late", "illegal"]
    return grid(head, rows, right=["cards left", "z"])


def mean_cards(match: Evaluation, who: int) -> float:
    """The cards that a player holds after the first round, on the average over the games that have one."""
    cards = match.rows.round1_cards
    return float(cards[cards.any(axis=1), who].mean())


def facts_table(match: Evaluation, more: Sequence[tuple[str, str]] = (), *, whole: bool = True) -> Grid:
    """What was played and how the games went, if they are ``whole``; ``more`` rows are put after that."""
    setup, seeds = match.setup, match.rows.seed
    rows = [
        ("games", games_text(match)),
        *(how_they_went(match) if whole else speeds(match)),
        *more,
        *conditions(match),
        ("seed", f"{setup.seed} (deals {seeds[0]} ... {seeds[-1]})"),
        ("versions", versions_text(setup.versions)),
    ]
    return grid(["", ""], rows)


def how_they_went(match: Evaluation) -> list[tuple[str, str]]:
    """The games as a whole."""
    return [
        ("without a winner", str(match.none)),
        ("endings", ", ".join(f"{reason} {count}" for reason, count in match.endings.items())),
        ("length", f"mean {match.length_mean_s:.1f} s, median {match.length_median_s:.1f} s"),
        *([("rounds", f"mean {match.rounds_mean:.1f} completed")] if match.rounds_mean else []),
        *([("after round 1", margin_text(match))] if match.margin else []),
    ]


def speeds(match: Evaluation) -> list[tuple[str, str]]:
    """How fast each bot is."""
    names = labelled(match.setup.players)
    return [(f"speed of {name}", speed_text(latency)) for name, latency in zip(names, match.setup.latencies)]


def conditions(match: Evaluation) -> list[tuple[str, str]]:
    """The rules and the ways of playing that several matches may share."""
    setup = match.setup
    return [
        ("rules", f"{setup.rules} ({setup.rules_hash}), recall {setup.recall}"),
        ("mode", f"{modes_text(setup)}{setup.stepping} stepping, a wait ends after {setup.wait_ms} ms"),
    ]


def modes_text(setup: Setup) -> str:
    """How the nets among the players choose, if there are any, with a comma at the end."""
    return "".join(
        f"{name} by {'argmax' if temperature == 0 else f'sampling at temperature {temperature:g}'}, "
        for name, temperature in zip(labelled(setup.players), setup.temperatures)
        if temperature is not None
    )


def games_text(match: Evaluation) -> str:
    """How many games, and how they come."""
    games, seats = match.setup.games, len(match.setup.players)
    return f"{games}: {games // seats} deals, each from {'both' if seats == 2 else f'all {seats}'} seats"


# --- Sentences -------------------------------------------------------------------------------------------------------


def win_sentence(match: Evaluation) -> str:
    """How often the first player wins; by the interval over deals where Wilson's is wrong."""
    side, games, players = match.sides[0], match.setup.games, len(match.sides)
    share, low, high = side.score if match.correlation.alarm else side.rate[2:]
    wins, chance = ("wins", "") if players == 2 else ("comes first in", f"; chance is {percent(1 / players)}")
    name = labelled(match.setup.players)[0]
    return (
        f"{name} {wins} {percent(share)} [{100 * low:.1f}, {100 * high:.1f}] of {games:,} games against "
        f"{others_text(match)}{chance}."
    )


def correlation_sentences(match: Evaluation) -> list[str]:
    """A warning where the games of a deal are not independent."""
    if not match.correlation.alarm:
        return []
    r = match.correlation.r
    mirrored = "mirror each other" if r < 0 else "go the same way"
    return [
        f"Against {others_text(match)} the games of a deal {mirrored} (correlation {r:.2f}): trust the interval over "
        f"deals, {mean_text(match.sides[0].score, 3)}, not Wilson's, which takes games as independent."
    ]


def margin_text(match: Evaluation) -> str:
    """By how many cards the first player is ahead after the first round."""
    margin, name = match.margin, labelled(match.setup.players)[0]
    assert margin is not None
    side, (low, high) = (
        ("ahead of", (margin.low, margin.high)) if margin.mean >= 0 else ("behind", (-margin.high, -margin.low))
    )
    return (
        f"{name} is {abs(margin.mean):.2f} cards [{low:.2f}, {high:.2f}] {side} {others_text(match)}, z {margin.z:.1f}"
    )
