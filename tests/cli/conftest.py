"""One finished tournament for all tests of the commands that read one."""

from pathlib import Path

import pytest

from cli.tournaments import finished


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a finished tournament, not to be changed."""
    return finished(tmp_path_factory.mktemp("played") / "a.db")
