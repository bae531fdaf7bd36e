"""The only bridge between frames and messages: bytes in, values out, and back.

Nothing outside this module touches generated code. Reading raises nothing but `WireError`,
whatever the bytes are; an answer whose outcome makes no sense (an unknown card, an unset
choice) is read as an answer without outcome, so that the fault is charged to its question.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields
from enum import StrEnum
from functools import lru_cache
from typing import Any, Generic, TypeVar

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError

from pitch.rules import (
    CARD_COUNT,
    GIVE,
    PASS,
    PITCHES,
    PLAYS,
    TAKE,
    TRUMPS,
    Action,
    Discards,
    Exchange,
    Follow,
    GamePoint,
    HandResult,
    Kind,
    Legal,
    Low,
    OpeningLead,
    Phase,
    Rounds,
    Stuck,
    Trump,
    Variant,
    VariantError,
    View,
    Win,
    cards_of,
    discard,
    mask_of,
)
from pitch.table.faults import Fault
from pitch.table.unit import Unit
from pitch.wire.frames import (
    FRAME_LIMIT_BYTES,
    ITEMS_LIMIT,
    Answer,
    BotFrame,
    Delivery,
    Failure,
    Farewell,
    FaultNotice,
    GameOver,
    HandOver,
    Hello,
    Notice,
    Question,
    Refusal,
    RefusalReason,
    ServerFrame,
    TableOpening,
    Welcome,
)
from pitch.wire.v1 import game_pb2, referee_pb2

__all__ = [
    "WireError",
    "read_bot_frame",
    "read_server_frame",
    "write_bot_frame",
    "write_server_frame",
]

_PITCH_CODE = 200
_MESSAGE_LIMIT = 1_000
_TRACEBACK_LIMIT = 16_000
_UINT32_MAX = (1 << 32) - 1


class WireError(ValueError):
    """Bytes that are no frame; the message says what was expected and what came."""


# --- words of the rules and their enums ---------------------------------------------------

WordT = TypeVar("WordT", bound=StrEnum)


class _Words(Generic[WordT]):
    """Both directions between a word and its enum value, matched by name."""

    def __init__(self, words: type[WordT], prefix: str, enum: Any) -> None:
        self.numbers = {w: int(enum.Value(f"{prefix}_{w.value.upper()}")) for w in words}
        self._words = {number: word for word, number in self.numbers.items()}

    def read(self, number: int) -> WordT:
        """The word; an unknown number is a WireError."""
        try:
            return self._words[number]
        except KeyError:
            raise WireError(f"enum value {number} is not one of {sorted(self._words)}") from None


_VARIANT_WORDS: dict[str, _Words[Any]] = {
    "rounds": _Words(Rounds, "ROUNDS", game_pb2.Rounds),
    "stuck": _Words(Stuck, "STUCK", game_pb2.Stuck),
    "trump": _Words(Trump, "TRUMP_CHOICE", game_pb2.TrumpChoice),
    "exchange": _Words(Exchange, "EXCHANGE", game_pb2.Exchange),
    "opening_lead": _Words(OpeningLead, "OPENING_LEAD", game_pb2.OpeningLead),
    "follow": _Words(Follow, "FOLLOW", game_pb2.Follow),
    "low": _Words(Low, "LOW", game_pb2.Low),
    "game": _Words(GamePoint, "GAME_POINT", game_pb2.GamePoint),
    "win": _Words(Win, "WIN", game_pb2.Win),
}
_UNITS = _Words(Unit, "UNIT", referee_pb2.Unit)
_FAULTS = _Words(Fault, "FAULT_KIND", referee_pb2.FaultKind)
_REASONS = _Words(RefusalReason, "REFUSAL_REASON", referee_pb2.RefusalReason)
_PHASES = {phase: int(phase) + 1 for phase in Phase}
_PHASE_OF = {number: phase for phase, number in _PHASES.items()}
_LEFTOVERS = {None: 0, TAKE: 1, GIVE: 2}
_LEFTOVERS_OF: dict[int, Action | None] = {0: None, 1: TAKE, 2: GIVE}


# --- small shared pieces --------------------------------------------------------------------


def _duration(seconds: float) -> Duration:
    whole = int(seconds)
    return Duration(seconds=whole, nanos=round((seconds - whole) * 1e9))


def _seconds(duration: Duration) -> float:
    return float(duration.seconds) + float(duration.nanos) / 1e9


def _mask(cards: Iterable[int]) -> int:
    mask = 0
    for card in cards:
        if card >= CARD_COUNT:
            raise WireError(f"{card} is no card index")
        mask |= 1 << card
    return mask


def _optional(message: Any, name: str) -> int | None:
    return int(getattr(message, name)) if message.HasField(name) else None


def _call_code(action: Action) -> int:
    if action.kind == Kind.PASS:
        return 0
    return action.value if action.kind == Kind.BID else _PITCH_CODE + action.value


def _call_of(code: int) -> Action:
    if code == 0:
        return PASS
    if code >= _PITCH_CODE:
        return PITCHES[code - _PITCH_CODE]
    return Action(Kind.BID, code)


# --- variant ----------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _variant_message(variant: Variant) -> game_pb2.Variant:
    values: dict[str, Any] = {}
    for field in fields(variant):
        value = getattr(variant, field.name)
        words = _VARIANT_WORDS.get(field.name)
        values[field.name] = words.numbers[value] if words else value
    return game_pb2.Variant(**values)


@lru_cache(maxsize=16)
def _variant_of(data: bytes) -> Variant:
    message = game_pb2.Variant.FromString(data)
    values: dict[str, Any] = {}
    for field in fields(Variant):
        value = getattr(message, field.name)
        words = _VARIANT_WORDS.get(field.name)
        values[field.name] = words.read(value) if words else value
    try:
        return Variant(**values)
    except VariantError as error:
        raise WireError(f"the variant of a table cannot be played: {error}") from None


# --- views and options ------------------------------------------------------------------------


def _view_message(view: View) -> game_pb2.View:
    message = game_pb2.View(
        seat=view.seat,
        dealer=view.dealer,
        hand_number=view.hand_number,
        scores=view.scores,
        phase=_PHASES[view.phase],  # type: ignore[arg-type]
        hand_cards=cards_of(view.hand),
        bid=view.bid,
        trick_sizes=view.trick_sizes,
        trick_winners=view.trick_winners,
    )
    if view.to_act >= 0:
        message.acting_seat = view.to_act
    if view.auction:
        message.auction_seats.extend([seat for seat, _ in view.auction])
        message.auction_calls.extend([_call_code(call) for _, call in view.auction])
    if view.pitcher >= 0:
        message.pitcher = view.pitcher
    if view.trump >= 0:
        message.trump = view.trump
    if view.played:
        seats, cards = zip(*view.played, strict=True)
        message.played_seats.extend(seats)
        message.played_cards.extend(cards)
    if view.points is not None:
        message.points.extend(view.points)
    if view.discard_counts or view.discarded or view.received or view.leftovers is not None:
        _write_exchange(view, message)
    return message


def _write_exchange(view: View, message: game_pb2.View) -> None:
    message.discarded_cards.extend(cards_of(view.discarded))
    message.received_cards.extend(cards_of(view.received))
    message.leftovers = _LEFTOVERS[view.leftovers]  # type: ignore[assignment]
    for counts in view.discard_counts:
        message.discard_rounds.add(
            seats=[seat for seat, _ in counts], counts=[count for _, count in counts]
        )


def _options_message(legal: Legal) -> game_pb2.Options:
    if isinstance(legal, Discards):
        return game_pb2.Options(
            discard=game_pb2.DiscardOptions(
                required_cards=cards_of(legal.required),
                optional_cards=cards_of(legal.optional),
                minimum=legal.minimum,
                maximum=legal.maximum,
            )
        )
    if legal[0].kind == Kind.PLAY:
        return game_pb2.Options(plays=[action.value for action in legal])
    message = game_pb2.Options()
    for action in legal:
        _ADD_OPTION[action.kind](message, action.value)
    return message


def _set_pass(message: game_pb2.Options, _value: int) -> None:
    setattr(message, "pass", True)


def _set_take(message: game_pb2.Options, _value: int) -> None:
    message.take = True


def _set_give(message: game_pb2.Options, _value: int) -> None:
    message.give = True


_ADD_OPTION: dict[Kind, Callable[[game_pb2.Options, int], None]] = {
    Kind.PASS: _set_pass,
    Kind.BID: lambda message, value: message.bids.append(value),
    Kind.PITCH: lambda message, value: message.pitches.append(value),
    Kind.TRUMP: lambda message, value: message.trumps.append(value),
    Kind.TAKE: _set_take,
    Kind.GIVE: _set_give,
}


def _legal_of(message: game_pb2.Options) -> Legal:
    if message.plays:
        return tuple([PLAYS[card] for card in message.plays])
    if message.HasField("discard"):
        options = message.discard
        return Discards(
            _mask(options.required_cards),
            _mask(options.optional_cards),
            options.minimum,
            options.maximum,
        )
    legal = [PASS] if getattr(message, "pass") else []
    legal += [Action(Kind.BID, value) for value in message.bids]
    legal += [PITCHES[card] for card in message.pitches]
    legal += [TRUMPS[suit] for suit in message.trumps]
    legal += [TAKE] if message.take else []
    legal += [GIVE] if message.give else []
    return tuple(legal)


def _view_of(message: game_pb2.View, legal: Legal) -> View:
    has = message.HasField
    return View(
        seat=message.seat,
        dealer=message.dealer,
        hand_number=message.hand_number,
        scores=tuple(message.scores),
        phase=_PHASE_OF[message.phase],
        to_act=message.acting_seat if has("acting_seat") else -1,
        hand=_mask(message.hand_cards),
        discarded=_mask(message.discarded_cards),
        auction=tuple(
            zip(message.auction_seats, map(_call_of, message.auction_calls), strict=True)
        ),
        pitcher=message.pitcher if has("pitcher") else -1,
        bid=message.bid,
        trump=message.trump if has("trump") else -1,
        discard_counts=tuple(
            tuple(zip(counts.seats, counts.counts, strict=True))
            for counts in message.discard_rounds
        ),
        leftovers=_LEFTOVERS_OF[message.leftovers],
        received=_mask(message.received_cards),
        played=tuple(zip(message.played_seats, message.played_cards, strict=True)),
        trick_sizes=tuple(message.trick_sizes),
        trick_winners=tuple(message.trick_winners),
        points=tuple(message.points) or None,
        legal=legal,
    )


# --- actions ------------------------------------------------------------------------------------


def _action_message(action: Action) -> game_pb2.Action:
    kind, value = action
    if kind == Kind.PLAY:
        return game_pb2.Action(play=value)
    if kind == Kind.BID:
        return game_pb2.Action(bid=value)
    if kind == Kind.DISCARD:
        return game_pb2.Action(discard=game_pb2.Discard(cards=cards_of(value)))
    if kind == Kind.PITCH:
        return game_pb2.Action(pitch=value)
    if kind == Kind.TRUMP:
        return game_pb2.Action(trump=value)
    message = game_pb2.Action()
    setattr(message, kind.name.lower(), True)
    return message


def _action_of(message: game_pb2.Action) -> Action | None:
    """The action, or None where it names none or no such card exists."""
    kind = message.WhichOneof("kind")
    try:
        if kind == "play":
            return PLAYS[message.play]
        if kind == "discard":
            cards = message.discard.cards
            action = discard(mask_of(cards)) if max(cards, default=0) < CARD_COUNT else None
            # A card named twice is no set of cards.
            return action if action and action.value.bit_count() == len(cards) else None
        return _READ_ACTION[kind](message) if kind else None
    except IndexError:
        return None


_READ_ACTION: dict[str, Callable[[game_pb2.Action], Action]] = {
    "pass": lambda _message: PASS,
    "bid": lambda message: Action(Kind.BID, message.bid),
    "pitch": lambda message: PITCHES[message.pitch],
    "trump": lambda message: TRUMPS[message.trump],
    "take": lambda _message: TAKE,
    "give": lambda _message: GIVE,
}


# --- from the bot -------------------------------------------------------------------------------


def write_bot_frame(frame: BotFrame) -> bytes:
    """The bytes of a frame from a bot."""
    if isinstance(frame, Hello):
        values = {field.name: getattr(frame, field.name) for field in fields(frame)}
        return referee_pb2.PlayRequest(hello=referee_pb2.Hello(**values)).SerializeToString()
    request = referee_pb2.PlayRequest(
        answers=referee_pb2.Answers(answers=[_answer_message(answer) for answer in frame])
    )
    return request.SerializeToString()


def _answer_message(answer: Answer) -> referee_pb2.Answer:
    question_id, outcome, thinking_us = answer
    if isinstance(outcome, Action):
        return referee_pb2.Answer(
            question_id=question_id,
            action=_action_message(outcome),
            thinking_time_us=min(thinking_us, _UINT32_MAX),
        )
    message = referee_pb2.Answer(
        question_id=question_id, thinking_time_us=min(thinking_us, _UINT32_MAX)
    )
    if outcome is not None:
        message.failure.message = outcome.message[:_MESSAGE_LIMIT]
        message.failure.traceback = outcome.traceback[-_TRACEBACK_LIMIT:]
    return message


def read_bot_frame(data: bytes) -> BotFrame:
    """The frame that a bot sent; raises WireError where the bytes are none."""
    if len(data) > FRAME_LIMIT_BYTES:
        raise WireError(f"a frame of {len(data)} bytes came, {FRAME_LIMIT_BYTES} are allowed")
    try:
        request = referee_pb2.PlayRequest.FromString(data)
    except DecodeError:
        raise WireError(
            f"expected a PlayRequest, got {len(data)} bytes that are no such message"
        ) from None
    kind = request.WhichOneof("event")
    if kind == "answers":
        return _answers_of(request.answers)
    if kind == "hello":
        return _hello_of(request.hello)
    raise WireError("expected a hello or answers, got a frame with neither")


def _answers_of(message: referee_pb2.Answers) -> tuple[Answer, ...]:
    count = len(message.answers)
    if not 1 <= count <= ITEMS_LIMIT:
        raise WireError(f"expected 1 to {ITEMS_LIMIT} answers in a frame, got {count}")
    return tuple([_answer_of(answer) for answer in message.answers])


def _answer_of(message: referee_pb2.Answer) -> Answer:
    kind = message.WhichOneof("outcome")
    outcome: Action | Failure | None = None
    if kind == "action":
        outcome = _action_of(message.action)
    elif kind == "failure":
        failure = message.failure
        outcome = Failure(failure.message[:_MESSAGE_LIMIT], failure.traceback[-_TRACEBACK_LIMIT:])
    return Answer(message.question_id, outcome, message.thinking_time_us)


def _hello_of(message: referee_pb2.Hello) -> Hello:
    return Hello(
        name=message.name,
        token=message.token,
        protocol=message.protocol,
        sdk=message.sdk[:100],
        capacity=message.capacity,
        session_key=message.session_key,
        notices=message.notices,
    )


# --- from the server ----------------------------------------------------------------------------


def write_server_frame(frame: ServerFrame) -> bytes:
    """The bytes of a frame from the server."""
    if isinstance(frame, Delivery):
        response = referee_pb2.PlayResponse(delivery=_delivery_message(frame))
    elif isinstance(frame, Welcome):
        values = {field.name: getattr(frame, field.name) for field in fields(frame)}
        response = referee_pb2.PlayResponse(welcome=referee_pb2.Welcome(**values))
    elif isinstance(frame, Refusal):
        response = referee_pb2.PlayResponse()
        response.refusal.reason = _REASONS.numbers[frame.reason]  # type: ignore[assignment]
        response.refusal.message = frame.message
    else:
        response = referee_pb2.PlayResponse(farewell=referee_pb2.Farewell(message=frame.message))
    return response.SerializeToString()


def _delivery_message(frame: Delivery) -> referee_pb2.Delivery:
    return referee_pb2.Delivery(
        openings=[_opening_message(opening) for opening in frame.openings],
        notices=[_notice_message(notice) for notice in frame.notices],
        withdrawn_questions=frame.withdrawn,
        closed_tables=frame.closed,
        questions=[_question_message(question) for question in frame.questions],
    )


def _question_message(question: Question) -> referee_pb2.Question:
    view = question.view
    message = referee_pb2.Question(
        question_id=question.question_id,
        table_id=question.table_id,
        view=_view_message(view),
        options=_options_message(view.legal),
        chance=question.chance,
    )
    if question.time_bank:
        message.time_bank.CopyFrom(_duration(question.time_bank))
    return message


def _opening_message(opening: TableOpening) -> referee_pb2.TableOpening:
    message = referee_pb2.TableOpening(
        table_id=opening.table_id,
        variant=_variant_message(opening.variant),
        seat=opening.seat,
        first_dealer=opening.first_dealer,
        unit=_UNITS.numbers[opening.unit],  # type: ignore[arg-type]
        max_hands=opening.max_hands,
        seat_names=opening.seat_names,
        move_timeout=_duration(opening.move_timeout),
    )
    if opening.time_bank:
        message.time_bank.CopyFrom(_duration(opening.time_bank))
    return message


def _notice_message(notice: Notice) -> referee_pb2.Notice:
    message = referee_pb2.Notice(table_id=notice.table_id)
    event = notice.event
    if isinstance(event, HandOver):
        message.hand_over.view.CopyFrom(_view_message(event.view))
        message.hand_over.result.CopyFrom(_result_message(event.result))
    elif isinstance(event, GameOver):
        message.game_over.CopyFrom(
            referee_pb2.GameOver(
                scores=event.scores,
                winner=event.winner,
                forfeited_sides=event.forfeited_sides,
            )
        )
    elif isinstance(event, FaultNotice):
        message.fault.CopyFrom(
            referee_pb2.FaultNotice(
                question_id=event.question_id,
                kind=_FAULTS.numbers[event.fault],  # type: ignore[arg-type]
                message=event.message,
            )
        )
    return message


def _result_message(result: HandResult) -> game_pb2.HandResult:
    return game_pb2.HandResult(
        pitcher=result.pitcher,
        bid=result.bid,
        trump=result.trump,
        made=result.made,
        won=[game_pb2.WonPoint(point=point, side=side) for point, side in result.won],
        points=result.points,
        deltas=result.delta,
        scores=result.scores,
    )


def read_server_frame(data: bytes) -> ServerFrame | None:
    """The frame that the server sent; None for a kind that a newer server knows."""
    try:
        response = referee_pb2.PlayResponse.FromString(data)
    except DecodeError:
        raise WireError(
            f"expected a PlayResponse, got {len(data)} bytes that are no such message"
        ) from None
    kind = response.WhichOneof("event")
    if kind == "delivery":
        return _delivery_of(response.delivery)
    if kind == "welcome":
        return _welcome_of(response.welcome)
    if kind == "refusal":
        return Refusal(
            reason=_REASONS.read(response.refusal.reason), message=response.refusal.message
        )
    if kind == "farewell":
        return Farewell(message=response.farewell.message)
    return None


def _welcome_of(message: referee_pb2.Welcome) -> Welcome:
    return Welcome(
        session_key=message.session_key,
        tournament=message.tournament,
        instance=message.instance,
        capacity=message.capacity,
        protocol=message.protocol,
        server=message.server,
    )


def _delivery_of(message: referee_pb2.Delivery) -> Delivery:
    try:
        return Delivery(
            openings=tuple([_opening_of(opening) for opening in message.openings]),
            notices=tuple([_notice_of(notice) for notice in message.notices]),
            withdrawn=tuple(message.withdrawn_questions),
            closed=tuple(message.closed_tables),
            questions=tuple([_question_of(question) for question in message.questions]),
        )
    except (KeyError, IndexError, ValueError) as error:
        raise WireError(f"a delivery holds what this SDK cannot read: {error}") from error


def _question_of(message: referee_pb2.Question) -> Question:
    return Question(
        message.question_id,
        message.table_id,
        _view_of(message.view, _legal_of(message.options)),
        message.chance,
        _seconds(message.time_bank) if message.HasField("time_bank") else 0.0,
    )


def _opening_of(message: referee_pb2.TableOpening) -> TableOpening:
    return TableOpening(
        table_id=message.table_id,
        variant=_variant_of(message.variant.SerializeToString(deterministic=True)),
        seat=message.seat,
        first_dealer=message.first_dealer,
        unit=_UNITS.read(message.unit),
        max_hands=_optional(message, "max_hands"),
        seat_names=tuple(message.seat_names),
        move_timeout=_seconds(message.move_timeout),
        time_bank=_seconds(message.time_bank) if message.HasField("time_bank") else 0.0,
    )


def _notice_of(message: referee_pb2.Notice) -> Notice:
    kind = message.WhichOneof("event")
    event: HandOver | GameOver | FaultNotice | None = None
    if kind == "hand_over":
        over = message.hand_over
        event = HandOver(_view_of(over.view, ()), _result_of(over.result))
    elif kind == "game_over":
        end = message.game_over
        event = GameOver(tuple(end.scores), _optional(end, "winner"), tuple(end.forfeited_sides))
    elif kind == "fault":
        fault = message.fault
        event = FaultNotice(
            _optional(fault, "question_id"), _FAULTS.read(fault.kind), fault.message
        )
    return Notice(message.table_id, event)


def _result_of(message: game_pb2.HandResult) -> HandResult:
    return HandResult(
        pitcher=message.pitcher,
        bid=message.bid,
        trump=message.trump,
        made=message.made,
        won=tuple((won.point, _optional(won, "side")) for won in message.won),
        points=tuple(message.points),
        delta=tuple(message.deltas),
        scores=tuple(message.scores),
    )
