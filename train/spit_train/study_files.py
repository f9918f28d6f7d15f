"""Where reports go: the terminal, and three files in a folder."""

from datetime import UTC, datetime
from pathlib import Path

from spit_train.document import Document
from spit_train.markdown import markdown_of
from spit_train.page import page_of
from spit_train.report import print_document, write_atomically
from spit_train.study import Study
from spit_train.study_text import study_document
from spit_train.tournament import Tournament
from spit_train.tournament_text import tournament_document


def print_study(study: Study) -> None:
    """The tables of ``spit eval``."""
    print_document(study_document(study))


def write_study(study: Study, folder: Path, seconds: float) -> None:
    """Write report.json, report.md and report.html; ``seconds`` is how long the command took."""
    write_files(study.to_json(), study_document(study), folder, seconds)


def print_tournament(outcome: Tournament) -> None:
    """The tables of ``spit tournament``."""
    print_document(tournament_document(outcome))


def write_tournament(outcome: Tournament, folder: Path, seconds: float) -> None:
    """Write report.json, report.md and report.html; ``seconds`` is how long the command took."""
    write_files(outcome.to_json(), tournament_document(outcome), folder, seconds)


def write_files(record: str, document: Document, folder: Path, seconds: float) -> None:
    """Write a record and the document about it. When and how fast it was made is not part of the record: two runs of
    the same command write the same one."""
    footer = f"Written {datetime.now(UTC):%Y-%m-%d %H:%M} UTC by a command that ran for {seconds:.1f} s."
    write_atomically(folder / "report.json", record)
    write_atomically(folder / "report.md", markdown_of(document, footer))
    write_atomically(folder / "report.html", page_of(document, footer))
