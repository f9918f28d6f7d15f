"""Reports as JSON: the figures first, then the matches with every game on a line of its own."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from spit_train.evaluation import BadEvaluation, Evaluation, finite

VERSION = 1


class BadReport(ValueError):
    """A text that is not the JSON of such a report."""


def write_report(kind: str, values: Mapping[str, Any], matches: Sequence[Evaluation]) -> str:
    """A report of some kind, such as ``spit-study``; infinite values become null."""
    head = {"format": kind, "version": VERSION} | finite(values)
    text = json.dumps(head, indent=1, allow_nan=False).removesuffix("\n}")
    games = ",\n".join(match.to_json().rstrip() for match in matches)
    return f'{text},\n "matches": [\n{games}\n ]\n}}\n'


def read_report(kind: str, text: str) -> tuple[dict[str, Any], tuple[Evaluation, ...]]:
    """`write_report` read back: its values, and its matches with their figures computed anew.

    Raises:
        BadReport: if the text is something else.
    """
    try:
        values = json.loads(text)
        found = values["format"], values["version"]
        if found != (kind, VERSION):
            raise BadReport(f"format and version {found!r}; expected {(kind, VERSION)!r}")
        matches = tuple(map(Evaluation.from_dict, values.pop("matches")))
    except BadReport:
        raise
    except BadEvaluation as error:
        raise BadReport(f"a match of the report: {error}") from error
    except (ValueError, TypeError, LookupError) as error:
        raise BadReport(f"not the JSON of a report: {error!r}") from error
    if not matches:
        raise BadReport("a report without a match")
    return values, matches
