"""What must fit together in a format: its keys, the variant's sides and the entrants.

Here belong the checks that need more than one value. Those of single values are in
`format_settings`.
"""

import math
from collections.abc import Sequence

from pitch.rules.variant import Variant
from pitch_server.plan.errors import require
from pitch_server.plan.format_settings import FormatSettings, SeatOrders

__all__ = ["MAX_PAIRINGS", "check_format"]

MAX_PAIRINGS = 500_000  # each has a row in the standings: two sides of a thousand entrants
MOST_SIDES_IN_ALL_ORDERS = 6  # 720 games a board


def check_format(form: FormatSettings, variant: Variant, names: Sequence[str]) -> None:
    """SettingsError where the format can't be played by these entrants."""
    sides = variant.sides
    require(
        len(names) >= sides,
        "entrants",
        list(names),
        f"at least {sides} entrants, as {variant.name} has {sides} sides",
    )
    require(
        form.seatings is not SeatOrders.ALL or sides <= MOST_SIDES_IN_ALL_ORDERS,
        "format.seatings",
        str(form.seatings),
        f'"rotations", as {sides} sides have {math.factorial(sides):,} orders',
    )
    pairings = math.comb(len(names), sides)
    require(
        pairings <= MAX_PAIRINGS,
        "entrants",
        len(names),
        f"fewer: {len(names)} entrants at {sides} sides make {pairings:,} pairings, "
        f"at most {MAX_PAIRINGS:,} are possible",
    )
