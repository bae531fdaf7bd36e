"""The journal: the games of a tournament, append-only, one entry whole or not at all.

Here belongs reading and writing a tournament's rows. What the numbers mean belongs to `scores`,
who may play when to the tournament. A database holds any number of tournaments.

Nothing counts before its commit; a game that is in is never changed and never counted twice.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, Self

from sqlalchemy import URL, Connection, Row, Select, func, select

from pitch.records import canonical_json
from pitch_server.plan.decks import commitment
from pitch_server.plan.games import Plan
from pitch_server.plan.played import Played
from pitch_server.plan.settings import Settings, parse_settings_json, settings_json
from pitch_server.scores.digest import text_digest
from pitch_server.scores.results import GameResult
from pitch_server.store.database import Database, create_database, open_database
from pitch_server.store.errors import DamagedRow, JournalError, NoTournament, TournamentOver
from pitch_server.store.rows import (
    EntrantRow,
    FaultEvidence,
    JournalEntry,
    State,
    StoredRecord,
    TournamentRow,
    parse_entrant,
    parse_evidence,
    parse_record_text,
    parse_result,
    parse_state,
    parse_text,
    result_columns,
)
from pitch_server.store.schema import entrants, faults, games, records, tournaments

__all__ = ["Journal", "list_tournaments"]

PAGE = 1000  # rows in memory at a time
_NO_EVIDENCE: tuple[float, tuple[FaultEvidence, ...]] = (math.inf, ())

# A game without its record is a damage that `pitch verify` names, a record without its game none.
_WITH_RECORD = select(games, records.c.record).join_from(
    games,
    records,
    (games.c.tournament == records.c.tournament) & (games.c.number == records.c.number),
    isouter=True,
)


def list_tournaments(database: URL | Path) -> tuple[TournamentRow, ...]:
    """The tournaments of a database, oldest first."""
    opened = open_database(database)
    try:
        with opened.reading() as connection:
            rows = connection.execute(
                select(
                    tournaments.c.id,
                    tournaments.c.name,
                    tournaments.c.state,
                    func.count(games.c.number).label("games"),
                )
                .join_from(tournaments, games, isouter=True)
                .group_by(tournaments.c.id, tournaments.c.name, tournaments.c.state)
                .order_by(tournaments.c.id)
            ).all()
            return tuple(
                TournamentRow(
                    id=row.id, name=row.name, state=parse_state(row.state), games=row.games
                )
                for row in rows
            )
    finally:
        opened.close()


class Journal:
    """One tournament in a database. Usable from any thread; close it in the end."""

    def __init__(self, database: Database, tournament: int | None) -> None:
        """Of an open database, which the journal closes; the latest tournament by default."""
        self._database = database
        with database.reading() as connection:
            row = _tournament_row(connection, database.place, tournament)
            self._id: int = row.id
            self.seed = parse_text("seed", row.seed)
            self.commitment = parse_text("commitment", row.commitment)
            self.directory = (
                None if row.directory is None else Path(parse_text("directory", row.directory))
            )
            self.settings = self._settings(row.settings, connection)
            self._planned = len(Plan(self.settings))

    @classmethod
    def create(
        cls, database: URL | Path, settings: Settings, seed: str, *, directory: Path | None = None
    ) -> Self:
        """A new tournament; the database is made if there is none, others in it stay.

        `directory` is where its commands run.
        """
        opened = create_database(database)
        with _closing_on_error(opened):
            with opened.writing() as connection:
                tournament = _insert_tournament(connection, settings, seed, directory)
            return cls(opened, tournament)

    @classmethod
    def open(cls, database: URL | Path, tournament: int | None = None) -> Self:
        """A tournament that is there: the latest one, or that of the number."""
        opened = open_database(database)
        with _closing_on_error(opened):
            return cls(opened, tournament)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    @property
    def place(self) -> str:
        """The database, as messages name it."""
        return self._database.place

    @property
    def tournament(self) -> int:
        """The number of the tournament in its database."""
        return self._id

    # --- the tournament's state -------------------------------------------------------------

    def state(self) -> State:
        """The state as it is in the database now; other processes may close a tournament."""
        with self._database.reading() as connection:
            return parse_state(connection.scalar(self._own(tournaments.c.state)))

    def published_seed(self) -> str | None:
        """The seed if it may be told: once the tournament is finished or closed."""
        return None if self.state() is State.RUNNING else self.seed

    def end(self, state: State, standings: Mapping[str, Any]) -> None:
        """Finish or close the tournament with its last standings, which reveals the seed.

        Done again it changes nothing; TournamentOver if it has ended in another way.
        """
        values = {
            "state": str(state),
            "digest": standings["digest"],
            "standings_digest": text_digest(canonical_json(standings)),
        }
        with self._database.writing() as connection:
            row = connection.execute(self._own(tournaments)).one()
            if row.state == State.RUNNING:
                connection.execute(
                    tournaments.update().where(tournaments.c.id == self._id).values(**values)
                )
            elif any(getattr(row, key) != value for key, value in values.items()):
                raise TournamentOver(f"{self.place}: the tournament is {row.state} already")

    def final_digests(self) -> tuple[str | None, str | None]:
        """The digests that were kept at the end: of all games, and of the standings."""
        with self._database.reading() as connection:
            row = connection.execute(
                self._own(tournaments.c.digest, tournaments.c.standings_digest)
            ).one()
        return row.digest, row.standings_digest

    # --- entrants ---------------------------------------------------------------------------

    def entrants(self) -> tuple[EntrantRow, ...]:
        """The entrants in the order of the settings."""
        with self._database.reading() as connection:
            return self._entrants(connection)

    def set_command(
        self, name: str, command: Sequence[str] | None, fingerprint: str | None = None
    ) -> None:
        """Give an entrant a command anew, with the fingerprint of its files."""
        text = None if command is None else json.dumps(list(command))
        self._set_entrant(name, command=text, fingerprint=fingerprint)
        given = None if command is None else tuple(command)
        self.settings = replace(
            self.settings,
            entrants=tuple(
                replace(entrant, command=given) if entrant.name == name else entrant
                for entrant in self.settings.entrants
            ),
        )

    def set_directory(self, directory: Path) -> None:
        """Give the commands another directory to run in."""
        place = directory.absolute()
        mine = tournaments.update().where(tournaments.c.id == self._id)
        with self._database.writing() as connection:
            connection.execute(mine.values(directory=str(place)))
        self.directory = place

    def set_token_hash(self, name: str, token_hash: str) -> None:
        """Give an entrant a token, in the place of any before it."""
        self._set_entrant(name, token_hash=token_hash)

    def withdraw(self, name: str) -> None:
        """Take an entrant out: it plays no more games."""
        self._set_entrant(name, withdrawn=True)

    # --- games ------------------------------------------------------------------------------

    def append(self, entries: Sequence[JournalEntry]) -> tuple[int, ...]:
        """Take finished games in, all in one transaction; the numbers that are new.

        A game that is in already is left as it is. TournamentOver if the tournament has ended.
        """
        by_number: dict[int, JournalEntry] = {}
        for entry in entries:
            by_number.setdefault(entry.result.number, entry)
        with self._database.writing() as connection:
            state = connection.scalar(self._own(tournaments.c.state))
            if state != State.RUNNING:
                raise TournamentOver(f"{self.place}: the tournament is {state}, no game can follow")
            known = self._known(connection, tuple(by_number))
            new = [entry for number, entry in by_number.items() if number not in known]
            self._insert(connection, new)
        return tuple(entry.result.number for entry in new)

    def played(self) -> Played:
        """The numbers of the games that are in."""
        played = Played()
        with self._database.reading() as connection:
            for row in self._pages(connection, select(games.c.number), games):
                played.add(row.number)
        return played

    def results(self) -> Iterator[GameResult]:
        """The results in plan order, as the journal is when the first is read."""
        with self._database.reading() as connection:
            for row in self._pages(connection, select(games), games):
                yield self._result(row)

    def records(self) -> Iterator[StoredRecord]:
        """The records in plan order, as the journal is when the first is read."""
        with self._database.reading() as connection:
            for row in self._pages(connection, _WITH_RECORD, games):
                if row.record is not None:
                    yield StoredRecord(row.number, parse_record_text(row))

    def entries(self) -> Iterator[JournalEntry]:
        """The games whole, in plan order, as the journal is when the first is read."""
        with self._database.reading() as connection:
            evidence = self._evidence(connection)
            next_number, faulted = next(evidence, _NO_EVIDENCE)
            for row in self._pages(connection, _WITH_RECORD, games):
                while next_number < row.number:  # of a game that is missing
                    next_number, faulted = next(evidence, _NO_EVIDENCE)
                mine = faulted if next_number == row.number else ()
                yield JournalEntry(self._result(row), parse_record_text(row), mine)

    def evidence(self) -> Iterator[tuple[int, FaultEvidence]]:
        """(game number, evidence) of every fault, in plan order."""
        with self._database.reading() as connection:
            for number, evidence in self._evidence(connection):
                for fault in evidence:
                    yield number, fault

    # --- inside -----------------------------------------------------------------------------

    def _own(self, *columns: Any) -> Select[Any]:
        """A query of this tournament's row."""
        return select(*columns).where(tournaments.c.id == self._id)

    def _settings(self, text: str, connection: Connection) -> Settings:
        rows = self._entrants(connection)
        try:
            return parse_settings_json(json.loads(text), {row.name: row.command for row in rows})
        except ValueError as error:
            raise JournalError(f"{self.place} can't be read: {error}") from error

    def _entrants(self, connection: Connection) -> tuple[EntrantRow, ...]:
        query = select(entrants).where(entrants.c.tournament == self._id)
        query = query.order_by(entrants.c.position)
        return tuple(map(parse_entrant, connection.execute(query)))

    def _set_entrant(self, name: str, **values: object) -> None:
        update = entrants.update().where(entrants.c.tournament == self._id, entrants.c.name == name)
        with self._database.writing() as connection:
            if connection.execute(update.values(**values)).rowcount != 1:
                raise JournalError(f"{self.place}: no entrant is named {name!r}")

    def _known(self, connection: Connection, numbers: Sequence[int]) -> set[int]:
        known: set[int] = set()
        for start in range(0, len(numbers), PAGE):
            chosen = games.c.number.in_(numbers[start : start + PAGE])
            query = select(games.c.number).where(games.c.tournament == self._id, chosen)
            known.update(connection.scalars(query))
        return known

    def _insert(self, connection: Connection, entries: Sequence[JournalEntry]) -> None:
        if not entries:
            return
        own = {"tournament": self._id}
        connection.execute(
            games.insert(), [own | result_columns(entry.result) for entry in entries]
        )
        connection.execute(
            records.insert(),
            [own | {"number": e.result.number, "record": e.record} for e in entries],
        )
        evidence = [
            own | {"number": entry.result.number, "position": position} | fault._asdict()
            for entry in entries
            for position, fault in enumerate(entry.evidence)
        ]
        if evidence:
            connection.execute(faults.insert(), evidence)

    def _result(self, row: Row[Any]) -> GameResult:
        """The result of a row: a game of the plan, with the variant's sides and seats."""
        result, variant = parse_result(row), self.settings.variant
        if not 0 <= result.number < self._planned:
            raise DamagedRow(f"game {result.number} is not in the plan of {self._planned:,} games")
        sides, seats = range(variant.sides), range(variant.players)
        if (
            len(result.scores) != variant.sides
            or (result.winner is not None and result.winner not in sides)
            or any(side not in sides for side, _ in result.forfeits)
            or any(seat not in seats for seat, _, _ in result.faults)
        ):
            raise DamagedRow(f"game {result.number} has sides or seats that are not there")
        return result

    def _evidence(self, connection: Connection) -> Iterator[tuple[int, tuple[FaultEvidence, ...]]]:
        """(game number, its evidence) for the games that have any, in plan order."""
        query = select(faults).where(faults.c.tournament == self._id)
        ordered = query.order_by(faults.c.number, faults.c.position)
        rows = connection.execute(ordered, execution_options={"yield_per": PAGE})
        for number, group in groupby(rows, key=lambda row: int(row.number)):
            yield number, tuple(map(parse_evidence, group))

    def _pages(self, connection: Connection, query: Select[Any], table: Any) -> Iterator[Row[Any]]:
        """The rows in plan order, a page at a time by number, so that memory stays bounded."""
        last = -1
        mine = query.where(table.c.tournament == self._id).order_by(table.c.number).limit(PAGE)
        while True:
            page = connection.execute(mine.where(table.c.number > last)).all()
            yield from page
            if len(page) < PAGE:
                return
            last = page[-1].number


@contextmanager
def _closing_on_error(database: Database) -> Iterator[None]:
    try:
        yield
    except BaseException:
        database.close()
        raise


def _tournament_row(connection: Connection, place: str, tournament: int | None) -> Row[Any]:
    query = select(tournaments).order_by(tournaments.c.id.desc()).limit(1)
    if tournament is not None:
        query = query.where(tournaments.c.id == tournament)
    row = connection.execute(query).one_or_none()
    if row is not None:
        return row
    count = connection.scalar(select(func.count()).select_from(tournaments))
    if tournament is None or not count:
        raise NoTournament(f"{place} holds no tournament")
    raise JournalError(f"{place} holds no tournament {tournament}; there are {count}, from 1 on")


def _insert_tournament(
    connection: Connection, settings: Settings, seed: str, directory: Path | None
) -> int:
    row = tournaments.insert().values(
        name=settings.name,
        settings=canonical_json(settings_json(settings)),
        directory=None if directory is None else str(directory.absolute()),
        seed=seed,
        commitment=commitment(seed),
        state=str(State.RUNNING),
    )
    tournament: int = connection.execute(row.returning(tournaments.c.id)).scalar_one()
    connection.execute(
        entrants.insert(),
        [
            {
                "tournament": tournament,
                "position": position,
                "name": entrant.name,
                "command": None if entrant.command is None else json.dumps(entrant.command),
                "withdrawn": False,
            }
            for position, entrant in enumerate(settings.entrants)
        ],
    )
    return tournament
