"""Places: the database that a text names, the logs beside it, and how messages name them.

Here belong paths and URLs as people type them; opening what is there does not.
"""

from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from pitch_server.toml_table import shown

__all__ = ["log_directory", "near", "parse_database"]

DIALECTS = ("sqlite", "postgresql")


def parse_database(text: str, directory: Path) -> URL:
    """The database that a path, relative to the directory, or a SQLAlchemy URL names.

    ValueError says what is wrong, and never a password.
    """
    if "://" in text:
        return _database_url(text, directory)
    if not text or "\0" in text:
        raise ValueError(f"got {shown(text)}; expected a path or a SQLAlchemy URL")
    path = directory / text
    try:
        if path.is_dir():
            raise ValueError(f"got {shown(text)}, which is a directory; expected a file")
        if not path.parent.is_dir():
            raise ValueError(f"got {shown(text)}; expected a file in a directory that exists")
    except OSError as error:
        raise ValueError(f"got {shown(text)}; expected a file: {error.strerror}") from None
    return URL.create("sqlite", database=str(path))


def _database_url(text: str, directory: Path) -> URL:
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise ValueError(
            "got a URL that can't be read; expected sqlite:///FILE or "
            "postgresql://USER:PASSWORD@HOST/NAME"
        ) from None
    dialect = url.get_backend_name()
    if dialect not in DIALECTS:
        raise ValueError(f"got a URL of {shown(dialect)}; expected {' or '.join(DIALECTS)}")
    if dialect == "sqlite":
        if not url.database or url.database == ":memory:":
            raise ValueError("got a database in memory; expected one that outlives the server")
        return parse_database(url.database, directory).set(drivername=url.drivername)
    return url


def log_directory(database: URL, directory: Path) -> Path:
    """The directory of bot logs: beside an embedded database, else beside the configuration."""
    if database.get_backend_name() == "sqlite" and database.database:
        return Path(f"{database.database}.logs")
    return directory / f"{Path(database.database or 'pitch').name}.logs"


def near(place: str | Path) -> str:
    """A path as one would type it here, for messages; anything else as it is."""
    try:
        return str(Path(place).relative_to(Path.cwd()))
    except (ValueError, OSError):  # elsewhere, or the directory that we are in is gone
        return str(place)
