from collections.abc import Sequence

import pytest

from pitch import Unit
from pitch.rules import PASS, VARIANTS, start_game, start_hand, view_of
from pitch.table.faults import Fault
from pitch.wire.frames import Failure, FaultNotice, GameOver, Question, TableOpening
from server_table.timing import MOMENT, Connection, HandLoop, Notebook, hand_loop

VARIANT = VARIANTS["pitch-ac"]
VIEW = view_of(start_game(VARIANT), start_hand(VARIANT, 0, range(52)), 1)
A_LITTLE = 0.02


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> HandLoop:
    return hand_loop(monkeypatch)


def open_tables(bot: Connection, tables: Sequence[int], bank: float = 0.0) -> Notebook:
    """Opens tables at a bot, all of one asker."""
    notebook = Notebook()
    for table in tables:
        opening = TableOpening(
            table_id=table,
            variant=VARIANT,
            seat=table % 4,
            first_dealer=0,
            unit=Unit.HAND,
            max_hands=1,
            move_timeout=1.0,
            time_bank=bank,
        )
        bot.instance.open(notebook, opening)
    return notebook


def ask(bot: Connection, *numbers: int) -> None:
    """Asks question N at table N, and lets them go out in one frame."""
    for number in numbers:
        bot.instance.ask(Question(number, number, VIEW, 5))
    bot.loop.pass_time(0)


def asking(
    loop: HandLoop, *numbers: int, bank: float = 0.0, **of_bot: float
) -> tuple[Connection, Notebook]:
    """A bot that has just been asked these questions, each at a table of its own."""
    bot = Connection(loop, bank=bank, **of_bot)  # type: ignore[arg-type]
    notebook = open_tables(bot, numbers, bank)
    loop.pass_time(MOMENT)
    ask(bot, *numbers)
    assert [question.question_id for question in bot.asked] == list(numbers)
    return bot, notebook


# --- answers -----------------------------------------------------------------------------------


def test_a_table_is_told_before_its_question_and_an_answer_comes_through(loop: HandLoop) -> None:
    bot = Connection(loop)
    notebook = open_tables(bot, [7])
    ask(bot, 7)
    (delivery,) = bot.sent
    assert [opening.table_id for opening in delivery.openings] == [7]
    assert [question.question_id for question in delivery.questions] == [7]
    loop.pass_time(0.5)
    assert bot.answer(7, outcome=PASS, reported=0.25) == 0
    assert notebook.answers == [(7, PASS, 0.25)]
    loop.pass_time(100)
    assert notebook.faults == []


@pytest.mark.parametrize(("after", "in_time"), [(0.0, True), (0.99, True), (1.004, False)])
def test_an_answer_is_in_time_or_a_timeout(loop: HandLoop, after: float, in_time: bool) -> None:
    bot, notebook = asking(loop, 1)
    loop.pass_time(after)
    bot.answer(1, outcome=PASS)
    assert (notebook.answered_ids == [1]) is in_time
    assert [fault for _, fault, _ in notebook.faults] == ([] if in_time else [Fault.TIMEOUT])


def test_what_came_too_late_is_said_with_all_that_is_known(loop: HandLoop) -> None:
    bot, notebook = asking(loop, 1)
    loop.pass_time(1.003)  # before the last reading after the deadline
    bot.answer(1, outcome=PASS, reported=0.8)
    ((_, _, evidence),) = notebook.faults
    assert evidence.came == "an answer came, but too late"
    assert evidence.measured == pytest.approx(1.003)
    assert (evidence.limit, evidence.reported) == (1.0, 0.8)


def test_without_an_answer_the_fault_comes_by_itself_once(loop: HandLoop) -> None:
    bot, notebook = asking(loop, 1)
    loop.pass_time(0.99)
    assert notebook.faults == []
    loop.pass_time(A_LITTLE)
    ((number, fault, evidence),) = notebook.faults
    assert (number, fault, evidence.came) == (1, Fault.TIMEOUT, "no answer")
    loop.pass_time(MOMENT)
    assert bot.sent[-1].withdrawn == (1,)
    loop.pass_time(100)
    assert len(notebook.faults) == 1


@pytest.mark.parametrize(
    ("outcome", "fault", "came"),
    [
        pytest.param(Failure("KeyError: 1", "line 3"), Fault.ERROR, "KeyError: 1", id="error"),
        pytest.param(None, Fault.MALFORMED, "an answer without a readable action", id="malformed"),
    ],
)
def test_an_answer_without_an_action_is_a_fault_with_what_came(
    loop: HandLoop, outcome: Failure | None, fault: Fault, came: str
) -> None:
    bot, notebook = asking(loop, 1)
    assert bot.answer(1, outcome=outcome) == 0
    assert [(f, e.came) for _, f, e in notebook.faults] == [(fault, came)]


# --- one clock for many questions ----------------------------------------------------------------


def test_forty_quick_answers_in_a_frame_cost_nothing(loop: HandLoop) -> None:
    numbers = range(1, 41)
    bot, notebook = asking(loop, *numbers)
    loop.pass_time(0.9)
    bot.answer(*numbers, outcome=PASS)
    assert notebook.answered_ids == list(numbers)


def test_a_slow_bot_has_no_less_time_for_each_of_many(loop: HandLoop) -> None:
    numbers = range(1, 41)
    bot, notebook = asking(loop, *numbers)
    for number in numbers:
        loop.pass_time(0.9)
        bot.answer(number, outcome=PASS)
    assert notebook.answered_ids == list(numbers)
    assert notebook.faults == []


def test_a_bot_that_is_too_slow_once_has_all_its_time_for_the_next(loop: HandLoop) -> None:
    bot, notebook = asking(loop, 1, 2)
    loop.pass_time(1.5)
    assert notebook.failed_ids == [1]
    assert bot.answer(1, outcome=PASS) == 0  # too late, but no stray
    loop.pass_time(0.95)
    bot.answer(2, outcome=PASS)
    assert notebook.answered_ids == [2]
    assert notebook.failed_ids == [1]


def test_a_bot_that_falls_silent_is_not_waited_for_question_by_question(loop: HandLoop) -> None:
    numbers = range(1, 41)
    _, notebook = asking(loop, *numbers)
    for charged in ([1], [1, 2], list(numbers)):
        loop.pass_time(1.0 + A_LITTLE)
        assert notebook.failed_ids == charged
    assert {fault for _, fault, _ in notebook.faults} == {Fault.TIMEOUT}


def test_chatter_about_other_questions_resets_no_deadline(loop: HandLoop) -> None:
    bot, notebook = asking(loop, 1, 2, 3)
    for number in range(4, 40):
        open_tables(bot, [number])
        bot.instance.ask(Question(number, number, VIEW, 5))
        loop.pass_time(0.5)
        bot.answer(number, outcome=PASS)
    assert {1, 2, 3} <= set(notebook.failed_ids)


# --- time bank and lag ---------------------------------------------------------------------------


def test_an_overrun_is_taken_from_the_bank_until_it_is_empty(loop: HandLoop) -> None:
    bot, notebook = asking(loop, 1, bank=2.0)
    assert bot.asked[-1].time_bank == 2.0
    loop.pass_time(2.5)
    bot.answer(1, outcome=PASS)
    bot.instance.ask(Question(11, 1, VIEW, 5))
    loop.pass_time(0)
    assert bot.asked[-1].time_bank == pytest.approx(0.5)
    loop.pass_time(1.4)
    assert notebook.faults == []
    loop.pass_time(0.2)
    assert notebook.failed_ids == [11]
    bot.instance.ask(Question(12, 1, VIEW, 5))
    loop.pass_time(MOMENT)
    assert bot.asked[-1].time_bank == 0.0


@pytest.mark.parametrize("late", [False, True], ids=["no answer", "late answer"])
def test_a_timeout_empties_the_bank_however_it_came(loop: HandLoop, late: bool) -> None:
    bot, notebook = asking(loop, 1, bank=2.0)
    if late:
        loop.pass_time(3.003)
        bot.answer(1, outcome=PASS)
    else:
        loop.pass_time(3.1)
    assert notebook.failed_ids == [1]
    bot.instance.ask(Question(11, 1, VIEW, 5))
    loop.pass_time(MOMENT)
    assert bot.asked[-1].time_bank == 0.0


def test_a_bank_belongs_to_its_table(loop: HandLoop) -> None:
    bot, _ = asking(loop, 1, 2, bank=2.0)
    loop.pass_time(2.0)
    bot.answer(1, 2, outcome=PASS)
    ask(bot, 1, 2)
    assert [question.time_bank for question in bot.asked[-2:]] == pytest.approx([1.0, 2.0])


def test_the_servers_lag_is_given_back(loop: HandLoop) -> None:
    bot, notebook = asking(loop, 1)
    loop.lag += 0.7
    loop.pass_time(1.6)
    assert notebook.faults == []
    bot.answer(1, outcome=PASS)
    assert notebook.answered_ids == [1]
    ask(bot, 1)
    loop.lag += 0.7
    loop.pass_time(1.75)
    ((_, _, evidence),) = notebook.faults
    assert evidence.lag == pytest.approx(0.7)
    assert evidence.measured is not None
    assert evidence.measured < 1.05


# --- what nobody asked for -----------------------------------------------------------------------


def test_double_foreign_and_early_answers_are_dropped_and_counted(loop: HandLoop) -> None:
    bot, notebook = asking(loop, 1, 2, capacity=2)
    open_tables(bot, [3])
    ask(bot, 3)  # waits: no more than two may be out
    assert bot.answer(1, 1, 99, 3, outcome=PASS) == 3
    assert bot.instance.strays == 3
    assert notebook.answered_ids == [1]
    loop.pass_time(MOMENT)
    assert bot.asked[-1].question_id == 3


def test_an_answer_to_a_withdrawn_question_is_dropped_and_no_stray_the_first_time(
    loop: HandLoop,
) -> None:
    bot, notebook = asking(loop, 1, 2)
    bot.instance.withdraw(1)
    loop.pass_time(MOMENT)
    assert bot.sent[-1].withdrawn == (1,)
    assert bot.answer(1, outcome=PASS) == 0
    assert bot.answer(1, outcome=PASS) == 1
    assert notebook.answers == []


def test_a_question_that_is_withdrawn_before_it_goes_out_never_goes_out(loop: HandLoop) -> None:
    bot, _ = asking(loop, 1, capacity=1)
    open_tables(bot, [2])
    ask(bot, 2)
    bot.instance.withdraw(2)
    bot.answer(1, outcome=PASS)
    loop.pass_time(MOMENT)
    assert [question.question_id for question in bot.asked] == [1]
    assert not any(delivery.withdrawn for delivery in bot.sent)


def test_garbage_is_charged_to_the_oldest_question(loop: HandLoop) -> None:
    bot, notebook = asking(loop, 1, 2)
    assert bot.instance.receive_garbage("what is this")
    assert [(n, f, e.came) for n, f, e in notebook.faults] == [(1, Fault.MALFORMED, "what is this")]
    bot.answer(2, outcome=PASS)
    assert not bot.instance.receive_garbage("what is this")
    assert bot.instance.strays == 1


# --- what goes out -------------------------------------------------------------------------------


@pytest.mark.parametrize("capacity", [1, 3])
def test_no_more_questions_are_out_than_the_bot_takes(loop: HandLoop, capacity: int) -> None:
    bot = Connection(loop, capacity=capacity)
    numbers = list(range(1, 11))
    notebook = open_tables(bot, numbers)
    ask(bot, *numbers)
    answered: list[int] = []
    while len(answered) < len(numbers):
        loop.pass_time(MOMENT)
        out = [q.question_id for q in bot.asked if q.question_id not in answered]
        assert 1 <= len(out) <= capacity
        bot.answer(out[0], outcome=PASS)
        answered.append(out[0])
    assert notebook.answered_ids == numbers
    assert notebook.faults == []


def test_a_queue_costs_no_time_before_the_question_is_written(loop: HandLoop) -> None:
    bot, _ = asking(loop, 1, capacity=1)
    more = open_tables(bot, [2])
    ask(bot, 2)
    loop.pass_time(0.9)
    bot.answer(1, outcome=PASS)
    loop.pass_time(0.9)
    bot.answer(2, outcome=Failure("x", ""))
    ((_, fault, evidence),) = more.faults
    assert fault is Fault.ERROR
    assert evidence.queued == pytest.approx(0.9, abs=MOMENT)
    assert evidence.measured is not None
    assert evidence.measured <= 0.9


def test_many_questions_go_out_in_frames_of_bounded_size(loop: HandLoop) -> None:
    bot = Connection(loop, capacity=4096)
    numbers = range(1, 1001)
    open_tables(bot, numbers)
    ask(bot, *numbers)
    loop.pass_time(0)
    assert len(bot.asked) == 1000
    assert max(len(delivery.questions) for delivery in bot.sent) <= 128


def test_notices_go_to_those_who_want_them_and_charges_to_everyone(loop: HandLoop) -> None:
    over, charge = GameOver((1, 0), 0), FaultNotice(1, Fault.TIMEOUT, "late")
    for wanted in (False, True):
        bot = Connection(loop, notices=wanted)
        open_tables(bot, [1])
        bot.instance.tell(1, over)
        bot.instance.tell(1, charge)
        bot.instance.close(1)
        loop.pass_time(MOMENT)
        told = [notice.event for delivery in bot.sent for notice in delivery.notices]
        assert told == ([over, charge] if wanted else [charge])
        assert bot.sent[-1].closed == (1,)
        assert bot.instance.open_tables == 0


# --- connections that come and go -----------------------------------------------------------------


def test_a_lost_connection_stops_the_clock_and_the_rest_of_the_time_applies(loop: HandLoop) -> None:
    bot, notebook = asking(loop, 1, 2)
    loop.pass_time(0.6)
    bot.instance.disconnect()
    assert not bot.instance.present
    assert bot.instance.may_come_back
    loop.pass_time(5.0)
    bot.connect()
    loop.pass_time(0)
    again = bot.sent[-1]
    assert [opening.table_id for opening in again.openings] == [1, 2]
    assert [question.question_id for question in again.questions] == [1, 2]
    left = again.questions[0].limit
    assert left == pytest.approx(0.4)
    assert again.questions[0] == bot.asked[0]._replace(limit=left)
    assert again.questions[1] == bot.asked[1]
    loop.pass_time(0.38)
    assert notebook.faults == []
    loop.pass_time(A_LITTLE * 2)
    assert notebook.failed_ids == [1]
    bot.answer(2, outcome=PASS)
    assert notebook.answered_ids == [2]


def test_what_was_to_be_told_before_a_loss_is_told_afresh(loop: HandLoop) -> None:
    bot, _ = asking(loop, 1, 2)
    bot.instance.withdraw(1)
    bot.instance.close(1)
    bot.instance.disconnect()
    bot.instance.tell(2, FaultNotice(2, Fault.TIMEOUT, "unheard"))
    bot.connect()
    loop.pass_time(MOMENT)
    again = bot.sent[-1]
    assert [opening.table_id for opening in again.openings] == [2]
    assert (again.withdrawn, again.closed, again.notices) == ((), (), ())
    assert [question.question_id for question in again.questions] == [2]


def test_questions_asked_during_a_loss_follow_those_that_were_out(loop: HandLoop) -> None:
    bot, _ = asking(loop, 1)
    bot.instance.disconnect()
    open_tables(bot, [2])
    ask(bot, 2)
    bot.connect()
    loop.pass_time(MOMENT)
    assert [question.question_id for question in bot.sent[-1].questions] == [1, 2]


def test_grace_is_a_budget_of_the_game(loop: HandLoop) -> None:
    bot, notebook = asking(loop, 1, grace=10.0)
    bot.instance.disconnect()
    loop.pass_time(6.0)
    bot.connect()
    later = open_tables(bot, [2])
    loop.pass_time(MOMENT)
    bot.instance.disconnect()
    loop.pass_time(3.9)
    assert notebook.losses == []
    loop.pass_time(0.2)
    assert notebook.losses == [(1, Fault.DISCONNECT)]
    assert later.losses == []
    loop.pass_time(6.0)
    assert later.losses == [(2, Fault.DISCONNECT)]


@pytest.mark.parametrize("told", [True, False])
def test_where_no_grace_is_left_the_end_of_a_process_is_waited_for_a_moment(
    loop: HandLoop, told: bool
) -> None:
    bot, notebook = asking(loop, 1, grace=0.0)
    bot.instance.disconnect()
    loop.pass_time(0.2)
    assert notebook.losses == []
    if told:
        bot.instance.crash("its process ended with exit status 4")
    else:
        loop.pass_time(0.06)
    assert notebook.losses == [(1, Fault.DISCONNECT)]
    assert bool(bot.instance.ending) is told


def test_that_moment_is_no_grace_for_who_comes_back_within_it(loop: HandLoop) -> None:
    bot, notebook = asking(loop, 1, grace=0.0)
    bot.instance.disconnect()
    loop.pass_time(0.1)
    bot.connect()
    assert notebook.losses == [(1, Fault.DISCONNECT)]


def test_how_a_process_ended_is_known_until_one_is_there_again(loop: HandLoop) -> None:
    bot, notebook = asking(loop, 1, grace=10.0)
    bot.instance.crash("its process ended with exit status 4")
    assert (bot.instance.came, bot.instance.gone, notebook.losses) == (False, False, [])
    assert bot.instance.ending == "its process ended with exit status 4"
    bot.connect()
    assert (bot.instance.came, bot.instance.ending) == (True, "")


def test_a_loss_is_told_once_even_where_the_table_goes_on(loop: HandLoop) -> None:
    bot, notebook = asking(loop, 1)
    bot.instance.disconnect()
    loop.pass_time(60.0)
    assert notebook.losses == [(1, Fault.DISCONNECT)]
    assert loop.calls_due == 0
    assert not bot.instance.may_come_back
    bot.connect()
    loop.pass_time(MOMENT)
    assert bot.instance.present


def test_a_process_that_ended_loses_its_games_at_once(loop: HandLoop) -> None:
    bot, notebook = asking(loop, 1, 2)
    bot.instance.end()
    assert notebook.losses == [(1, Fault.DISCONNECT), (2, Fault.DISCONNECT)]
    assert bot.instance.gone
    assert not bot.instance.may_come_back
    loop.pass_time(100)
    assert len(notebook.losses) == 2
    assert notebook.faults == []


def test_a_process_may_be_back_after_it_ended(loop: HandLoop) -> None:
    bot, _ = asking(loop, 1)
    bot.instance.end()
    bot.connect()
    assert bot.instance.present
    open_tables(bot, [5])
    ask(bot, 5)
    loop.pass_time(MOMENT)
    assert bot.asked[-1].question_id == 5


def test_an_idle_bot_leaves_nothing_to_be_done(loop: HandLoop) -> None:
    bot, _ = asking(loop, *range(1, 20))
    bot.answer(*range(1, 20), outcome=PASS)
    for table in range(1, 20):
        bot.instance.close(table)
    loop.pass_time(5.0)
    assert bot.instance.open_tables == 0
    assert loop.calls_due == 0
