"""Faults explained: whose they are, by what was measured, and the line that an author needs.

Here belong the verdict and the sentences about stored evidence, as pure functions. What was
measured comes from `table`; what a fault costs is `pitch.table.faults`'s; how lists and tables
of them look is the command's.

A verdict weighs what can be known from here. It never changes a result: the rules are about
time at the referee, and whoever plays from afar answers for the way as well.
"""

from collections import Counter
from enum import StrEnum
from typing import NamedTuple

from pitch.bot.mistakes import alike
from pitch.table.faults import Fault
from pitch_server.store.rows import FaultEvidence

__all__ = [
    "WITHDRAWN",
    "Charge",
    "Charges",
    "Explained",
    "Group",
    "Measured",
    "Verdict",
    "explain",
    "explained",
    "veiled",
    "verdict",
]

MOST_GROUPS = 1_000  # kept apart; what differs from all of them is only counted

# A thought that its SDK reports as this share of the limit, or longer, is what took the time;
# below the smaller share it was something else.
_THOUGHT_LONG, _THOUGHT_SHORT = 0.9, 0.5


class Verdict(StrEnum):
    """Whose a fault was."""

    BOT = "bot"
    NETWORK = "network"
    UNCLEAR = "unclear"


WITHDRAWN = "an operator has withdrawn it"
"""What stands with the forfeits of a withdrawn entrant, as what came."""


class Measured(NamedTuple):
    """What a verdict is about; spans in seconds, None where unknown.

    `limit` with the time bank, `reported` by the bot's SDK; `heard` tells whether anything came
    from the bot while it was waited for, `gone` whether its process had ended by itself,
    `withdrawn` whether an operator took it out.
    """

    fault: Fault
    limit: float | None = None
    reported: float | None = None
    heard: bool | None = None
    gone: bool = False
    withdrawn: bool = False


class Explained(NamedTuple):
    """A verdict with its reason, a clause for people."""

    verdict: Verdict
    reason: str


def verdict(measured: Measured) -> Explained:
    """Whose a fault was, and why."""
    fault = measured.fault
    if fault in (Fault.ILLEGAL, Fault.MALFORMED, Fault.ERROR):
        return Explained(Verdict.BOT, "what came was the bot's own")
    if measured.withdrawn:
        return Explained(Verdict.UNCLEAR, "that is nobody's fault")
    if fault in (Fault.DISCONNECT, Fault.ABSENT):
        if measured.gone:
            return Explained(Verdict.BOT, "its process had ended")
        return Explained(Verdict.UNCLEAR, "nobody can tell from here whose doing that was")
    return _of_timeout(measured)


def _of_timeout(measured: Measured) -> Explained:
    """A timeout is judged by what the bot's SDK says; without an answer, by other signs of life."""
    limit, reported = measured.limit, measured.reported
    if limit and reported:
        if reported >= limit * _THOUGHT_LONG:
            return Explained(Verdict.BOT, f"its SDK says that it thought {span(reported)}")
        if reported <= limit * _THOUGHT_SHORT:
            text = f"its SDK says that it thought {span(reported)} only: the rest was on the way"
            return Explained(Verdict.NETWORK, f"{text}, or in its process before or after")
        return Explained(Verdict.UNCLEAR, f"its SDK says that it thought {span(reported)}")
    if reported == 0:
        return Explained(Verdict.UNCLEAR, "it answered, but does not say how long it thought")
    if measured.heard:
        return Explained(Verdict.BOT, "it sent other answers meanwhile, so its connection was good")
    if measured.heard is None:
        return Explained(Verdict.UNCLEAR, "nothing is known of its connection")
    return Explained(Verdict.UNCLEAR, "nothing at all came from it meanwhile")


def explained(evidence: FaultEvidence) -> Explained:
    """The verdict of stored evidence with its reason; made now where none was stored."""
    try:
        fault = Fault(evidence.kind)
    except ValueError:
        return Explained(Verdict.UNCLEAR, "this version does not know that kind of fault")
    stored = evidence.verdict
    heard = {Verdict.BOT.value: True, Verdict.UNCLEAR.value: False}.get(stored or "")
    return verdict(
        Measured(
            fault,
            evidence.time_limit,
            evidence.reported,
            heard,
            gone=stored == Verdict.BOT.value,
            withdrawn=evidence.came == WITHDRAWN,
        )
    )


def veiled(evidence: FaultEvidence) -> FaultEvidence:
    """The evidence without what tells cards, of boards that others still play."""
    wrong = evidence.kind in (Fault.ILLEGAL, Fault.ERROR)
    return evidence._replace(
        came=None if wrong else evidence.came,
        legal=None,
        output=None,
        played="a default action" if evidence.played else None,
    )


def explain(evidence: FaultEvidence) -> str:
    """One line: what was expected, what came, how long it took, what was played instead."""
    return "; ".join(
        part for part in (_happened(evidence), _times(evidence), _instead(evidence)) if part
    )


def _happened(evidence: FaultEvidence) -> str:
    came = (evidence.came or "").splitlines()[:1]
    try:
        sentence = Fault(evidence.kind).sentence
    except ValueError:  # of a newer version
        sentence = evidence.kind
    return f"{sentence} ({came[0]})" if came and came[0] else sentence


def _times(evidence: FaultEvidence) -> str:
    if evidence.kind != Fault.TIMEOUT or evidence.measured is None:
        return ""
    parts = [f"it took {span(evidence.measured)}"]
    if evidence.time_limit is not None:
        parts[0] += f" of {span(evidence.time_limit)}"
    if evidence.lag is not None and evidence.lag >= 0.001:
        parts.append(f"{span(evidence.lag)} of the server's own lag left out")
    if evidence.reported:
        parts.append(f"the bot says {span(evidence.reported)}")
    return ", ".join(parts)


def _instead(evidence: FaultEvidence) -> str:
    if evidence.played:
        return f"the referee played {evidence.played}"
    return "the game was lost by it"


def span(seconds: float) -> str:
    """A time for people: "1.204 s", "20 ms", "35 µs"."""
    if seconds < 1e-6:
        return "<1 µs"
    if seconds < 1e-4:
        return f"{seconds * 1e6:.3g} µs"
    if seconds < 0.0995:
        return f"{seconds * 1000:.3g} ms"
    return f"{seconds:.3f} s" if seconds < 100 else f"{seconds:.0f} s"


class Charge(NamedTuple):
    """A fault with its game and the name of the entrant."""

    number: int
    entrant: str
    evidence: FaultEvidence


class Group:
    """Faults that are much the same: how many, and the first of them."""

    def __init__(self, first: Charge, found: Explained) -> None:
        self.first = first
        self.found = found
        self.count = 0


class Charges:
    """Faults one after the other, counted and grouped; memory is bounded whatever came."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str, str]] = Counter()
        self._groups: dict[tuple[str, ...], Group] = {}

    def add(self, charge: Charge) -> Explained:
        """Takes one in; what is to be said of it."""
        found = explained(charge.evidence)
        key = (charge.entrant, charge.evidence.kind, str(found.verdict))
        self.counts[key] += 1
        alike = (*key, _likeness(charge.evidence))
        group = self._groups.get(alike)
        if group is None:
            group = Group(charge, found)
            if len(self._groups) < MOST_GROUPS:
                self._groups[alike] = group
        group.count += 1
        return found

    @property
    def groups(self) -> list[Group]:
        """The groups, the largest first."""
        return sorted(self._groups.values(), key=lambda group: -group.count)


def _likeness(evidence: FaultEvidence) -> str:
    """What equal faults have in common: what came but for its numbers and cards."""
    came = (evidence.came or "").partition("\n")[0]
    if evidence.kind == Fault.ILLEGAL:
        return came.partition(" ")[0]
    return alike(came)
