import socket
from contextlib import closing
from pathlib import Path

import pytest

from certificates import Authority, self_signed
from pitch.wire.frames import Welcome
from pitch_server.service.app import ListenError, RefereeServer
from pitch_server.service.listening import Listening
from pitch_server.service.lobby import Lobby
from service.strangers import calling, serving


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1:0", "127.1.2.3:7777", "localhost:7777", "LocalHost:1", "[::1]:7777", "[::1]:65535"],
)
def test_on_loopback_nothing_is_asked_for(address: str) -> None:
    assert Listening(address=address).problem(tokens=False) is None
    assert Listening(address=address).on_loopback


@pytest.mark.parametrize(
    "address",
    ["0.0.0.0:7777", "[::]:7777", "192.0.2.1:7777", "arena.example:7777", "[::ffff:7f00:1]:1"],
)
def test_beyond_loopback_tls_and_tokens_are_demanded_or_a_flag(
    address: str, authority: Authority
) -> None:
    clear = Listening(address=address).problem(tokens=True)
    assert clear is not None
    assert clear.startswith(f"{address} can be reached from other machines")
    assert Listening(address=address, in_clear=True).problem(tokens=True) is None
    certificate, key = authority.issue("arena.example")
    secure = Listening(address=address, certificate=certificate, key=key)
    assert secure.problem(tokens=True) is None
    for each in (secure, Listening(address=address, in_clear=True)):
        assert each.problem(tokens=False) == (
            f"beyond loopback ({address}) every entrant needs a token"
        )


@pytest.mark.parametrize(
    "address",
    [
        "", "7777", ":7777", "localhost", "localhost:", "localhost:http", "localhost:65536",
        "localhost:-1", "unix:/tmp/socket:1", "::1:7777", "[::1]", "[::1:7777", "[nonsense:]:1",
        "[]:1",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_an_example(address: str) -> None:
    problem = Listening(address=address, in_clear=True).problem(tokens=True)
    assert problem is not None
    assert repr(address) in problem
    assert "for instance 127.0.0.1:7777" in problem


def test_files_of_tls_must_be_there_and_fit_together(tmp_path: Path, authority: Authority) -> None:
    certificate, key = authority.issue("arena.example")
    other = authority.issue("other.example")
    text = tmp_path / "text"
    text.write_text("hello\n")
    locked = self_signed(tmp_path, "arena.example", passphrase="secret")
    refused: list[tuple[dict[str, Path], str]] = [
        ({"certificate": certificate}, "a certificate is given without its key"),
        ({"key": key}, "a key is given without its certificate"),
        (
            {"certificate": tmp_path / "no", "key": key},
            f"cannot read the certificate {tmp_path}/no",
        ),
        (
            {"certificate": certificate, "key": tmp_path},
            f"cannot read the key {tmp_path}: Is a dir",
        ),
        ({"certificate": text, "key": key}, f"{text}: expected a certificate in PEM form"),
        ({"certificate": certificate, "key": certificate}, "there is no PRIVATE KEY in it"),
        ({"certificate": certificate, "key": other.key}, "is not the key of the certificate"),
        ({"certificate": locked.certificate, "key": locked.key}, "is locked by a passphrase"),
        ({"client_ca": authority.file}, "clients can show certificates over TLS only"),
        ({"certificate": certificate, "key": key, "client_ca": text}, f"{text}: expected a certif"),
    ]
    for given, said in refused:
        problem = Listening(**given).problem(tokens=True)  # type: ignore[arg-type]
        assert problem is not None
        assert said in problem


def test_what_will_make_trouble_is_warned_of(authority: Authority) -> None:
    def warnings(days: int) -> list[str]:
        certificate, key = authority.issue("arena.example", days=days)
        return Listening(certificate=certificate, key=key).warnings()

    assert warnings(300) == []
    assert [text.partition(": ")[2] for text in warnings(-1)] == [
        "bots will refuse it: certificate has expired"
    ]
    (soon,) = warnings(5)
    assert ": it expires in 4 days, on " in soon
    certificate, key = authority.issue("b.example")
    key.chmod(0o644)
    (open_key,) = Listening(certificate=certificate, key=key).warnings()
    assert open_key.endswith(f"run: chmod 600 {key}")
    (clear,) = Listening(address="0.0.0.0:1", in_clear=True).warnings()
    assert "open in clear" in clear


def test_a_certificate_that_signed_itself_is_used(tmp_path: Path) -> None:
    """As `openssl req -x509` makes it: leaf and authority at once."""
    certificate, key = self_signed(tmp_path, "arena.example")
    listening = Listening(certificate=certificate, key=key)
    assert listening.problem(tokens=True) is None
    assert listening.warnings() == []


async def test_an_address_in_use_is_told_in_a_sentence() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(ListenError, match=f"{address}: another program listens there"):
            async with RefereeServer(Lobby(), Listening(address=address)):
                pass


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("192.0.2.1:7777", "this machine has no such address"),
        ("no-such-host.invalid:7777", "no such host"),
    ],
)
async def test_an_address_that_is_not_here_is_told_in_a_sentence(address: str, reason: str) -> None:
    with pytest.raises(ListenError, match=reason):
        async with RefereeServer(Lobby(), Listening(address=address, in_clear=True)):
            pass


async def test_behind_tls_bots_on_this_machine_have_a_port_in_clear(authority: Authority) -> None:
    certificate, key = authority.issue("127.0.0.1")
    async with serving(Listening(certificate=certificate, key=key)) as (server, _):
        assert server.local_address != server.address
        async with calling(server.local_address) as caller:
            assert isinstance(await caller.hello(), Welcome)


async def test_in_clear_on_loopback_there_is_one_port() -> None:
    async with serving() as (server, _):
        assert server.local_address == server.address
