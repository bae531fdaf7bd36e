"""The `[format]` table: who meets whom, on which deals, how often.

Here belong its values, the checks of each by itself, and their form in JSON. What must fit
together, and with the entrants, is in `format_fit`; what a format plans is in its own file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pitch.table.unit import Unit
from pitch_server.plan.errors import require
from pitch_server.plan.question import Question, parse_question_json, question_json

__all__ = [
    "ERROR_RATE",
    "MAX_BATCH",
    "MAX_BATCHES",
    "MAX_BOARDS",
    "MAX_HANDS",
    "MAX_ROUNDS",
    "Deals",
    "FormatKind",
    "FormatSettings",
    "Isolation",
    "Opponents",
    "SeatOrders",
    "format_json",
    "parse_format_json",
]

MAX_HANDS = 1_000_000
MAX_BOARDS = 1_000_000_000
MAX_ROUNDS = 500
MAX_BATCH = 100_000
# The following two are part of every plan that does not say otherwise: they never change.
BATCH = 20
BATCHES = 10_000
MAX_BATCHES = 100_000  # each is kept in memory
ERROR_RATE = 0.05


class FormatKind(StrEnum):
    """Who meets whom (docs/formats.md)."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    LADDER = "ladder"
    MIXED = "mixed"


class Deals(StrEnum):
    """Whether the pairings share their boards, each in every seating, or each game has its own."""

    DUPLICATE = "duplicate"
    INDEPENDENT = "independent"


class SeatOrders(StrEnum):
    """In which seatings the sides take turns: those that rotate them, or every order."""

    ROTATIONS = "rotations"
    ALL = "all"


class Isolation(StrEnum):
    """What an instance may be given (docs/config.md, "Isolation")."""

    SEATS = "seats"
    BOARDS = "boards"
    NONE = "none"


class Opponents(StrEnum):
    """Whether bots are told the names of the others."""

    HIDDEN = "hidden"
    SHOWN = "shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSettings:
    """The `[format]` table; None and () stand for keys that a format has no use for."""

    kind: FormatKind = FormatKind.ROUND_ROBIN
    deals: Deals = Deals.DUPLICATE
    unit: Unit = Unit.HAND
    boards: int = 100
    """A pairing's; of a ladder those of all together, until separated the most of a pairing."""
    max_hands: int = 100
    isolation: Isolation = Isolation.SEATS
    opponents: Opponents = Opponents.HIDDEN
    seatings: SeatOrders = SeatOrders.ROTATIONS
    challengers: tuple[str, ...] = ()
    """Of a gauntlet, by name."""
    rounds: int | None = None
    """Of a Swiss."""
    batch: int | None = None
    """Boards that are planned at once: of a ladder all, until separated those of a pairing."""
    until_separated: bool = False
    error_rate: float | None = None
    """How often any pairing of equals may be called decided at all, until separated."""
    question: Question | None = None
    """What two entrants play batches for until it is answered; `boards` are then the most."""

    def __post_init__(self) -> None:
        for name, most in (("boards", MAX_BOARDS), ("max_hands", MAX_HANDS)):
            value = getattr(self, name)
            require(1 <= value <= most, f"format.{name}", value, f"1 to {most:,}")
        for name, most in (("rounds", MAX_ROUNDS), ("batch", MAX_BATCH)):
            value = getattr(self, name)
            ok = value is None or 1 <= value <= most
            require(ok, f"format.{name}", value, f"1 to {most:,}")
        rate = self.error_rate
        ok = rate is None or 0 < rate < 1
        require(ok, "format.error_rate", rate, "a number above 0 and below 1")

    @property
    def partners(self) -> bool:
        """Whether every seat of a side is another entrant's."""
        return self.kind is FormatKind.MIXED

    @property
    def boards_a_batch(self) -> int:
        """How many boards are planned at once: 20, or more where there would be many batches."""
        return self.batch or max(BATCH, -(-self.boards // BATCHES))

    @property
    def hands_a_game(self) -> int:
        """The limit on hands that a game is played with: by the hand it has one."""
        return 1 if self.unit is Unit.HAND else self.max_hands


def format_json(form: FormatSettings) -> dict[str, Any]:
    """The table as JSON."""
    return {
        "kind": str(form.kind),
        "deals": str(form.deals),
        "unit": str(form.unit),
        "boards": form.boards,
        "max_hands": form.max_hands,
        "isolation": str(form.isolation),
        "opponents": str(form.opponents),
        "seatings": str(form.seatings),
        "challengers": list(form.challengers),
        "rounds": form.rounds,
        "batch": form.batch,
        "until_separated": form.until_separated,
        "error_rate": form.error_rate,
        "question": None if form.question is None else question_json(form.question),
    }


def parse_format_json(document: Mapping[str, Any]) -> FormatSettings:
    """The table that `format_json` wrote, now or before there were the later keys."""
    question = document.get("question")
    return FormatSettings(
        kind=FormatKind(document["kind"]),
        deals=Deals(document["deals"]),
        unit=Unit(document["unit"]),
        boards=document["boards"],
        max_hands=document["max_hands"],
        isolation=Isolation(document["isolation"]),
        opponents=Opponents(document["opponents"]),
        seatings=SeatOrders(document.get("seatings", SeatOrders.ROTATIONS)),
        challengers=tuple(document.get("challengers", ())),
        rounds=document.get("rounds"),
        batch=document.get("batch"),
        until_separated=document.get("until_separated", False),
        error_rate=document.get("error_rate"),
        question=None if question is None else parse_question_json(question),
    )
