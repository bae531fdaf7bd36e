"""Secrets that no log may show, whoever wrote the line: the last line of defence.

Here belongs finding them in a text. Keeping them out of messages in the first place is the
business of whoever writes those; this is for the exception that quotes what it should not.
"""

import json
import re
from collections.abc import Iterator

__all__ = ["SECRET", "Redaction", "keep_secret", "redacted"]

SECRET = "[secret]"  # noqa: S105 - what stands in its place
"""What a log shows instead."""

# Secrets that are remembered; the oldest are forgotten first. Those of a tournament of launched
# bots whose processes start afresh for each pairing never come to an end.
_REMEMBERED = 50_000
# Shorter ones can be guessed anyway, and would take too much of any text along.
_SHORTEST = 8
# Tokens and session keys are runs of these, never shorter than this.
_RUN_LENGTH = 16
_RUN = re.compile(rf"[A-Za-z0-9_-]{{{_RUN_LENGTH},}}")
# A token (256 bits in base64url) is known by its shape too: a stranger's was never told to us.
_TOKEN_LENGTH = 43
_MIXED_CASE = re.compile(r"(?=.*[A-Z]).*[a-z]")


class Redaction:
    """Knows secrets and takes them out of texts."""

    def __init__(self) -> None:
        self._runs: dict[str, None] = {}
        self._lengths: tuple[int, ...] = ()
        self._others: dict[str, None] = {}

    def add(self, secret: str) -> None:
        """Remembers a secret of 8 characters or more, also as `repr`, bytes and JSON write it."""
        if len(secret) < _SHORTEST:
            return
        if _RUN.fullmatch(secret):
            _remember(self._runs, secret)
            if len(secret) not in self._lengths:
                lengths = {*self._lengths, len(secret)}
                self._lengths = tuple(sorted(lengths, reverse=True))
            return
        as_bytes = repr(secret.encode("utf-8", "replace"))[2:-1]
        for form in (secret, repr(secret)[1:-1], json.dumps(secret)[1:-1], as_bytes):
            _remember(self._others, form)

    def redacted(self, text: str) -> str:
        """The text without any secret that is known, or that has the shape of a token."""
        for other in list(self._others):
            text = text.replace(other, SECRET)
        return _RUN.sub(lambda match: "".join(self._pieces(match[0])), text)

    def _pieces(self, run: str) -> Iterator[str]:
        if len(run) == _TOKEN_LENGTH and _MIXED_CASE.match(run):
            yield SECRET
            return
        runs, start, at = self._runs, 0, 0
        while at <= len(run) - _RUN_LENGTH:
            length = next((each for each in self._lengths if run[at : at + each] in runs), 0)
            if length:
                yield run[start:at] + SECRET
                start = at = at + length
            else:
                at += 1
        yield run[start:]


def _remember(known: dict[str, None], secret: str) -> None:
    known.pop(secret, None)
    known[secret] = None
    if len(known) > _REMEMBERED:
        del known[next(iter(known))]


_redaction = Redaction()


def keep_secret(*secrets: str) -> None:
    """From now on no log of this process shows these."""
    for secret in secrets:
        _redaction.add(secret)


def redacted(text: str) -> str:
    """A text without the secrets of this process."""
    return _redaction.redacted(text)
