"""What each parameter of the rules means, in a sentence or two; docs/ has the exact wording for each game."""

from collections.abc import Mapping

from spit_env.rules import KINDS, PRESETS
from spit_env.ruleset import Rules

# What means the same in all games that have it.
SHARED: Mapping[str, str] = {
    "ace_wrap": "King and ace are neighbours.",
    "land_check": "'at_landing': a card stays if it fits the pile as it then is; 'strict': only if nothing has come "
    "onto the pile since it set out.",
    "must_play": "After stall_ms a player who can play a card may no longer wait.",
    "tie_break": "Two cards on one pile in one millisecond: 'random' a coin says whose comes first; 'both_return' "
    "neither stays; 'alternate' the players go first in turn.",
    "return_ms": "How long a card that came too late travels back, in ms; -1: as long as it flew.",
    "spit_pause_ms": "The pause before new cards come to the table from all sides at once, in ms.",
    "stall_ms": "After so many ms in which all who can act let it lie, the table counts as stuck; 0: never.",
    "max_rounds": "Guard: the game is cut off after so many rounds.",
    "max_round_ms": "Guard: the game is cut off when a round has raced for so many ms.",
    "max_idle_ms": "Guard: the game is cut off after so many ms in which nothing happened that can be seen.",
}  # fmt: skip

# What each game has of its own, by its name.
OWN: Mapping[str, Mapping[str, str]] = {
    "spit": {
        "short_layout": "With fewer than 15 cards: 'all' lays stacks as far as they go; 'whole_stacks' lays only whole "
        "ones, the rest stays the deck.",
        "deal_order": "'by_stack' fills one stack after the other; 'by_row' gives a card to each stack in turn.",
        "pickup_shuffle": "Whether cards are shuffled when they are picked up; if not, places once seen stay known.",
        "pickup_orientation": "Which card of a pile that was taken is drawn first.",
        "combine": "'equal_rank': a top may be put on an own top of equal rank; 'off': it may not.",
        "rearrange_needs_facedown": "Combining, and filling a gap, only while one of the own stack cards is face down.",
        "prespit_combine": "Combining is allowed before the first spit of a round.",
        "doubles": "A card may also be played on one of its own rank.",
        "flip": "'manual': turning a card is an action; 'auto': it follows by itself, and takes the time of a flip.",
        "stuck_test": "Who counts as stuck. 'productive': whoever cannot play, flip or uncover a card; 'centre_only': "
        "whoever cannot play.",
        "spit_trigger": "'auto': the table spits as soon as all are stuck; 'request_when_stuck': once somebody then "
        "says so; 'mutual_consent': also once both have said so.",
        "solo_spit": "With one deck left: 'own_pile' spits on the own pile; 'either_then_fixed' on the one it chose "
        "first; 'both_piles' one card on each.",
        "rearrange_budget": "How often a player may combine or fill between two plays, flips or spits at the table.",
        "round_end": "'winner_picks': who is out of stack cards first chooses a pile; 'smaller_pile' gets the smaller "
        "one; 'slap_race': both slap, and the first hand down has that pile.",
        "one_pile_finish": "With one pile left: 'other_takes_pile': the loser of the round takes it; "
        "'pick_pile_or_nothing': the winner chooses between it and nothing.",
        "win": "'one_pile': the game is won by finishing a round without a deck while one pile is left; "
        "'no_cards_held': without a deck; 'after_pick': by holding no card after picking up.",
        "blocked": "All stuck and no deck left: 'fewest_stack_cards' wins the round; 'slap_race' decides it; "
        "'draw_round' nobody wins it; 'fewest_wins_game': fewest cards win the game.",
        "blocked_tie": "If those are equal: 'coin', or 'void_round', which nobody wins.",
        "pile_count_visibility": "The sizes of the piles: 'hidden' players must count; 'noisy' they see an estimate; "
        "'exact' they see them.",
    },
    "speed": {
        "n_players": "How many play; there are as many piles.",
        "decks": "How many packs there are in all.",
        "jokers": "How many jokers there are in all. A joker stands for a rank next to the pile's top; it may not be "
        "a player's last card.",
        "layout": "'hand5': a hidden hand of five, and reserves beside the piles; 'row4': a pack each, four cards of "
        "it face up.",
        "stock": "From how many cards each player draws; those left over are dealt one each.",
        "reserve": "How many cards lie beside each pile, to be turned when all are stuck.",
        "starters": "1: a card of its own starts each pile; 0: the first of the reserve does.",
        "doubles": "A card may also be played on one of its own rank.",
        "refill": "'auto': a hand draws by itself until it is full, and takes the time of it; 'manual': drawing is an "
        "action.",
        "announce": "Who is out of cards has won only after calling \"Speed!\".",
        "match_score": "Deals are played until somebody has so many points, one for each card that the others then "
        "hold; 0: a single deal.",
    },
    "california_speed": {
        "doubles": "The top of a stack may also be covered when the card under it has the same rank.",
        "empty_pack": "Whose pack runs out while a row is laid has won 'wins_at_once', or 'wins_at_next_deal': when "
        "the next row would be laid.",
    },
}  # fmt: skip


def meaning(rules: Rules, parameter: str) -> str:
    """What a parameter means in the game of these rules."""
    own = OWN[rules.GAME]
    return own[parameter] if parameter in own else SHARED[parameter]


def standard(game: str) -> str:
    """The name of the preset that has the default of every parameter of a game."""
    return next(name for name, rules in PRESETS.items() if rules == KINDS[game]())


def differences(rules: Rules) -> dict[str, object]:
    """The parameters in which rules differ from the standard ones of their game, with their values."""
    usual = KINDS[rules.GAME]().to_dict()
    return {name: value for name, value in rules.to_dict().items() if value != usual[name]}
