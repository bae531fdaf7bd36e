"""A table as text, all cards open: what `render` of the environment gives.

Here belongs the layout for people. No bot and no vector is made from it.
"""

from collections.abc import Iterator

from pitch.rules import Hand, action_text, bid_text, card_text, cards_of, suit_text
from pitch.table.referee import Referee

__all__ = ["table_text"]


def table_text(referee: Referee) -> str:
    """The hand that is being played, or that ended the game, with every card."""
    return "\n".join(_lines(referee))


def _lines(referee: Referee) -> Iterator[str]:
    game, hand = referee.game, referee.hand
    scores = " ".join(map(str, game.scores))
    yield f"{referee.variant.name}, hand {len(referee.played)}, scores {scores}"
    if hand is None:
        return
    for seat, cards in enumerate(hand.hands):
        marks = "".join(
            mark
            for mark, marked in ((" dealer", hand.dealer), (" pitcher", hand.pitcher))
            if seat == marked
        )
        turn = ">" if seat == referee.asked else " "
        yield f"{turn} seat {seat}: {_cards(cards) or '-'}{marks}"
    yield "  auction: " + ", ".join(f"{seat} {action_text(call)}" for seat, call in hand.auction)
    if hand.trump >= 0:
        yield f"  trump {suit_text(hand.trump)}, bid {bid_text(hand.bid)}"
    yield from _tricks(hand)
    if game.over:
        yield "  over: " + ("a draw" if game.winner is None else f"side {game.winner} has won")


def _tricks(hand: Hand) -> Iterator[str]:
    start = 0
    for size, winner in zip(hand.trick_sizes, hand.trick_winners, strict=True):
        yield f"  trick: {_plays(hand.played[start : start + size])}, to seat {winner}"
        start += size
    if hand.played[start:]:
        yield f"  trick: {_plays(hand.played[start:])}"


def _plays(played: tuple[tuple[int, int], ...]) -> str:
    return " ".join(f"{seat} {card_text(card)}" for seat, card in played)


def _cards(mask: int) -> str:
    return " ".join(map(card_text, cards_of(mask)))
