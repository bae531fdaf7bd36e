"""The document of one report, for what is compared with it."""

import json
from pathlib import Path
from typing import Any

import pytest

from reporting.making import document_of, nasty_settings


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The document of a finished tournament between entrants of nasty names."""
    file: Path = tmp_path_factory.mktemp("against") / "a.db"
    found: dict[str, Any] = json.loads(json.dumps(document_of(file, nasty_settings(boards=2))))
    return found
