"""The file of levels that a calibration writes: how fast each level is, and how that was found and confirmed."""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from spit_env.latency_files import LEVELS_FORMAT, VERSION, levels_of, read_body
from spit_train.calibrate import BadCalibration, Calibration, Level, Share
from spit_train.cohort import fingerprint
from spit_train.evaluate import versions
from spit_train.evaluation import rules_hash, rules_name


def levels_file(calibration: Calibration, levels: Sequence[Level], neighbours: Sequence[Share]) -> dict[str, Any]:
    """The levels with their evidence, as `spit_env.latency_files` reads them. Two runs on one day give the same."""
    cohort, reference, emma = calibration.cohort, calibration.reference, calibration.emma
    return {
        "format": LEVELS_FORMAT,
        "version": VERSION,
        "calibration": {
            "command": command_of(calibration, levels),
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
            "reference": reference.name,
            "reference_latency": reference.latency.to_dict(),
            "brain": emma.name,
            "bots": [fingerprint(player.agent)[:12] for player in (reference, emma)],
            "rules": rules_name(cohort.rules),
            "rules_hash": rules_hash(cohort.rules),
            "recall": cohort.recall,
            "stepping": "decision",
            "seed": cohort.seed,
            "deals": cohort.deals,
            "tolerance": calibration.tolerance,
            "interval": "Clopper-Pearson, 95 %",
            "neighbours": [asdict(share) for share in neighbours],
            "versions": versions(),
        },
        "levels": {level.name: {"latency": level.latency.to_dict(), "evidence": evidence(level)} for level in levels},
    }


def levels_text(body: Mapping[str, Any]) -> str:
    """The file as text, with lists of numbers in a line each."""
    text = json.dumps(body, indent=1)
    return re.sub(r"\[\n[^\[\]{}\"]*\]", lambda numbers: f"[{' '.join(numbers[0][1:-1].split())}]", text) + "\n"


def evidence(level: Level) -> dict[str, Any]:
    """How a level was found and confirmed; the last of the attempts counts."""
    return {
        "target": level.target,
        "accepted": level.accepted,
        "attempts": [
            {"factor": factor} | asdict(share) for factor, share in zip(level.factors, level.attempts, strict=True)
        ],
        "shape": level.shape.to_dict(),
        "line": {
            "a": level.line.a, "b": level.line.b, "b_error": float(level.line.cov[1, 1]) ** 0.5,
            "p_value": level.line.p_value,
        },
        "points": [list(point) for point in level.points],
    }  # fmt: skip


def command_of(calibration: Calibration, levels: Sequence[Level]) -> str:
    """The command that finds the same levels."""
    cohort = calibration.cohort
    words = ["spit", "calibrate", calibration.reference.name, "--brain", calibration.emma.name, "--levels"]
    words += [f"{level.name}={100 * level.target:.10g}%" for level in levels]
    words += ["--deals", f"{cohort.deals}", "--tolerance", f"{100 * calibration.tolerance:.10g}%"]
    words += ["--seed", f"{cohort.seed}", "--rules", rules_name(cohort.rules), "--recall", cohort.recall]
    return shlex.join(words)


def read_levels_file(path: Path) -> dict[str, Any]:
    """A file of levels with its evidence.

    Raises:
        BadLatency: if it holds no levels.
        BadCalibration: if it does not tell how they were found.
        OSError: if it cannot be read.
    """
    body = read_body(path.read_text(encoding="utf-8"))
    levels_of(body)
    try:
        for values in body["levels"].values():
            float(values["evidence"]["target"])
            last_of(values)
        if {"reference", "reference_latency", "brain", "rules", "recall", "tolerance"} <= set(body["calibration"]):
            return body
    except (LookupError, TypeError, ValueError):
        pass
    raise BadCalibration(f"{path}: levels without evidence; spit calibrate writes them with it")


def last_of(level: Mapping[str, Any]) -> Share:
    """The games that have confirmed a level of a file, or have not."""
    values = level["evidence"]["attempts"][-1]
    return Share(**{name: values[name] for name in ("seed", "games", "wins", "low", "high")})
