"""Numbers as people read them: one function, whatever a number is shown in.

Here belong the forms and the place of a number in its document. What is not known, or is no
finite number, is a dash in every form.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from pitch_server.faults import span

__all__ = ["NOTHING", "Form", "Node", "Number", "shown"]

NOTHING = "–"
LEAST_P = 0.001


class Form(StrEnum):
    """How a number is written."""

    COUNT = "count"  # 12,345
    SIGNED = "signed"  # +1.26
    SCORE = "score"  # +4
    PLAIN = "plain"  # 28.28
    HALVES = "halves"  # 2.5
    SHARE = "share"  # 93 %
    RATE = "rate"  # 0.05
    P_VALUE = "p"  # 0.021
    SPAN = "span"  # 20 ms


def shown(value: object, form: Form) -> str:
    """The number in its form; a dash for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return NOTHING
    return _FORMS[form](value).replace("-", "\N{MINUS SIGN}")


def _share(value: float) -> str:
    """Whole per cents; never 0 or 100 for what only comes near."""
    if 0 < value < 0.005:
        return "<1 %"
    if 0.995 <= value < 1:
        return ">99 %"
    return f"{value * 100:z.0f} %"


_FORMS = {
    Form.COUNT: lambda value: f"{value:,.0f}",
    Form.SIGNED: lambda value: f"{value:+z.2f}",
    Form.SCORE: lambda value: f"{value:+.0f}" if value else "0",
    Form.PLAIN: lambda value: f"{value:z.2f}",
    Form.HALVES: lambda value: f"{value:z.1f}",
    Form.SHARE: _share,
    Form.RATE: lambda value: f"{value:g}",
    Form.P_VALUE: lambda value: f"<{LEAST_P}" if 0 <= value < LEAST_P else f"{value:.3f}",
    Form.SPAN: span,
}


class Number(NamedTuple):
    """A number of a document: its value, how it is shown, and the JSON pointer to it."""

    value: Any
    form: Form
    at: str

    @property
    def text(self) -> str:
        """As it is shown."""
        return shown(self.value, self.form)


class Node:
    """A place in a document, which need not be there: then its value is None."""

    __slots__ = ("at", "value")

    def __init__(self, value: Any, at: str = "") -> None:
        self.value = value
        self.at = at

    def __getitem__(self, key: str | int) -> "Node":
        """The place below, by key or index."""
        at = f"{self.at}/{str(key).replace('~', '~0').replace('/', '~1')}"
        return Node(_below(self.value, key), at)

    def __iter__(self) -> Iterator["Node"]:
        """The places below an array, in order; none below anything else."""
        if _is_array(self.value):
            for index in range(len(self.value)):
                yield self[index]

    def __bool__(self) -> bool:
        return bool(self.value)

    def items(self) -> Iterator[tuple[str, "Node"]]:
        """The keys of an object with the places below them."""
        if isinstance(self.value, Mapping):
            for key in self.value:
                yield key, self[key]

    def number(self, form: Form) -> Number:
        """The number that stands here."""
        return Number(self.value, form, self.at)


def _below(value: Any, key: str | int) -> Any:
    if isinstance(key, str):
        return value.get(key) if isinstance(value, Mapping) else None
    return value[key] if _is_array(value) and 0 <= key < len(value) else None


def _is_array(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)
