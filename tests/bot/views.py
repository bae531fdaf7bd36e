"""Views to test with: every seat's at every decision of a hand."""

from collections.abc import Iterator

from pitch.bot.view import Seating, View
from pitch.rules import Hand, start_game, view_of
from pitch.table.unit import Unit
from strategies import Playout


def views_of(played: Playout) -> Iterator[tuple[Hand, View]]:
    """Every seat's view at every decision of a hand, and at its end."""
    variant, dealer = played.hands[0].variant, played.hands[0].dealer
    game = start_game(variant, first_dealer=dealer)
    for seat in range(variant.players):
        table = Seating(
            variant=variant, seat=seat, first_dealer=dealer, unit=Unit.HAND, max_hands=1
        )
        for hand in played.hands:
            yield hand, View(view_of(game, hand, seat), table)
