"""Text of any characters, in databases that take only some.

Here belongs the form in which a text is kept that PostgreSQL or UTF-8 has no place for: with a
NUL, as bots may send, or with a lone surrogate, as names of files may hold. Nothing of it is lost.
"""

import json
from typing import Any

from sqlalchemy import Dialect, Text
from sqlalchemy.types import TypeDecorator

__all__ = ["AnyText"]

# Before a JSON string; what begins with it is kept so itself.
_MARK = "\x1e"


class AnyText(TypeDecorator[str]):
    """A column of text; a text that can't be kept as it is stands there as a JSON string."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The text as it is kept."""
        del dialect
        if value is None or _is_plain(value):
            return value
        return _MARK + json.dumps(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """The text as it was; what is none (SQLite keeps anything in any column) as it is."""
        del dialect
        if not (isinstance(value, str) and value.startswith(_MARK)):
            return value
        try:
            text = json.loads(value[len(_MARK) :])
        except ValueError:
            return value
        return text if isinstance(text, str) else value


def _is_plain(text: str) -> bool:
    if "\0" in text or text.startswith(_MARK):
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
