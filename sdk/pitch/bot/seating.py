"""What stays the same at a table, as the bot at one of its seats is told it."""

from dataclasses import dataclass

from pitch.rules import Variant
from pitch.table.unit import Unit

__all__ = ["Seating"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """What stays the same at a table; times are in seconds.

    `names` holds an entrant's name for each seat, or nothing where opponents are hidden.
    """

    variant: Variant
    seat: int
    first_dealer: int
    unit: Unit
    max_hands: int | None
    names: tuple[str, ...] = ()
    move_timeout: float = 0.0
    time_bank: float = 0.0
