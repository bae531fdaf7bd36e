"""The hand that the examples in View's documentation are of, as seat 2 sees it."""

from pitch.bot.view import Seating, View
from pitch.rules import (
    VARIANTS,
    apply_action,
    parse_action,
    parse_card,
    start_game,
    start_hand,
    view_of,
)
from pitch.table.unit import Unit

SEAT = 2
DECK = (
    "2C 6D 5C TD KC 9C KD KH 8C 7D 7H 7S QH 7C AS QS 8H LJ 9H QC KS AD 3C 3H AC 5H JC 8D JS HJ "
    "5S 4H 2D 9D JH 4D 5D 4C TS 6H TH 2S 8S 6S 2H 9S 4S 3D AH QD TC 6C JD 3S"
)
ACTIONS = [
    *("1 bid 2", "2 bid 3", "3 bid 4", "0 bid 5", "0 trump D"),
    *("0 discard 3C 3H 7H", "1 discard 2C 5C 5H", "2 discard 9C 8H JS", "3 discard 8C 4H 5S"),
    *("0 discard 4C 7S TS", "0 play AD", "1 play 6D", "2 play LJ", "3 play 2D"),
    *("0 play 4D", "1 play 7C"),
]


def example_view(actions: int, seat: int = SEAT) -> View:
    """What a seat sees after so many actions of the hand."""
    variant = VARIANTS["ten-point"]
    game = start_game(variant)
    hand = start_hand(variant, game.dealer, tuple(map(parse_card, DECK.split())))
    for text in ACTIONS[:actions]:
        hand = apply_action(hand, parse_action(text.split(" ", 1)[1]))
    table = Seating(
        variant=variant,
        seat=seat,
        first_dealer=0,
        unit=Unit.GAME,
        max_hands=100,
        move_timeout=1.0,
    )
    return View(view_of(game, hand, seat), table, chance=7)
