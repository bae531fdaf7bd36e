"""What a newer server might send is read as if the unknown parts were not there."""

from random import Random

import pytest

from pitch.rules import VARIANTS
from pitch.table.unit import Unit
from pitch.testing.conformance import find_situations
from pitch.wire.convert import read_server_frame, write_server_frame
from pitch.wire.convert.newer import newer_frame, unknown_frame
from pitch.wire.frames import (
    Delivery,
    Farewell,
    Notice,
    Question,
    Refusal,
    RefusalReason,
    TableOpening,
    Welcome,
)


def delivery(name: str) -> Delivery:
    variant = VARIANTS[name]
    situation = find_situations(variant, Random(1))[0]
    opening = TableOpening(
        table_id=1,
        variant=variant,
        seat=situation.view.seat,
        first_dealer=0,
        unit=Unit.HAND,
        max_hands=1,
        move_timeout=1.0,
    )
    return Delivery(openings=(opening,), questions=(Question(2, 1, situation.view, 3),))


@pytest.mark.parametrize("name", VARIANTS)
def test_unknown_fields_change_nothing_and_unknown_notices_are_of_nothing(name: str) -> None:
    frame = delivery(name)
    data = write_server_frame(frame)
    newer = newer_frame(data)
    assert len(newer) > len(data) + 50
    read = read_server_frame(newer)
    assert isinstance(read, Delivery)
    assert (read.openings, read.questions) == (frame.openings, frame.questions)
    assert read.notices == (Notice(1, None), Notice(1, None))


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param(
            Welcome(session_key="k", tournament="t", instance=0, capacity=1), id="welcome"
        ),
        pytest.param(Refusal(reason=RefusalReason.CLOSED, message="m"), id="refusal"),
        pytest.param(Farewell(message="m"), id="farewell"),
    ],
)
def test_frames_that_stand_alone_are_read_as_ever(frame: Welcome | Refusal | Farewell) -> None:
    assert read_server_frame(newer_frame(write_server_frame(frame))) == frame


def test_a_frame_of_an_unknown_kind_is_none() -> None:
    assert read_server_frame(unknown_frame()) is None
