"""The files of TLS: are they there, do they fit together, for how long.

Here belongs finding out before anything starts what every bot would meet later. Files are judged
by a handshake of the certificate with itself, in memory; nothing is sent anywhere.
"""

import ssl
import stat
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

__all__ = ["CertificateError", "certificate_warnings", "check_authority", "check_certificate"]

_SOON_DAYS = 14


class CertificateError(Exception):
    """A file of TLS that cannot be used; says which, why and what to do."""


@dataclass(frozen=True, slots=True)
class _Trial:
    """What a handshake with itself showed: why a bot would refuse, whose it is, until when."""

    refused: str | None
    names: tuple[str, ...]
    until: datetime | None


def check_certificate(certificate: Path, key: Path) -> None:
    """Raises CertificateError unless the files are a certificate chain and its own key."""
    _check_pem(certificate, "certificate", "CERTIFICATE")
    _check_pem(key, "key", "PRIVATE KEY")
    _server_context(certificate, key)


def check_authority(authority: Path) -> None:
    """Raises CertificateError unless the file holds certificates that others can be checked by."""
    _check_pem(authority, "certificate authority", "CERTIFICATE")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_verify_locations(cafile=authority)
    except ssl.SSLError as error:
        raise CertificateError(
            f"{authority}: expected certificates, got {_reason(error)}"
        ) from None


def certificate_warnings(certificate: Path, key: Path) -> list[str]:
    """Sentences about what works and yet will make trouble; the files must have been checked."""
    trial = _handshake(certificate, key)
    found: list[str] = []
    if trial.refused is not None:
        found.append(f"{certificate}: bots will refuse it: {trial.refused}")
    elif not trial.names:
        found.append(
            f"{certificate}: it names no host (no subjectAltName), so that bots will refuse it"
        )
    if trial.until is not None and (left := (trial.until - datetime.now(UTC)).days) < _SOON_DAYS:
        found.append(f"{certificate}: it expires in {left} days, on {trial.until:%Y-%m-%d}")
    if key.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        found.append(f"{key}: others on this machine may read the key; run: chmod 600 {key}")
    return found


# --- inside ---------------------------------------------------------------------------------


def _check_pem(path: Path, what: str, block: str) -> None:
    try:
        text = path.read_bytes()
    except OSError as error:
        raise CertificateError(f"cannot read the {what} {path}: {error.strerror}") from None
    if b"-----BEGIN " not in text:
        raise CertificateError(
            f"{path}: expected a {what} in PEM form (-----BEGIN {block}-----), got something else"
        )
    if block.encode() not in text:
        raise CertificateError(f"{path}: expected a {what}, but there is no {block} in it")


def _server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)

    def no_passphrase() -> str:
        raise CertificateError(
            f"{key}: the key is locked by a passphrase, which nobody is there to type; "
            f"unlock a copy with: openssl pkey -in {key} -out unlocked.pem"
        )

    try:
        context.load_cert_chain(certificate, key, password=no_passphrase)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise CertificateError(
                f"{key} is not the key of the certificate {certificate}"
            ) from None
        raise CertificateError(
            f"{certificate} and {key}: expected a certificate and its key, got {_reason(error)}"
        ) from None
    return context


def _handshake(certificate: Path, key: Path) -> _Trial:
    """Lets the certificate meet a client that trusts nothing else."""
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.check_hostname = False
    trusting.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    trusting.load_verify_locations(cafile=certificate)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = _server_context(certificate, key).wrap_bio(to_server, to_client, server_side=True)
    client = trusting.wrap_bio(to_client, to_server)
    try:
        for end in (client, server) * 3:
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
    except ssl.SSLCertVerificationError as error:
        return _Trial(error.verify_message, (), None)
    except ssl.SSLError as error:
        return _Trial(_reason(error), (), None)
    shown = client.getpeercert() or {}
    names = tuple(str(entry[1]) for entry in shown.get("subjectAltName", ()))
    seconds = ssl.cert_time_to_seconds(str(shown["notAfter"]))
    return _Trial(None, names, datetime.fromtimestamp(seconds, UTC))


def _reason(error: ssl.SSLError) -> str:
    return (error.reason or str(error)).lower().replace("_", " ")
