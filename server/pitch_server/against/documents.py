"""JSON documents: every number that is published must be what is recomputed.

Here belongs what counts as the same. Fractions may differ in their last digits, as machines differ
in theirs. What was measured while playing is passed over, as no other run measures it again, but
where the whole document is to be that of this journal.
"""

import math
from collections.abc import Mapping
from typing import Any

from pitch_server.analysis.document import MEASURED

__all__ = ["are_close", "differing", "document_difference", "short"]

_LAST_DIGITS = 1e-8
_SHOWN = 400  # characters of a value that differs


def document_difference(
    published: Any, recomputed: Any, where: str = "", *, whole: bool = False
) -> str | None:
    """The first difference, None if there is none; `where` is the key that is compared.

    Where not the `whole` document need be published, keys that are not there are no difference.
    """
    if isinstance(published, Mapping) and isinstance(recomputed, Mapping):
        return _of_objects(published, recomputed, where, whole)
    if isinstance(published, list) and isinstance(recomputed, list | tuple):
        if len(published) != len(recomputed):
            return differing(
                f"the length of the published {where}", len(published), len(recomputed)
            )
        found = (
            document_difference(value, recomputed[place], f"{where}[{place}]", whole=whole)
            for place, value in enumerate(published)
        )
        return next(filter(None, found), None)
    if are_close(published, recomputed):
        return None
    if published != recomputed or type(published) is not type(recomputed):
        return differing(f"the published {where}", published, recomputed)
    return None


def _of_objects(
    published: Mapping[str, Any], recomputed: Mapping[str, Any], where: str, whole: bool
) -> str | None:
    for key, value in published.items():
        inner = f"{where}.{key}" if where else str(key)
        if inner == MEASURED and not whole:
            continue
        if key not in recomputed:
            return f"the published {inner} is nothing that is recomputed"
        if found := document_difference(value, recomputed[key], inner, whole=whole):
            return found
    if whole and (missing := [key for key in recomputed if key not in published]):
        inner = f"{where}.{missing[0]}" if where else missing[0]
        return f"{inner} is not there, recomputed it is {short(recomputed[missing[0]])}"
    return None


def are_close(one: object, other: object) -> bool:
    """Whether they are fractions that differ in their last digits at most."""
    if not all(type(each) in (int, float) for each in (one, other)):
        return False
    if float not in (type(one), type(other)):
        return False
    assert isinstance(one, int | float)  # noqa: S101 - so are both
    assert isinstance(other, int | float)  # noqa: S101 - so are both
    return math.isclose(one, other, rel_tol=_LAST_DIGITS, abs_tol=_LAST_DIGITS)


def differing(what: str, published: object, recomputed: object) -> str:
    """The sentence of a difference."""
    return f"{what} is {short(published)}, recomputed it is {short(recomputed)}"


def short(value: object) -> str:
    """As in Python, so that nothing in it can break the line, and cut where it is no use."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
