"""What a study says: on the terminal and in files."""

import json
from pathlib import Path
from typing import Any

from spit_train.report import print_evaluation, show, write_atomically
from spit_train.study import Study
from spit_train.tournament import Tournament


def print_study(study: Study) -> None:
    """The tables of ``spit eval``."""
    for match in study.matches:
        print_evaluation(match)
    if study.handicap:
        show(str(study.handicap))


def write_study(study: Study, folder: Path) -> None:
    """Write report.json."""
    values: dict[str, Any] = {"matches": [match.to_dict() for match in study.matches]}
    write_atomically(folder / "report.json", json.dumps(values))


def print_tournament(outcome: Tournament) -> None:
    """The tables of ``spit tournament``."""
    for player in outcome.ratings.players:
        show(f"{player.name} {player.elo:.0f} [{player.low:.0f}, {player.high:.0f}]")
    show(outcome.cycle)


def write_tournament(outcome: Tournament, folder: Path) -> None:
    """Write report.json."""
    values: dict[str, Any] = {"matches": [match.to_dict() for match in outcome.matches]}
    write_atomically(folder / "report.json", json.dumps(values))
