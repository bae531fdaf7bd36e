"""A view as a picture in text: what `print(view)` shows.

Here belongs the laying out for a terminal. What is shown comes from the view; cards are written
as in records, suits with their symbols.
"""

from collections.abc import Iterable

from pitch.bot.seen.points import PointsSeen
from pitch.rules import Phase, action_text, bid_text, card_text, cards_text, legal_text
from pitch.table.unit import Unit

__all__ = ["view_line", "view_picture"]

SYMBOLS = "♣♦♥♠"
_SUITS = ("clubs", "diamonds", "hearts", "spades")
_ASKED = {
    Phase.AUCTION: "a call",
    Phase.TRUMP: "trump",
    Phase.EXCHANGE: "the exchange",
    Phase.PLAY: "a card",
}


def view_line(view: PointsSeen) -> str:
    """A view in one line."""
    known = view.known
    parts = [f"seat {view.seat}", view.variant.name, known.phase.name.lower()]
    parts.append(f"hand {cards_text(view.hand)}")
    if known.trump >= 0:
        parts.append(f"trump {SYMBOLS[known.trump]}")
    if view.trick:
        parts.append(f"trick {_plays(view.trick, ', ')}")
    if view.legal:
        parts.append(f"legal {legal_text(view.legal)}")
    return f"<View {'; '.join(parts)}>"


def view_picture(view: PointsSeen) -> str:
    """A view in lines: the table, the tricks, the own cards, the points, what is legal."""
    lines = [*_head(view), "", *_seats(view), ""]
    lines += [f"trick {at}   {_trick(each)}" for at, each in enumerate(_tricks(view), 1)]
    lines.append(f"hand      {_hand(view)}")
    if view.discarded:
        lines.append(f"discards  {cards_text(view.discarded)}")
    if view.known.phase >= Phase.PLAY:
        lines += _points(view)
    if view.legal:
        lines.append(f"legal     {legal_text(view.legal)}")
    return "\n".join(lines)


def _head(view: PointsSeen) -> list[str]:
    game = view.unit is Unit.GAME
    aim = f"a game to {view.target}" if game else "for the points of one hand"
    scores = ", ".join(f"{_side(view, side)} {score}" for side, score in enumerate(view.scores))
    asked = _ASKED.get(view.known.phase)
    lines = [f"{view.variant.name}, {aim}, hand {view.hand_number + 1}, score {scores}"]
    if view.known.to_act >= 0:
        you = " (you)" if view.legal else ""
        lines.append(f"seat {view.known.to_act}{you} is asked for {asked}")
    else:
        lines.append("the hand is over")
    if view.pitcher is not None:
        trump = ""
        if view.trump is not None:
            trump = f", trump is {_SUITS[view.trump]} {SYMBOLS[view.trump]}"
        lines.append(f"bid {bid_text(view.bid)} by seat {view.pitcher}{trump}")
    return lines


def _side(view: PointsSeen, side: int) -> str:
    if side == view.side:
        return "ours"
    return "theirs" if view.variant.sides == 2 else f"side {side}'s"


def _seats(view: PointsSeen) -> list[str]:
    return [_seat(view, seat) for seat in range(view.variant.players)]


def _seat(view: PointsSeen, seat: int) -> str:
    who = "you" if seat == view.seat else "partner" if view.is_ours(seat) else "opponent"
    calls = ", ".join(map(action_text, view.calls_of(seat))) or "-"
    count = view.hand_sizes[seat]
    notes = [f"{count} card{'' if count == 1 else 's'}"]
    notes += ["deals"] if seat == view.dealer else []
    notes += ["pitcher"] if seat == view.pitcher else []
    if seat != view.seat and (voids := view.voids[seat]):
        notes.append(f"no {''.join(SYMBOLS[suit] for suit in sorted(voids))}")
    notes += [f"pitched {card_text(card)}" for each, card in view.shown if each == seat]
    for player, card in view.trick:
        if player == seat:
            takes = ", takes the trick so far" if seat == view.winning_seat else ""
            notes.append(f"played {card_text(card)}{takes}")
    return f"seat {seat}  {who:<8}  {calls:<12}  {', '.join(notes)}"


def _tricks(view: PointsSeen) -> Iterable[tuple[tuple[tuple[int, int], ...], int | None]]:
    yield from ((trick.plays, trick.winner) for trick in view.tricks)
    if view.trick:
        yield view.trick, None


def _trick(trick: tuple[tuple[tuple[int, int], ...], int | None]) -> str:
    plays, winner = trick
    return _plays(plays) + ("" if winner is None else f"  to seat {winner}")


def _plays(plays: Iterable[tuple[int, int]], between: str = "  ") -> str:
    return between.join(f"{seat} {card_text(card)}" for seat, card in plays)


def _hand(view: PointsSeen) -> str:
    """The hand by suit, trumps first, each suit from its strongest card."""
    trump = view.trump
    suits = sorted(view.by_suit, key=lambda suit: (suit != trump, suit < 0, -suit))
    shown = [(suit, view.by_suit[suit]) for suit in suits if view.by_suit[suit]]
    return "   ".join(
        f"{SYMBOLS[suit] if suit >= 0 else '*'} {cards_text(cards)}" for suit, cards in shown
    )


def _points(view: PointsSeen) -> list[str]:
    parts = []
    for side in range(view.variant.sides):
        safe = [p.name for p in view.points if p.side == side and not p.open]
        parts += [f"{_side(view, side)} {' '.join(safe)}"] if safe else []
    parts += [f"open {' '.join(view.open_points)}"] if view.open_points else []
    values = ", ".join(f"{_side(view, side)} {v}" for side, v in enumerate(view.game_values))
    return [f"points    {'; '.join(parts) or '-'}", f"for Game  {values}"]
