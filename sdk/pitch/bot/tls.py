"""TLS for a bot: what it trusts, what it shows, and why a server can't be reached.

Here belong the files of TLS and the question what is wrong with a connection. grpc tells hardly
more than that it failed; a bot's author needs one sentence with what to do. Coming back is the
runner's.
"""

import os
import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import NamedTuple

import grpc

__all__ = ["Tls", "TlsError", "Trouble", "find_trouble"]

_PATIENCE = 5.0  # seconds for each step of looking what is wrong
_SURE, _GAP = 3, 0.2  # a server that only just ends does not do the same so often
_NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST")
_SETTINGS = 4  # kind of frame that an HTTP/2 server begins with
_WRONG_HOST = {62, 64}  # X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH
_NOT_NOW = {9, 10}  # X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED


class TlsError(Exception):
    """A file of TLS can't be used; says which and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tls:
    """Whom a bot trusts and what it shows of itself; all files are PEM.

    Without `ca` the authorities that this machine trusts count. `server_name` stands in the
    certificate where it is another one than that connected to.
    """

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    server_name: str = ""

    def credentials(self) -> grpc.ChannelCredentials:
        """What grpc needs."""
        ca = self.ca or _system_authorities()
        return grpc.ssl_channel_credentials(
            ca.read_bytes() if ca else None,
            self.key.read_bytes() if self.key else None,
            self.certificate.read_bytes() if self.certificate else None,
        )

    def context(self) -> ssl.SSLContext:
        """The same for a look at what is wrong; raises TlsError."""
        if (self.certificate is None) != (self.key is None):
            raise TlsError("--client-certificate and --client-key belong together: give both")
        for option, path in (
            ("--ca", self.ca),
            ("--client-certificate", self.certificate),
            ("--client-key", self.key),
        ):
            try:
                if path is not None:
                    path.read_bytes()
            except OSError as error:
                raise TlsError(f"{option}: cannot read {path}: {error.strerror}") from None
        try:
            context = ssl.create_default_context(cafile=self.ca or _system_authorities())
        except ssl.SSLError:
            raise TlsError(f"--ca: expected certificates in PEM form in {self.ca}") from None
        context.set_alpn_protocols(["h2"])
        if self.certificate is not None and self.key is not None:
            try:
                context.load_cert_chain(self.certificate, self.key, password="")
            except ssl.SSLError as error:
                raise TlsError(
                    f"--client-certificate {self.certificate} and --client-key {self.key}: "
                    f"expected a certificate and its key in PEM form ({error.reason})"
                ) from None
        return context


class Trouble(NamedTuple):
    """Why a server can't be talked to; `final` where trying again is of no use."""

    sentence: str
    final: bool


def find_trouble(server: str, tls: Tls | None) -> Trouble | None:
    """What is wrong with connections to a server; None if nothing is found.

    It connects once or twice, says nothing of the bot, and may take some seconds.
    """
    host, port = _host_port(server)
    try:
        if tls is not None:
            return _try_tls(server, tls)
        if _speaks_http2(host, port) or not _speaks_tls(host, port):
            return None
    except OSError as error:
        return Trouble(_unreachable(server, error), final=False)
    return Trouble(
        f"{server} speaks TLS only: add --tls, and --ca FILE where its certificate is its own",
        final=True,
    )


def _try_tls(server: str, tls: Tls) -> Trouble | None:
    name = tls.server_name or _host_port(server)[0]
    try:
        for _ in range(_SURE):
            if _greets(server, name, tls):
                return None
            sleep(_GAP)
    except ssl.SSLCertVerificationError as error:
        return Trouble(_distrusted(error, name, tls), final=True)
    except ssl.SSLError as error:
        if error.reason in _NO_TLS:
            return Trouble(f"{server} does not speak TLS: leave out --tls and --ca", final=True)
        if "ALERT" not in (error.reason or ""):  # it broke off: perhaps the server just ends
            return None
    if tls.certificate is None:
        return Trouble(
            f"{server} lets nobody in without a certificate of its own: give "
            "--client-certificate and --client-key, or ask the operator for them",
            final=True,
        )
    return Trouble(
        f"{server} does not accept {tls.certificate}, the certificate of this bot: ask the "
        "operator for one of the right authority",
        final=True,
    )


def _greets(server: str, name: str, tls: Tls) -> bool:
    """Whether the server says anything once the handshake is over.

    With TLS 1.3 it judges the client's certificate then, and grpc's closes without a word.
    """
    with (
        _connect(*_host_port(server)) as plain,
        tls.context().wrap_socket(plain, server_hostname=name) as secure,
    ):
        try:
            return bool(secure.recv(1))
        except ConnectionError:
            return False


def _distrusted(error: ssl.SSLCertVerificationError, name: str, tls: Tls) -> str:
    if error.verify_code in _WRONG_HOST:
        return (
            f"the server's certificate is not for {name!r} ({error.verify_message}): connect by "
            "the name in it, or give that name as --server-name"
        )
    if error.verify_code in _NOT_NOW:
        return (
            f"the server's certificate is not valid now ({error.verify_message}): the operator "
            "must renew it, or this machine's clock is wrong"
        )
    remedy = "give the authority's certificate as --ca FILE; ask the operator for it"
    if tls.ca is not None:
        remedy = f"{tls.ca} is not the authority that signed it; ask the operator for the right one"
    return f"the server's certificate is not trusted ({error.verify_message}): {remedy}"


def _unreachable(server: str, error: OSError) -> str:
    if isinstance(error, ConnectionRefusedError):
        return f"nothing listens at {server}: is the server running?"
    if isinstance(error, socket.gaierror):
        return f"{server}: no such host ({error.strerror})"
    if isinstance(error, TimeoutError):
        return f"{server} does not answer"
    return f"{server} cannot be reached: {error.strerror or error}"


def _speaks_http2(host: str, port: int) -> bool:
    """Whether the server begins with a frame of HTTP/2, in clear, as grpc's does."""
    with _connect(host, port) as plain, suppress(TimeoutError, ConnectionError):
        plain.settimeout(_PATIENCE / 5)
        begun = plain.recv(9)
        return len(begun) > 3 and begun[3] == _SETTINGS
    return False


def _speaks_tls(host: str, port: int) -> bool:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    with suppress(OSError), _connect(host, port) as plain:
        context.wrap_socket(plain, server_hostname=host).close()
        return True
    return False


def _host_port(server: str) -> tuple[str, int]:
    host, _, port = server.rpartition(":")
    return host.strip("[]"), int(port)


def _connect(host: str, port: int) -> socket.socket:
    return socket.create_connection((host, port), timeout=_PATIENCE)


def _system_authorities() -> Path | None:
    """The authorities that this machine trusts; None where they are in no file."""
    found = os.environ.get("GRPC_DEFAULT_SSL_ROOTS_FILE_PATH")
    found = found or ssl.get_default_verify_paths().cafile
    return Path(found) if found else None
