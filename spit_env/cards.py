"""Cards as small integers, and their text.

A card is ``pack * 52 + rank * 4 + suit``; ranks run 0 (ace) to 12 (king), suits 0 to 3 (clubs, diamonds, hearts,
spades). Suits never matter to a rule (S0-09); they are kept so that every card has an identity for display, memory
and replays.

>>> card_name(parse_card("Th"))
'Th'
>>> RANK_SYMBOLS[rank_of(parse_card("Qs"))]
'Q'
"""

from spit_env.errors import BadText
from spit_env.jit import entry

RANKS = 13
SUITS = 4
PACK = RANKS * SUITS
NO_CARD = -1

RANK_SYMBOLS = "A23456789TJQK"
SUIT_SYMBOLS = "cdhs"
SUIT_GLYPHS = "♣♦♥♠"


@entry
def rank_of(card: int) -> int:
    """The rank, 0 (ace) to 12 (king), of a card of any pack."""
    return (card % 52) >> 2


def card_name(card: int) -> str:
    """A card's text: rank and suit, such as ``"7c"`` or ``"Th"``. The second pack's cards read the same."""
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
