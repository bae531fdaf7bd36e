"""Frames from the server: welcome, refusal, deliveries, farewell."""

from dataclasses import fields

from google.protobuf.message import DecodeError

from pitch.wire.convert.views import (
    fill_options,
    fill_result,
    fill_view,
    read_options,
    read_result,
    read_view,
)
from pitch.wire.convert.words import (
    FAULTS,
    REASONS,
    UNITS,
    WireError,
    optional,
    read_seconds,
    read_variant,
    variant_message,
    write_seconds,
)
from pitch.wire.frames import (
    Delivery,
    Farewell,
    FaultNotice,
    GameOver,
    HandOver,
    Notice,
    Question,
    Refusal,
    ServerFrame,
    TableOpening,
    Welcome,
)
from pitch.wire.v1 import referee_pb2

__all__ = ["read_server_frame", "write_server_frame"]


def write_server_frame(frame: ServerFrame) -> bytes:
    """The bytes of a frame from the server."""
    response = referee_pb2.PlayResponse()
    if isinstance(frame, Delivery):
        response.delivery.SetInParent()
        _fill_delivery(response.delivery, frame)
    elif isinstance(frame, Welcome):
        for field in fields(frame):
            setattr(response.welcome, field.name, getattr(frame, field.name))
    elif isinstance(frame, Refusal):
        response.refusal.reason = REASONS.numbers[frame.reason]
        response.refusal.message = frame.message
    else:
        response.farewell.SetInParent()
        response.farewell.message = frame.message
        response.farewell.come_back_fresh = frame.come_back_fresh
    return response.SerializeToString()


def _fill_delivery(message: referee_pb2.Delivery, frame: Delivery) -> None:
    for opening in frame.openings:
        _fill_opening(message.openings.add(), opening)
    for notice in frame.notices:
        _fill_notice(message.notices.add(), notice)
    if frame.withdrawn:
        message.withdrawn_questions.extend(frame.withdrawn)
    if frame.closed:
        message.closed_tables.extend(frame.closed)
    add = message.questions.add
    for question in frame.questions:
        _fill_question(add(), question)


def _fill_question(message: referee_pb2.Question, question: Question) -> None:
    message.question_id, message.table_id, view, message.chance, time_bank, limit = question
    fill_view(message.view, view)
    fill_options(message.options, view.legal)
    if time_bank:
        write_seconds(message.time_bank, time_bank)
    if limit is not None:
        write_seconds(message.limit, limit)


def _fill_opening(message: referee_pb2.TableOpening, opening: TableOpening) -> None:
    message.table_id = opening.table_id
    message.variant.CopyFrom(variant_message(opening.variant))
    message.seat = opening.seat
    message.first_dealer = opening.first_dealer
    message.unit = UNITS.numbers[opening.unit]
    if opening.max_hands is not None:
        message.max_hands = opening.max_hands
    if opening.seat_names:
        message.seat_names.extend(opening.seat_names)
    write_seconds(message.move_timeout, opening.move_timeout)
    if opening.time_bank:
        write_seconds(message.time_bank, opening.time_bank)


def _fill_notice(message: referee_pb2.Notice, notice: Notice) -> None:
    message.table_id, event = notice
    if isinstance(event, HandOver):
        fill_view(message.hand_over.view, event.view)
        fill_result(message.hand_over.result, event.result)
    elif isinstance(event, GameOver):
        message.game_over.SetInParent()
        message.game_over.scores.extend(event.scores)
        message.game_over.forfeited_sides.extend(event.forfeited_sides)
        if event.winner is not None:
            message.game_over.winner = event.winner
    elif isinstance(event, FaultNotice):
        message.fault.kind = FAULTS.numbers[event.fault]
        message.fault.message = event.message
        if event.question_id is not None:
            message.fault.question_id = event.question_id


def read_server_frame(data: bytes) -> ServerFrame | None:
    """The frame that the server sent; None for a kind that only a newer SDK knows."""
    try:
        response = referee_pb2.PlayResponse.FromString(data)
    except DecodeError:
        raise WireError(
            f"expected a PlayResponse, got {len(data)} bytes that are no such message"
        ) from None
    kind = response.WhichOneof("event")
    if kind == "delivery":
        return _read_delivery(response.delivery)
    if kind == "welcome":
        return _read_welcome(response.welcome)
    if kind == "refusal":
        return Refusal(
            reason=REASONS.read(response.refusal.reason), message=response.refusal.message
        )
    if kind == "farewell":
        farewell = response.farewell
        return Farewell(message=farewell.message, come_back_fresh=farewell.come_back_fresh)
    return None


def _read_welcome(message: referee_pb2.Welcome) -> Welcome:
    return Welcome(
        session_key=message.session_key,
        tournament=message.tournament,
        instance=message.instance,
        capacity=message.capacity,
        protocol=message.protocol,
        server=message.server,
        commitment=message.commitment,
    )


def _read_delivery(message: referee_pb2.Delivery) -> Delivery:
    try:
        return Delivery(
            openings=tuple([_read_opening(opening) for opening in message.openings]),
            notices=tuple([_read_notice(notice) for notice in message.notices]),
            withdrawn=tuple(message.withdrawn_questions),
            closed=tuple(message.closed_tables),
            questions=tuple([_read_question(question) for question in message.questions]),
        )
    except (KeyError, IndexError, ValueError) as error:
        raise WireError(f"a delivery holds what this SDK cannot read: {error!r}") from error


def _read_question(message: referee_pb2.Question) -> Question:
    return Question(
        message.question_id,
        message.table_id,
        read_view(message.view, read_options(message.options)),
        message.chance,
        read_seconds(message, "time_bank"),
        read_seconds(message, "limit") if message.HasField("limit") else None,
    )


def _read_opening(message: referee_pb2.TableOpening) -> TableOpening:
    return TableOpening(
        table_id=message.table_id,
        variant=read_variant(message.variant),
        seat=message.seat,
        first_dealer=message.first_dealer,
        unit=UNITS.read(message.unit),
        max_hands=optional(message, "max_hands"),
        seat_names=tuple(message.seat_names),
        move_timeout=read_seconds(message, "move_timeout"),
        time_bank=read_seconds(message, "time_bank"),
    )


def _read_notice(message: referee_pb2.Notice) -> Notice:
    kind = message.WhichOneof("event")
    event: HandOver | GameOver | FaultNotice | None = None
    if kind == "hand_over":
        over = message.hand_over
        event = HandOver(read_view(over.view, ()), read_result(over.result))
    elif kind == "game_over":
        end = message.game_over
        event = GameOver(tuple(end.scores), optional(end, "winner"), tuple(end.forfeited_sides))
    elif kind == "fault":
        fault = message.fault
        if kind_of_fault := FAULTS.find(fault.kind):  # the list may grow
            event = FaultNotice(optional(fault, "question_id"), kind_of_fault, fault.message)
    return Notice(message.table_id, event)
