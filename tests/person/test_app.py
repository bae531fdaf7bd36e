"""The screen, driven by Textual's pilot: keys, clicks, hints, results, leaving."""

import asyncio
import time
from collections.abc import Callable

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from person.seating import Lowest, seated
from pitch import Action, Bot, Unit, View
from pitch_server.person.app import HelpScreen, LinesScreen, PlayApp, ResultScreen
from pitch_server.person.seated import Seated

SIZE = (80, 24)


def app_of(make: Callable[[int], Seated], hint_name: str = "rule") -> PlayApp:
    return PlayApp(make, pace=0, hint_name=hint_name)


def text_of(app: PlayApp, name: str) -> str:
    return str(app.screen_stack[0].query_one(f"#{name}", Static).render())


def result_of(app: PlayApp) -> str:
    assert isinstance(app.screen, LinesScreen)
    return str(app.screen.query_one("#lines", Static).render())


async def until(pilot: Pilot[str], condition: Callable[[], bool]) -> None:
    """Lets the app go on until something is so; the test's own limit ends what never is."""
    while not condition():
        await pilot.pause()
        await asyncio.sleep(0.001)


async def my_turn(pilot: Pilot[str], app: PlayApp) -> bool:
    """Waits for the person's turn, or for the end of the hand: whether it is a turn."""
    await until(pilot, lambda: app._may_choose or isinstance(app.screen, ResultScreen))
    return not isinstance(app.screen, ResultScreen)


async def hinted(pilot: Pilot[str], app: PlayApp) -> None:
    await pilot.press("h")
    await until(pilot, lambda: app._lines[-1].startswith(app._hint_name) and not app._asking)


async def play_hand(pilot: Pilot[str], app: PlayApp) -> None:
    while await my_turn(pilot, app):
        await hinted(pilot, app)
        await pilot.press("enter")


async def test_a_call_and_a_card_are_made_by_their_keys() -> None:
    app = app_of(lambda _: seated())
    async with app.run_test(size=SIZE) as pilot:
        assert await my_turn(pilot, app)
        assert "pitch-ac · one hand · hand 1 · we 0, they 0" in text_of(app, "heading")
        assert text_of(app, "prompt").split() == ["Your", "turn", "p", "pass", "3", "4"]
        assert not app._may_choose or text_of(app, "hand").splitlines()[3].strip() == ""
        await pilot.press("p")
        await my_turn(pilot, app)
        assert "You pass" in app._lines
        assert "are trump" in text_of(app, "state")
        keys = text_of(app, "hand").splitlines()[3].split()
        assert keys
        held = text_of(app, "hand").splitlines()[1].count("│")
        await pilot.press(keys[0])
        await until(pilot, lambda: any(line.startswith("You play") for line in app._lines))
        await my_turn(pilot, app)
        assert text_of(app, "hand").splitlines()[1].count("│") < held
        await pilot.press("q")
    assert app.return_code == 0


async def test_a_key_of_a_card_that_may_not_be_played_does_nothing() -> None:
    app = app_of(lambda _: seated())
    async with app.run_test(size=SIZE) as pilot:
        await my_turn(pilot, app)
        before = list(app._lines)
        await pilot.press("9", "s", "g", "space", "x")
        await pilot.pause()
        assert list(app._lines) == before
        assert app._may_choose


async def test_a_click_plays_a_card() -> None:
    app = app_of(lambda _: seated())
    async with app.run_test(size=SIZE) as pilot:
        await my_turn(pilot, app)
        await pilot.press("p")
        await my_turn(pilot, app)
        assert app._choosing is not None
        option = app._choosing.options[-1]
        assert option.card is not None
        place = app._choosing.hand.index(option.card)
        await pilot.click("#hand", offset=(2 + 6 * place, 1))
        await until(pilot, lambda: f"You play {option.label}" in app._lines)


async def test_arrows_go_through_the_choices() -> None:
    app = app_of(lambda _: seated())
    async with app.run_test(size=SIZE) as pilot:
        await my_turn(pilot, app)
        assert app._choosing is not None
        await pilot.press("left")
        assert app._choosing.options[app._choosing.cursor].label == "4"
        await pilot.press("right", "right", "enter")
        await until(pilot, lambda: "You bid 3" in app._lines)


@pytest.mark.parametrize("variant", ["pitch-ac", "ten-point", "partnership-six", "cutthroat"])
async def test_a_hand_is_played_by_hints_and_explained(variant: str) -> None:
    app = app_of(lambda number: seated(variant, seed=f"b{number}"))
    async with app.run_test(size=SIZE) as pilot:
        await play_hand(pilot, app)
        told = result_of(app)
        assert " bid " in told
        assert "High  " in told
        assert "in all" in told
        assert told.rstrip().endswith(("win", "wins", "Nobody wins"))
        assert app.screen.query_one("Vertical").region.height <= SIZE[1]
        await pilot.press("enter")
        await until(pilot, lambda: app.games == 1)
        await pilot.press("q")


async def test_after_a_hand_of_a_game_the_next_one_is_dealt() -> None:
    app = app_of(lambda _: seated(unit=Unit.GAME))
    async with app.run_test(size=SIZE) as pilot:
        await play_hand(pilot, app)
        assert "wins" not in result_of(app)
        await pilot.press("enter")
        await my_turn(pilot, app)
        assert "hand 2" in text_of(app, "heading")
        assert sum("hand 2" in line for line in app._lines) == 1
        assert app.games == 0


async def test_the_keys_are_told_and_the_game_goes_on() -> None:
    app = app_of(lambda _: seated())
    async with app.run_test(size=SIZE) as pilot:
        await my_turn(pilot, app)
        for key in ("enter", "escape", "q", "question_mark"):
            await pilot.press("question_mark")
            await until(pilot, lambda: isinstance(app.screen, HelpScreen))
            assert "a hint" in result_of(app)
            await pilot.press(key)
            assert await my_turn(pilot, app)


class Sleeping(Bot):
    def choose(self, view: View) -> Action:
        time.sleep(60)
        return view.legal[0]


async def test_one_can_leave_while_a_bot_thinks() -> None:
    app = app_of(lambda _: seated(bot=Sleeping))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "thinks" in text_of(app, "prompt"))
        await pilot.press("q")
    assert app.return_code == 0


class Broken(Bot):
    def choose(self, view: View) -> Action:
        raise ZeroDivisionError("no idea")


async def test_faults_and_failed_hints_are_told_among_what_happened() -> None:
    app = app_of(lambda _: seated(bot=Broken, hint=Broken), hint_name="broken")
    async with app.run_test(size=SIZE) as pilot:
        await my_turn(pilot, app)
        at_fault = "was at fault (error): ZeroDivisionError: no idea (test_app.py:"
        assert any(at_fault in line for line in app._lines)
        await hinted(pilot, app)
        assert app._lines[-1].startswith("broken: ZeroDivisionError: no idea")


async def test_it_fits_a_small_terminal() -> None:
    app = app_of(lambda _: seated("ten-point", bot=Lowest))
    async with app.run_test(size=SIZE) as pilot:
        await my_turn(pilot, app)
        for widget in app.screen.query(Static):
            assert widget.region.right <= SIZE[0]
            assert widget.region.bottom <= SIZE[1]
        assert app.screen.query_one("#log").region.height >= 3


@pytest.mark.parametrize("before", [(), ("question_mark",)], ids=["at the table", "in the help"])
async def test_control_c_leaves_from_wherever_one_is(before: tuple[str, ...]) -> None:
    app = app_of(lambda _: seated())
    async with app.run_test(size=SIZE) as pilot:
        await my_turn(pilot, app)
        await pilot.press(*before, "ctrl+c")
        await until(pilot, lambda: app._exit)
    assert (app.return_code, app.games) == (0, 0)
