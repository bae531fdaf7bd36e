"""`pitch close` and `pitch withdraw`: by themselves and through a server, done once and twice."""

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from certificates import Authority
from cli.running import pitch
from cli.serving import TOKEN, serving
from cli.tournaments import SETTINGS, finished, going_on
from pitch_server.endpoint import Endpoint, endpoint_path, write_endpoint
from pitch_server.published import published_standings
from pitch_server.report import write_report
from pitch_server.service.listening import Listening
from pitch_server.store.errors import TournamentOver
from pitch_server.store.holding import hold_database
from pitch_server.store.journal import Journal
from pitch_server.store.rows import State
from service.live import QuietLive
from verify.making import SEED, play_tournament


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A tournament of which five games are played."""
    return going_on(tmp_path / "a.db")


@pytest.fixture(autouse=True)
def _no_token(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("PITCH_ADMIN_TOKEN", raising=False)
    return iter(())


class ServerOf(QuietLive):
    """A tournament in play in a database, as a server closes it and withdraws entrants."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.journal = Journal.open(file)

    async def standings(self) -> Any:
        return published_standings(self.journal)

    async def close(self) -> None:
        self.closed += 1
        self.journal.end(State.CLOSED, published_standings(self.journal, revealed=True))

    async def withdraw(self, name: str) -> None:
        self.journal.withdraw(name)
        self.withdrawn.append(name)


@pytest.fixture
def server(begun: Path) -> Iterator[ServerOf]:
    """The tournament in play, for a server that still has to be started."""
    live = ServerOf(begun)
    yield live
    live.journal.close()


def _left_behind(file: Path, address: str, *, pid: int = os.getpid(), tournament: int = 1) -> Path:
    """The file of a server that is gone."""
    path = endpoint_path(file)
    assert path is not None
    write_endpoint(path, Endpoint(address=address, token="a", pid=pid, tournament=tournament))
    return path


# --- closing ----------------------------------------------------------------------------------


def test_closing_ends_the_tournament_and_tells_the_seed(begun: Path) -> None:
    result = pitch("close", str(begun))
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"seed       {SEED}\n" in result.stdout
    assert "5 of" in result.stdout
    table = json.loads(pitch("standings", str(begun), "--json").stdout)
    assert (table["seed"], table["complete"], table["games"]["played"]) == (SEED, False, 5)
    assert pitch("verify", str(begun)).exit_code == 0
    with Journal.open(begun) as journal:
        assert journal.state() is State.CLOSED


def test_closed_twice_it_prints_the_same_table(begun: Path) -> None:
    first, second = pitch("close", str(begun)), pitch("close", str(begun))
    assert second.stdout == first.stdout
    assert second.exit_code == first.exit_code == 0
    assert second.stderr.endswith("a.db: the tournament is closed already\n")


def test_a_finished_tournament_stays_finished(played: Path) -> None:
    result = pitch("close", str(played))
    assert result.stderr.endswith("a.db: the tournament is finished already\n")
    shown = pitch("standings", str(played))
    assert (result.stdout, result.exit_code) == (shown.stdout, shown.exit_code)


def test_a_tournament_without_a_game_can_be_closed(tmp_path: Path) -> None:
    file = going_on(tmp_path / "a.db", games=0)
    result = pitch("close", str(file))
    assert result.exit_code == 0
    assert SEED in result.stdout
    assert pitch("verify", str(file)).exit_code == 0


def test_a_server_that_runs_closes_it_and_the_table_is_the_same(
    begun: Path, server: ServerOf
) -> None:
    with serving(server, begun):
        result = pitch("close", str(begun))
    assert (result.exit_code, result.stderr) == (0, "")
    assert server.closed == 1
    assert result.stdout == pitch("standings", str(begun)).stdout


def test_a_server_elsewhere_closes_without_a_database_here(
    server: ServerOf, begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITCH_ADMIN_TOKEN", TOKEN)
    with serving(server) as running:
        result = pitch("close", "--server", running.server.address)
    assert result.exit_code == 0, result.stderr
    table, drawn = json.loads(pitch("standings", str(begun), "--json").stdout), io.StringIO()
    write_report(table, Console(file=drawn))
    assert result.stdout == drawn.getvalue()


def test_a_server_that_goes_when_it_has_closed_is_no_failure(
    begun: Path, server: ServerOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pitch_server.service.operator_client import OperatorClient, ServerGone

    closing = OperatorClient.close

    async def closed_and_gone(client: OperatorClient) -> dict[str, Any]:
        await closing(client)
        raise ServerGone("no server answers")

    monkeypatch.setattr(OperatorClient, "close", closed_and_gone)
    with serving(server, begun):
        result = pitch("close", str(begun))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == pitch("standings", str(begun)).stdout


@pytest.mark.parametrize("pid", [0, 2**22 + 1], ids=["its number is another now", "gone"])
def test_what_a_server_left_behind_is_no_hindrance(begun: Path, pid: int) -> None:
    _left_behind(begun, "127.0.0.1:1", pid=pid or os.getpid())
    result = pitch("close", str(begun))
    assert (result.exit_code, result.stderr) == (0, "")
    with Journal.open(begun) as journal:
        assert journal.state() is State.CLOSED


@pytest.mark.parametrize("form", ["close", "withdraw"])
@pytest.mark.parametrize("file_left", [True, False])
def test_who_plays_and_does_not_answer_is_not_gone_behind(
    begun: Path, form: str, file_left: bool
) -> None:
    if file_left:
        _left_behind(begun, "127.0.0.1:1")
    name = ["a"] if form == "withdraw" else []
    with hold_database(begun):
        result = pitch(form, str(begun), *name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"another process (process {os.getpid()}) plays a tournament in it" in result.stderr
    assert "--server HOST:PORT" in result.stderr
    with Journal.open(begun) as journal:
        assert journal.state() is State.RUNNING
        assert not any(row.withdrawn for row in journal.entrants())


def test_a_server_is_not_told_to_close_another_tournament(
    tmp_path: Path, server: ServerOf, begun: Path
) -> None:
    play_tournament(begun, SETTINGS, end=None)
    with serving(server, begun, tournament=1), hold_database(begun):
        result = pitch("close", str(begun), "--tournament", "2")
    assert result.exit_code == 2
    assert server.closed == 0


def test_what_the_server_refuses_is_told_in_its_words(begun: Path, server: ServerOf) -> None:
    async def fail() -> None:
        raise TournamentOver("a.db: the tournament is finished already")

    server.close = fail  # type: ignore[method-assign]
    with serving(server, begun):
        result = pitch("close", str(begun))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "a.db: the tournament is finished already" in result.stderr


# --- withdrawing ------------------------------------------------------------------------------


def _withdrawn(file: Path) -> list[str]:
    with Journal.open(file) as journal:
        return [row.name for row in journal.entrants() if row.withdrawn]


def test_an_entrant_is_withdrawn_once(begun: Path) -> None:
    first, second = pitch("withdraw", str(begun), "b"), pitch("withdraw", str(begun), "b")
    assert (first.exit_code, first.stdout) == (second.exit_code, second.stdout) == (0, "")
    assert first.stderr == "b is withdrawn; its games are forfeited when the tournament goes on\n"
    assert second.stderr == "b is withdrawn already\n"
    assert _withdrawn(begun) == ["b"]


def test_a_server_that_runs_withdraws(begun: Path, server: ServerOf) -> None:
    with serving(server, begun):
        result = pitch("withdraw", str(begun), "b")
    assert (result.exit_code, result.stderr) == (0, "b is withdrawn; its games are forfeited\n")
    assert server.withdrawn == ["b"] == _withdrawn(begun)


def test_a_server_elsewhere_withdraws_without_a_database_here(
    begun: Path, server: ServerOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(server, begun) as running:
        monkeypatch.setenv("PITCH_ADMIN_TOKEN", TOKEN)
        result = pitch("withdraw", "b", "--server", running.server.address)
    assert (result.exit_code, result.stderr) == (0, "b is withdrawn; its games are forfeited\n")
    assert server.withdrawn == ["b"] == _withdrawn(begun)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("b",), "got 'b' alone; expected DB NAME, or NAME --server", id="a name"),
        pytest.param(("a.db", "b", "c"), "got 3 words; expected a database", id="three"),
        pytest.param((), "Missing argument '[DB] NAME'", id="none"),
    ],
)
def test_who_is_to_be_withdrawn_from_what_must_be_said(words: tuple[str, ...], said: str) -> None:
    result = pitch("withdraw", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_where_another_tournament_is_played_it_is_said_which_one_is_meant(begun: Path) -> None:
    with Journal.create(begun, SETTINGS, "another seed"):
        pass
    _left_behind(begun, "127.0.0.1:1", tournament=1)
    latest = pitch("standings", str(begun))
    assert "this is tournament 2, the latest; the one that is played now is named by" in (
        latest.stderr
    )
    assert "--tournament 1" in latest.stderr
    assert pitch("standings", str(begun), "--tournament", "1").stderr == ""


def test_after_a_server_that_is_gone_it_is_done_here(begun: Path) -> None:
    _left_behind(begun, "127.0.0.1:1")
    assert pitch("withdraw", str(begun), "b").exit_code == 0
    assert _withdrawn(begun) == ["b"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [("B", "there are a, b, c"), ("bb", "did you mean 'b'?"), ("", "there are a, b, c")],
)
def test_a_name_that_nobody_has_gets_a_suggestion(begun: Path, name: str, hint: str) -> None:
    result = pitch("withdraw", str(begun), name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"no entrant is named {name!r}; {hint}" in result.stderr
    assert _withdrawn(begun) == []


@pytest.mark.parametrize("end", ["finished", "closed"])
def test_nobody_is_withdrawn_from_what_is_over(tmp_path: Path, end: str) -> None:
    file = tmp_path / "a.db"
    if end == "finished":
        finished(file)
    else:
        pitch("close", str(going_on(file)))
    result = pitch("withdraw", str(file), "a")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"the tournament is {end}; nobody can be taken out" in result.stderr


# --- servers elsewhere ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "token", "sentence"),
    [
        pytest.param([], TOKEN, "which tournament?", id="nothing named"),
        pytest.param(
            ["--server", "here"], TOKEN, "expected HOST:PORT with a port from", id="no port"
        ),
        pytest.param(["--server", "a:65536"], TOKEN, "1 to 65535, got 'a:65536'", id="port"),
        pytest.param(["--server", "a:1"], "", "put it into PITCH_ADMIN_TOKEN", id="no token"),
        pytest.param(["--server", "a:1"], "tökën", "put it into PITCH_ADMIN_TOKEN", id="bad token"),
        pytest.param(["--in-clear"], TOKEN, "tell how to reach a --server", id="no server"),
        pytest.param(
            ["--server", "a:1", "--client-key", __file__], TOKEN, "belong together", id="half"
        ),
        pytest.param(
            ["--server", "a:1", "--in-clear", "--ca", __file__], TOKEN, "is without TLS", id="both"
        ),
        pytest.param(
            ["--server", "127.0.0.1:1"], TOKEN, "nothing listens at 127.0.0.1:1", id="nobody"
        ),
    ],
)
def test_a_server_that_cannot_be_asked_is_bad_input(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], token: str, sentence: str
) -> None:
    monkeypatch.setenv("PITCH_ADMIN_TOKEN", token)
    result = pitch("close", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr
    assert not token or token not in result.output


def test_a_server_elsewhere_is_reached_by_tls_and_its_certificate_is_checked(
    begun: Path, server: ServerOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITCH_ADMIN_TOKEN", TOKEN)
    authority, other = Authority(tmp_path), Authority(tmp_path, "other")
    pair, mine = authority.issue("arena.example"), authority.issue("operator.example")
    listening = Listening(certificate=pair.certificate, key=pair.key, client_ca=authority.file)
    named = ("--server-name", "arena.example")
    shown = ("--client-certificate", str(mine.certificate), "--client-key", str(mine.key))
    with serving(server, begun, listening=listening) as running:
        where = ("close", str(begun), "--server", running.server.address)
        refused = {
            "add --tls": (),
            "lets nobody in without a certificate": ("--ca", str(authority.file), *named),
            "is not the authority that signed it": ("--ca", str(other.file), *named, *shown),
            "is not for '127.0.0.1'": ("--ca", str(authority.file), *shown),
        }
        for sentence, options in refused.items():
            result = pitch(*where, *options)
            assert (result.exit_code, result.stdout) == (2, ""), sentence
            assert sentence in result.stderr
        assert server.closed == 0
        assert pitch(*where, "--ca", str(authority.file), *named, *shown).exit_code == 0
    assert server.closed == 1


def test_beside_its_database_a_server_is_reached_without_a_certificate(
    begun: Path, server: ServerOf, tmp_path: Path
) -> None:
    pair = Authority(tmp_path).issue("arena.example")
    listening = Listening(
        certificate=pair.certificate, key=pair.key, client_ca=Authority(tmp_path, "b").file
    )
    with serving(server, begun, listening=listening):
        assert pitch("close", str(begun)).exit_code == 0
    assert server.closed == 1


def test_a_wrong_token_is_refused_and_not_told(
    begun: Path, server: ServerOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITCH_ADMIN_TOKEN", "wrong")
    with serving(server, begun) as running:
        result = pitch("close", str(begun), "--server", running.server.address)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "refused the admin token" in result.stderr
    assert "wrong" not in result.stderr
    assert server.closed == 0
