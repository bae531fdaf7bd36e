"""One tournament with every part of a report, for all of its tests."""

from pathlib import Path
from typing import Any

import pytest

from reporting.making import document_of, nasty_settings


@pytest.fixture(scope="session")
def nasty(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The document of a finished tournament with faults, between entrants of nasty names."""
    file: Path = tmp_path_factory.mktemp("nasty") / "a.db"
    return document_of(file, nasty_settings(boards=5))
