"""The certificate of a check-up: a document about one bot, and whether it is good enough.

Here belong its making, its reading and what a tournament may ask of it. It proves nothing by
itself, as nobody signs it (docs/check.md).
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitch.rules import VARIANTS, all_fields
from pitch.wire.frames import PROTOCOL
from pitch_server.checkup.findings import Outcome
from pitch_server.fingerprint import portable_command, portable_fingerprint

if TYPE_CHECKING:  # what a tournament asks for needs no bot and no port
    from pitch_server.checkup.checkup import Result

__all__ = ["Asked", "certificate", "certificate_problem", "has_passed", "read_certificate"]

FORMAT = 1
_LARGEST = 1 << 20  # bytes of a file
_DAY = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a tournament asks of an entrant's certificate; `move_timeout` in seconds.

    `fingerprint` is None for a bot that connects by itself, whose files nobody sees here.
    """

    fingerprint: str | None
    variant: str
    move_timeout: float
    max_age_days: int


def has_passed(results: "Iterable[Result]") -> bool:
    """Whether no check failed; what is skipped beside that could not be told."""
    return all(result.finding.outcome is not Outcome.FAILED for result in results)


def certificate(
    name: str,
    command: Sequence[str],
    directory: Path,
    results: "Sequence[Result]",
    *,
    sdk: str,
    variants: Sequence[str],
    move_timeout: float,
    quick: bool,
) -> dict[str, Any]:
    """What was found, as a JSON document dated now."""
    return {
        "certificate": FORMAT,
        "bot": name,
        "passed": has_passed(results),
        "quick": quick,
        "date": datetime.now(UTC).strftime(_DAY),
        "fingerprint": portable_fingerprint(command, directory),
        "command": list(portable_command(command, directory)),
        "sdk": sdk,
        "checked_by": f"pitch-arena {version('pitch-arena')}",
        "protocol": PROTOCOL,
        "rules": rules_digest(),
        "variants": list(variants),
        "move_timeout": move_timeout,
        "checks": [
            {
                "number": result.number,
                "name": result.check.name,
                "outcome": result.finding.outcome.value,
                "did": result.finding.did,
                "remedy": result.finding.remedy,
                "details": list(result.finding.details),
                "figures": dict(result.finding.figures),
            }
            for result in results
        ],
    }


def rules_digest() -> str:
    """The SHA-256, in hex, of all named variants with all their fields."""
    fields = {name: all_fields(variant) for name, variant in VARIANTS.items()}
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()


def read_certificate(path: Path) -> Mapping[str, Any]:
    """The document in a file; ValueError says what is wrong with it."""
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError as error:
        raise ValueError(f"{path} can't be read: {error.strerror}") from None
    try:
        document = json.loads(content) if len(content) <= _LARGEST else None
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or document.get("certificate") != FORMAT:
        raise ValueError(
            f"{path} is no certificate that this version reads; expected what "
            "pitch check BOT --certificate FILE writes"
        )
    return document


def certificate_problem(document: Mapping[str, Any], asked: Asked, now: datetime) -> str | None:
    """Why a tournament does not take a certificate, and what to do; None if it does."""
    try:
        return _problem(document, asked, now)
    except (KeyError, TypeError, ValueError):
        return f"holds something else than pitch check writes; {_ANEW}"


_ANEW = "make it anew: pitch check BOT --certificate FILE"


def _problem(document: Mapping[str, Any], asked: Asked, now: datetime) -> str | None:
    age = now - datetime.strptime(document["date"], _DAY).replace(tzinfo=UTC)
    if document["passed"] is not True:
        names = [each["name"] for each in document["checks"] if each["outcome"] == "failed"]
        which = f" ({', '.join(names)})" if names else ""
        return f"tells of a check-up that was not passed{which}; mend the bot, {_ANEW}"
    if document["quick"]:
        return f"tells of a quick check-up; {_ANEW}, without --quick"
    if asked.fingerprint is not None and document["fingerprint"] != asked.fingerprint:
        return (
            f"belongs to another bot, or to this one before it changed (it was made for "
            f"{' '.join(map(str, document['command']))}); {_ANEW}"
        )
    if document["rules"] != rules_digest():
        return f"was made by other rules ({document['checked_by']}); {_ANEW}"
    if asked.variant not in document["variants"]:
        return (
            f"does not cover the variant {asked.variant}; {_ANEW}, with --variant {asked.variant}"
        )
    if document["move_timeout"] > asked.move_timeout:
        return (
            f"was made with {document['move_timeout']:g} s for an answer, here there is "
            f"{asked.move_timeout:g} s; {_ANEW}, with --move-timeout {asked.move_timeout:g}"
        )
    if age > timedelta(days=asked.max_age_days) or age < -timedelta(days=1):
        return f"is of {document['date']}, asked for are {asked.max_age_days} days; {_ANEW}"
    return None
