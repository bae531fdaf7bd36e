"""Names in running text: of an entrant, or of partners.

Here belongs how strangers' text is kept from changing what stands around it. Escaping is each
form's own business.
"""

import unicodedata
from collections.abc import Sequence

__all__ = ["isolated", "label", "printable"]

_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"
_JOINERS = "\u200c\u200d\u00a0\u3000"  # scripts and emoji need them
_LONGEST = 400


def label(name: object) -> str:
    """The name of an entrant, or the names of partners joined."""
    if isinstance(name, Sequence) and not isinstance(name, str):
        return " + ".join(map(label, name))
    return printable(name)


def printable(text: object, longest: int = _LONGEST) -> str:
    """Text of others in one line: what does not print, or turns the text around, is replaced."""
    cut = str(text)[:longest]
    return "".join(
        char if char.isprintable() or char in _JOINERS else "\N{REPLACEMENT CHARACTER}"
        for char in cut
    )


def isolated(text: str) -> str:
    """For where no markup can isolate it: text of right-to-left scripts within marks that do."""
    if any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in text):
        return f"{_FIRST_STRONG_ISOLATE}{text}{_POP_ISOLATE}"
    return text
