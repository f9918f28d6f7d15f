"""What ``spit tournament`` says, as a document."""

import shlex
from collections import Counter
from collections.abc import Sequence

from spit_train.document import Document, Grid, Section, grid
from spit_train.match_text import conditions, games_text, versions_text
from spit_train.tournament import Tournament, pair_shares
from spit_train.tournament_plots import tournament_plots

MOST_RESIDUALS = 8  # in the table


def tournament_document(outcome: Tournament) -> Document:
    """The report of a tournament."""
    pictures = tournament_plots(outcome)
    return Document(
        title=f"Tournament: {', '.join(rating.name for rating in outcome.ratings.players)}",
        lead=(best_sentence(outcome), outcome.cycle),
        sections=(
            Section("Ratings", (ratings_table(outcome), *corrections(outcome), pictures.ratings)),
            Section("Who wins against whom", (*cross_table(outcome), pictures.shares)),
            Section("What the ratings leave unexplained", residuals_blocks(outcome)),
            Section("Facts", (facts_table(outcome),)),
            Section("Games", (pictures.play, pictures.lengths), detail=True),
        ),
        command=command_of(outcome),
    )


def command_of(outcome: Tournament) -> str:
    """The command that makes the same tournament, wherever its bots are found."""
    setup = outcome.matches[0].setup
    words = ["spit", "tournament", *outcome.players, "--deals", str(setup.games // len(setup.players))]
    words += ["--seed", str(outcome.seed), "--rules", setup.rules, "--recall", setup.recall]
    return shlex.join([*words, "--anchor", outcome.ratings.anchor])


def best_sentence(outcome: Tournament) -> str:
    """Who is the strongest, and how sure that is."""
    first, second = outcome.ratings.players[:2]
    elo, low, high = outcome.ratings.difference(first.name, second.name)
    sure = "is the strongest" if low > 0 else "may be the strongest"
    return f"{first.name} {sure}, {elo:.0f} Elo [{low:.0f}, {high:.0f}] above {second.name}."


def ratings_table(outcome: Tournament) -> Grid:
    """The standings."""
    rows = []
    for place, rating in enumerate(outcome.ratings.players, 1):
        mark = "*" if rating.corrected else ""
        interval = "anchor" if rating.name == outcome.ratings.anchor else f"{rating.low:.0f} to {rating.high:.0f}"
        rows.append([f"{place}", rating.name, f"{rating.elo:.0f}{mark}", interval, f"{played(outcome, rating.name)}"])
    return grid(["", "bot", "Elo", "95 % interval", "games"], rows, ("", "Elo", "games"))


def played(outcome: Tournament, name: str) -> int:
    """How many games a player has played."""
    return sum(match.setup.games for match in outcome.matches if name in match.setup.players)


def corrections(outcome: Tournament) -> list[str]:
    """What a star means, if there is one."""
    if not any(rating.corrected for rating in outcome.ratings.players):
        return []
    return [
        "* All games between some bots went one way, which no finite ratings explain: one game shared by all was added "
        "to each such pairing. These ratings say who is better, not by how much."
    ]


def cross_table(outcome: Tournament) -> tuple[str | Grid, ...]:
    """The share of wins of each row against each column, the strongest first."""
    names, shares = [rating.name for rating in outcome.ratings.players], pair_shares(outcome.matches)
    columns = [f"{place}" for place in range(1, len(names) + 1)]
    rows = [
        [f"{place} {one}", *("-" if one == other else f"{100 * shares[one, other]:.1f}" for other in names)]
        for place, one in enumerate(names, 1)
    ]
    many = len(outcome.matches[0].sides) > 2
    what = "games won by the row among those that it or the column won" if many else "games won by the row"
    return (f"In per cent: {what}.", grid(["v", *columns], rows, columns))


def residuals_blocks(outcome: Tournament) -> tuple[str | Grid, ...]:
    """The largest differences between the results and the ratings."""
    residuals = outcome.residuals[:MOST_RESIDUALS]
    if not residuals:
        return ("Nothing can be checked: there are as many ratings as pairings.",)
    rows = [
        [residual.who, others_text(residual.players, residual.who), f"{residual.games:.0f}", f"{residual.wins:.1f}",
         f"{residual.expected:.1f}", f"{residual.z:+.1f}", "more than chance" if residual.flagged else ""]
        for residual in residuals
    ]  # fmt: skip
    head = ["bot", "against", "games", "wins", "by ratings", "z", ""]
    flagged = sum(residual.flagged for residual in outcome.residuals)
    verb = "is" if flagged == 1 else "are"
    count = f"{flagged or 'None'} of {len(outcome.residuals)} results"
    words = f"{count} {verb} further from the ratings than chance explains."
    return (words, grid(head, rows, ("games", "wins", "by ratings", "z")))


def others_text(players: Sequence[str], who: str) -> str:
    """The others at a table."""
    return " and ".join(player for player in players if player != who)


def facts_table(outcome: Tournament) -> Grid:
    """What was played."""
    first, endings = outcome.matches[0], sum((Counter(match.endings) for match in outcome.matches), Counter[str]())
    rows = [
        ("pairings", f"{len(outcome.matches)}" if len(first.sides) == 2 else f"{len(outcome.matches)} tables"),
        ("games of each", games_text(first)),
        ("endings", ", ".join(f"{reason} {count}" for reason, count in endings.most_common())),
        ("without a winner", f"{sum(match.none for match in outcome.matches)}"),
        *conditions(first),
        ("seed", f"{outcome.seed}"),
        ("versions", versions_text(first.setup.versions)),
    ]
    return grid(["", ""], rows)
