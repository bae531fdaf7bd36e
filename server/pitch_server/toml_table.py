"""A TOML table read key by key, its problems collected instead of raised.

Here belong the kinds of values, and how a wrong, missing or misspelt one is told. Which keys
there are and what they mean is `config`'s business: a key is known because it was asked for.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

__all__ = ["Problem", "Table", "shown"]

Word = TypeVar("Word", bound=StrEnum)

_SPAN = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_INDEX = re.compile(r"\[[0-9]+\]")
_SIZE = re.compile(r"([0-9]+)(KiB|MiB|GiB|TiB)")
_BYTES = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
LONGEST_SPAN = 7 * 24 * 3600.0
SHOWN = 80  # characters of a value in a message


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a key: what came, and what is possible."""

    key: str
    message: str

    def __str__(self) -> str:
        return f"{self.key}: {self.message}" if self.key else self.message


def shown(value: object) -> str:
    """A value as TOML would write it, on one line and not too long."""
    if isinstance(value, list | tuple):
        text = f"[{', '.join(map(shown, value[:8]))}{', …' if len(value) > 8 else ''}]"
    elif isinstance(value, dict):
        text = "a table"
    elif isinstance(value, str | bool):
        text = json.dumps(value, ensure_ascii=not str(value).isprintable())
    elif isinstance(value, int) and abs(value) >= 10**30:
        text = "a number of more than 30 digits"
    else:
        text = str(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


class Table:
    """One table of the file. Readers give None for a key that is absent or wrong."""

    def __init__(
        self,
        values: Mapping[str, object],
        problems: list[Problem],
        path: str = "",
        *,
        valid: bool = True,
    ) -> None:
        """`path` is where the table stands; a table is not `valid` if it was absent or wrong."""
        self.problems = problems
        self.path = path
        self.valid = valid
        self._values = values
        self._known: list[str] = []
        self._below: list[Table] = []

    def refuse(self, key: str, message: str) -> None:
        """Note a problem with a key of this table."""
        name = shown(key)[1:-1]  # a key may be any text
        self.problems.append(Problem(f"{self.path}.{name}" if self.path else name, message))

    def wrong(self, key: str, expected: str, hint: str = "") -> None:
        """Note that what came for a key is not what was expected."""
        self.refuse(key, f"got {shown(self._values[key])}; expected {expected}{hint}")

    def has(self, key: str) -> bool:
        """Whether the key is there, wrong or not."""
        return key in self._values

    def _take(self, key: str, expected: str, *, required: bool) -> object:
        self._known.append(key)
        if required and key not in self._values:
            self.refuse(key, f"missing; expected {expected}")
        return self._values.get(key)

    def text(self, key: str, *, required: bool = False) -> str | None:
        """A text."""
        value = self._take(key, "a text", required=required)
        if value is None or isinstance(value, str):
            return value
        hint = f': write {key} = "{shown(value)}"' if type(value) in (int, float) else ""
        self.wrong(key, "a text", hint)
        return None

    def whole(self, key: str, low: int, high: int) -> int | None:
        """A whole number within bounds; true, 4.0 and "4" are none."""
        value = self._take(key, "", required=False)
        if value is None:
            return None
        if type(value) is not int or not low <= value <= high:
            self.wrong(key, f"a whole number, {low} to {high:,}")
            return None
        return value

    def whole_or_word(self, key: str, low: int, high: int, word: str) -> int | str | None:
        """A whole number within bounds, or that word."""
        if self._values.get(key) == word:
            self._known.append(key)
            return word
        value = self._take(key, "", required=False)
        if value is None or (type(value) is int and low <= value <= high):
            return value
        hint = _suggestion(value, [word])
        self.wrong(key, f"a whole number, {low} to {high:,}, or {shown(word)}", hint)
        return None

    def number(self, key: str) -> float | None:
        """A number, whole or not."""
        value = self._take(key, "", required=False)
        if value is None:
            return None
        if type(value) is float or (type(value) is int and abs(value) < 10**30):
            return float(value)
        self.wrong(key, "a number")
        return None

    def span(self, key: str, *, zero: bool) -> float | None:
        """A time with its unit, in seconds."""
        value = self._take(key, "", required=False)
        if value is None:
            return None
        expected = 'a time such as "500ms", "1.5s" or "2m"'
        if type(value) in (int, float) or (isinstance(value, str) and value.isdecimal()):
            number = value if isinstance(value, str) else shown(value)
            hint = f': with a unit, {key} = "{number}s"' if len(number) < SHOWN else ""
            self.wrong(key, expected, hint)
            return None
        match = _SPAN.fullmatch(value) if isinstance(value, str) else None
        seconds = float(match[1]) * _SECONDS[match[2]] if match else None
        if seconds is None or seconds > LONGEST_SPAN:
            self.wrong(key, expected, ", at most 168h")
            return None
        if seconds == 0 and not zero:
            self.wrong(key, expected, ", above 0")
            return None
        return seconds

    def size(self, key: str) -> int | None:
        """A size with its unit, in bytes."""
        value = self._take(key, "", required=False)
        if value is None:
            return None
        match = _SIZE.fullmatch(value) if isinstance(value, str) and len(value) < SHOWN else None
        if match is None or int(match[1]) == 0 or int(match[1]) * _BYTES[match[2]] >= 1 << 60:
            self.wrong(key, 'a size such as "512MiB" or "2GiB"')
            return None
        return int(match[1]) * _BYTES[match[2]]

    def texts(self, key: str) -> dict[str, str]:
        """A table whose values are texts, whatever its keys; empty if it is absent or wrong."""
        table = self.table(key)
        found = {}
        for name, value in table.rest().items():
            if isinstance(value, str):
                found[name] = value
            else:
                table.wrong(name, "a text")
        return found

    def word(self, key: str, words: type[Word]) -> Word | None:
        """One of the words."""
        possible = [str(word) for word in words]
        value = self._take(key, "", required=False)
        if value is None:
            return None
        if isinstance(value, str) and value in possible:
            return words(value)
        expected = " or ".join(map(shown, possible))
        self.wrong(key, expected, _suggestion(value, possible))
        return None

    def words(self, key: str) -> tuple[str, ...] | None:
        """A list of texts, none of them empty."""
        value = self._take(key, "", required=False)
        if value is None:
            return None
        if isinstance(value, list) and value and all(isinstance(w, str) and w for w in value):
            return tuple(value)
        hint = ""
        if isinstance(value, str) and value.split():
            hint = f": write {key} = {shown(value.split())}"
        self.wrong(key, "a list of texts, none empty", hint)
        return None

    def table(self, key: str, *, required: str = "") -> "Table":
        """The table of that name, an empty one if it is absent or wrong.

        `required` says what is expected where it may not be absent.
        """
        value = self._take(key, required, required=bool(required))
        if value is not None and not isinstance(value, dict):
            self.wrong(key, f"a table: [{key}] and its keys below it")
        return self._enter(key, value)

    def tables(self, key: str, *, expected: str, required: bool = True) -> list["Table"] | None:
        """The tables of an array, `[[key]]` in the file; `expected` says what belongs there."""
        value = self._take(key, expected, required=required)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
            self.wrong(key, expected)
            return None
        return [self._enter(f"{key}[{number}]", row) for number, row in enumerate(value)]

    def _enter(self, key: str, value: object) -> "Table":
        values = value if isinstance(value, dict) else {}
        path = f"{self.path}.{key}" if self.path else key
        below = Table(values, self.problems, path, valid=isinstance(value, dict))
        self._below.append(below)
        return below

    def rest(self) -> dict[str, object]:
        """All values, when another parser knows the keys of this table."""
        self._known += self._values
        return dict(self._values)

    def refuse_unknown(self) -> None:
        """Note every key that nobody asked for, here and below."""
        self._refuse_unknown(dict(self._homes()))

    def _homes(self) -> list[tuple[str, str]]:
        """Each known key with its table, for keys that stand in a wrong one."""
        homes = [(key, self.path) for key in self._known]
        return homes + [home for below in self._below for home in below._homes()]

    def _refuse_unknown(self, homes: Mapping[str, str]) -> None:
        for key in (key for key in self._values if key not in self._known):
            hint = _suggestion(key, self._known)
            if not hint and homes.get(key):
                hint = f"; it belongs to [{_INDEX.sub('', homes[key])}]"
            self.refuse(key, f"unknown; possible are {', '.join(self._known)}{hint}")
        for below in self._below:
            below._refuse_unknown(homes)


def _suggestion(got: object, possible: list[str]) -> str:
    near = get_close_matches(got[:SHOWN].lower(), possible, 1) if isinstance(got, str) else []
    return f"; did you mean {near[0]}?" if near else ""
