"""Runs the commands shown in docs/evaluation.md and writes what they print into the page: python docs/refill.py"""

import io
import re
import shlex
from contextlib import redirect_stdout
from pathlib import Path

from spit_train.cli import main

LEFT_OUT = re.compile(r"versions|seed +\d+ \(")
PAGE = Path(__file__).resolve().parent / "evaluation.md"


def shown(command: re.Match[str]) -> str:
    """A block with a command and what it prints now."""
    out = io.StringIO()
    with redirect_stdout(out):
        main(shlex.split(command[1])[1:])
    lines = [line for line in out.getvalue().splitlines() if not LEFT_OUT.match(line)]
    return "\n".join([f"```console\n$ {command[1]}", *lines, "```"])


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(re.sub(r"```console\n\$ (.*)\n(?:.*\n)*?```", shown, page), encoding="utf-8")
