"""Limits to the edge, in each mode of the clock, and what is proven before anything is judged."""

from collections.abc import Callable
from itertools import count

import pytest

from pitch import Unit
from pitch.rules import PASS, VARIANTS, start_game, start_hand, view_of
from pitch.table.faults import Fault
from pitch.wire.frames import Delivery, Question, TableOpening
from pitch_server.table.asked import Evidence, SlowRows
from server_table.timing import MOMENT, Connection, HandLoop, HandProof, Notebook, hand_loop

VARIANT = VARIANTS["pitch-ac"]
VIEW = view_of(start_game(VARIANT), start_hand(VARIANT, 0, range(52)), 1)
A_LITTLE = 0.02
EPSILON = 0.001


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> HandLoop:
    return hand_loop(monkeypatch)


class Game:
    """A bot with tables 1, 2, … and a proof by hand; questions are numbered from 1."""

    def __init__(
        self, loop: HandLoop, *, tables: int = 1, bank: float = 0.0, slow: SlowRows = ()
    ) -> None:
        self.loop = loop
        self.proof = HandProof(loop)
        self.bot = Connection(loop, bank=bank, slow=slow, proof=self.proof)
        self.notebook = Notebook()
        self._numbers = count(1)
        for table in range(1, tables + 1):
            opening = TableOpening(
                table_id=table,
                variant=VARIANT,
                seat=1,
                first_dealer=0,
                unit=Unit.HAND,
                max_hands=1,
                move_timeout=1.0,
                time_bank=bank,
            )
            self.bot.instance.open(self.notebook, opening)
        loop.pass_time(MOMENT)

    def ask(self, table: int = 1) -> int:
        """Asks at a table; the question's number."""
        number = next(self._numbers)
        self.bot.instance.ask(Question(number, table, VIEW, 5))
        self.loop.pass_time(0)
        return number

    def think(self, seconds: float) -> bool:
        """Asks at the first table and answers so much later; whether that was in time."""
        number = self.ask()
        self.loop.pass_time(seconds)
        self.proof.comes()
        if number not in self.notebook.failed_ids:
            self.bot.answer(number, outcome=PASS)
        self.loop.pass_time(MOMENT)
        return number in self.notebook.answered_ids

    @property
    def told(self) -> Question:
        """The question that was sent last."""
        return self.bot.asked[-1]

    @property
    def evidence(self) -> Evidence:
        """That of the last fault."""
        return self.notebook.faults[-1][2]


def plain(loop: HandLoop) -> tuple[Game, float]:
    return Game(loop), 1.0


def with_bank(loop: HandLoop) -> tuple[Game, float]:
    return Game(loop, bank=2.0), 3.0


def with_half_the_bank(loop: HandLoop) -> tuple[Game, float]:
    game = Game(loop, bank=2.0)
    assert game.think(2.0)
    return game, 2.0


def with_slow_rows(loop: HandLoop) -> tuple[Game, float]:
    return Game(loop, slow=((0.25, 1), (0.5, 0))), 0.5


def with_slow_rows_used_up(loop: HandLoop) -> tuple[Game, float]:
    game = Game(loop, slow=((0.25, 1), (0.5, 0)))
    assert game.think(0.3)
    return game, 0.25


@pytest.mark.parametrize(
    "mode", [plain, with_bank, with_half_the_bank, with_slow_rows, with_slow_rows_used_up]
)
@pytest.mark.parametrize(("beyond", "in_time"), [(-EPSILON, True), (EPSILON, False)])
def test_each_mode_of_the_clock_has_its_limit_and_not_more(
    loop: HandLoop,
    mode: Callable[[HandLoop], tuple[Game, float]],
    beyond: float,
    in_time: bool,
) -> None:
    game, limit = mode(loop)
    assert game.think(limit + beyond) is in_time
    assert [fault for _, fault, _ in game.notebook.faults] == ([] if in_time else [Fault.TIMEOUT])


@pytest.mark.parametrize("lag", [0.4, 5.0, 3600.0])
@pytest.mark.parametrize(("beyond", "in_time"), [(-EPSILON, True), (EPSILON, False)])
def test_lag_moves_the_limit_by_itself_exactly(
    loop: HandLoop, lag: float, beyond: float, in_time: bool
) -> None:
    game = Game(loop)
    game.ask()
    loop.lag += lag  # as after a stop of the whole server, for longer than every limit
    loop.pass_time(lag + 1.0 + beyond)
    game.proof.comes()
    assert (game.notebook.faults == []) is in_time


@pytest.mark.parametrize(("beyond", "in_time"), [(-EPSILON, True), (EPSILON, False)])
def test_the_rest_of_the_time_after_a_break_is_exact(
    loop: HandLoop, beyond: float, in_time: bool
) -> None:
    game = Game(loop, bank=0.5)
    game.ask()
    loop.pass_time(0.6)
    game.proof.comes()
    game.bot.instance.disconnect()
    loop.pass_time(3.0)
    game.bot.connect()
    loop.pass_time(0)
    assert game.told.limit == pytest.approx(0.4)
    assert game.told.time_bank == 0.5
    loop.pass_time(0.9 + beyond)
    game.proof.comes()
    assert (game.notebook.faults == []) is in_time


def test_after_a_break_on_the_bank_the_bot_is_told_what_is_left_of_it(loop: HandLoop) -> None:
    game = Game(loop, bank=2.0)
    game.ask()
    loop.pass_time(1.5)
    game.proof.comes()
    game.bot.instance.disconnect()
    loop.pass_time(3.0)
    game.bot.connect()
    loop.pass_time(0)
    assert game.told.limit == 0.0
    assert game.told.time_bank == pytest.approx(1.5)


def test_half_the_limit_ten_thousand_times_is_no_fault(loop: HandLoop) -> None:
    game = Game(loop)
    assert all(game.think(0.5) for _ in range(10_000))
    assert game.notebook.faults == []


# --- proof ---------------------------------------------------------------------------------------


def test_nothing_is_charged_before_it_is_proven_that_no_answer_had_come(loop: HandLoop) -> None:
    game = Game(loop)
    number = game.ask()
    loop.pass_time(1.5)
    assert game.notebook.faults == []
    assert len(game.proof.waiting) == 1
    game.bot.answer(number, outcome=PASS)  # it had come in time, and lay unread
    game.proof.comes()
    loop.pass_time(3.0)
    assert game.notebook.answered_ids == [number]
    assert game.notebook.faults == []


def test_what_is_read_after_the_proof_is_late(loop: HandLoop) -> None:
    game = Game(loop, tables=2)
    game.ask()
    loop.pass_time(0.5)
    later = game.ask(2)
    loop.pass_time(0.6)
    game.proof.comes()
    assert game.notebook.failed_ids == [1]
    game.bot.answer(later, outcome=PASS)
    assert game.notebook.answered_ids == [later]


def test_an_answer_that_comes_with_its_own_proof_is_late_and_says_so(loop: HandLoop) -> None:
    game = Game(loop)
    number = game.ask()
    loop.pass_time(1.2)
    game.proof.proven = loop.moment()  # whoever waits has not been called yet
    game.bot.answer(number, outcome=PASS, reported=1.1)
    assert game.evidence.came == "an answer came, but too late"
    game.proof.comes()
    assert len(game.notebook.faults) == 1


@pytest.mark.parametrize("again", [True, False], ids=["answers again", "stays silent"])
def test_a_connection_that_is_lost_before_the_proof_is_not_late_yet(
    loop: HandLoop, again: bool
) -> None:
    game = Game(loop)
    number = game.ask()
    loop.pass_time(1.1)
    game.bot.instance.disconnect()
    game.proof.comes()
    assert game.notebook.faults == []
    game.bot.connect()
    loop.pass_time(0)
    assert game.told.limit == 0.0
    if again:
        game.bot.answer(number, outcome=PASS)
    loop.pass_time(A_LITTLE)
    game.proof.comes()
    assert game.notebook.answered_ids == ([number] if again else [])
    assert game.notebook.failed_ids == ([] if again else [number])


def test_breaks_give_no_time_however_many_there_are(loop: HandLoop) -> None:
    game = Game(loop)
    game.ask()
    for _ in range(12):
        loop.pass_time(0.09)  # between two proofs
        game.bot.instance.disconnect()
        game.bot.connect()
        loop.pass_time(0)
    loop.pass_time(A_LITTLE)
    game.proof.comes()
    assert game.notebook.failed_ids == [1]


def test_time_begins_when_the_transport_has_the_question(loop: HandLoop) -> None:
    game = Game(loop)
    game.ask()
    loop.pass_time(0.7)
    game.bot.instance.written(game.bot.sent[-1])
    loop.pass_time(0.9)
    game.proof.comes()
    assert game.notebook.faults == []
    game.bot.instance.written(game.bot.sent[-1])  # it begins once
    loop.pass_time(0.2)
    game.proof.comes()
    assert game.evidence.wire == pytest.approx(0.7)
    assert game.evidence.waited == pytest.approx(1.1)


def test_what_was_written_may_have_been_answered_already(loop: HandLoop) -> None:
    game = Game(loop)
    number = game.ask()
    game.bot.answer(number, outcome=PASS)
    game.bot.instance.written(game.bot.sent[-1])
    game.bot.instance.written(Delivery())
    assert game.notebook.answered_ids == [number]


# --- bursts --------------------------------------------------------------------------------------


def test_a_hiccup_is_charged_for_what_it_lasts_not_for_all_that_was_out(loop: HandLoop) -> None:
    game = Game(loop, tables=40)
    numbers = [game.ask(table) for table in range(1, 41)]
    for _ in range(2):
        loop.pass_time(1.1)
        game.proof.comes()
    loop.pass_time(0.5)
    game.proof.comes()
    game.bot.answer(*numbers[2:], outcome=PASS)
    loop.pass_time(10)
    assert game.notebook.failed_ids == numbers[:2]
    assert game.notebook.answered_ids == numbers[2:]


def test_a_bot_that_stays_silent_is_not_waited_for_question_by_question(loop: HandLoop) -> None:
    game = Game(loop, tables=40)
    numbers = [game.ask(table) for table in range(1, 41)]
    for _ in range(3):
        loop.pass_time(1.1)
        game.proof.comes()
    assert game.notebook.failed_ids == numbers


# --- slow answers --------------------------------------------------------------------------------


def test_slow_answers_are_counted_and_the_bot_is_told_what_is_left_to_it(loop: HandLoop) -> None:
    game = Game(loop, slow=((0.2, 2), (0.6, 1)))
    told = []
    for seconds in (0.1, 0.7, 0.1, 0.5, 0.1):
        assert game.think(seconds)
        told.append(game.told.limit)
    # the long one used up the second row, and with the fourth also the first
    assert told == [None, None, 0.6, 0.6, 0.2]
    assert not game.think(0.3)
    assert game.evidence.limit == 0.2
    assert game.evidence.came == (
        "no answer; of 2 answers in a game that may take longer than 0.2 s none is left"
    )


def test_a_timeout_names_the_row_that_it_broke(loop: HandLoop) -> None:
    game = Game(loop, slow=((0.25, 1), (0.5, 0)))
    assert not game.think(0.6)
    assert game.evidence.limit == 0.5
    assert "of 0 answers in a game that may take longer than 0.5 s" in game.evidence.came


def test_a_timeout_counts_as_slow_in_every_row(loop: HandLoop) -> None:
    game = Game(loop, slow=((0.2, 1), (0.6, 1)))
    assert not game.think(1.1)
    assert game.evidence.came == "no answer"
    game.ask()
    assert game.told.limit == 0.2


def test_slow_answers_are_counted_by_the_table(loop: HandLoop) -> None:
    game = Game(loop, tables=2, slow=((0.2, 1),))
    assert game.think(0.3)
    game.ask(2)
    assert game.told.limit is None


# --- evidence ------------------------------------------------------------------------------------


def test_garbage_is_measured_by_its_own_time(loop: HandLoop) -> None:
    game = Game(loop)
    game.ask()
    loop.pass_time(0.4)
    game.bot.instance.receive_garbage("not a frame")
    assert game.evidence.measured == pytest.approx(0.4)
    assert game.evidence.limit == 1.0


@pytest.mark.parametrize("heard", [False, True])
def test_it_is_known_whether_the_bot_was_heard_of_meanwhile(loop: HandLoop, heard: bool) -> None:
    game = Game(loop, tables=2)
    game.ask()
    other = game.ask(2)
    loop.pass_time(0.5)
    if heard:
        game.bot.answer(other, outcome=PASS)
    loop.pass_time(1.2)
    game.proof.comes()
    assert game.notebook.failed_ids == [1]
    assert game.evidence.heard is heard


def test_an_answer_after_the_verdict_is_told_to_its_table_once(loop: HandLoop) -> None:
    game = Game(loop)
    number = game.ask()
    loop.pass_time(1.1)
    game.proof.comes()
    loop.pass_time(0.25)
    game.bot.answer(number, outcome=PASS, reported=0.03)
    game.bot.answer(number, outcome=PASS, reported=0.03)
    ((late, after, reported),) = game.notebook.late
    assert (late, reported) == (number, 0.03)
    assert after == pytest.approx(0.25)


def test_an_answer_after_its_table_has_closed_is_told_to_nobody(loop: HandLoop) -> None:
    game = Game(loop)
    number = game.ask()
    loop.pass_time(1.1)
    game.proof.comes()
    game.bot.instance.close(1)
    game.bot.answer(number, outcome=PASS)
    assert game.notebook.late == []
