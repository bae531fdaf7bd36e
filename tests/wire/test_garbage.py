from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitch.rules import PASS, Action
from pitch.wire.convert import (
    WireError,
    read_bot_frame,
    read_server_frame,
    write_bot_frame,
    write_server_frame,
)
from pitch.wire.frames import (
    FRAME_LIMIT_BYTES,
    Answer,
    Delivery,
    Failure,
    Farewell,
    Hello,
    Notice,
    Refusal,
    RefusalReason,
    Welcome,
)
from pitch.wire.v1 import game_pb2, referee_pb2
from strategies import Playout, playouts, seeds
from wire.making import answers_of, delivery_of


def read_by_server(data: bytes) -> None:
    """Reads as the server does; whatever comes out must be something that it can handle."""
    frame: object = None
    with suppress(WireError):
        frame = read_bot_frame(data)
    for answer in frame if isinstance(frame, tuple) else ():
        assert type(answer) is Answer
        assert answer.outcome is None or isinstance(answer.outcome, Action | Failure)


def read_by_bot(data: bytes) -> None:
    """Reads as a bot does."""
    with suppress(WireError):
        read_server_frame(data)


def mutated(data: bytes, chance: Random) -> bytes:
    """A frame with some bytes changed, left out, doubled or cut off."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(changed) + 1)
        change = chance.randrange(4)
        if change == 0 and place < len(changed):
            changed[place] = chance.randrange(256)
        elif change == 1:
            del changed[place : place + chance.randint(1, 8)]
        elif change == 2:
            changed[place:place] = changed[place : place + chance.randint(1, 8)]
        else:
            changed = changed[: max(place, 1)]
    return bytes(changed)


@given(st.binary(max_size=200))
def test_bytes_at_random_are_a_wire_error_at_most(data: bytes) -> None:
    read_by_server(data)
    read_by_bot(data)


@settings(max_examples=60)
@given(playout=playouts(), seed=seeds)
def test_a_mutated_frame_is_a_wire_error_at_most(playout: Playout, seed: int) -> None:
    chance = Random(seed)
    answers = write_bot_frame(answers_of(playout, chance))
    delivery = write_server_frame(delivery_of(playout, chance))
    for _ in range(20):
        read_by_server(mutated(answers, chance))
        read_by_bot(mutated(delivery, chance))


@given(seed=seeds)
def test_mutated_frames_of_other_kinds_are_a_wire_error_at_most(seed: int) -> None:
    chance = Random(seed)
    hello = Hello(name="ann", token="secret", sdk="x", session_key="key", notices=True)
    welcome = Welcome(session_key="key", tournament="t", instance=3, capacity=64, server="x")
    refusal = Refusal(reason=RefusalReason.PROTOCOL, message="no")
    read_by_server(mutated(write_bot_frame(hello), chance))
    for frame in (welcome, refusal, Farewell(message="bye")):
        read_by_bot(mutated(write_server_frame(frame), chance))


def answer_with(action: game_pb2.Action) -> Answer:
    request = referee_pb2.PlayRequest(
        answers=referee_pb2.Answers(answers=[referee_pb2.Answer(question_id=5, action=action)])
    )
    frame = read_bot_frame(request.SerializeToString())
    assert not isinstance(frame, Hello)
    return frame[0]


@pytest.mark.parametrize(
    "action",
    [
        pytest.param(game_pb2.Action(), id="nothing"),
        pytest.param(game_pb2.Action(play=54), id="no such card"),
        pytest.param(game_pb2.Action(play=2**32 - 1), id="far from a card"),
        pytest.param(game_pb2.Action(pitch=54), id="no card to pitch"),
        pytest.param(game_pb2.Action(trump=4), id="no such suit"),
        pytest.param(
            game_pb2.Action(discard=game_pb2.Discard(cards=[1, 54])), id="discard of no card"
        ),
        pytest.param(
            game_pb2.Action(discard=game_pb2.Discard(cards=[2**32 - 1])), id="discard far away"
        ),
        pytest.param(
            game_pb2.Action(discard=game_pb2.Discard(cards=[1, 1])), id="discard one card twice"
        ),
    ],
)
def test_an_action_of_cards_that_do_not_exist_is_an_answer_without_outcome(
    action: game_pb2.Action,
) -> None:
    assert answer_with(action) == Answer(5, None)


def test_an_action_that_a_newer_bot_knows_is_an_answer_without_outcome() -> None:
    newer = game_pb2.Action.FromString(b"\xfa\x01\x01\x00")  # field 31, which nobody has
    assert answer_with(newer) == Answer(5, None)


def test_an_answer_without_outcome_keeps_its_question() -> None:
    assert read_bot_frame(write_bot_frame((Answer(5, None, 3),))) == (Answer(5, None, 3),)


def test_unknown_fields_are_passed_over() -> None:
    unknown = b"\xfa\x01\x03abc"
    assert read_bot_frame(write_bot_frame((Answer(5, PASS),)) + unknown) == (Answer(5, PASS),)
    farewell = Farewell(message="bye")
    assert read_server_frame(write_server_frame(farewell) + unknown) == farewell


def test_a_kind_of_frame_that_is_not_known_is_nothing_to_a_bot_and_an_error_to_the_server() -> None:
    assert read_server_frame(b"\xfa\x01\x03abc") is None
    assert read_server_frame(b"") is None
    with pytest.raises(WireError, match="got a frame with neither"):
        read_bot_frame(b"\xfa\x01\x03abc")


@pytest.mark.parametrize("what", ["phase", "unit", "rounds", "reason"])
def test_an_enum_value_that_is_not_known_is_a_wire_error(what: str) -> None:
    response = referee_pb2.PlayResponse()
    if what == "phase":
        question = response.delivery.questions.add()
        question.view.phase = 99  # type: ignore[assignment]
    elif what in ("unit", "rounds"):
        opening = response.delivery.openings.add()
        opening.unit = 99  # type: ignore[assignment]
        opening.variant.rounds = 99  # type: ignore[assignment]
    else:
        response.refusal.reason = 99  # type: ignore[assignment]
    with pytest.raises(WireError):
        read_server_frame(response.SerializeToString())


def test_a_kind_of_fault_that_is_not_known_is_a_notice_of_nothing() -> None:
    response = referee_pb2.PlayResponse()
    response.delivery.notices.add(table_id=7).fault.kind = 99  # type: ignore[assignment]
    assert read_server_frame(response.SerializeToString()) == Delivery(notices=(Notice(7, None),))


@pytest.mark.parametrize(
    ("required", "optional", "minimum", "maximum"),
    [
        pytest.param([], [], 0, 2**32 - 1, id="a maximum without end"),
        pytest.param([], [1], 2**32 - 2, 2**32 - 1, id="a minimum without end"),
        pytest.param([1, 2], [3], 0, 1, id="more required than allowed"),
        pytest.param([99], [3], 0, 1, id="no such card"),
    ],
)
def test_options_of_a_discard_that_cannot_be_are_a_wire_error(
    required: list[int], optional: list[int], minimum: int, maximum: int
) -> None:
    response = referee_pb2.PlayResponse()
    question = response.delivery.questions.add()
    question.view.phase = game_pb2.PHASE_EXCHANGE
    options = question.options.discard
    options.required_cards.extend(required)
    options.optional_cards.extend(optional)
    options.minimum, options.maximum = minimum, maximum
    with pytest.raises(WireError):
        read_server_frame(response.SerializeToString())


def test_a_variant_that_cannot_be_played_is_a_wire_error() -> None:
    response = referee_pb2.PlayResponse()
    response.delivery.openings.add().variant.players = 2**31
    with pytest.raises(WireError):
        read_server_frame(response.SerializeToString())


def test_a_frame_beyond_the_limit_is_refused_before_it_is_parsed() -> None:
    with pytest.raises(WireError, match=f"{FRAME_LIMIT_BYTES} are allowed"):
        read_bot_frame(b"\xff" * (FRAME_LIMIT_BYTES + 1))
    hello = write_bot_frame(Hello(name="x" * (FRAME_LIMIT_BYTES - 20), token=""))
    assert len(hello) <= FRAME_LIMIT_BYTES
    assert isinstance(read_bot_frame(hello), Hello)
