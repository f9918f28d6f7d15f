"""What a study says: on the terminal and in files."""

import json
from pathlib import Path
from typing import Any

from spit_train.report import print_evaluation, show, write_atomically
from spit_train.study import Study


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
