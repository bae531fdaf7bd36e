"""A launched bot as a guest: what it may use of this machine, and how often it is started again.

Here belong the values and their JSON; holding a bot to them is the warden's.
"""

from dataclasses import dataclass

__all__ = ["GuestSettings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestSettings:
    """Limits of each process of an entrant; None where the system's own holds.

    `memory` in bytes of address space, `cpu_time` in seconds; `user` only where the server is
    root; `restarts` counts crashes in a row.
    """

    memory: int | None = None
    cpu_time: int | None = None
    open_files: int | None = None
    processes: int | None = None
    nice: int = 0
    user: str | None = None
    restarts: int = 3
    environment: tuple[tuple[str, str], ...] = ()
