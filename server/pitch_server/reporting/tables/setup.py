"""The set-up: every setting, and what others need to check the results."""

from collections.abc import Iterator

from pitch_server.reporting.cells import Table, Words
from pitch_server.reporting.names import printable
from pitch_server.reporting.numbers import Node

__all__ = ["setup"]


def setup(root: Node) -> Table:
    """Every setting, and the proofs."""
    return Table(
        key="setup",
        title="Set-up",
        columns=("setting", "value"),
        rows=tuple((Words(key), Words(value)) for key, value in (*_settings(root), *_proofs(root))),
    )


def _settings(root: Node) -> Iterator[tuple[str, str]]:
    for key, node in root["variant"].items():
        yield "variant" if key == "name" else f"variant.{key}", _plain(node.value)
    yield "isolation", _plain(root["isolation"].value)
    for key, node in root["format"].items():
        if isinstance(node.value, dict):
            for inner, below in node.items():
                yield f"{key}.{inner}", _setting(inner, below.value)
        else:
            yield f"format.{key}", _plain(node.value)


def _proofs(root: Node) -> Iterator[tuple[str, str]]:
    seed = root["seed"].value
    yield "seed", "secret until the end" if seed is None else printable(seed)
    yield "commitment (SHA-256 of the seed)", printable(root["commitment"].value)
    yield "digest of all games", printable(root["digest"].value)


def _setting(key: str, value: object) -> str:
    """A setting; the clock's times are in seconds."""
    spans = ("move_timeout", "time_bank", "start_timeout", "reconnect_grace")
    return f"{_plain(value)} s" if key in spans else _plain(value)


def _plain(value: object) -> str:
    if value is None:
        return "by default"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list):
        return ", ".join(map(_plain, value)) or "none"
    return printable(value)
