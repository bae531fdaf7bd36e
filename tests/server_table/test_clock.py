import pytest

from pitch_server.table.clock import InstanceClock, LagMeter, Moment, Written


def at(time: float, lag: float = 0.0) -> Moment:
    return Moment(time, lag)


def test_a_span_leaves_out_the_servers_lag() -> None:
    assert at(5.0, 1.5).since(at(3.0, 1.0)) == pytest.approx(1.5)
    assert at(5.0, 9.0).since(at(3.0, 1.0)) == 0.0


@pytest.mark.parametrize(
    ("elapsed", "overdue"),
    [(0.0, False), (0.999, False), (1.0, False), (1.001, True), (100.0, True)],
)
def test_a_question_has_its_limit_and_not_more(elapsed: float, overdue: bool) -> None:
    clock = InstanceClock(1.0, 0.0)
    question = Written(at(10.0), 1)
    assert clock.overdue(question, 1.0, 0.0, at(10.0 + elapsed)) is overdue


@pytest.mark.parametrize(("lag", "overdue"), [(0.0, True), (0.49, True), (0.51, False)])
def test_lag_is_given_back(lag: float, overdue: bool) -> None:
    clock = InstanceClock(1.0, 0.0)
    question = Written(at(10.0, 7.0), 1)
    assert clock.overdue(question, 1.0, 0.0, at(11.5, 7.0 + lag)) is overdue


@pytest.mark.parametrize(("elapsed", "overdue"), [(2.9, False), (3.1, True)])
def test_a_time_bank_is_added(elapsed: float, overdue: bool) -> None:
    clock = InstanceClock(1.0, 2.0)
    question = Written(at(0.0), 1)
    assert clock.overdue(question, 1.0, 2.0, at(elapsed)) is overdue


def test_the_time_of_a_question_begins_with_the_answer_before_it() -> None:
    clock = InstanceClock(1.0, 0.0)
    second = Written(at(0.0), 2)
    clock.answered(at(0.9))
    assert clock.elapsed(second, at(1.5)) == pytest.approx(0.6)
    assert not clock.overdue(second, 1.0, 0.0, at(1.9))
    assert clock.overdue(second, 1.0, 0.0, at(1.91))


def test_an_answer_before_the_writing_does_not_matter() -> None:
    clock = InstanceClock(1.0, 0.0)
    clock.answered(at(0.0))
    assert clock.elapsed(Written(at(5.0), 1), at(5.5)) == pytest.approx(0.5)


@pytest.mark.parametrize("queue", [1, 2, 40])
def test_no_answers_to_others_put_a_question_off_for_ever(queue: int) -> None:
    clock = InstanceClock(1.0, 0.5)
    question = Written(at(0.0), queue)
    end = 1.5 * queue
    now = 0.0
    while now < end - 0.2:
        now += 0.1
        clock.answered(at(now))
        assert not clock.overdue(question, 1.0, 0.5, at(now))
    clock.answered(at(end + 0.01))
    assert clock.overdue(question, 1.0, 0.5, at(end + 0.01))


def test_what_a_late_answer_took_is_not_taken_from_the_questions_behind_it() -> None:
    clock = InstanceClock(1.0, 0.0)
    second = clock.written(at(0.0), 2)
    clock.answered(at(1.0))  # the first one's time is up
    clock.answered_late(at(1.0), at(1.8))
    assert not clock.overdue(second, 1.0, 0.0, at(2.79))
    assert clock.overdue(second, 1.0, 0.0, at(2.81))
    third = clock.written(at(3.0), 1)
    clock.answered(at(3.9))
    assert clock.overdue(third, 1.0, 0.0, at(4.01))


def test_a_late_answer_gives_no_more_than_a_limit() -> None:
    clock = InstanceClock(1.0, 0.0)
    second = clock.written(at(0.0), 2)
    clock.answered_late(at(1.0), at(2.9))
    assert not clock.overdue(second, 1.0, 0.0, at(2.99))
    assert clock.overdue(second, 1.0, 0.0, at(3.01))


def test_a_pause_keeps_what_was_used_and_costs_nothing_itself() -> None:
    clock = InstanceClock(1.0, 0.0)
    question = Written(at(0.0), 1)
    clock.pause(question, at(0.6), 1.0)
    clock.resume(question, at(100.0))
    assert clock.elapsed(question, at(100.1)) == pytest.approx(0.7)
    assert not clock.overdue(question, 1.0, 0.0, at(100.39))
    assert clock.overdue(question, 1.0, 0.0, at(100.41))
    clock.pause(question, at(100.3), 1.0)
    clock.resume(question, at(200.0))
    assert clock.overdue(question, 1.0, 0.0, at(200.11))


def test_lag_is_what_ticks_are_late_by() -> None:
    meter = LagMeter(0.01, 5.0)
    meter.tick(5.01)
    assert meter.total == pytest.approx(0.0)
    meter.tick(5.52)
    assert meter.total == pytest.approx(0.5)
    meter.tick(5.525)
    meter.tick(5.635)
    assert meter.total == pytest.approx(0.6)
    assert meter.worst == pytest.approx(0.5)


def test_what_timers_are_late_by_on_an_idle_machine_is_no_lag() -> None:
    meter = LagMeter(0.01, 0.0)
    for tick in range(1, 1001):
        meter.tick(tick * 0.0115)
    assert meter.moment(11.5).lag == 0.0
    meter.tick(11.5 + 0.01 + 0.003)
    assert meter.total == pytest.approx(0.003)


def test_a_tick_that_is_overdue_counts_before_it_comes() -> None:
    meter = LagMeter(0.01, 5.0)
    assert meter.moment(5.01).lag == pytest.approx(0.0)
    assert meter.moment(5.31).lag == pytest.approx(0.3)
    meter.tick(5.31)
    assert meter.moment(5.31).lag == pytest.approx(0.3)
