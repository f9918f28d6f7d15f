"""Cards as small integers, and their text.

A card is ``pack * 52 + rank * 4 + suit`` with at most two packs; ranks run 0 (ace) to 12 (king), suits 0 to 3 (clubs,
diamonds, hearts, spades); jokers follow from 104 on. Suits never matter to a rule (S0-09); they are kept so that every
card has an identity for display, memory and replays.

>>> card_name(parse_card("Th"))
'Th'
>>> RANK_SYMBOLS[rank_of(parse_card("Qs"))]
'Q'
"""

import numpy as np
import numpy.typing as npt

from spit_env.errors import BadText
from spit_env.jit import entry

RANKS = 13
SUITS = 4
PACK = RANKS * SUITS
NO_CARD = -1

RANK_SYMBOLS = "A23456789TJQK"
SUIT_SYMBOLS = "cdhs"
SUIT_GLYPHS = "♣♦♥♠"


FIRST_JOKER = 2 * PACK  # jokers of either pack
JOKER = RANKS  # what a joker has for a rank
JOKER_SYMBOL = "*"


@entry
def rank_of(card: int) -> int:
    """The rank, 0 (ace) to 12 (king), of a card of any pack."""
    return (card % 52) >> 2


@entry
def rank_or_joker(card: int) -> int:
    """The rank of a card of any pack, or `JOKER`."""
    return JOKER if card >= FIRST_JOKER else rank_of(card)


def swap_cards(
    new: npt.NDArray[np.int64], cards: npt.NDArray[np.int64], rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """The permutation ``new`` of cards, followed by a random one of these cards."""
    then = np.arange(len(new))
    then[cards] = rng.permutation(cards)
    return then[new]


def card_name(card: int) -> str:
    """A card's text: rank and suit, such as ``"7c"`` or ``"Th"``, ``"*c"`` for a joker. The second pack's cards read
    the same."""
    if card >= FIRST_JOKER:
        return JOKER_SYMBOL + SUIT_SYMBOLS[card % SUITS]
    return RANK_SYMBOLS[rank_of(card)] + SUIT_SYMBOLS[card % SUITS]


def parse_rank(text: str) -> int:
    """The rank named by one character of ``A23456789TJQK``.

    Raises:
        BadText: for anything else.
    """
    if len(text) != 1 or text not in RANK_SYMBOLS:
        raise BadText(f"not a rank: {text!r}; ranks are one of {' '.join(RANK_SYMBOLS)}")
    return RANK_SYMBOLS.index(text)


def parse_card(text: str) -> int:
    """The card of the first pack that ``text`` names, such as ``"7c"``.

    Raises:
        BadText: if the text is not a rank followed by a suit.
    """
    if len(text) != 2 or text[1] not in SUIT_SYMBOLS:
        raise BadText(f"not a card: {text!r}; write a rank and a suit (c d h s), such as 7c or Th")
    return parse_rank(text[0]) * SUITS + SUIT_SYMBOLS.index(text[1])
