"""The table as it is drawn: players and their cards, the hand, what there is to choose.

Here belong lines, colours and widths, for 80 columns and more. The words are `words`'s.
"""

from collections.abc import Iterable

from rich.align import Align
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pitch.bot.view import View
from pitch.rules import Kind, Phase, rank_of, suit_of
from pitch.table.unit import Unit
from pitch_server.person.choosing import Choosing, hand_order
from pitch_server.person.seated import Moment
from pitch_server.person.words import (
    POINT_NAMES,
    SUIT_NAMES,
    SYMBOLS,
    bid_label,
    card_label,
    seat_name,
    side_name,
)

__all__ = [
    "CARD_WIDTH",
    "hand_text",
    "heading",
    "players",
    "points_text",
    "prompt_text",
    "state_text",
]

CARD_WIDTH = 6
_RED, _BLACK = "bold #ff6b6b", "bold #e8e8e8"
_DIM = "#808080"
_QUIET, _WINNING, _ASKED = "#4b5563", "bold green", "bold yellow"


def heading(view: View, scores: tuple[int, ...]) -> Text:
    """The variant, what is played for, and the scores."""
    aim = f"a game to {view.target}" if view.unit is Unit.GAME else "one hand"
    text = Text(f" {view.variant.name} · {aim} · hand {view.hand_number + 1}", style="bold")
    told = [f"{side_name(view, side)} {score}" for side, score in enumerate(scores)]
    mine = told.pop(view.side)
    return text.append(f" · {', '.join([mine, *told])}")


# --- the players ------------------------------------------------------------------------------


def players(moment: Moment, to_act: int | None) -> RenderableType:
    """A panel for each player, in order of play from the person's left; the person is last."""
    view = moment.view
    count = view.variant.players
    grid = Table.grid(expand=True)
    for _ in range(count):
        grid.add_column(ratio=1)
    order = [(view.seat + step) % count for step in range(1, count + 1)]
    on_table, winner = _shown_trick(moment)
    grid.add_row(*(_player(view, seat, on_table, winner, to_act) for seat in order))
    return grid


def _shown_trick(moment: Moment) -> tuple[dict[int, int], int | None]:
    """The cards on the table, by seat, and whose is best: a trick stays until the next card."""
    view = moment.view
    if view.trick:
        return dict(view.trick), view.winning_seat
    played = moment.action is not None and moment.action.kind is Kind.PLAY
    if played and view.tricks:
        return dict(view.tricks[-1].plays), view.tricks[-1].winner
    return dict(view.shown) if view.phase is Phase.AUCTION else {}, None


def _player(
    view: View, seat: int, on_table: dict[int, int], winner: int | None, to_act: int | None
) -> Panel:
    card = on_table.get(seat)
    lines: list[RenderableType] = [
        Text(_call(view, seat), justify="center"),
        Align.center(_card_box(card)),
        Text(_about(view, seat), style=_DIM, justify="center", no_wrap=True, overflow="ellipsis"),
    ]
    style = _WINNING if seat == winner else _QUIET
    if seat == to_act:
        style = _ASKED
    deals = "deals" if seat == view.dealer else None
    return Panel(
        Group(*lines), title=_title(view, seat), subtitle=deals, border_style=style, padding=0
    )


def _title(view: View, seat: int) -> str:
    name = seat_name(view, seat)
    if seat == view.seat or not view.is_ours(seat):
        return name
    return f"{name}, partner" if view.variant.players <= 4 else f"{name} ★"


def _call(view: View, seat: int) -> str:
    """What a player has called, and what that made of him."""
    if view.pitcher == seat and view.phase is not Phase.AUCTION:
        trump = "" if view.trump is None else f" {SYMBOLS[view.trump]}"
        return f"bid {bid_label(view.bid)}{trump}"
    calls = view.calls_of(seat)
    if not calls:
        return ""
    kind, value = calls[-1]
    if kind is Kind.BID:
        return f"bid {bid_label(value)}"
    return kind.name.lower()


def _about(view: View, seat: int) -> str:
    count = view.hand_sizes[seat]
    parts = [f"{count} card{'' if count == 1 else 's'}"]
    if seat != view.seat and view.voids[seat]:
        parts.append("no " + "".join(SYMBOLS[suit] for suit in sorted(view.voids[seat])))
    return " ".join(parts)


def _card_box(card: int | None) -> Text:
    if card is None:
        return Text(" \n \n ")
    label = card_label(card)
    text = Text("╭────╮\n│ ", style=_BLACK)
    text.append(f"{label:<3}", style=_colour(card))
    return text.append("│\n╰────╯", style=_BLACK)


def _colour(card: int) -> str:
    if rank_of(card) == 0:
        return "bold #ffd166"
    return _RED if SYMBOLS[suit_of(card)] in "♦♥" else _BLACK


# --- the middle -------------------------------------------------------------------------------


def state_text(view: View) -> Text:
    """Bid, trump and trick in a line."""
    if view.pitcher is None:
        return Text(f"{seat_name(view, view.dealer)} dealt; nobody has bid yet")
    name = seat_name(view, view.pitcher)
    text = Text(f"{name} {'have' if name == 'You' else 'has'} the bid: {bid_label(view.bid)}")
    if view.trump is not None:
        text.append(f" · {SYMBOLS[view.trump]} {SUIT_NAMES[view.trump]} are trump", style="bold")
    if view.phase is Phase.PLAY:
        text.append(f" · trick {len(view.tricks) + 1}")
    return text


def points_text(view: View) -> Text:
    """Each point of the hand: who has it as things stand; those that are safe are bold."""
    text = Text()
    if view.phase < Phase.PLAY:
        return text
    for point in view.points:
        who = "–" if point.side is None else side_name(view, point.side)
        card = f" {card_label(point.card)}" if point.card is not None and who != "–" else ""
        if text:
            text.append("  ")
        text.append(f"{POINT_NAMES[point.name]} ", style=_DIM)
        text.append(f"{who}{card}", style="" if point.open else "bold")
    if view.variant.game == "count":
        values = " : ".join(f"{value}" for value in view.game_values)
        text.append(f" ({values})", style=_DIM)
    return text


# --- the person's hand ------------------------------------------------------------------------


def hand_text(view: View, choosing: Choosing | None) -> Text:
    """The cards in a row; those that may be played bright, with their keys below."""
    cards = hand_order(view) if choosing is None else choosing.hand
    rows = [Text() for _ in range(4)]
    calling = choosing is None or not choosing.cards  # then no card is better than another
    for card in cards:
        may = choosing is not None and card in choosing.cards
        key = choosing.keys.get(card, "") if choosing is not None else ""
        here = choosing is not None and choosing.card == card and may
        marked = choosing is not None and card in choosing.marked
        _add_card(rows, card, key=key, here=here, marked=marked, bright=may or calling)
    return Text("\n").join(rows)


def _add_card(
    rows: list[Text], card: int, *, key: str, here: bool, marked: bool, bright: bool
) -> None:
    frame = "bold yellow" if here else "bold cyan" if marked else "" if bright else _DIM
    rows[0].append("╭────╮", style=frame)
    rows[1].append("│ ", style=frame)
    rows[1].append(f"{card_label(card):<3}", style=_colour(card) if bright or marked else _DIM)
    rows[1].append("│", style=frame)
    rows[2].append("╰────╯", style=frame)
    below = f"{key}{'✗' if marked else ''}"
    rows[3].append(f"{below:^{CARD_WIDTH}}", style="bold yellow" if here else "")


def prompt_text(choosing: Choosing | None, waiting: str) -> Text:
    """What there is to choose beside cards, or who is waited for."""
    if choosing is None:
        return Text(waiting, style=_DIM)
    text = Text(f"{choosing.explained()}  ", style="bold yellow")
    for at, option in enumerate(choosing.options):
        if option.card is None:
            style = "reverse bold" if at == choosing.cursor else ""
            key = "" if option.key == option.label else f"{option.key} "
            text.append(f"  {key}", style="yellow")
            text.append(f" {option.label} ", style=style)
    return text


def log_text(lines: Iterable[str]) -> Text:
    """The last lines of what happened, the newest last."""
    return Text("\n".join(lines), style="#a0a0a0")
