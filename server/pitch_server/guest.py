"""A launched bot as a guest: what it may use of this machine, and how often it is started again.

Here belong the values, their checks and their JSON; no file, user or process is looked at.
Holding a bot to them is the warden's, whether this machine can is `accounts.guest_problem`'s.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

__all__ = ["OWN_PREFIX", "GuestError", "GuestSettings", "guest_json", "parse_guest"]

OWN_PREFIX = "PITCH_"
"""Variables that begin so are between server and bot: address, token, name."""

MIB = 1 << 20
MAX_NICE = 19  # setpriority(2)
MAX_VALUE = 64 * 1024  # characters; Linux takes 128 KiB for one variable
MAX_VARIABLES = 256


class GuestError(ValueError):
    """A limit that can't be: `field` is its key, `reason` what came and what can."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}")
        self.field = key
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestSettings:
    """Limits of each process of an entrant; None where the system's own holds.

    `memory` in bytes of address space, `cpu_time` in seconds; `processes` counts all of the
    same user, threads too, and does not hold root; `nice` is added to the server's own; `user`
    only where the server is root; `restarts` counts crashes in a row. Raises GuestError.
    """

    memory: int | None = None
    cpu_time: int | None = None
    open_files: int | None = None
    processes: int | None = None
    nice: int = 0
    user: str | None = None
    restarts: int = 3
    environment: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # may hold secrets

    def __post_init__(self) -> None:
        # a mebibyte: whoever writes 512 means something larger than bytes
        _whole("memory", self.memory, MIB, 1 << 60, "bytes, 1 MiB or more")
        _whole("cpu_time", self.cpu_time, 1, 10**9, "seconds, 1 or more")
        # the three standard streams, and what any interpreter opens to begin
        _whole("open_files", self.open_files, 8, 1 << 20, "8 to 1,048,576")
        _whole("processes", self.processes, 1, 1 << 20, "1 to 1,048,576")
        _require(self.nice is not None, "nice", self.nice, f"0 to {MAX_NICE}")
        _whole("nice", self.nice, 0, MAX_NICE, f"0 to {MAX_NICE}")
        _require(self.restarts is not None, "restarts", self.restarts, "0 to 1,000")
        _whole("restarts", self.restarts, 0, 1000, "0 to 1,000")
        _check_user(self.user)
        _check_environment(self.environment)


def _require(ok: bool, key: str, came: object, possible: str) -> None:
    if not ok:
        raise GuestError(key, f"{came!r} is not possible; expected {possible}")


def _whole(key: str, came: object, low: int, high: int, possible: str) -> None:
    if came is None:
        return
    whole = isinstance(came, int) and not isinstance(came, bool)
    _require(whole, key, came, f"a whole number, {possible}")
    assert isinstance(came, int)  # noqa: S101 (just required)
    _require(low <= came <= high, key, came, possible)


def _check_user(user: object) -> None:
    if user is None:
        return
    name = isinstance(user, str) and user.isprintable() and user.strip() == user
    _require(name and user != "" and ":" not in str(user), "user", user, "the name of a user")


def _check_environment(environment: object) -> None:
    pairs = isinstance(environment, tuple) and all(
        isinstance(pair, tuple) and list(map(type, pair)) == [str, str] for pair in environment
    )
    _require(pairs, "environment", environment, "variables, each with a text")
    assert isinstance(environment, tuple)  # noqa: S101 (just required)
    count = len(environment)
    _require(count <= MAX_VARIABLES, "environment", count, f"{MAX_VARIABLES} variables at most")
    names: set[str] = set()
    for name, value in environment:
        key = f"environment.{name}"
        _require(name not in names, key, name, "every name once")
        names.add(name)
        _check_variable(key, name, value)


def _check_variable(key: str, name: str, value: str) -> None:
    usable = name != "" and "=" not in name and name.isprintable() and " " not in name
    _require(usable, key, name, "a name without '=', space or control character")
    if name.upper().startswith(OWN_PREFIX):
        raise GuestError(
            key, f"names that begin with {OWN_PREFIX} are the server's own; expected another name"
        )
    if "\0" in value or any(unicodedata.category(char) == "Cs" for char in value):
        # what it was is not repeated: it may be a secret
        raise GuestError(key, "its value holds a NUL or half a character; expected a text")
    if len(value) > MAX_VALUE:
        raise GuestError(
            key, f"its value has {len(value):,} characters; expected {MAX_VALUE:,} at most"
        )


def guest_json(guest: GuestSettings) -> dict[str, Any]:
    """The settings as JSON, every field of them."""
    values: dict[str, Any] = {each.name: getattr(guest, each.name) for each in fields(guest)}
    return values | {"environment": dict(guest.environment)}


def parse_guest(document: object) -> GuestSettings:
    """The settings that `guest_json` wrote; what is absent has its default. Raises GuestError."""
    if not isinstance(document, Mapping):
        raise GuestError("guest", f"{document!r} is not possible; expected limits by name")
    possible = [each.name for each in fields(GuestSettings)]
    for key in document:
        _require(key in possible, "guest", key, f"one of {', '.join(possible)}")
    values = dict(document)
    environment = values.pop("environment", {})
    if not isinstance(environment, Mapping):
        raise GuestError("environment", "expected variables by name, each with a text")
    return GuestSettings(**values, environment=tuple(environment.items()))
