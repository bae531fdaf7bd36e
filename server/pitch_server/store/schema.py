"""The schema of a database: its tables and its version.

Here belong columns and what they mean; reading and writing them does not (`journal`). A change
of a table raises VERSION, comes with its step in `migrations`, and notes at each new column since
when it is there. A database of a newer version is refused.

Results and records are apart, so that standings are read without reading every card. Records are
canonical JSON as plain text: compression would halve a hand's 1 kB, but for 100 µs of every
game's time, and nobody could look into the database with other tools.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    null,
    text,
)
from sqlalchemy.sql.elements import ColumnElement

from pitch_server.store.any_text import AnyText

__all__ = [
    "METADATA",
    "VERSION",
    "answer_times",
    "checkpoints",
    "columns",
    "crashes",
    "entrants",
    "faults",
    "games",
    "records",
    "stops",
    "tournaments",
    "version",
]

VERSION = 4

METADATA = MetaData()

_SINCE_2 = {"since": 2}
_SINCE_3 = {"since": 3}
_SINCE_4 = {"since": 4}

# One row. `holder` is raised by each process that takes the database to play in it.
version = Table(
    "pitch_schema",
    METADATA,
    Column("version", Integer, primary_key=True),
    Column("holder", BigInteger, nullable=False, server_default=text("0"), info=_SINCE_2),
)

tournaments = Table(
    "tournaments",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("name", AnyText, nullable=False),
    Column("settings", Text, nullable=False),  # settings_json, canonical
    Column("directory", AnyText),  # where the bots' commands run, absolute
    Column("seed", AnyText, nullable=False),  # secret while state is "running"
    Column("commitment", String(64), nullable=False),
    Column("state", String(16), nullable=False),  # State
    # of the end, for `pitch verify`: over all games, and over the standings
    Column("digest", String(64)),
    Column("standings_digest", String(64)),
)

entrants = Table(
    "entrants",
    METADATA,
    Column("tournament", ForeignKey("tournaments.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("command", Text),  # a JSON list of texts
    Column("fingerprint", Text),  # of the bot's files, to tell when they changed
    Column("token_hash", Text),
    Column("withdrawn", Boolean, nullable=False, default=False),
    Column("processes", Integer, nullable=False, server_default=text("1"), info=_SINCE_2),
    Column("guest", Text, info=_SINCE_2),  # guest_json; null: nothing is limited
    UniqueConstraint("tournament", "name"),
)

games = Table(
    "games",
    METADATA,
    Column("tournament", ForeignKey("tournaments.id"), primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("digest", String(64), nullable=False),  # of the record
    Column("scores", Text, nullable=False),  # a JSON list, by side
    Column("winner", Integer),
    Column("ended", String(16)),
    Column("forfeits", Text, nullable=False),  # a JSON list of [side, cause]
    Column("void", Boolean, nullable=False),
    Column("faults", Text, nullable=False),  # a JSON list of [seat, kind, count]
    Column("hands", Integer, nullable=False),
    Column("play", Text, info=_SINCE_3),  # scores.hands; null: the record has to be read
    sqlite_with_rowid=False,
)

records = Table(
    "records",
    METADATA,
    Column("tournament", ForeignKey("tournaments.id"), primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("record", Text, nullable=False),
)

# The evidence of each fault; times in seconds. Standings and digests never read it.
faults = Table(
    "faults",
    METADATA,
    Column("tournament", ForeignKey("tournaments.id"), primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("position", Integer, primary_key=True),  # 0, 1, … in the game
    Column("seat", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("question", Integer),
    Column("time_limit", Float),
    Column("measured", Float),  # of the bot's time, by its clock
    Column("queued", Float),  # from asking until it was taken for a frame
    Column("reported", Float),
    Column("lag", Float),
    Column("came", AnyText),
    Column("legal", AnyText),
    Column("played", AnyText),
    Column("wire", Float, info=_SINCE_2),  # from there until the transport had it
    Column("waited", Float, info=_SINCE_2),  # from writing until the answer or the verdict
    Column("verdict", String(16), info=_SINCE_2),  # bot, network or unclear
    Column("output", AnyText, info=_SINCE_2),  # the last lines of the bot
)

# Exceptions of ours: the game was played again, or is void.
crashes = Table(
    "crashes",
    METADATA,
    Column("tournament", ForeignKey("tournaments.id"), primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("position", Integer, primary_key=True),  # 0, 1, … of the game
    Column("attempt", Integer, nullable=False),
    Column("error", AnyText, nullable=False),
    info=_SINCE_2,
)

# How long each entrant took to answer, counted by buckets (table.spread). Measured, so that
# standings and digests never read it.
answer_times = Table(
    "answer_times",
    METADATA,
    Column("tournament", ForeignKey("tournaments.id"), primary_key=True),
    Column("entrant", Integer, primary_key=True),  # its position
    Column("counts", Text, nullable=False),  # a JSON list, by bucket
    Column("longest", Float, nullable=False),  # seconds
    info=_SINCE_3,
)

# What was counted of the games 0, 1, … in front: it can be made again, and is only quicker.
checkpoints = Table(
    "checkpoints",
    METADATA,
    Column("tournament", ForeignKey("tournaments.id"), primary_key=True),
    Column("games", BigInteger, nullable=False),  # how many it covers
    Column("covered", String(64), nullable=False),  # the digest of their rows
    Column("state", Text, nullable=False),  # scores.checkpoint, canonical JSON
    Column("digest", String(64), nullable=False),  # of the state
    info=_SINCE_3,
)

# A tournament that was stopped by hand and is not gone on with; no row where it was killed.
stops = Table(
    "stops",
    METADATA,
    Column("tournament", ForeignKey("tournaments.id"), primary_key=True),
    Column("games", BigInteger, nullable=False),  # how many were in
    info=_SINCE_4,
)


def columns(table: Table, found: int) -> tuple[ColumnElement[Any], ...]:
    """The columns of a table for reading a database of schema `found`: null where it lacks one."""
    return tuple(
        column if column.info.get("since", 1) <= found else null().label(column.name)
        for column in table.columns
    )
