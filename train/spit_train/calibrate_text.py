"""What ``spit calibrate`` says, as a document; all of it from the file of levels."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from spit_env.latency import Latency
from spit_train.calibrate import Share, bounds, in_order
from spit_train.calibrate_check import Checked
from spit_train.calibrate_plots import levels_plot
from spit_train.calibrate_record import last_of
from spit_train.document import Document, Grid, Section, grid
from spit_train.match_text import SHOWN_KINDS, speed_text, versions_text

CONSTRUCTED = "The human profiles are constructed from the literature; no people were observed."
STEPPING = "Levels are tuned in decision stepping, to the millisecond; in ticks of 50 ms the shares are others."


def levels_document(body: Mapping[str, Any]) -> Document:
    """The report of a calibration."""
    told = body["calibration"]
    human = [CONSTRUCTED] if "human:" in told["reference"] else []
    return Document(
        title=f"Levels of {told['brain']} for {told['reference']}",
        lead=(shares_sentence(body), *problems(body)),
        sections=(
            Section("Levels", (levels_table(body), " ".join([*human, STEPPING]))),
            Section("Wins by speed", (levels_plot(body), *neighbours(body))),
            Section("Attempts", (attempts_table(body),), detail=True),
            Section("Facts", (facts_table(body),)),
        ),
        command=told["command"],
    )


def shares_sentence(body: Mapping[str, Any]) -> str:
    """How often the reference wins against each level."""
    shares = [f"{percent(last_of(level).share)} against {name}" for name, level in body["levels"].items()]
    *most, last = shares
    listed = f"{', '.join(most)} and {last}" if most else last
    return f"{body['calibration']['reference']} wins {listed}."


def problems(body: Mapping[str, Any]) -> list[str]:
    """What is wrong with the levels, each in a sentence."""
    levels, tolerance = body["levels"], body["calibration"]["tolerance"]
    found = []
    for name, level in levels.items():
        if not level["evidence"]["accepted"]:
            least, most = bounds(level["evidence"]["target"], tolerance)
            found.append(
                f"Level {name} is not confirmed: {interval_text(last_of(level))} of games won, and "
                f"{percent(least)} to {percent(most)} wanted."
            )
    if not in_order([last_of(level) for level in levels.values()]):
        found.append("The levels are not surely in order: some intervals overlap.")
    return found


def percent(share: float) -> str:
    """A share with two digits or more that count."""
    return f"{100 * share:.1f} %" if 0.01 <= share <= 0.99 else f"{100 * share:.2f} %"


def interval_text(share: Share) -> str:
    """The limits of a share."""
    digits = 1 if 0.01 <= share.share <= 0.99 else 2
    return f"{100 * share.low:.{digits}f} to {100 * share.high:.{digits}f} %"


def levels_table(body: Mapping[str, Any]) -> Grid:
    """The levels: their times in ms, and what the reference was to win and won."""
    rows = []
    for name, level in body["levels"].items():
        share, latency, proof = last_of(level), Latency.from_dict(level["latency"]), level["evidence"]
        rows.append([
            name, *(f"{latency.typical(kind):g}" for kind in SHOWN_KINDS), percent(proof["target"]),
            percent(share.share), interval_text(share), f"{share.games}",
            "yes" if proof["accepted"] else "no", f"{len(proof['attempts'])}",
        ])  # fmt: skip
    head = ("level", *(f"{kind} ms" for kind in SHOWN_KINDS), "wanted", "won", "95 % interval", "games", "confirmed",
            "attempts")  # fmt: skip
    return grid(head, rows, [title for title in head if title not in ("level", "confirmed")])


def neighbours(body: Mapping[str, Any]) -> list[Grid]:
    """Each level against the one before it; nothing if there is only one."""
    shares = [Share(**values) for values in body["calibration"]["neighbours"]]
    rows = [
        [harder, easier, percent(share.share), interval_text(share), f"{share.games}"]
        for (easier, harder), share in zip(pairwise(body["levels"]), shares, strict=True)
    ]
    head = ("level", "against", "won", "95 % interval", "games")
    return [grid(head, rows, head[2:])] if rows else []


def attempts_table(body: Mapping[str, Any]) -> Grid:
    """All confirmations that were tried, those that have failed as well."""
    rows = [
        [name if number == 1 else "", f"{number}", f"{attempt['factor']:.4f}", percent(share.share),
         interval_text(share), f"{share.games}", f"{share.seed}"]
        for name, level in body["levels"].items()
        for number, attempt in enumerate(level["evidence"]["attempts"], 1)
        for share in [Share(**{key: value for key, value in attempt.items() if key != "factor"})]
    ]  # fmt: skip
    head = ("level", "attempt", "factor", "won", "95 % interval", "games", "seed")
    return grid(head, rows, head[1:])


def facts_table(body: Mapping[str, Any]) -> Grid:
    """What was played, and when."""
    told = body["calibration"]
    rows = [
        (f"speed of {told['reference']}", speed_text(told["reference_latency"])),
        ("rules", f"{told['rules']} ({told['rules_hash']}), recall {told['recall']}"),
        ("bots", ", ".join(told["bots"])),
        ("interval", f"{told['interval']}; at most {100 * told['tolerance']:g} points from the wanted share"),
        ("seed", f"{told['seed']}"),
        ("date", told["date"]),
        ("versions", versions_text(told["versions"])),
    ]
    return grid(["", ""], rows)


def check_document(body: Mapping[str, Any], checked: Sequence[Checked], command: str) -> Document:
    """The report of a check."""
    told = body["calibration"]
    failed = [level.name for level in checked if level.verdict == "does not hold"]
    ordered = in_order([level.share for level in checked])
    rows = [
        [level.name, percent(level.target), percent(last_of(body["levels"][level.name]).share),
         percent(level.share.share), interval_text(level.share), f"{level.share.games}", level.verdict]
        for level in checked
    ]  # fmt: skip
    head = ("level", "wanted", f"won {told['date']}", "won now", "95 % interval", "games", "")
    return Document(
        title=f"Check of the levels of {told['brain']} for {told['reference']}",
        lead=(
            f"Not as they were: {', '.join(failed)}." if failed else "No level is surely out of its limits.",
            *([] if ordered else ["The levels are not surely in order: some intervals overlap."]),
        ),
        sections=(Section("Levels", (grid(head, rows, head[1:-1]),)),),
        command=command,
    )
