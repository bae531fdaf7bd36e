"""The terminal's side of a person's game: keys, the screen, and going on at a pace.

Here belongs Textual. The game is `seated`'s, what may be chosen `choosing`'s, how it looks
`drawing`'s.
"""

import asyncio
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import ClassVar, TypeVar

from rich.text import Text
from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer, Static

from pitch.rules import Action
from pitch_server.person import drawing
from pitch_server.person.choosing import Choosing
from pitch_server.person.seated import Moment, Seated
from pitch_server.person.words import choice_label, done, result_lines, seat_name, side_name

__all__ = ["PlayApp"]

_LOG_LINES = 40
Value = TypeVar("Value")


class HandRow(Static):
    """The person's cards; a click on one is as good as its key."""

    class Clicked(Message):
        """A card was clicked, the one at this place."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def on_click(self, event: events.Click) -> None:
        """Tells which card it was."""
        place = event.get_content_offset(self)
        if place is not None:
            self.post_message(self.Clicked(place.x // drawing.CARD_WIDTH))


class LinesScreen(ModalScreen[bool]):
    """Lines in a box before the table; `keys` says below them which key does what."""

    CSS = """
    LinesScreen { align: center middle; background: $background 60%; }
    LinesScreen > Vertical {
        width: 64; height: auto; max-height: 22; padding: 0 2;
        border: round $accent; background: $surface;
    }
    """

    def __init__(self, title: str, lines: Iterable[str], keys: str) -> None:
        super().__init__()
        self._title = title
        self._lines = list(lines)
        self._keys = keys

    def compose(self) -> ComposeResult:
        """The lines in a box."""
        with Vertical() as box:
            box.border_title = self._title
            box.border_subtitle = self._keys
            yield Static(Text("\n".join(self._lines)), id="lines")


class ResultScreen(LinesScreen):
    """What a hand, or the game, came to; True goes on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "dismiss(True)", "Go on"),
        Binding("q,escape", "dismiss(False)", "Leave"),
    ]

    def __init__(self, title: str, lines: Iterable[str], going_on: str) -> None:
        super().__init__(title, lines, f"Enter: {going_on} · q: leave")


class HelpScreen(LinesScreen):
    """The keys; whichever is pressed goes back to the table."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,escape,q,question_mark", "dismiss(True)", "Back"),
    ]

    def __init__(self) -> None:
        super().__init__("Keys", _HELP, "Esc: back to the table")


class PlayApp(App[str]):
    """Games of a person against bots, one after the other until the person leaves."""

    TITLE = "pitch play"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", "Back", key_display="←"),
        Binding("right", "move(1)", "On", key_display="→"),
        Binding("space", "pick", "Mark", key_display="Space"),
        Binding("enter", "confirm", "Play", key_display="Enter"),
        Binding("h", "hint", "Hint"),
        Binding("question_mark", "help", "Keys", key_display="?"),
        Binding("q", "leave", "Leave"),
        Binding("ctrl+c", "leave", "Leave", show=False, priority=True),
    ]
    CSS = """
    Screen { layout: vertical; }
    #heading { height: 1; background: $primary-darken-2; color: $text; }
    #players { height: 7; }
    #state { height: 1; padding: 0 1; }
    #points { height: auto; max-height: 2; min-height: 1; padding: 0 1; }
    #hand { height: 4; padding: 0 1; }
    #prompt { height: 1; padding: 0 1; }
    #log { height: 1fr; padding: 0 1; border-top: solid $primary-darken-2; }
    """

    def __init__(
        self, deal: Callable[[int], Seated], *, pace: float = 0.7, hint_name: str = "the bot"
    ) -> None:
        """`deal` makes the game of a number; `pace` are the seconds between two actions."""
        super().__init__()
        self._deal = deal
        self._pace = pace
        self._hint_name = hint_name
        self._lines: deque[str] = deque(maxlen=_LOG_LINES)
        self._choosing: Choosing | None = None
        self._chosen: asyncio.Future[Action] | None = None
        self._moment: Moment | None = None
        self._asking = False
        self.games = 0
        self.won = 0

    def compose(self) -> ComposeResult:
        """The rows of the screen."""
        yield Static(id="heading")
        yield Static(id="players")
        yield Static(id="state")
        yield Static(id="points")
        yield HandRow(id="hand")
        yield Static(id="prompt")
        yield Static(id="log")
        yield Footer()

    def on_mount(self) -> None:
        """Begins to play; a signal ends it as a key does, and leaves the terminal as it was."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, partial(self.exit, "", return_code=128 + number))
        self._play_games()

    # --- playing ------------------------------------------------------------------------------

    @work(exit_on_error=True)
    async def _play_games(self) -> None:
        going_on = True
        while going_on:
            self._seated = self._deal(self.games)
            self._lines.clear()
            going_on = await self._play_game()
        self.action_leave()

    async def _play_game(self) -> bool:
        """Plays one game; whether the person wants another."""
        seated = self._seated
        going_on = await self._show_all(seated.news())
        while going_on and not seated.over:
            if seated.my_turn:
                news = seated.answer(await self._choice())
            else:
                news = await _in_thread(seated.advance)
            going_on = await self._show_all(news)
        self.games += seated.over
        self.won += seated.over and self._moment is not None and seated.winner == self._side
        return going_on

    @property
    def _side(self) -> int:
        assert self._moment is not None  # noqa: S101 - asked after the first deal
        return self._moment.view.side

    async def _show_all(self, news: list[Moment]) -> bool:
        """Shows what happened at the pace; False if the person leaves at the end of a hand."""
        for moment in news:
            self._moment = moment
            self._lines.append(done(moment))
            self._note_faults(moment)
            self._draw()
            await asyncio.sleep(self._pace)
            if moment.result is not None and not await self._show_result(moment):
                return False
        return True

    def _note_faults(self, moment: Moment) -> None:
        for fault in self._seated.faults():
            name = seat_name(moment.view, fault.seat)
            cost = f"the referee plays {fault.played}" if fault.played else "its side forfeits"
            self._lines.append(f"{name} was at fault ({fault.fault}): {fault.message}; {cost}")
        for seat, failure in self._seated.hook_failures():
            self._lines.append(f"{seat_name(moment.view, seat)}: {failure.message}")

    async def _show_result(self, moment: Moment) -> bool:
        assert moment.result is not None  # noqa: S101 - asked only where there is one
        view, seated = moment.view, self._seated
        last = moment.result.scores == seated.scores and seated.over
        lines = list(result_lines(view, moment.result))
        title = f"Hand {view.hand_number + 1}"
        if last:
            winner = seated.winner
            ends = "Nobody wins" if winner is None else _wins(side_name(view, winner))
            lines += ["", ends]
        going_on = "another deal" if last else "next hand"
        screen: Screen[bool] = ResultScreen(title, lines, going_on)
        return await self.push_screen_wait(screen) is True

    async def _choice(self) -> Action:
        """What the person decides to do."""
        assert self._moment is not None  # noqa: S101 - there is a deal before any turn
        self._choosing = Choosing(self._moment.view)
        self._chosen = asyncio.get_running_loop().create_future()
        self._draw()
        action = await self._chosen
        self._choosing = self._chosen = None
        return action

    # --- keys ---------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """The keys of cards, bids and suits."""
        choosing = self._choosing
        if choosing is None or not self._may_choose:
            return
        if event.character in {option.key for option in choosing.options}:
            self._take(choosing.press(event.character))
            event.stop()

    def on_hand_row_clicked(self, message: HandRow.Clicked) -> None:
        """A click on a card."""
        choosing = self._choosing
        if choosing is not None and self._may_choose and message.place < len(choosing.hand):
            card = choosing.hand[message.place]
            keys = [option.key for option in choosing.options if option.card == card]
            if keys:
                self._take(choosing.press(keys[0]))

    @property
    def _may_choose(self) -> bool:
        return self._choosing is not None and not self._asking and len(self.screen_stack) == 1

    def action_move(self, step: int) -> None:
        """Moves the cursor."""
        if self._choosing is not None and self._may_choose:
            self._choosing.move(step)
            self._draw()

    def action_pick(self) -> None:
        """Marks the card at the cursor, where several are chosen."""
        if self._choosing is not None and self._choosing.discards is not None and self._may_choose:
            self._take(self._choosing.pick())

    def action_confirm(self) -> None:
        """Plays what is at the cursor, or discards what is marked."""
        if self._choosing is not None and self._may_choose:
            self._take(self._choosing.confirm())

    def _take(self, action: Action | None) -> None:
        if action is not None and self._chosen is not None and not self._chosen.done():
            self._chosen.set_result(action)
        else:
            self._draw()

    @work(group="hint")  # of its own: an exclusive one would end the game's
    async def action_hint(self) -> None:
        """Asks a bot what it would do, and goes there."""
        choosing = self._choosing
        if choosing is None or not self._may_choose:
            return
        self._asking = True
        self._draw()
        try:
            hinted = await _in_thread(self._seated.hinted)
        finally:
            self._asking = False
        if isinstance(hinted, str):
            self._lines.append(f"{self._hint_name}: {hinted}")
        else:
            choosing.mark(hinted)
            self._lines.append(f"{self._hint_name} would {_infinitive(hinted)}")
        self._draw()

    def action_help(self) -> None:
        """Lists the keys."""
        if len(self.screen_stack) == 1:
            self.push_screen(HelpScreen())

    def action_leave(self) -> None:
        """Ends it all."""
        self.exit("")

    # --- drawing ------------------------------------------------------------------------------

    def _draw(self) -> None:
        if self._moment is None:
            return
        view = self._moment.view
        choosing = self._choosing
        to_act = view.known.to_act if view.known.to_act >= 0 else None
        waiting = ""
        if to_act is not None and to_act != view.seat:
            waiting = f"{seat_name(view, to_act)} thinks …"
        if self._asking:
            waiting = f"asking {self._hint_name} …"
        rows = {
            "heading": drawing.heading(view, view.scores),
            "players": drawing.players(self._moment, to_act),
            "state": drawing.state_text(view),
            "points": drawing.points_text(view),
            "hand": drawing.hand_text(view, choosing),
            "prompt": drawing.prompt_text(None if self._asking else choosing, waiting),
            "log": drawing.log_text(self._last_lines()),
        }
        main = self.screen_stack[0]
        for name, row in rows.items():
            main.query_one(f"#{name}", Static).update(row)

    def _last_lines(self) -> list[str]:
        height = max(self.screen_stack[0].query_one("#log").content_size.height, 1)
        return list(self._lines)[-height:]


def _wins(name: str) -> str:
    return f"{name[0].upper()}{name[1:]} win{'' if name in ('you', 'we', 'they') else 's'}"


def _infinitive(action: Action) -> str:
    words = {"BID": "bid ", "PLAY": "play ", "PITCH": "pitch ", "TRUMP": "name "}
    return words.get(action.kind.name, "") + choice_label(action)


_HELP = (
    "1 2 3 …    play the card with that key, or bid that number",
    "p s m      pass, smudge, moon",
    "← → Enter  go to a card or a call, and play it",
    "Space      mark a card to discard; Enter discards them",
    "h          a hint: what a bot would do here",
    "q          leave",
    "",
    "A click on a card plays it, too. Cards that may not be",
    "played are dim. A yellow frame: whose turn it is; green:",
    "who takes the trick. With six players ★ is your partner.",
)


async def _in_thread(function: Callable[[], Value]) -> Value:
    """What the function gives, from a thread that does not hold up the end of the program."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Value] = loop.create_future()

    def run() -> None:
        try:
            value = function()
        except BaseException as error:  # noqa: BLE001 - it is raised where it is awaited
            settle: Callable[[], None] = partial(future.set_exception, error)
        else:
            settle = partial(future.set_result, value)
        if not loop.is_closed():
            loop.call_soon_threadsafe(lambda: None if future.done() else settle())

    threading.Thread(target=run, daemon=True).start()
    return await future
