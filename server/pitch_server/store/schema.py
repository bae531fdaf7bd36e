"""The schema of a database: its tables and its version.

Here belong columns and what they mean; reading and writing them does not (`journal`). A change
of a table raises VERSION, and a database of a newer version is refused.

Results and records are apart, so that standings are read without reading every card. Records are
canonical JSON as plain text: compression would halve a hand's 1 kB, but for 100 µs of every
game's time, and nobody could look into the database with other tools.
"""

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
)

__all__ = [
    "METADATA",
    "VERSION",
    "entrants",
    "faults",
    "games",
    "records",
    "tournaments",
    "version",
]

VERSION = 1

METADATA = MetaData()

version = Table("pitch_schema", METADATA, Column("version", Integer, primary_key=True))

tournaments = Table(
    "tournaments",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("name", Text, nullable=False),
    Column("settings", Text, nullable=False),  # settings_json, canonical
    Column("directory", Text),  # where the bots' commands run, absolute
    Column("seed", Text, nullable=False),  # secret while state is "running"
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
    Column("measured", Float),
    Column("queued", Float),
    Column("reported", Float),
    Column("lag", Float),
    Column("came", Text),
    Column("legal", Text),
    Column("played", Text),
)
