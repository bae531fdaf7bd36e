"""Settings for tests: a small tournament, with whatever a test wants otherwise."""

from typing import Any

from pitch.rules.catalog import parse_variant
from pitch_server.plan.settings import (
    Deals,
    EntrantSettings,
    FormatSettings,
    Isolation,
    Settings,
    Unit,
)

LETTERS = tuple("abcdefghijklmnopqrstuvwxyz")


def make_settings(
    entrants: int = 3,
    *,
    variant: dict[str, Any] | None = None,
    boards: int = 4,
    deals: Deals = Deals.DUPLICATE,
    unit: Unit = Unit.HAND,
    isolation: Isolation = Isolation.SEATS,
    form: dict[str, Any] | None = None,
    **others: Any,
) -> Settings:
    """Settings with entrants a, b, c and so on; `form` are more keys of the format."""
    names = (*LETTERS, *(f"e{number}" for number in range(26, entrants)))
    return Settings(
        name="test",
        variant=parse_variant(variant or {"name": "pitch-ac"}),
        format=FormatSettings(
            boards=boards, deals=deals, unit=unit, isolation=isolation, **(form or {})
        ),
        entrants=tuple(EntrantSettings(name=name) for name in names[:entrants]),
        **others,
    )
