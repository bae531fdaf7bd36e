"""What operators and a running tournament say to each other, as bytes and back.

The only bridge between the values of `pitch_server.live` and the generated messages of
TournamentService. Reading raises nothing but `WireError`, whatever the bytes are.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError, Message

from pitch.table.faults import Fault
from pitch.wire.convert import WireError
from pitch.wire.v1 import referee_pb2, tournament_pb2
from pitch_server.live import (
    EntrantChanged,
    EntrantStatus,
    Event,
    FaultCharged,
    GameFinished,
    Presence,
    Stage,
    Status,
    TournamentEnded,
)

__all__ = [
    "CLOSE",
    "GET_STANDINGS",
    "GET_TOURNAMENT",
    "METHODS",
    "SERVICE",
    "WATCH",
    "WITHDRAW",
    "WireError",
    "method_path",
    "read_events",
    "read_standings",
    "read_status",
    "read_withdrawal",
    "write_closed",
    "write_events",
    "write_standings",
    "write_status",
    "write_withdrawal",
]

_DESCRIPTOR = tournament_pb2.DESCRIPTOR.services_by_name["TournamentService"]
SERVICE: str = _DESCRIPTOR.full_name
"""Full name of the service."""
METHODS: tuple[str, ...] = tuple(method.name for method in _DESCRIPTOR.methods)
"""Names of all that it can be asked for."""
GET_TOURNAMENT, GET_STANDINGS, WATCH, CLOSE, WITHDRAW = METHODS

# The numbers are typed loosely: generated enums are no integers to a type checker.
_STAGES: dict[Stage, Any] = {
    stage: tournament_pb2.Stage.Value(f"STAGE_{stage.name}") for stage in Stage
}
_PRESENCES: dict[Presence, Any] = {
    presence: tournament_pb2.Presence.Value(f"PRESENCE_{presence.name}") for presence in Presence
}
_FAULTS: dict[str, Any] = {
    str(fault): referee_pb2.FaultKind.Value(f"FAULT_KIND_{fault.name}") for fault in Fault
}
_STAGE_OF = {number: stage for stage, number in _STAGES.items()}
_PRESENCE_OF = {number: presence for presence, number in _PRESENCES.items()}
_FAULT_OF = {number: kind for kind, number in _FAULTS.items()}


def method_path(method: str) -> str:
    """How gRPC calls a method of the service."""
    return f"/{SERVICE}/{method}"


def _parsed(message: Any, data: bytes) -> Any:
    try:
        message.ParseFromString(data)
    except DecodeError as error:
        raise WireError(f"expected a {message.DESCRIPTOR.name}, got no message: {error}") from None
    return message


def _bytes(message: Message) -> bytes:
    return message.SerializeToString()


def _text(text: str) -> str:
    """The text without what UTF-8 has no bytes for, such as half a character in a bot's output."""
    return text.encode("utf-8", "replace").decode()


# --- status -----------------------------------------------------------------------------------


def write_status(status: Status) -> bytes:
    """The answer to GetTournament."""
    response = tournament_pb2.GetTournamentResponse()
    message = response.status
    message.name = status.tournament
    message.stage = _STAGES[status.stage]
    message.planned_games, message.played_games = status.planned, status.played
    message.decisions, message.faults = status.decisions, status.faults
    message.running_games, message.tables = status.running, status.tables
    message.backlog = status.backlog
    for name in _SPANS:
        getattr(message, name).FromNanoseconds(round(getattr(status, name) * 1e9))
    for entrant in status.entrants:
        message.entrants.add(
            name=entrant.name,
            presence=_PRESENCES[entrant.presence],
            connected_instances=entrant.connected,
            needed_instances=entrant.needed,
            tables=entrant.tables,
            faults=entrant.faults,
        )
    return _bytes(response)


_SPANS = ("uptime", "lag_p50", "lag_p99", "lag_worst")


def read_status(data: bytes) -> Status:
    """What GetTournament answered."""
    message = _parsed(tournament_pb2.GetTournamentResponse(), data).status
    return Status(
        tournament=message.name,
        stage=_word(_STAGE_OF, message.stage, "stage"),
        planned=message.planned_games,
        played=message.played_games,
        decisions=message.decisions,
        faults=message.faults,
        running=message.running_games,
        tables=message.tables,
        backlog=message.backlog,
        entrants=tuple(
            EntrantStatus(
                name=entrant.name,
                presence=_word(_PRESENCE_OF, entrant.presence, "presence"),
                connected=entrant.connected_instances,
                needed=entrant.needed_instances,
                tables=entrant.tables,
                faults=entrant.faults,
            )
            for entrant in message.entrants
        ),
        **{name: _seconds(getattr(message, name)) for name in _SPANS},
    )


def _seconds(duration: Duration) -> float:
    return duration.seconds + duration.nanos / 1e9


def _word(words: Mapping[int, Any], number: int, what: str) -> Any:
    try:
        return words[number]
    except KeyError:
        raise WireError(
            f"this version does not know {what} {number} of the server's; update it"
        ) from None


# --- standings --------------------------------------------------------------------------------


def write_standings(standings: Mapping[str, Any]) -> bytes:
    """The answer to GetStandings."""
    text = json.dumps(standings, allow_nan=False)
    return _bytes(tournament_pb2.GetStandingsResponse(standings_json=text))


def write_closed(standings: Mapping[str, Any]) -> bytes:
    """The answer to CloseTournament."""
    text = json.dumps(standings, allow_nan=False)
    return _bytes(tournament_pb2.CloseTournamentResponse(standings_json=text))


def read_standings(data: bytes) -> dict[str, Any]:
    """What GetStandings or CloseTournament answered: they have it in the same field."""
    text = _parsed(tournament_pb2.GetStandingsResponse(), data).standings_json
    try:
        standings = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WireError(f"the standings are no JSON: {error}") from None
    if not isinstance(standings, dict):
        raise WireError(f"expected standings, got {text!r:.40}")
    return standings


# --- withdrawing ------------------------------------------------------------------------------


def write_withdrawal(name: str) -> bytes:
    """The request to withdraw an entrant."""
    return _bytes(tournament_pb2.WithdrawEntrantRequest(name=name))


def read_withdrawal(data: bytes) -> str:
    """The name of the entrant that is to be withdrawn."""
    name: str = _parsed(tournament_pb2.WithdrawEntrantRequest(), data).name
    return name


# --- events -----------------------------------------------------------------------------------


def write_events(events: Iterable[Event]) -> bytes:
    """One response to WatchTournament."""
    response = tournament_pb2.WatchTournamentResponse()
    for event in events:
        _fill_event(response.events.add(), event)
    return _bytes(response)


def _fill_event(message: tournament_pb2.TournamentEvent, event: Event) -> None:
    if isinstance(event, GameFinished):
        _fill_game(message.game_finished, event)
    elif isinstance(event, FaultCharged):
        fault = message.fault_charged
        fault.game, fault.seat, fault.entrant = event.number, event.seat, event.entrant
        fault.kind, fault.text = _FAULTS[event.kind], _text(event.text)
    elif isinstance(event, EntrantChanged):
        message.entrant_changed.name = event.name
        message.entrant_changed.presence = _PRESENCES[event.presence]
    else:
        message.tournament_ended.SetInParent()
        message.tournament_ended.reason = _text(event.reason)


def _fill_game(message: tournament_pb2.GameFinished, event: GameFinished) -> None:
    message.SetInParent()
    message.game, message.board, message.void = event.number, event.board, event.void
    message.entrants.extend(event.entrants)
    message.scores.extend(event.scores)
    if event.winner is not None:
        message.winner = event.winner
    for side, cause in event.forfeits:
        message.forfeits.add(side=side, cause=_FAULTS[cause])


def read_events(data: bytes) -> tuple[Event, ...]:
    """What WatchTournament brought, without events that this version does not know."""
    response = _parsed(tournament_pb2.WatchTournamentResponse(), data)
    return tuple(
        _EVENTS[kind](getattr(event, kind))
        for event in response.events
        if (kind := event.WhichOneof("event"))
    )


def _read_game(message: tournament_pb2.GameFinished) -> GameFinished:
    return GameFinished(
        number=message.game,
        board=message.board,
        entrants=tuple(message.entrants),
        scores=tuple(message.scores),
        winner=message.winner if message.HasField("winner") else None,
        forfeits=tuple(
            (forfeit.side, _word(_FAULT_OF, forfeit.cause, "fault")) for forfeit in message.forfeits
        ),
        void=message.void,
    )


def _read_fault(message: tournament_pb2.FaultCharged) -> FaultCharged:
    return FaultCharged(
        number=message.game,
        seat=message.seat,
        entrant=message.entrant,
        kind=_word(_FAULT_OF, message.kind, "fault"),
        text=message.text,
    )


_EVENTS: dict[str, Callable[[Any], Event]] = {
    "game_finished": _read_game,
    "fault_charged": _read_fault,
    "entrant_changed": lambda message: EntrantChanged(
        message.name, _word(_PRESENCE_OF, message.presence, "presence")
    ),
    "tournament_ended": lambda message: TournamentEnded(message.reason),
}
