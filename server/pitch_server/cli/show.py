"""A record for people: every hand as a diagram, its calls, and a table of its tricks.

Here belongs the layout of `pitch replay --show`. All that is shown comes from the replayed
states; nothing about the game is worked out here.
"""

from collections.abc import Iterator, Sequence

import click

from pitch.records import (
    GameRecord,
    HandRecord,
    JsonObject,
    PlayedHand,
    RecordError,
    hands_of,
    parse_record,
)
from pitch.rules import (
    SUIT_MASKS,
    Game,
    Hand,
    HandResult,
    Kind,
    Phase,
    Variant,
    action_text,
    bid_text,
    card_text,
    cards_of,
    start_game,
    suit_text,
)

__all__ = ["show_record"]

_JOKERS = ~sum(SUIT_MASKS)


def show_record(path: str, line: int, value: JsonObject, answer: JsonObject | RecordError) -> None:
    """Print one record that has been replayed; of one that does not replay, why."""
    click.echo(click.style(f"{path}, line {line}", dim=True))
    if isinstance(answer, RecordError):
        where = "the record" if answer.hand is None else f"hand {answer.hand}"
        where += "" if answer.action is None else f", action {answer.action}"
        click.echo(click.style(f"does not replay: {where}: {answer.reason}\n", fg="red"))
        return
    for text in _record_lines(parse_record(value)):
        click.echo(text)
    click.echo()


def _record_lines(record: GameRecord) -> Iterator[str]:
    variant = record.variant
    names = ", ".join(_seat(record.seats, seat) for seat in range(len(record.seats)))
    yield _bold(f"{variant.name}: {names}")
    game = start_game(variant, first_dealer=record.first_dealer, max_hands=record.max_hands)
    for hand in hands_of(record):
        yield from _hand_lines(record.seats, hand)
        if hand.result is not None:
            yield from _result_lines(variant, record.seats, hand.result)
        game = hand.after
    yield ""
    yield _bold(_game_text(game, record.seats))


# ---- a hand


def _hand_lines(seats: Sequence[str], hand: PlayedHand) -> Iterator[str]:
    game, end = hand.before, hand.end
    yield ""
    scores = " ".join(map(str, game.scores))
    yield _bold(f"Hand {game.hands_played}, dealer {_seat(seats, end.dealer)}, scores {scores}")
    yield from _diagram(hand.dealt, seats)
    yield f"  Auction   {_auction_text(end, seats)}"
    if end.phase is not Phase.AUCTION:
        bid = bid_text(end.bid)
        trump = f", trump {suit_text(end.trump)}" if end.trump >= 0 else ""
        yield f"  Pitcher   {_bold(f'{_seat(seats, end.pitcher)} for {bid}{trump}')}"
    yield from _exchange_lines(hand.record, seats)
    if hand.play is not None and _hands_changed(hand.record):
        yield from _diagram(hand.play, seats)
    yield from _trick_lines(end, seats)
    if end.phase is not Phase.OVER:
        yield f"  Unfinished: {_seat(seats, end.to_act)} is to act ({end.phase.name.lower()})"


def _diagram(hand: Hand, seats: Sequence[str]) -> Iterator[str]:
    """A row a seat, a column a suit, high cards first."""
    masks = [*SUIT_MASKS, *([_JOKERS] if hand.variant.deck == 54 else [])]
    heads = ["Clubs", "Diamonds", "Hearts", "Spades", "Jokers"][: len(masks)]
    rows = [["", *heads]]
    for seat, held in enumerate(hand.hands):
        mark = " (dealer)" if seat == hand.dealer else ""
        rows.append([_seat(seats, seat) + mark, *(_ranks(held & mask) for mask in masks)])
    return _table(rows)


def _ranks(mask: int) -> str:
    cards = [card_text(card) for card in reversed(cards_of(mask))]
    return " ".join(text if text[1] == "J" else text[0] for text in cards) or "-"


def _auction_text(hand: Hand, seats: Sequence[str]) -> str:
    calls = (f"{_seat(seats, seat)} {action_text(call)}" for seat, call in hand.auction)
    return " · ".join(calls) or "-"


def _hands_changed(hand: HandRecord) -> bool:
    return any(action.kind in _EXCHANGES for _, action in hand.actions)


def _exchange_lines(hand: HandRecord, seats: Sequence[str]) -> Iterator[str]:
    head = "Exchange"
    for seat, action in hand.actions:
        if action.kind in _EXCHANGES:
            yield f"  {head:9} {_seat(seats, seat)} {action_text(action)}"
            head = ""


_EXCHANGES = (Kind.DISCARD, Kind.TAKE, Kind.GIVE)


def _trick_lines(hand: Hand, seats: Sequence[str]) -> Iterator[str]:
    """A row a trick and a column a seat; > leads, * wins, a seat that sits out has a dash."""
    if not hand.played:
        return
    rows = [["Trick", *(_seat(seats, seat) for seat in range(len(seats))), "won by"]]
    start = 0
    for number, (size, winner) in enumerate(
        zip(hand.trick_sizes, hand.trick_winners, strict=True), 1
    ):
        cards = hand.played[start : start + size]
        rows.append([str(number), *_trick_cells(cards, winner, len(seats)), _seat(seats, winner)])
        start += size
    if start < len(hand.played):
        rows.append([str(len(rows)), *_trick_cells(hand.played[start:], -1, len(seats)), ""])
    yield from _table(rows)


def _trick_cells(cards: Sequence[tuple[int, int]], winner: int, players: int) -> list[str]:
    cells = ["  -"] * players
    for index, (seat, card) in enumerate(cards):
        lead = ">" if index == 0 else " "
        cells[seat] = f"{lead} {card_text(card)}{'*' if seat == winner else ''}"
    return cells


# ---- results


def _result_lines(variant: Variant, seats: Sequence[str], result: HandResult) -> Iterator[str]:
    head = "Points"
    for text in _won_texts(variant, seats, result):
        yield f"  {head:9} {text}"
        head = ""
    made = click.style("made", fg="green") if result.made else click.style("set", fg="red")
    bidder = _side(variant, seats, variant.side_of(result.pitcher))
    yield f"  Bid       {bid_text(result.bid)} by {bidder}: {made}"
    changes = (
        f"{_side(variant, seats, side)} {result.delta[side]:+d} = {result.scores[side]}"
        for side in range(variant.sides)
    )
    yield f"  Scores    {' · '.join(changes)}"


def _won_texts(variant: Variant, seats: Sequence[str], result: HandResult) -> Iterator[str]:
    """Which points each side won, and which nobody did."""
    for side in (*range(variant.sides), None):
        names = [name.replace("_", " ") for name, winner in result.won if winner == side]
        who = "nobody" if side is None else _side(variant, seats, side)
        count = "" if side is None else f" {result.points[side]}"
        if names:
            yield f"{who}{count}: {', '.join(names)}"


def _game_text(game: Game, seats: Sequence[str]) -> str:
    scores = " ".join(map(str, game.scores))
    if not game.over:
        return f"Not over after {game.hands_played} hands, scores {scores}"
    ended = str(game.ended).replace("_", " ")
    if game.winner is None:
        return f"A draw ({ended}), scores {scores}"
    return f"Won by {_side(game.variant, seats, game.winner)} ({ended}), scores {scores}"


# ---- names and tables


def _seat(seats: Sequence[str], seat: int) -> str:
    """A seat by its number and name; control characters do not reach the terminal."""
    name = "".join(char if char.isprintable() else "?" for char in seats[seat][:20])
    return f"{seat} {name}".rstrip()


def _side(variant: Variant, seats: Sequence[str], side: int) -> str:
    if variant.sides == variant.players:
        return _seat(seats, side)
    return f"side {side} ({'+'.join(map(str, variant.seats_of(side)))})"


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for index, row in enumerate(rows):
        text = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  " + (click.style(text.rstrip(), dim=True) if index == 0 else text.rstrip())


def _bold(text: str) -> str:
    return click.style(text, bold=True)
