"""A small bot of one's own, for Spit: docs/your-bot.md takes it apart. Copy it to begin with."""

from typing import Any

import numpy as np

from spit_agents import Actions, BadPlayer, Greedy, Uniform


class FollowUps:
    """Plays the card that leaves most own cards to play next; if it cannot play, it does what greedy does.

    Args:
        flips_first: whether turning a card comes before playing one.
    """

    def __init__(self, flips_first: bool = False) -> None:
        self.flips_first = flips_first

    def act(self, views: Any, masks: Any, draws: Any) -> Actions:
        """One legal action for each row; see `spit_agents.base.Agent`."""
        if "stack_down" not in views.dtype.names:
            raise BadPlayer("this bot plays Spit only")
        face_up = views.stack_count[:, 0] > views.stack_down[:, 0]  # player 0 of a view is the one who looks
        tops = np.where(face_up, views.stack_card[:, 0, :, 0], 0)  # (rows, 5): ranks 1 to 13, 0 where there is none
        worth = np.zeros(masks.shape, np.int64)  # (rows, actions): 0 for all that is no legal play
        for stack in range(5):
            rest = np.where(np.arange(5) == stack, 0, tops)
            for pile in range(2):
                fitting = fits(rest, tops[:, [stack]]) | fits(rest, views.pile_top[:, [1 - pile]])
                play = 1 + 2 * stack + pile
                worth[:, play] = masks[:, play] * (1 + fitting.sum(axis=1))
        best = (worth == worth.max(axis=1, keepdims=True)).astype(np.int8)
        plays = (worth > 0).any(axis=1) & ~(self.flips_first & masks[:, 11:16].any(axis=1))
        return np.where(plays, Uniform().act(views, best, draws), Greedy().act(views, masks, draws))


def fits(cards: Any, tops: Any) -> Any:
    """Where a card can be played on a top, if king and ace are neighbours."""
    return (cards > 0) & (tops > 0) & np.isin(abs(cards - tops), (1, 12))
