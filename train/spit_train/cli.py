"""The ``spit`` command: finding the subcommand, and what becomes of errors.

Exit codes: 0 done; 1 done, but the result is not to be trusted; 2 bad input, and nothing was written; 130 stopped by
Ctrl-C. An error of the caller is one line on standard error; a traceback is a fault of ours or of a bot.
"""

import argparse
import os
import sys
import textwrap
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from spit_train.arguments import complain
from spit_train.commands import COMMANDS

OURS = ("spit_env", "spit_agents", "spit_train")
# What pip install 'spit-env[train]' brings.
EXTRA = ("rich", "torch", "stable_baselines3", "sb3_contrib", "tensorboard", "matplotlib", "yaml")
HELP_WIDTH = 100


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line and name the nearest known option."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and stop with exit code 2."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")

    def refuse(self, word: str) -> NoReturn:
        """Stop because of a word that is no argument of this command."""
        option = word.partition("=")[0]
        kind = "option" if word.startswith("-") else "argument"
        self.error(f"unknown {kind} {word!r}{hint(option, self._option_string_actions)}")


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Help with descriptions as they are written, in 100 columns at most."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=min(HELP_WIDTH, terminal_columns()))


def terminal_columns() -> int:
    """The width of the terminal, or of what stands in for one."""
    try:
        return os.get_terminal_size().columns or HELP_WIDTH
    except OSError:  # standard output is no terminal
        return HELP_WIDTH


def hint(word: str, known: Iterable[str]) -> str:
    """The known word nearest to a wrong one, as the end of a message."""
    close = get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def parse(words: Sequence[str], chosen: str | None) -> argparse.Namespace:
    """Read a command line. Only the chosen subcommand gets its arguments, since that may load its module.

    Raises:
        SystemExit: after help, or a line on what is wrong.
    """
    parser = Parser(
        prog="spit",
        description="Spit, the real-time card game: environments, bots, training and evaluation.",
        epilog="examples:\n  spit quickstart\n  spit eval greedy emma:hard\n  spit eval --help",
        formatter_class=Formatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=Version, nargs=0, help="print the version and stop")
    speaker = parser
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, title="commands")
    for name, command in COMMANDS.items():
        sub = commands.add_parser(
            name,
            help=command.summary,
            description=textwrap.fill(command.about, HELP_WIDTH),
            epilog="\n  ".join(("examples:", *command.examples)),
            formatter_class=Formatter,
            allow_abbrev=False,
        )
        if name == chosen:
            command.add_arguments(sub)
            speaker = sub
    args, unknown = parser.parse_known_args(words)
    if unknown:
        speaker.refuse(unknown[0])
    return args


class Version(argparse.Action):
    """Prints the installed version."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> None:
        """Called by argparse."""
        from importlib import metadata

        try:
            print("spit-env", metadata.version("spit-env"))
        except metadata.PackageNotFoundError:
            print("spit-env, run from a checkout that is not installed")
        parser.exit()


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line, by default the process's own; returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    chosen = next((word for word in words if not word.startswith("-")), None)
    if chosen is not None and chosen not in COMMANDS:
        complain(f"spit: unknown command {chosen!r}{hint(chosen, COMMANDS)} known: {', '.join(COMMANDS)}")
        return 2
    name = f"spit {chosen}" if chosen else "spit"
    try:
        args = parse(words, chosen)
        code = COMMANDS[args.command].run(args)
        sys.stdout.flush()
        return code
    except SystemExit as stop:  # argparse has said why
        return stop.code if isinstance(stop.code, int) else 2
    except KeyboardInterrupt:
        complain(f"{name}: stopped by Ctrl-C")
        return 130
    except BrokenPipeError:  # whoever was reading, such as head, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRA:
            raise
        complain(f"{name}: {error.name} is not installed: pip install 'spit-env[train]'")
    except OSError as error:
        complain(f"{name}: {error.filename}: {error.strerror}" if error.filename else f"{name}: {error}")
    except ValueError as error:
        if type(error).__module__.partition(".")[0] not in OURS:
            raise
        complain(f"{name}: {error}")
    return 2


if __name__ == "__main__":
    sys.exit(main())
