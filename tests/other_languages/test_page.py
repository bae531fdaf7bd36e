"""The page about other languages, worked through with Node.js as its words say."""

from pathlib import Path

import pytest

from docs.pages import OTHER_LANGUAGES, run_page
from other_languages.node import NODE, NOT_HERE

if NODE is None:
    pytest.skip(NOT_HERE, allow_module_level=True)


def test_the_page_runs_from_its_first_block_to_its_last(tmp_path: Path) -> None:
    """Its bot, in one file, plays a trial and a tournament without a fault."""
    folder = tmp_path / "reader"
    folder.mkdir()
    done = run_page(OTHER_LANGUAGES, folder)
    assert done.status == 0, done.output[-4000:]
    assert "No faults." in done.output
    assert "20 of 20 games played; complete" in done.output
