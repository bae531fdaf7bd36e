"""A driver: a process with many guests, started as `python -m chaos.driver` with an Order.

Here belongs the process: it gets ready, says so, begins when it is told, and tells in the end what
its guests did. Its own lag is measured, as a driver that is late is no fault of the server.
"""

import asyncio
import json
import os
import sys
from collections import Counter
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

os.environ.setdefault("GRPC_VERBOSITY", "ERROR")  # before grpc is imported

import uvloop

from chaos.deeds import GUESTS
from chaos.guest import Guest, Limits, Notes
from chaos.network import Line

__all__ = ["Order", "Told", "read_told"]

_TICK = 0.02
_DRIP = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(200)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a driver is to do. `guests` are entrants' names, as often as there are connections.

    Each is the kind of guest that its name is, or a good one.

    `strangers` connect besides and never come further than half a greeting, a byte a second.
    """

    server: str
    guests: tuple[str, ...]
    seed: int
    move_timeout: float
    grace: float
    strangers: int = 0
    result: str = ""
    """The file that what is told is written to."""


@dataclass(slots=True, kw_only=True)
class Told:
    """What a driver tells in the end; times in seconds."""

    notes: Notes
    late: list[float]
    """The longest that its loop was late, each second."""
    strangers: int = 0
    cut_off: int = 0


async def play(order: Order) -> Told:
    """Gets ready, waits for a line on standard input, plays until all guests are sent home."""
    notes = Notes()
    told = Told(notes=notes, late=[])
    limits = Limits(move_timeout=order.move_timeout, grace=order.grace)
    async with AsyncExitStack() as stack:
        guests = []
        for number, name in enumerate(order.guests):
            kind = GUESTS.get(name, GUESTS["good"])
            line = await stack.enter_async_context(Line(order.server)) if kind.on_a_line else None
            guests.append(
                Guest(
                    name,
                    order.server,
                    limits=limits,
                    notes=notes,
                    chance=Random(f"{order.seed} {number} {name}"),
                    deeds=kind.deeds,
                    line=line,
                    notices=kind.notices,
                )
            )
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        aside = [asyncio.create_task(_measure(told))]
        aside += [asyncio.create_task(_stand(order.server, told)) for _ in range(order.strangers)]
        lives = [asyncio.create_task(guest.live()) for guest in guests]
        end = asyncio.create_task(asyncio.to_thread(sys.stdin.readline))
        everyone = asyncio.create_task(asyncio.wait(lives, return_when=asyncio.FIRST_EXCEPTION))
        await asyncio.wait({everyone, end}, return_when=asyncio.FIRST_COMPLETED)
        over = [life for life in lives if life.done()]
        for task in (*lives, *aside, everyone):
            task.cancel()
        await asyncio.gather(*lives, *aside, everyone, return_exceptions=True)
        for life in over:
            life.result()  # an exception of a guest is ours
    return told


async def _measure(told: Told) -> None:
    while True:
        worst, until = 0.0, monotonic() + 1
        while (before := monotonic()) < until:
            await asyncio.sleep(_TICK)
            worst = max(worst, monotonic() - before - _TICK)
        told.late.append(round(worst, 4))


async def _stand(server: str, told: Told) -> None:
    """A stranger at the door that says a greeting, a byte a second."""
    host, _, port = server.rpartition(":")
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(host, int(port))
            told.strangers += 1
            try:
                for byte in _DRIP:
                    writer.write(bytes([byte]))
                    await writer.drain()
                    await asyncio.sleep(1)
                    if reader.at_eof():
                        break
            finally:
                writer.transport.abort()
        told.cut_off += 1
        await asyncio.sleep(0.5)


def write_told(told: Told) -> str:
    """As JSON."""
    notes = {key: getattr(told.notes, key) for key in Notes.__dataclass_fields__}
    notes["deeds"] = [[*each, count] for each, count in told.notes.deeds.items()]
    raw = {key: getattr(told, key) for key in Told.__dataclass_fields__}
    return json.dumps({**raw, "notes": notes})


def read_told(text: str) -> Told:
    """From what a driver wrote."""
    raw: dict[str, Any] = json.loads(text)
    notes = raw.pop("notes")
    notes["deeds"] = Counter({(name, deed): count for name, deed, count in notes["deeds"]})
    for key in ("refusals", "overstayed"):
        notes[key] = Counter(notes[key])
    return Told(notes=Notes(**notes), **raw)


if __name__ == "__main__":
    raw_order = json.loads(sys.argv[1])
    order = Order(**{**raw_order, "guests": tuple(raw_order["guests"])})
    told = uvloop.run(play(order))
    Path(order.result).write_text(write_told(told), encoding="utf-8")
    os._exit(0)  # a thread may still wait for a line on standard input
