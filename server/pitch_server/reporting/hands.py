"""Travellers ready to draw: hands by suits, seats around a table, what each table came to.

Here belongs the layout of a board, from the document's JSON alone.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pitch_server.reporting.names import label
from pitch_server.reporting.numbers import Form, Node, Number

__all__ = ["Board", "HeldSuit", "PlayedCard", "Seat", "TableTold", "Trick", "boards", "card"]

SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", "J": "jokers"}
_JOKERS = {"HJ": "high", "LJ": "low"}
_CARD = re.compile(r"\b(?:[2-9TJQKA][SHDC]|HJ|LJ)\b")
_ROUND = ("south", "west", "north", "east")  # seats in turn, as they look from above


class HeldSuit(NamedTuple):
    """The cards of a suit in a hand, high first."""

    letter: str
    symbol: str
    name: str
    ranks: str


class Seat(NamedTuple):
    """A seat as dealt; `place` is where it is drawn, empty where tables have no four seats."""

    number: int
    place: str
    dealer: bool
    suits: tuple[HeldSuit, ...]


class PlayedCard(NamedTuple):
    """A card on the table; None in its place where a seat played none."""

    letter: str
    text: str
    led: bool
    won: bool


class Trick(NamedTuple):
    """A trick, a card a seat."""

    number: int
    cards: tuple[PlayedCard | None, ...]


class TableTold(NamedTuple):
    """What happened at one table."""

    game: Number
    seats: tuple[tuple[str, str], ...]  # a name, its seats
    auction: tuple[str, ...]
    exchange: tuple[str, ...]
    pitcher: str
    bid: str
    trump: str
    trump_letter: str
    made: bool | None
    points: tuple[tuple[str, Number, Number], ...]  # a side: names, points taken, score
    won: str
    tricks: tuple[Trick, ...]
    substituted: Number | None


class Board(NamedTuple):
    """A board with its tables."""

    number: Number
    hand: str
    margins: tuple[tuple[str, Number], ...]
    compass: bool
    seats: tuple[Seat, ...]
    tables: tuple[TableTold, ...]


def boards(root: Node) -> list[Board]:
    """The travellers of a document."""
    return [_board(node) for node in root["travellers"]]


def _board(node: Node) -> Board:
    dealt = node["dealt"].value
    compass = len(dealt) == len(_ROUND)
    several = (node["hands"].value or 1) > 1
    return Board(
        number=node["board"].number(Form.COUNT),
        hand=f"hand {node['hand'].value + 1} of {node['hands'].value}" if several else "",
        margins=tuple(
            (label(each["name"].value), each["margin"].number(Form.SIGNED))
            for each in node["margins"]
        ),
        compass=compass,
        seats=tuple(
            Seat(
                number,
                _ROUND[number] if compass else "",
                number == node["dealer"].value,
                tuple(held_suits(cards)),
            )
            for number, cards in enumerate(dealt)
        ),
        tables=tuple(_table(table) for table in node["tables"]),
    )


def held_suits(cards: Sequence[str]) -> Iterator[HeldSuit]:
    """The four suits of a hand, and its jokers if it has any."""
    for letter, symbol in SYMBOLS.items():
        ranks = " ".join(_rank(text) for text in cards if text[1] == letter)
        yield HeldSuit(letter, symbol, _SUIT_NAMES[letter], ranks or "–")
    jokers = ", ".join(_JOKERS[text] for text in cards if text in _JOKERS)
    if jokers:
        yield HeldSuit("J", "★", _SUIT_NAMES["J"], jokers)


def _rank(text: str) -> str:
    return "10" if text[0] == "T" else text[0]


def card(text: str) -> str:
    """A card as it is drawn: rank and symbol."""
    if text in _JOKERS:
        return f"★{_JOKERS[text]}"
    return _rank(text) + SYMBOLS[text[1]]


def _table(node: Node) -> TableTold:
    names = [label(name) for name in node["seats"].value]
    trump = node["trump"].value
    return TableTold(
        game=node["game"].number(Form.COUNT),
        seats=tuple(_sitting(names)),
        auction=tuple(node["auction"].value),
        exchange=tuple(
            _CARD.sub(lambda found: card(found[0]), text) for text in node["exchange"].value
        ),
        pitcher="" if node["pitcher"].value is None else f"seat {node['pitcher'].value}",
        bid=str(node["bid"].value),
        trump=SYMBOLS.get(trump, ""),
        trump_letter=trump or "",
        made=node["made"].value,
        points=tuple(_points(node, names)),
        won=_won(node, len(node["points"].value or ()), names),
        tricks=tuple(_tricks(node, len(names))),
        substituted=node["substituted"].number(Form.COUNT) if node["substituted"] else None,
    )


def _sitting(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    for name in dict.fromkeys(names):
        yield name, ", ".join(str(seat) for seat, other in enumerate(names) if other == name)


def _points(node: Node, names: Sequence[str]) -> Iterator[tuple[str, Number, Number]]:
    sides = len(node["points"].value or ())
    for side in range(sides):
        yield (
            _side(side, sides, names),
            node["points"][side].number(Form.COUNT),
            node["delta"][side].number(Form.SCORE),
        )


def _side(side: int, sides: int, names: Sequence[str]) -> str:
    """Who plays a side: seat s is of side s mod sides (rules.md 2)."""
    return " + ".join(dict.fromkeys(names[side::sides]))


def _won(node: Node, sides: int, names: Sequence[str]) -> str:
    by_side: dict[Any, list[str]] = {}
    for point, side in (node["won"].value or {}).items():
        by_side.setdefault(side, []).append(point.replace("_", " "))
    return "; ".join(
        f"{'nobody' if side is None else _side(side, sides, names)}: {', '.join(points)}"
        for side, points in sorted(by_side.items(), key=lambda each: (each[0] is None, each[0]))
    )


def _tricks(node: Node, seats: int) -> Iterator[Trick]:
    for number, trick in enumerate(node["tricks"].value, 1):
        row: list[PlayedCard | None] = [None] * seats
        for order, (seat, text) in enumerate(trick["cards"]):
            letter = "J" if text in _JOKERS else text[1]
            row[seat] = PlayedCard(letter, card(text), order == 0, seat == trick["winner"])
        yield Trick(number, tuple(row))
