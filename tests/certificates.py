"""Certificates for tests: authorities, servers and bots, written to files."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import grpc
import trustme
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)


class Pair(NamedTuple):
    """The files of a certificate and its key."""

    certificate: Path
    key: Path


class Authority:
    """An authority whose certificates go to a directory."""

    def __init__(self, directory: Path, name: str = "ca") -> None:
        self._directory = directory
        self._name = name
        self._ca = trustme.CA(organization_name=name)
        self.file = directory / f"{name}.pem"
        self._ca.cert_pem.write_to_path(self.file)

    def issue(self, *names: str, days: int = 300) -> Pair:
        """A certificate for these names; with fewer days than none it is over already."""
        now = datetime.now(UTC)
        made = self._ca.issue_cert(
            *names, not_before=now - timedelta(days=400), not_after=now + timedelta(days=days)
        )
        stem = f"{self._name}-{'-'.join(names)}-{days}".replace(":", "_")
        pair = Pair(self._directory / f"{stem}.pem", self._directory / f"{stem}.key")
        pair.certificate.write_bytes(b"".join(blob.bytes() for blob in made.cert_chain_pems))
        made.private_key_pem.write_to_path(pair.key)
        pair.key.chmod(0o600)
        return pair


def server_credentials(pair: Pair, clients: Authority | None = None) -> grpc.ServerCredentials:
    """What a server of grpc needs; with an authority clients must show a certificate of it."""
    return grpc.ssl_server_credentials(
        [(pair.key.read_bytes(), pair.certificate.read_bytes())],
        clients.file.read_bytes() if clients else None,
        require_client_auth=clients is not None,
    )


def self_signed(directory: Path, name: str, passphrase: str = "") -> Pair:
    """A certificate that signed itself, as openssl makes it; its key may be locked."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=300))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    lock: KeySerializationEncryption = NoEncryption()
    if passphrase:
        lock = BestAvailableEncryption(passphrase.encode())
    pair = Pair(directory / "self-signed.pem", directory / "self-signed.key")
    pair.certificate.write_bytes(made.public_bytes(Encoding.PEM))
    pair.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, lock))
    pair.key.chmod(0o600)
    return pair
