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
from pathlib import Path
from typing import Any, Self

from sqlalchemy import URL, Connection, Select, func, select

from pitch.records import canonical_json
from pitch_server.guest import GuestSettings
from pitch_server.plan.games import Plan
from pitch_server.plan.played import Played
from pitch_server.plan.settings import EntrantSettings, Settings, parse_settings_json
from pitch_server.scores.digest import text_digest
from pitch_server.scores.results import GameResult
from pitch_server.store import checkpoints, pages
from pitch_server.store.answer_times import spreads
from pitch_server.store.appending import insert_new
from pitch_server.store.checkpoints import Checkpoint, CoveredGame
from pitch_server.store.database import (
    Database,
    closing_on_error,
    create_database,
    is_known,
    known_column,
    open_database,
    select_known,
)
from pitch_server.store.errors import DamagedRow, JournalError, TournamentOver
from pitch_server.store.holding import Hold
from pitch_server.store.rows import (
    Crash,
    EntrantRow,
    FaultEvidence,
    JournalEntry,
    State,
    StoredPlay,
    StoredRecord,
    guest_columns,
    parse_crash,
    parse_entrant,
    parse_play,
    parse_record_text,
    parse_result,
    parse_state,
    parse_text,
)
from pitch_server.store.schema import (
    crashes,
    entrants,
    games,
    records,
    stops,
    tournaments,
    version,
)
from pitch_server.store.tournaments import insert_tournament, list_tournaments, tournament_row
from pitch_server.table.spread import Spread

__all__ = ["Journal", "list_tournaments"]

_NO_EVIDENCE: tuple[float, tuple[FaultEvidence, ...]] = (math.inf, ())


class Journal:
    """One tournament in a database. Usable from any thread; close it in the end.

    Whoever plays by it sets `hold`: nothing is written any more once that is another's.
    """

    def __init__(self, database: Database, tournament: int | None) -> None:
        """Of an open database, which the journal closes; the latest tournament by default."""
        self.hold: Hold | None = None
        self._database = database
        with database.reading() as connection:
            row = tournament_row(connection, database.place, tournament)
            self._id: int = row.id
            self.seed = parse_text("seed", row.seed)
            self.commitment = parse_text("commitment", row.commitment)
            self.directory = (
                None if row.directory is None else Path(parse_text("directory", row.directory))
            )
            self.settings = self._settings(row.settings, connection)
            self._planned = Plan(self.settings).total
            self._sides = range(self.settings.variant.sides)
            self._seats = range(self.settings.variant.players)

    @classmethod
    def create(
        cls, database: URL | Path, settings: Settings, seed: str, *, directory: Path | None = None
    ) -> Self:
        """A new tournament; the database is made if there is none, others in it stay.

        `directory` is where its commands run.
        """
        opened = create_database(database)
        with closing_on_error(opened):
            with opened.writing() as connection:
                tournament = insert_tournament(connection, settings, seed, directory)
            return cls(opened, tournament)

    @classmethod
    def open(cls, database: URL | Path, tournament: int | None = None) -> Self:
        """A tournament that is there: the latest one, or that of the number."""
        opened = open_database(database)
        with closing_on_error(opened):
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
        with self._writing() as connection:
            row = connection.execute(self._own(tournaments)).one()
            if row.state == State.RUNNING:
                connection.execute(
                    tournaments.update().where(tournaments.c.id == self._id).values(**values)
                )
            elif any(getattr(row, key) != value for key, value in values.items()):
                raise TournamentOver(f"{self.place}: the tournament is {row.state} already")

    def holds(self) -> int:
        """How often a process has taken the database to play in it."""
        with self._database.reading() as connection:
            holder = known_column(connection, version.c.holder)
            return connection.scalar(select(holder).select_from(version)) or 0

    def stopped(self) -> int | None:
        """How many games were in when it was stopped by hand; None if it was not, or goes on."""
        with self._database.reading() as connection:
            if not is_known(connection, stops):
                return None
            mine = select(stops.c.games).where(stops.c.tournament == self._id)
            found: int | None = connection.scalar(mine)
            return found

    def note_stop(self, games: int | None) -> None:
        """Keep that it was stopped by hand with so many games in; None: it is gone on with."""
        with self._writing() as connection:
            connection.execute(stops.delete().where(stops.c.tournament == self._id))
            if games is not None:
                connection.execute(stops.insert().values(tournament=self._id, games=games))

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
        self._change(name, command=None if command is None else tuple(command))

    def set_guest(self, name: str, processes: int, guest: GuestSettings) -> None:
        """Say anew how often an entrant is there, and what each of its processes may use."""
        self._set_entrant(name, **guest_columns(processes, guest))
        self._change(name, processes=processes, guest=guest)

    def set_directory(self, directory: Path) -> None:
        """Give the commands another directory to run in."""
        place = directory.absolute()
        mine = tournaments.update().where(tournaments.c.id == self._id)
        with self._writing() as connection:
            connection.execute(mine.values(directory=str(place)))
        self.directory = place

    def set_token_hash(self, name: str, token_hash: str) -> None:
        """Give an entrant a token, in the place of any before it."""
        self._set_entrant(name, token_hash=token_hash)

    def withdraw(self, name: str) -> None:
        """Take an entrant out: it plays no more games."""
        self._set_entrant(name, withdrawn=True)

    # --- games ------------------------------------------------------------------------------

    def append(
        self, entries: Sequence[JournalEntry], checkpoint: Checkpoint | None = None
    ) -> tuple[int, ...]:
        """Take finished games in, all in one transaction; the numbers that are new.

        A game that is in already is left as it is. TournamentOver if the tournament has ended.
        A `checkpoint` of games that were in before is kept along.
        """
        with self._writing() as connection:
            state = connection.scalar(self._own(tournaments.c.state))
            if state != State.RUNNING:
                raise TournamentOver(f"{self.place}: the tournament is {state}, no game can follow")
            new = insert_new(connection, self._id, entries)
            if checkpoint is not None:
                checkpoints.write(connection, self._id, checkpoint)
        return new

    def played(self) -> Played:
        """The numbers of the games that are in."""
        played = Played()
        with self._database.reading() as connection:
            for page in pages.pages(connection, select(games.c.number), games, self._id):
                for row in page:
                    played.add(row.number)
        return played

    def results(self, start: int = 0) -> Iterator[GameResult]:
        """The results in plan order from a number on, as they are when the first is read.

        Raises DamagedRow at a game that no plan of these settings can have; those that the plan
        does not have as it came out are for the reader to find.
        """
        with self._database.reading() as connection:
            for page in pages.pages(connection, select(*pages.RESULT), games, self._id, start):
                yield from map(self._result, page)

    def records(self) -> Iterator[StoredRecord]:
        """The records in plan order, as the journal is when the first is read."""
        with self._database.reading() as connection:
            for row, record in pages.games_with_records(connection, self._id):
                if record is not None:
                    yield StoredRecord(row.number, parse_record_text(row.number, record))

    def plays(self) -> Iterator[StoredPlay]:
        """What is told of each game's hands, in plan order; records are read only in need."""
        with self._database.reading() as connection:
            for number, play, record in pages.plays(connection, self._id):
                text = None if record is None else parse_record_text(number, record)
                yield StoredPlay(number, parse_play(number, play), text)

    def record(self, number: int) -> str | None:
        """The record of one game; None if it is not in."""
        mine = (records.c.tournament == self._id) & (records.c.number == number)
        with self._database.reading() as connection:
            found = connection.scalar(select(records.c.record).where(mine))
        return None if found is None else parse_record_text(number, found)

    def entries(self) -> Iterator[JournalEntry]:
        """The games whole, in plan order, as the journal is when the first is read."""
        with self._database.reading() as connection:
            evidence = pages.evidence_by_game(connection, self._id)
            next_number, faulted = next(evidence, _NO_EVIDENCE)
            for row, record in pages.games_with_records(connection, self._id):
                while next_number < row.number:  # of a game that is missing
                    next_number, faulted = next(evidence, _NO_EVIDENCE)
                mine = faulted if next_number == row.number else ()
                yield JournalEntry(
                    self._result(row[:-1]),
                    parse_record_text(row.number, record),
                    mine,
                    parse_play(row.number, row.play),
                )

    def evidence(self) -> Iterator[tuple[int, FaultEvidence]]:
        """(game number, evidence) of every fault, in plan order."""
        with self._database.reading() as connection:
            for number, evidence in pages.evidence_by_game(connection, self._id):
                for fault in evidence:
                    yield number, fault

    def answer_times(self) -> dict[int, Spread]:
        """By entrant how long its answers took, as far as that was measured."""
        with self._database.reading() as connection:
            return spreads(connection, self._id)

    # --- checkpoints ------------------------------------------------------------------------

    def checkpoint(self) -> Checkpoint | None:
        """The checkpoint as it stands there, if there is one: whether it is right is to be seen."""
        with self._database.reading() as connection:
            return checkpoints.read(connection, self._id)

    def keep_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Keep a checkpoint in the place of any before it."""
        with self._writing() as connection:
            checkpoints.write(connection, self._id, checkpoint)

    def covered_games(self) -> Iterator[CoveredGame]:
        """The games in plan order, as far as a checkpoint needs to know them."""
        with self._database.reading() as connection:
            yield from checkpoints.covered_games(connection, self._id)

    def covered_results(self, start: int) -> Iterator[tuple[GameResult, str]]:
        """The results in plan order from a number on, each with its row's text for checkpoints."""
        query = select(*pages.RESULT, checkpoints.ROW_TEXT)
        with self._database.reading() as connection:
            for page in pages.pages(connection, query, games, self._id, start):
                for row in page:
                    yield self._result(row[:-1]), row[-1]

    # --- exceptions of ours -----------------------------------------------------------------

    def note_crash(self, number: int, attempt: int, error: str) -> None:
        """Keep that a game met an exception of ours; `error` is its traceback."""
        mine = (crashes.c.tournament == self._id) & (crashes.c.number == number)
        with self._writing() as connection:
            position = connection.scalar(select(func.count()).select_from(crashes).where(mine))
            row = {"number": number, "position": position, "attempt": attempt, "error": error}
            connection.execute(crashes.insert().values(tournament=self._id, **row))

    def crashes(self) -> Iterator[Crash]:
        """Every exception of ours in a game, in plan order."""
        with self._database.reading() as connection:
            if not is_known(connection, crashes):
                return
            query = select(crashes).where(crashes.c.tournament == self._id)
            ordered = query.order_by(crashes.c.number, crashes.c.position)
            rows = connection.execute(ordered, execution_options={"yield_per": pages.PAGE})
            yield from map(parse_crash, rows)

    # --- inside -----------------------------------------------------------------------------

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction that writes, if the database is still ours to write to."""
        with self._database.writing() as connection:
            if self.hold is not None:
                self.hold.check(connection)
            yield connection

    def _own(self, *columns: Any) -> Select[Any]:
        """A query of this tournament's row."""
        return select(*columns).where(tournaments.c.id == self._id)

    def _settings(self, text: str, connection: Connection) -> Settings:
        rows = {row.name: row for row in self._entrants(connection)}
        try:
            frozen = parse_settings_json(json.loads(text))
            entrants = tuple(_with_row(each, rows.get(each.name)) for each in frozen.entrants)
            return replace(frozen, entrants=entrants)
        except ValueError as error:
            raise JournalError(f"{self.place} can't be read: {error}") from error

    def _entrants(self, connection: Connection) -> tuple[EntrantRow, ...]:
        query = select_known(connection, entrants).where(entrants.c.tournament == self._id)
        query = query.order_by(entrants.c.position)
        return tuple(map(parse_entrant, connection.execute(query)))

    def _set_entrant(self, name: str, **values: object) -> None:
        update = entrants.update().where(entrants.c.tournament == self._id, entrants.c.name == name)
        with self._writing() as connection:
            if connection.execute(update.values(**values)).rowcount != 1:
                raise JournalError(f"{self.place}: no entrant is named {name!r}")

    def _change(self, name: str, **values: Any) -> None:
        """The same in the settings at hand."""
        self.settings = replace(
            self.settings,
            entrants=tuple(
                replace(entrant, **values) if entrant.name == name else entrant
                for entrant in self.settings.entrants
            ),
        )

    def _result(self, columns: Sequence[Any]) -> GameResult:
        """The result of a row: a game of the plan, with the variant's sides and seats."""
        result = parse_result(columns)
        if not 0 <= result.number < self._planned:
            raise DamagedRow(f"game {result.number} is not in the plan of {self._planned:,} games")
        sides = self._sides
        if (
            len(result.scores) != len(sides)
            or (result.winner is not None and result.winner not in sides)
            or any(side not in sides for side, _ in result.forfeits)
            or any(seat not in self._seats for seat, _, _ in result.faults)
        ):
            raise DamagedRow(f"game {result.number} has sides or seats that are not there")
        return result


def _with_row(entrant: EntrantSettings, row: EntrantRow | None) -> EntrantSettings:
    """An entrant with what the database keeps of it beside its name."""
    if row is None:
        return entrant
    return replace(entrant, command=row.command, processes=row.processes, guest=row.guest)
