"""A crowd: driver processes with the guests of a tournament, begun together, and what they told.

Here belongs who goes into which process; what a guest does is its kind's.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Self

from chaos.driver import Order, Told, read_told
from chaos.guest import Notes

__all__ = ["Crowd", "orders"]

_TESTS = Path(__file__).parents[1]


def orders(order: Order, drivers: int) -> list[Order]:
    """The same guests, dealt out among so many drivers."""
    return [
        Order(
            **{
                **asdict(order),
                "guests": order.guests[number::drivers],
                "seed": order.seed * 1000 + number,
                "strangers": len(range(number, order.strangers, drivers)),
            }
        )
        for number in range(drivers)
    ]


class Crowd:
    """Driver processes; `with` it they are ready, and gone afterwards."""

    def __init__(self, given: Sequence[Order]) -> None:
        self._given = given
        self._drivers: list[subprocess.Popen[str]] = []
        self._folder = tempfile.TemporaryDirectory(prefix="crowd-")

    def __enter__(self) -> Self:
        for number, given in enumerate(self._given):
            order = replace(given, result=str(self._result(number)))
            command = [sys.executable, "-m", "chaos.driver", json.dumps(asdict(order))]
            self._drivers.append(
                subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    env={**os.environ, "PYTHONPATH": str(_TESTS)},
                )
            )
        for driver in self._drivers:
            assert driver.stdout is not None
            assert driver.stdout.readline() == "ready\n"
        return self

    def __exit__(self, *_: object) -> None:
        for driver in self._drivers:
            driver.kill()
            driver.communicate()
        self._folder.cleanup()

    def _result(self, number: int) -> Path:
        return Path(self._folder.name) / f"{number}.json"

    def begin(self) -> None:
        """They come, all at once."""
        self._say()

    def all_alive(self) -> bool:
        """Whether no driver has ended yet."""
        return all(driver.poll() is None for driver in self._drivers)

    def end(self, seconds: float = 30) -> Told:
        """Sends home whoever is left; what all of them told."""
        self._say()
        everything = Told(notes=Notes(), late=[])
        for number, driver in enumerate(self._drivers):
            try:
                driver.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                driver.kill()
                driver.communicate()
                raise AssertionError("a driver did not end") from None
            assert driver.returncode == 0, "a driver failed"
            _add(everything, read_told(self._result(number).read_text(encoding="utf-8")))
        return everything

    def _say(self) -> None:
        for driver in self._drivers:
            assert driver.stdin is not None
            if driver.poll() is None:
                try:
                    driver.stdin.write("\n")
                    driver.stdin.flush()
                except BrokenPipeError:
                    continue


def _add(everything: Told, told: Told) -> None:
    mine, theirs = everything.notes, told.notes
    for key in Notes.__dataclass_fields__:
        value = getattr(theirs, key)
        if isinstance(value, Counter):
            getattr(mine, key).update(value)
        else:
            setattr(mine, key, getattr(mine, key) + value)
    everything.late += told.late
    everything.strangers += told.strangers
    everything.cut_off += told.cut_off
