"""Migrations: from each version of the schema to the next, in SQL that both databases speak.

Here belongs how a database of an older version becomes one of ours, with all that is in it. A
step is never changed once it is out, so it does not use the tables of `schema`, which go on.
"""

from sqlalchemy import Connection, text

from pitch_server.store.schema import VERSION

__all__ = ["migrate"]

# By the version that they start from.
_STEPS: dict[int, tuple[str, ...]] = {
    1: (
        "ALTER TABLE pitch_schema ADD COLUMN holder BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE entrants ADD COLUMN processes INTEGER NOT NULL DEFAULT 1",
        "ALTER TABLE entrants ADD COLUMN guest TEXT",
        "ALTER TABLE faults ADD COLUMN wire FLOAT",
        "ALTER TABLE faults ADD COLUMN waited FLOAT",
        "ALTER TABLE faults ADD COLUMN verdict VARCHAR(16)",
        "ALTER TABLE faults ADD COLUMN output TEXT",
        """CREATE TABLE crashes (
            tournament INTEGER NOT NULL REFERENCES tournaments (id),
            number BIGINT NOT NULL,
            position INTEGER NOT NULL,
            attempt INTEGER NOT NULL,
            error TEXT NOT NULL,
            PRIMARY KEY (tournament, number, position)
        )""",
    ),
    2: (
        "ALTER TABLE games ADD COLUMN play TEXT",
        """CREATE TABLE answer_times (
            tournament INTEGER NOT NULL REFERENCES tournaments (id),
            entrant INTEGER NOT NULL,
            counts TEXT NOT NULL,
            longest FLOAT NOT NULL,
            PRIMARY KEY (tournament, entrant)
        )""",
        """CREATE TABLE checkpoints (
            tournament INTEGER NOT NULL REFERENCES tournaments (id),
            games BIGINT NOT NULL,
            covered VARCHAR(64) NOT NULL,
            state TEXT NOT NULL,
            digest VARCHAR(64) NOT NULL,
            PRIMARY KEY (tournament)
        )""",
    ),
    3: (
        """CREATE TABLE stops (
            tournament INTEGER NOT NULL REFERENCES tournaments (id),
            games BIGINT NOT NULL,
            PRIMARY KEY (tournament)
        )""",
    ),
}


def migrate(connection: Connection, found: int) -> None:
    """Bring a database from version `found` to ours, within the transaction of the connection."""
    for step in range(found, VERSION):
        for statement in _STEPS[step]:
            connection.execute(text(statement))
    connection.execute(text("UPDATE pitch_schema SET version = :now"), {"now": VERSION})
