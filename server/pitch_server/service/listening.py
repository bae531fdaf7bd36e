"""Where a server listens, behind which certificate and within which limits.

Here belongs what an operator says about the port, and why some of it is refused before anything
starts. Opening the port is `app`'s.
"""

import errno
import ipaddress
import os
import re
import socket
from dataclasses import dataclass
from pathlib import Path

import grpc

from pitch_server.service.certificates import (
    CertificateError,
    certificate_warnings,
    check_authority,
    check_certificate,
)

__all__ = ["Listening", "why_not_bound"]

_IN_BRACKETS = re.compile(r"\[(?P<host>[^\]]*)\]:(?P<port>.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening:
    """What a server listens on. Spans are in seconds.

    `certificate` and `key` are PEM files and belong together; with `client_ca` bots must show a
    certificate of that authority. `in_clear` allows to listen beyond loopback without TLS.
    """

    address: str = "127.0.0.1:0"
    certificate: Path | None = None
    key: Path | None = None
    client_ca: Path | None = None
    in_clear: bool = False
    connections: int = 1024
    """Connections in all; those that have no place yet give way first, the oldest of them."""
    strangers: int = 256
    """Connections from one address that have no place yet."""
    hello_timeout: float = 10.0
    """Time to say hello, and to finish the handshakes before it."""
    keepalive: float = 10.0
    """A peer that is silent for so long is asked for a sign, and given up after as long again."""

    @property
    def tls(self) -> bool:
        """Whether what is said can be read by the two ends only."""
        return self.certificate is not None

    @property
    def host(self) -> str:
        """The host without its port, and without brackets."""
        return _split(self.address)[0]

    @property
    def on_loopback(self) -> bool:
        """Whether nobody on another machine can connect."""
        return _is_loopback(self.host)

    def problem(self, tokens: bool) -> str | None:
        """One sentence why it must not listen so; `tokens` tells whether every bot needs one."""
        try:
            _check_address(self.address)
            self._check_files()
        except (CertificateError, ValueError) as error:
            return str(error)
        if self.on_loopback:
            return None
        if not tokens:
            return f"beyond loopback ({self.address}) every entrant needs a token"
        if not (self.tls or self.in_clear):
            return (
                f"{self.address} can be reached from other machines, where tokens and games could "
                "be read on their way: give a certificate and its key, or allow it in clear"
            )
        return None

    def warnings(self) -> list[str]:
        """Sentences about what is allowed and yet may make trouble; there must be no problem."""
        found: list[str] = []
        if self.certificate is not None and self.key is not None:
            found += certificate_warnings(self.certificate, self.key)
        if not (self.on_loopback or self.tls):
            found.append(
                f"{self.address} is open in clear: whoever is on the way reads tokens and games"
            )
        return found

    def credentials(self) -> grpc.ServerCredentials | None:
        """What grpc needs for TLS; None without."""
        if self.certificate is None or self.key is None:
            return None
        return grpc.ssl_server_credentials(
            [(self.key.read_bytes(), self.certificate.read_bytes())],
            self.client_ca.read_bytes() if self.client_ca else None,
            require_client_auth=self.client_ca is not None,
        )

    def _check_files(self) -> None:
        if (self.certificate is None) != (self.key is None):
            given, missing = ("certificate", "key") if self.certificate else ("key", "certificate")
            raise CertificateError(f"a {given} is given without its {missing}: TLS needs both")
        if self.certificate is not None and self.key is not None:
            check_certificate(self.certificate, self.key)
        if self.client_ca is not None:
            if self.certificate is None:
                raise CertificateError(
                    "clients can show certificates over TLS only: give a certificate and its key"
                )
            check_authority(self.client_ca)


def why_not_bound(address: str) -> str | None:
    """The reason of the operating system why an address can't be bound; None if it can."""
    host, port = _split(address)
    try:
        found = socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)
        family, kind, protocol, _, bound = found[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(bound)
            trial.listen()
    except socket.gaierror as error:
        return f"no such host: {error.strerror}"
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return "another program listens there; end it, or give another port (0 takes any)"
        if error.errno == errno.EADDRNOTAVAIL:
            return "this machine has no such address"
        if error.errno == errno.EACCES:
            return "not permitted; ports below 1024 are the administrator's"
        return os.strerror(error.errno) if error.errno else str(error)
    return None


def _check_address(address: str) -> None:
    host, port = _split(address)
    example = "for instance 127.0.0.1:7777, [::1]:7777 or 0.0.0.0:7777"
    if not port.isdecimal() or int(port) > 65_535:
        raise ValueError(f"expected HOST:PORT with a port up to 65535, got {address!r}; {example}")
    if not host or "/" in host or host.startswith("["):
        raise ValueError(f"expected HOST:PORT, got {address!r}; {example}")
    if ":" in host and not (_IN_BRACKETS.fullmatch(address) and _as_number(host)):
        raise ValueError(f"an IPv6 address stands in brackets, got {address!r}; {example}")


def _split(address: str) -> tuple[str, str]:
    if bracketed := _IN_BRACKETS.fullmatch(address):
        return bracketed["host"], bracketed["port"]
    host, _, port = address.rpartition(":")
    return host, port


def _as_number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _is_loopback(host: str) -> bool:
    number = _as_number(host)
    return host.lower() == "localhost" if number is None else number.is_loopback
