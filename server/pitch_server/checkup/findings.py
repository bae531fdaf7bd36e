"""What a check may come to, as values; how it is shown is the command's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a finding is read without a bot
    from pitch_server.checkup.tables import Charge

__all__ = ["Finding", "Outcome", "failed", "listed", "passed", "skipped", "span", "warned"]

_SHOWN = 3  # faults that are told one by one


class Outcome(StrEnum):
    """How a check ended; only a failed one keeps a bot from its certificate."""

    PASSED = "passed"
    WARNING = "warning"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """How a check ended: what was done and seen, what to do, and its figures for programs.

    `details` are lines: faults one by one, or what the bot printed last.
    """

    outcome: Outcome
    did: str
    remedy: str = ""
    details: tuple[str, ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict)


def passed(did: str, **figures: float) -> Finding:
    """All is well."""
    return Finding(outcome=Outcome.PASSED, did=did, figures=figures)


def warned(did: str, remedy: str, **figures: float) -> Finding:
    """It costs nothing in a tournament, and yet the author may want to know."""
    return Finding(outcome=Outcome.WARNING, did=did, remedy=remedy, figures=figures)


def failed(did: str, remedy: str, *details: str, **figures: float) -> Finding:
    """It would cost faults or games; `details` are faults and what the bot printed, a line each."""
    return Finding(outcome=Outcome.FAILED, did=did, remedy=remedy, details=details, figures=figures)


def skipped(why: str) -> Finding:
    """Nothing was done."""
    return Finding(outcome=Outcome.SKIPPED, did=why)


def listed(charges: "Sequence[Charge]") -> tuple[str, ...]:
    """The first few faults, a line each."""
    return tuple(charge_text(charge) for charge in charges[:_SHOWN])


def charge_text(charge: "Charge") -> str:
    """A fault as an author can act on: where, what came, what was legal, where in the code."""
    evidence = charge.evidence
    came = evidence.came.strip().splitlines() or [charge.fault.sentence]
    text = f"{charge.variant}, {charge.where}: {came[0]}"
    if evidence.legal:
        text += f"; legal was {evidence.legal}"
    place = [line.strip() for line in evidence.traceback.splitlines() if "File " in line]
    return f"{text}; at {place[-1].partition(', in')[0].removeprefix('File ')}" if place else text


def span(seconds: float) -> str:
    """A time for people."""
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
