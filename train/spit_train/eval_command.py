"""``spit eval``: its arguments, and what it does."""

import argparse
import os
import sys
import time
from typing import TYPE_CHECKING

from spit_train.arguments import Command, add_games, complain, deals_wanted, percentage

if TYPE_CHECKING:
    from spit_train.cohort import Cohort
    from spit_train.study import How, Study

GAMES = 400
MOST_GAMES = 1_000_000  # where the number of games is not fixed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``spit eval``."""
    parser.add_argument(
        "bots", metavar="BOT", nargs="+",
        help="a bot for each seat of the rules (spit bots lists them), or one alone: then against Emma at each level",
    )  # fmt: skip
    add_games(parser, GAMES)
    how_long = parser.add_mutually_exclusive_group()
    how_long.add_argument("--sprt", type=float, nargs=2, metavar=("ELO0", "ELO1"),
                          help="play until it is decided whether the first bot is ELO0 or ELO1 better; "
                          "--games is then the most")  # fmt: skip
    how_long.add_argument("--until", type=percentage, metavar="W%",
                          help="play until the 95 %% interval reaches at most W%% to both sides, such as 0.5%%; "
                          "--games is then the most")  # fmt: skip
    how_long.add_argument("--screen", action="store_true",
                          help="leave each game after its first round and compare the cards held then: finds "
                          "differences sooner, but says nothing of endgames")  # fmt: skip
    parser.add_argument("--alpha", type=percentage, default=0.05, metavar="P%",
                        help="--sprt: how often ELO1 may be accepted where ELO0 is true (default: 5%%)")  # fmt: skip
    parser.add_argument("--beta", type=percentage, default=0.05, metavar="P%",
                        help="--sprt: how often ELO0 may be accepted where ELO1 is true (default: 5%%)")  # fmt: skip
    parser.add_argument("--no-speed", action="store_true",
                        help="do not play as many games again to find how much slower the first bot may be and still "
                        "win its share")  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Play, print, write; the exit code."""
    from spit_train.keeping import with_journal
    from spit_train.study_files import print_study, write_study

    sys.path.append(os.getcwd())  # where a bot of one's own, mymodule:MyBot, is looked for last
    cohort = cohort_of(args)
    began = time.perf_counter()
    study = with_journal(args, cohort.title, lambda how: study_of(args, cohort, how))
    seconds = time.perf_counter() - began
    print_study(study)
    complain(f"spit eval: took {seconds:.1f} s")
    if args.out:
        write_study(study, args.out, seconds)
        complain(f"spit eval: wrote {args.out / 'report.html'}, report.md and report.json beside it")
    cheats = {side.name: side.illegal for match in study.matches for side in match.sides if side.illegal}
    if cheats:
        complain(
            f"spit eval: illegal actions ({', '.join(f'{name} {n}' for name, n in cheats.items())}) were replaced by "
            "the lowest-numbered legal one: the bot is broken, and the result says little"
        )
    return 1 if cheats else 0


def cohort_of(args: argparse.Namespace) -> "Cohort":
    """The games that are asked for; against ``emma`` if one bot is named alone."""
    from spit_env.rules import make_rules
    from spit_train.cohort import Cohort
    from spit_train.evaluate import make_players

    rules = make_rules(args.rules)
    names = args.bots if len(args.bots) > 1 else args.bots + ["emma"] * (rules.seats - 1)
    players = make_players(names, rules)
    deals = deals_wanted(args, len(players), MOST_GAMES if args.sprt or args.until else GAMES)
    return Cohort(
        players=players, deals=deals, seed=args.seed, rules=rules, recall=args.recall, one_round=args.screen
    )  # fmt: skip


def study_of(args: argparse.Namespace, cohort: "Cohort", how: "How") -> "Study":
    """Do what is asked for.

    Raises:
        BadStudy: if two options contradict each other.
    """
    from spit_train import study

    if len(args.bots) == 1:
        if args.sprt or args.until or args.screen:
            raise study.BadStudy("--sprt, --until and --screen are for a match: name a bot for each seat")
        return study.study_levels(cohort, how, handicap=not args.no_speed)
    if args.sprt:
        elo0, elo1 = args.sprt
        return study.study_sequentially(cohort, how, study.Hypotheses(elo0, elo1, args.alpha, args.beta))
    if args.until:
        return study.study_until(cohort, how, args.until)
    if args.screen:
        return study.study_screening(cohort, how)
    return study.study_match(cohort, how, handicap=not args.no_speed)


EVAL = Command(
    "play bots against each other: who is better, and how sure is that",
    "Plays bots against each other, as many as the rules have players, and prints how often each wins, with Wilson's "
    "95 % interval; for three or four also their mean places, with 95 % intervals over deals. One bot alone is "
    "played against Emma at each of her levels. Then it plays the first bot at other speeds, to say how much slower "
    "it may be and still win its share. The games are fixed beforehand by the seed; each deal is played from every "
    "seat. A bot that names no speed plays at that of the first who does; if nobody does, all play at emma:hard. A "
    "game that is cut off counts as a win for nobody. Exit code 1: a bot chose illegal actions.",
    (
        "spit eval greedy emma:hard",
        "spit eval greedy --games 1000",
        "spit eval greedy emma --games 2000 --seed 7 --out greedy-v-emma",
        "spit eval random greedy@emma:easy --deals 50 --rules pagat --no-speed",
        "spit eval emma 'emma*1.02' --sprt 0 10",
        "spit eval emma greedy --until 1%",
        "spit eval emma greedy --screen --games 2000",
    ),
    add_arguments,
    run,
)
