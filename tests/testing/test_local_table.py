import asyncio
import signal
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from pitch import Action, Bot, Kind, Unit, View
from pitch.rules import HandResult, parse_variant
from pitch.table.faults import Fault, FaultPolicy, OnFault
from pitch.testing import LocalDecision, play_board, play_game
from pitch.wire.frames import GameOver


class First(Bot):
    """Takes the first legal action."""

    def choose(self, view: View) -> Action:
        return view.legal[0]


class Last(Bot):
    def choose(self, view: View) -> Action:
        return view.legal[-1]


class Chance(Bot):
    def choose(self, view: View) -> Action:
        return view.random.choice(view.legal)


class Thinking(Bot):
    async def choose(self, view: View) -> Action:
        return view.legal[0]


class Batching(Bot):
    @classmethod
    def choose_many(cls, views: Sequence[View]) -> Sequence[Action]:
        return [view.legal[0] for view in views]


class Raising(Bot):
    def choose(self, view: View) -> Action:
        raise ZeroDivisionError("in my own code")


class Cheating(Bot):
    def choose(self, view: View) -> Action:
        return Action(Kind.BID, 99)


def test_one_hand_is_played_and_kept_as_it_was_played() -> None:
    game = play_game([First, Last], seed=1)
    assert len(game.hands) == 1
    assert len(game.hands[0].actions) >= 4 + 24
    assert game.hands[0].result is not None
    assert game.scores == game.hands[0].result.scores
    assert game.faults == ()


def test_a_game_goes_on_until_a_side_wins() -> None:
    game = play_game([First, Last], seed=1, unit=Unit.GAME)
    assert len(game.hands) > 1
    assert game.winner in (0, 1)


def test_the_seed_alone_decides_what_is_dealt_and_drawn() -> None:
    assert play_game([Chance, Chance], seed="a") == play_game([Chance, Chance], seed="a")
    assert play_game([Chance, Chance], seed="a") != play_game([Chance, Chance], seed="b")
    dealt = [play_game(bots, seed="a").hands[0].deck for bots in ([Chance, First], [Last, First])]
    assert dealt[0] == dealt[1]


@pytest.mark.parametrize("kind", [Thinking, Batching])
def test_every_way_to_choose_plays_the_same(kind: type[Bot]) -> None:
    assert play_game([kind, Last], seed=3) == play_game([First, Last], seed=3)


def test_bots_may_be_given_by_the_seat() -> None:
    assert play_game([First, Last, First, Last]) == play_game([First, Last])
    with pytest.raises(ValueError, match="2 sides or 4 seats, got 3"):
        play_game([First, Last, First])


def test_an_exception_is_a_fault_with_its_traceback() -> None:
    game = play_game([First, Raising], seed=1)
    fault = game.faults[0]
    assert fault.fault is Fault.ERROR
    assert fault.seat % 2 == 1
    assert "ZeroDivisionError: in my own code" in fault.came
    assert "in choose" in fault.came


def test_an_illegal_action_is_a_fault_that_says_what_came() -> None:
    policy = FaultPolicy(on_fault=OnFault.FORFEIT)
    game = play_game([First, Cheating], seed=1, policy=policy)
    assert [(each.fault, each.came) for each in game.faults] == [(Fault.ILLEGAL, "bid 99")]
    assert game.forfeits == {1: Fault.ILLEGAL}


def test_bots_are_told_of_hands_and_the_end() -> None:
    told: list[tuple[str, object]] = []

    class Listening(First):
        def hand_over(self, view: View, result: HandResult) -> None:
            told.append(("hand", result.scores))

        def game_over(self, outcome: GameOver) -> None:
            told.append(("game", outcome.scores))

    scores = play_game([Listening, Last], seed=1).scores
    assert told == [("hand", scores)] * 2 + [("game", scores)] * 2


def test_a_hook_that_raises_is_not_passed_over() -> None:
    class Raises(First):
        def hand_over(self, view: View, result: HandResult) -> None:
            raise KeyError("mine")

    with pytest.raises(RuntimeError, match="KeyError: 'mine'"):
        play_game([Raises, Last])


@pytest.mark.parametrize("players", [2, 4, 6])
def test_the_margins_of_a_board_add_up_to_nothing_and_go_with_the_bot(players: int) -> None:
    variant = parse_variant({"name": "pitch-ac", "players": players})
    margins = play_board([First, Last], variant=variant, seed=7)
    assert sum(margins) == pytest.approx(0)
    assert play_board([Last, First], variant=variant, seed=7) == pytest.approx(margins[::-1])
    assert play_board([First, First], variant=variant, seed=7) == (0, 0)


class Hanging(Bot):
    def choose(self, view: View) -> Action:
        while True:
            time.sleep(10)


class Stubborn(Bot):
    """Catches everything, once."""

    def choose(self, view: View) -> Action:
        try:
            time.sleep(10)
        except:  # noqa: E722
            time.sleep(10)
        return view.legal[-1]


class Waiting(Bot):
    async def choose(self, view: View) -> Action:
        await asyncio.sleep(10)
        return view.legal[-1]


@pytest.mark.parametrize("kind", [Hanging, Stubborn, Waiting])
def test_a_decision_beyond_the_limit_is_interrupted_where_it_is(kind: type[Bot]) -> None:
    game = play_game([kind, First], move_timeout=0.5, policy=FaultPolicy(max_faults=2))
    faults = [
        fault for fault in game.faults if fault.seat % 2 == 0
    ]  # a busy machine may add others
    assert [fault.fault for fault in faults] == [Fault.TIMEOUT] * 2
    assert "sleep(10)" in faults[0].came
    assert faults[0].legal.startswith("pass")
    assert [fault.played for fault in faults] == ["pass", ""]
    assert game.forfeits == {0: Fault.TIMEOUT}


def test_an_alarm_before_an_async_bot_has_begun_is_a_timeout_too() -> None:
    game = play_game([Waiting, First], move_timeout=1e-6, policy=FaultPolicy(max_faults=2))
    assert {fault.fault for fault in game.faults} == {Fault.TIMEOUT}


def test_elsewhere_than_on_the_main_thread_a_late_answer_is_known_when_it_comes() -> None:
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(
            play_game, [Dawdling, Dawdling], move_timeout=0.01, policy=FaultPolicy(max_faults=1)
        )
        (fault,) = playing.result().faults
    assert fault.came.startswith("it took ")


class Dawdling(Bot):
    def choose(self, view: View) -> Action:
        time.sleep(0.02)
        return view.legal[0]


def test_an_alarm_that_was_set_before_goes_on_afterwards() -> None:
    before = signal.getitimer(signal.ITIMER_REAL), signal.getsignal(signal.SIGALRM)
    play_game([First, Last], move_timeout=10)
    after = signal.getitimer(signal.ITIMER_REAL), signal.getsignal(signal.SIGALRM)
    assert after[1] is before[1]
    assert bool(after[0][0]) is bool(before[0][0])


def test_every_decision_is_told_with_its_view_and_the_limit() -> None:
    told: list[LocalDecision] = []
    game = play_game([First, Last], seed=2, move_timeout=5, watch=told.append)
    actions = [action for _, action in game.hands[0].actions]
    assert len(told) <= len(actions)
    assert {each.view.time_limit for each in told} == {5}
    assert [each.number for each in told] == sorted({each.number for each in told})
    assert all(each.view.seat == each.seat for each in told)
    assert all(actions[each.number] in each.view.legal for each in told)


def test_decks_and_chance_may_be_given() -> None:
    asked: list[tuple[int, int]] = []

    def chance(seat: int, number: int) -> int:
        asked.append((seat, number))
        return 1

    deck = tuple(reversed(range(52)))
    game = play_game([Chance, Chance], deck=lambda _: deck, chance=chance)
    assert game.hands[0].deck == deck
    assert len(set(asked)) == len(asked) > 20
