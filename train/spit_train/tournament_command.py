"""``spit tournament``: its arguments, and what it does."""

import argparse
import os
import sys
import time

from spit_train.arguments import Command, add_games, complain, deals_wanted

GAMES = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``spit tournament``."""
    parser.add_argument("bots", metavar="BOT", nargs="+", help="the players; their order does not matter")
    add_games(parser, GAMES, " for each pairing")
    parser.add_argument("--anchor", metavar="BOT", help="whose rating is 0 (default: an Emma; emma:hard joins if "
                        "there is none)")  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Play, print, write; the exit code."""
    from spit_env.rules import make_rules
    from spit_train.keeping import with_journal
    from spit_train.study_files import print_tournament, write_tournament
    from spit_train.tournament import make_cohorts, make_field, play_tournament

    sys.path.append(os.getcwd())  # where a bot of one's own, mymodule:MyBot, is looked for last
    rules = make_rules(args.rules)
    players, anchor = make_field(args.bots, rules, args.anchor)
    if anchor not in args.bots:
        complain(f"spit tournament: {anchor} plays too, so that there is an Emma to measure by")
    began = time.perf_counter()
    cohorts = make_cohorts(players, deals_wanted(args, rules.seats, GAMES), args.seed, rules, args.recall)
    outcome = with_journal(
        args, f"{len(cohorts)} pairings", lambda how: play_tournament(cohorts, anchor, args.seed, how)
    )
    seconds = time.perf_counter() - began
    print_tournament(outcome)
    complain(f"spit tournament: took {seconds:.1f} s")
    if args.out:
        write_tournament(outcome, args.out, seconds)
        complain(f"spit tournament: wrote {args.out / 'report.html'}, report.md and report.json beside it")
    cheats = sorted({side.name for match in outcome.matches for side in match.sides if side.illegal})
    if cheats:
        complain(f"spit tournament: illegal actions by {', '.join(cheats)}: broken bots, and the result says little")
    return 1 if cheats else 0


TOURNAMENT = Command(
    "play bots against each other, everybody against everybody, and rate them",
    "Plays every pairing of the bots (for rules with more players: every set that fills a table), each deal from every "
    "seat, and prints the cross table and ratings in Elo with 95 % intervals: the likeliest by the Bradley-Terry "
    "model, with one Emma at 0. Says where the results are not what ratings can express: pairs that are off, and "
    "players who beat each other in a circle. A bot that names no speed plays at emma:hard. Exit code 1: a bot chose "
    "illegal actions.",
    (
        "spit tournament random greedy emma --games 400",
        "spit tournament random greedy emma --rules speed --seed 3 --out ladder",
        "spit tournament random greedy emma 'emma*1.1' --rules speed_3p --games 300",
    ),
    add_arguments,
    run,
)
