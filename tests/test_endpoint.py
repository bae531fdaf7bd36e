"""The file that tells operators of a running server: who may read it, when it is believed."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import make_url

from pitch_server.endpoint import (
    Endpoint,
    endpoint_path,
    published,
    read_endpoint,
    write_endpoint,
)

TOKEN = "a secret of the server's"
MINE = Endpoint(address="127.0.0.1:7", token=TOKEN, pid=os.getpid(), tournament=3)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a server's file would be."""
    path = endpoint_path(tmp_path / "a.db")
    assert path == tmp_path / "a.db.server"
    return path


def test_a_server_is_found_while_it_runs_by_its_owner_alone(file: Path) -> None:
    database = file.with_name("a.db")
    assert read_endpoint(database) is None
    with published(database, address="127.0.0.1:7", token=TOKEN, tournament=3):
        assert read_endpoint(database) == MINE
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert list(file.parent.iterdir()) == [file]
    assert read_endpoint(database) is None
    assert not file.exists()


def test_it_is_removed_when_the_server_fails(file: Path) -> None:
    with pytest.raises(RuntimeError, match="of the server"):
        _fail_while_published(file.with_name("a.db"))
    assert not file.exists()


def _fail_while_published(database: Path) -> None:
    with published(database, address="127.0.0.1:7", token=TOKEN, tournament=3):
        raise RuntimeError("of the server")


def test_what_another_server_has_written_since_stays(file: Path) -> None:
    database = file.with_name("a.db")
    other = Endpoint(address="127.0.0.1:8", token="b", pid=os.getpid(), tournament=3)
    with published(database, address="127.0.0.1:7", token=TOKEN, tournament=3):
        write_endpoint(file, other)
    assert read_endpoint(database) == other


def test_a_file_that_others_could_read_is_replaced_by_one_that_they_cannot(file: Path) -> None:
    file.write_text("{}")
    file.chmod(0o644)
    with published(file.with_name("a.db"), address="127.0.0.1:7", token=TOKEN, tournament=3):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_one_that_is_a_link_is_not_written_through(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("precious")
    file.symlink_to(target)
    with published(file.with_name("a.db"), address="127.0.0.1:7", token=TOKEN, tournament=3):
        assert read_endpoint(file.with_name("a.db")) == MINE
    assert target.read_text() == "precious"


def test_the_server_of_a_process_that_is_gone_is_none(file: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    write_endpoint(file, Endpoint(address="127.0.0.1:7", token="a", pid=ended.pid, tournament=1))
    assert read_endpoint(file.with_name("a.db")) is None


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("{", id="cut off"),
        pytest.param("[]", id="another document"),
        pytest.param("[" * 60_000, id="deep"),
        pytest.param('{"address": "127.0.0.1:7"}', id="half of it"),
        *(
            pytest.param(
                json.dumps(
                    {"address": "a:1", "token": "a", "pid": os.getppid(), "tournament": 1} | change
                ),
                id=str(sorted(change)),
            )
            for change in (
                {"address": 7},
                {"token": None},
                {"pid": True},
                {"pid": -1},
                {"pid": 0},
                {"pid": 10**30},
                {"tournament": "1"},
                {"more": 1},
            )
        ),
    ],
)
def test_what_is_not_as_we_write_it_is_no_server(file: Path, text: str) -> None:
    file.write_text(text)
    assert read_endpoint(file.with_name("a.db")) is None


def test_a_database_on_a_server_has_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    database = make_url("postgresql://nobody@localhost/none")
    assert endpoint_path(database) is None
    with published(database, address="127.0.0.1:7", token=TOKEN, tournament=3):
        assert read_endpoint(database) is None
    assert list(tmp_path.iterdir()) == []


def test_a_token_is_not_shown_with_its_endpoint() -> None:
    assert TOKEN not in repr(MINE)
