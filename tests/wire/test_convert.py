from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitch.rules import (
    GIVE,
    MOON,
    PASS,
    PITCHES,
    PLAYS,
    SMUDGE,
    TAKE,
    TRUMPS,
    Action,
    Kind,
    Variant,
    discard,
)
from pitch.wire.convert import (
    WireError,
    read_bot_frame,
    read_server_frame,
    write_bot_frame,
    write_server_frame,
)
from pitch.wire.frames import (
    ITEMS_LIMIT,
    Answer,
    Delivery,
    Failure,
    Farewell,
    Hello,
    Refusal,
    RefusalReason,
    ServerFrame,
    Welcome,
)
from strategies import Playout, named_variants, playouts, seeds
from wire.making import answers_of, delivery_of, ids, opening_of, spans, texts


@settings(max_examples=60)
@given(playout=playouts(), seed=seeds)
def test_everything_that_a_hand_brings_is_read_as_it_was_written(
    playout: Playout, seed: int
) -> None:
    delivery = delivery_of(playout, Random(seed))
    data = write_server_frame(delivery)
    read = read_server_frame(data)
    assert read == delivery
    assert read is not None
    assert write_server_frame(read) == data


@settings(max_examples=60)
@given(playout=playouts(), seed=seeds)
def test_the_answers_of_a_hand_are_read_as_they_were_written(playout: Playout, seed: int) -> None:
    answers = answers_of(playout, Random(seed))
    data = write_bot_frame(answers)
    assert read_bot_frame(data) == answers
    assert write_bot_frame(read_bot_frame(data)) == data


actions = st.one_of(
    st.sampled_from([PASS, TAKE, GIVE]),
    st.sampled_from([*PITCHES, *PLAYS, *TRUMPS]),
    st.sampled_from([1, 10, SMUDGE, MOON, 2**32 - 1]).map(lambda value: Action(Kind.BID, value)),
    st.sets(st.integers(0, 53)).map(discard),
)
outcomes = st.one_of(st.none(), actions, st.builds(Failure, texts, texts))


@given(st.lists(st.builds(Answer, ids, outcomes, st.integers(0, 2**32 - 1)), min_size=1).map(tuple))
def test_any_answers_are_read_as_they_were_written(answers: tuple[Answer, ...]) -> None:
    assert read_bot_frame(write_bot_frame(answers)) == answers


@given(
    st.builds(
        Hello,
        name=texts,
        token=texts,
        protocol=st.integers(0, 2**32 - 1),
        sdk=texts,
        capacity=st.integers(0, 2**32 - 1),
        session_key=texts,
        notices=st.booleans(),
    )
)
def test_a_hello_is_read_as_it_was_written(hello: Hello) -> None:
    assert read_bot_frame(write_bot_frame(hello)) == hello


small = st.integers(0, 2**32 - 1)


@given(
    st.one_of(
        st.builds(
            Welcome,
            session_key=texts,
            tournament=texts,
            instance=small,
            capacity=small,
            protocol=small,
            server=texts,
        ),
        st.builds(Refusal, reason=st.sampled_from(RefusalReason), message=texts),
        st.builds(Farewell, message=texts),
        st.just(Delivery()),
    )
)
def test_what_a_server_says_beside_games_is_read_as_it_was_written(frame: ServerFrame) -> None:
    assert read_server_frame(write_server_frame(frame)) == frame


@given(variant=named_variants, seed=seeds, limit=spans, bank=spans)
def test_spans_are_kept_to_the_nanosecond(
    variant: Variant, seed: int, limit: float, bank: float
) -> None:
    opening = replace(opening_of(variant, Random(seed)), move_timeout=limit, time_bank=bank)
    read = read_server_frame(write_server_frame(Delivery(openings=(opening,))))
    assert isinstance(read, Delivery)
    assert read.openings[0].move_timeout == pytest.approx(limit, abs=1e-9)
    assert read.openings[0].time_bank == pytest.approx(bank, abs=1e-9)


def answers_in(data: bytes) -> tuple[Answer, ...]:
    frame = read_bot_frame(data)
    assert not isinstance(frame, Hello)
    return frame


def test_a_thinking_time_beyond_the_field_is_the_most_that_it_holds() -> None:
    (read,) = answers_in(write_bot_frame((Answer(1, PASS, 2**40),)))
    assert read == Answer(1, PASS, 2**32 - 1)


def test_a_long_failure_is_cut_where_it_says_least() -> None:
    frame = write_bot_frame((Answer(1, Failure("m" * 10**6, "a" * 10**6 + "last line")),))
    assert len(frame) < 20_000
    (read,) = answers_in(frame)
    assert isinstance(read.outcome, Failure)
    assert read.outcome.traceback.endswith("last line")


@pytest.mark.parametrize(
    ("count", "fits"), [(1, True), (ITEMS_LIMIT, True), (ITEMS_LIMIT + 1, False), (0, False)]
)
def test_a_frame_holds_as_many_answers_as_it_may(count: int, fits: bool) -> None:
    data = write_bot_frame((Answer(1, PASS),) * count)
    if fits:
        assert len(answers_in(data)) == count
    else:
        with pytest.raises(WireError, match=f"expected 1 to {ITEMS_LIMIT} answers .*, got {count}"):
            read_bot_frame(data)
