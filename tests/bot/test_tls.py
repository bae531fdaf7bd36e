import asyncio
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.serving import Talk, played
from certificates import Authority, server_credentials
from pitch import Action, Bot, View
from pitch.bot.tls import Tls, find_trouble


class First(Bot):
    def choose(self, view: View) -> Action:
        return view.legal[0]


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


async def one_question(talk: Talk) -> None:
    await talk.welcome()
    await talk.open()
    await talk.ask(1)
    await talk.answers()
    await talk.farewell()


async def test_a_bot_plays_over_tls(authority: Authority) -> None:
    credentials = server_credentials(authority.issue("127.0.0.1"))
    options = ["--ca", str(authority.file)]
    assert await played(First, one_question, options=options, credentials=credentials) == 0


async def test_a_name_in_the_certificate_may_be_another_than_that_connected_to(
    authority: Authority,
) -> None:
    credentials = server_credentials(authority.issue("arena.example"))
    options = ["--ca", str(authority.file), "--server-name", "arena.example"]
    assert await played(First, one_question, options=options, credentials=credentials) == 0


async def test_a_bot_shows_its_certificate_where_that_is_demanded(authority: Authority) -> None:
    credentials = server_credentials(authority.issue("127.0.0.1"), authority)
    bot = authority.issue("ann")
    options = ["--ca", authority.file, "--client-certificate", bot[0], "--client-key", bot[1]]
    arguments = [str(option) for option in options]
    assert await played(First, one_question, options=arguments, credentials=credentials) == 0


TROUBLES = [
    pytest.param(
        ["--ca", "{other}"], "127.0.0.1", 300, False,
        "is not trusted (", "is not the authority that signed it", id="another authority",
    ),
    pytest.param(
        ["--tls"], "127.0.0.1", 300, False,
        "is not trusted (", "give the authority's certificate as --ca FILE", id="no authority",
    ),
    pytest.param(
        ["--ca", "{ca}"], "arena.example", 300, False,
        "is not for '127.0.0.1'", "give that name as --server-name", id="another name",
    ),
    pytest.param(
        ["--ca", "{ca}", "--server-name", "b.example"], "arena.example", 300, False,
        "is not for 'b.example'", "give that name as --server-name", id="another server name",
    ),
    pytest.param(
        ["--ca", "{ca}"], "127.0.0.1", -1, False,
        "is not valid now (certificate has expired)", "the operator must renew it", id="expired",
    ),
    pytest.param(
        ["--ca", "{ca}"], "127.0.0.1", 300, True,
        "without a certificate of its own", "give --client-certificate", id="no client certificate",
    ),
    pytest.param(
        ["--ca", "{ca}", "--client-certificate", "{bot}", "--client-key", "{botkey}"],
        "127.0.0.1", 300, True,
        "does not accept ", "of the right authority", id="wrong client certificate",
    ),
    pytest.param(
        [], "127.0.0.1", 300, False,
        "speaks TLS only: add --tls", "--ca FILE", id="in clear to a server with TLS",
    ),
    pytest.param(
        [], "127.0.0.1", 300, True,
        "speaks TLS only: add --tls", "--ca FILE", id="in clear where a certificate is demanded",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("options", "name", "days", "mutual", "said", "remedy"), TROUBLES)
async def test_where_tls_cannot_work_the_bot_gives_up_and_says_why(
    options: list[str],
    name: str,
    days: int,
    mutual: bool,
    said: str,
    remedy: str,
    tmp_path: Path,
    authority: Authority,
    capfd: pytest.CaptureFixture[str],
) -> None:
    other = Authority(tmp_path, "other")
    bot = other.issue("ann")
    files = {"other": other.file, "ca": authority.file, "bot": bot[0], "botkey": bot[1]}
    credentials = server_credentials(
        authority.issue(name, days=days), authority if mutual else None
    )
    given = [option.format(**files) for option in options]
    assert await played(First, options=given, credentials=credentials) == 1
    # What grpc says itself stands there too, if it was imported before the bot could forbid it.
    (shown,) = [line for line in capfd.readouterr().err.splitlines() if ".cc:" not in line]
    assert shown.startswith("cannot connect: ")
    assert said in shown
    assert remedy in shown


async def test_tls_to_a_server_in_clear_is_given_up(
    authority: Authority, capfd: pytest.CaptureFixture[str]
) -> None:
    assert await played(First, options=["--ca", str(authority.file)]) == 1
    assert "does not speak TLS: leave out --tls and --ca" in capfd.readouterr().err


async def test_a_server_that_comes_late_is_waited_for(capfd: pytest.CaptureFixture[str]) -> None:
    """The first connection breaks off before a welcome; that is no reason to give up."""

    async def breaks_off(talk: Talk) -> None:
        await talk.read()

    assert await played(First, breaks_off, one_question) == 0
    assert "not connected yet: " in capfd.readouterr().err


@pytest.fixture
def silent_port() -> Iterator[int]:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        yield server.getsockname()[1]


@pytest.mark.parametrize("tls", [None, Tls()])
async def test_a_server_that_says_nothing_may_come_to_itself(
    silent_port: int, tls: Tls | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitch.bot.tls._PATIENCE", 0.2)
    trouble = await asyncio.to_thread(find_trouble, f"127.0.0.1:{silent_port}", tls)
    assert trouble is None or not trouble.final


def test_a_host_that_does_not_exist_is_named() -> None:
    trouble = find_trouble("no-such-host.invalid:7777", None)
    assert trouble is not None
    assert trouble.sentence.startswith("no-such-host.invalid:7777: no such host")
    assert not trouble.final
