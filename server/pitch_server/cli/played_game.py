"""A game that was played, as a command is given it: in a database, or in a file of records.

Here belongs finding the one that is meant and what is known of it. What its decisions were is
for pitch_server.decisions.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pitch.records import (
    GameRecord,
    JsonObject,
    RecordError,
    RecordSyntaxError,
    parse_record,
    read_records,
)
from pitch.table.unit import Unit
from pitch_server.cli.database import open_journal, refusing
from pitch_server.cli.group import BadInput
from pitch_server.cli.inputs import Counted, name_of, open_input
from pitch_server.decisions import Chances, PlayedGame

if TYPE_CHECKING:
    from pitch_server.store.journal import Journal

__all__ = ["game_in_database", "game_in_file", "is_record_file", "question_in_database"]

_RECORDS = (".json", ".jsonl")


def is_record_file(source: str) -> bool:
    """Whether a text names records rather than a database."""
    path = Path(source)
    if source == "-" or path.suffix in _RECORDS:
        return True
    try:
        with path.open("rb") as stream:
            return stream.read(64).lstrip()[:1] == b"{"
    except (OSError, ValueError):
        return False


# --- in a file --------------------------------------------------------------------------------


def game_in_file(path: str, number: int | None, seed: str | None) -> PlayedGame:
    """The game of a file that has this number as x_game, or else this place from 0.

    BadInput if it is not there, or does not parse. With the tournament's seed its chance is
    known too.
    """
    value = _record_of(path, number)
    try:
        record = parse_record(value)
    except RecordError as error:
        raise BadInput(f"{name_of(path)}: {error}") from None
    return PlayedGame(
        record=record,
        unit=Unit.HAND if record.max_hands == 1 else Unit.GAME,
        chances=None if seed is None else _chances(record, seed, path),
        faults={},
    )


def _record_of(path: str, number: int | None) -> JsonObject:
    count, numbers = 0, []
    found = None
    for at, value in enumerate(_records(path)):
        count += 1
        own = value.get("x_game", at)
        numbers.append(own)
        if number in (None, own) and found is None:
            found = value
    if number is None and count > 1:
        raise BadInput(
            f"{name_of(path)}: expected one record or the number of a game, the file holds "
            f"{count:,}, from game {numbers[0]}"
        )
    if found is None:
        there = f"{count:,} records, x_game {numbers[0]} to {numbers[-1]}" if count else "no record"
        wanted = "a record" if number is None else f"game {number}"
        raise BadInput(f"{name_of(path)}: expected {wanted}, the file holds {there}")
    return found


def _records(path: str) -> Iterator[JsonObject]:
    with open_input(path) as stream:
        try:
            for _, value in read_records(Counted(stream, path)):
                yield value
        except RecordSyntaxError as error:
            raise BadInput(f"{name_of(path)}: {error}") from None


def _chances(record: GameRecord, seed: str, path: str) -> Chances:
    """The bits of chance: they follow from the seed, the board and the names at the seats."""
    from pitch_server.plan.decks import chances, netstrings

    board = record.extra.get("x_board")
    if type(board) is not int:
        raise BadInput(
            f"{name_of(path)}: --seed needs the record's x_board, which only records of a "
            "tournament have"
        )
    return chances(seed, netstrings((str(board), *record.seats)).decode())


# --- in a database ----------------------------------------------------------------------------


def game_in_database(
    database: str, tournament: int | None, number: int, *, reveal: bool
) -> PlayedGame:
    """The game of a tournament; BadInput if it was not played, or is to be secret still."""
    from pitch_server.plan.decks import chances, game_key
    from pitch_server.plan.settings import Opponents
    from pitch_server.planned import known_plan
    from pitch_server.published import parsed_record
    from pitch_server.store.export import check_revealed

    with open_journal(database, tournament) as journal, refusing():
        check_revealed(journal, reveal=reveal, verb="show")
        plan, text = known_plan(journal), journal.record(number)
        if number >= len(plan) or text is None:
            raise BadInput(
                f"game {number} is not in {journal.place}; {len(journal.played()):,} games are, "
                f"with numbers below {len(plan):,}"
            )
        settings = journal.settings
        try:
            record = parse_record(parsed_record(journal, number, text))
        except RecordError as error:
            raise BadInput(f"{journal.place}: the record of game {number}: {error}") from None
        shown = settings.format.opponents is Opponents.SHOWN
        return PlayedGame(
            record=record,
            unit=Unit(settings.format.unit),
            chances=chances(journal.seed, game_key(plan[number], settings.names)),
            names=record.seats if shown else (),
            move_timeout=settings.clock.move_timeout,
            time_bank=settings.clock.time_bank,
            faults=_faults(journal, number),
        )


def question_in_database(database: str, tournament: int | None, wanted: int) -> tuple[int, int]:
    """The game and the number of the action that a question's id stands for; BadInput if none."""
    from pitch_server.game_setup import ATTEMPTS
    from pitch_server.planned import known_plan
    from pitch_server.wire_ids import find_question, id_key

    with open_journal(database, tournament) as journal, refusing():
        keys = [id_key(journal.seed, hold) for hold in range(1, journal.holds() + 1)]
        games = range(len(known_plan(journal)))
        seats = journal.settings.variant.players
        found = next(find_question(wanted, keys, games, seats, ATTEMPTS), None)
        if found is None:
            raise BadInput(
                f"no question of {journal.place} has the id {wanted:016x}; is the log of another "
                "tournament?"
            )
        if journal.record(found.game) is None:
            raise BadInput(
                f"question {wanted:016x} is of game {found.game}, seat {found.seat}, action "
                f"{found.number}; that game is not in {journal.place} yet"
            )
        return found.game, found.number


def _faults(journal: "Journal", wanted: int) -> dict[tuple[int, int], str]:
    """The faults of a game as sentences, by seat and number of the action."""
    from pitch_server.faults import explain

    found = {}
    for number, evidence in journal.evidence():
        if number > wanted:
            break
        if number == wanted and evidence.question is not None:
            found[evidence.seat, evidence.question] = f"{evidence.kind}: {explain(evidence)}"
    return found
