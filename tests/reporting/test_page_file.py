"""The page as a file: whom it replaces. `.ci/browser` brings what draws its charts."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from cli.running import pitch
from cli.tournaments import finished

pytestmark = pytest.mark.skipif(
    find_spec("vl_convert") is None, reason="no charts here; .ci/browser brings the extra `report`"
)


@pytest.fixture
def played(tmp_path: Path) -> Path:
    return finished(tmp_path / "a.db")


def test_a_page_of_ours_is_replaced(played: Path, tmp_path: Path) -> None:
    for _ in range(2):
        result = pitch("report", str(played), "--html", str(tmp_path / "public"))
        assert result.exit_code == 0, result.output
    assert [path.name for path in (tmp_path / "public").iterdir()] == ["index.html"]


def test_anothers_page_stays(played: Path, tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text("<!doctype html><title>my club</title>")
    result = pitch("report", str(played), "--html", str(tmp_path))
    assert result.exit_code == 2
    assert f"{page} is there and not a report's page" in result.stderr
    assert page.read_text() == "<!doctype html><title>my club</title>"


def test_a_folder_that_is_a_database_is_told(played: Path) -> None:
    before = played.read_bytes()
    result = pitch("report", str(played), "--html", str(played))
    assert result.exit_code == 2
    assert f"{played} is a file; expected a folder" in result.stderr
    assert played.read_bytes() == before
