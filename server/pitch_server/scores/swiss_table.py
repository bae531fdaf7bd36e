"""What the standings of a Swiss tell beside those of other formats: its rounds and its own order.

Here belongs the JSON of that; how it is come by is `plan.swiss`'s.
"""

from collections.abc import Sequence
from typing import Any

from pitch_server.plan.games import Plan
from pitch_server.plan.swiss import WIN, Swiss

__all__ = ["swiss_json"]


def swiss_json(plan: Plan, names: Sequence[str]) -> dict[str, Any]:
    """The keys `swiss` and `rounds`; nothing of another format.

    Counted are the rounds that are over: match points (1 a win or a bye, a half a draw) and the
    sum of the margins, in units of D.
    """
    swiss = plan.format
    if not isinstance(swiss, Swiss):
        return {}
    table = [
        {
            "place": place,
            "name": names[entrant],
            "points": swiss.scores[entrant].points / WIN,
            "margin": swiss.scores[entrant].margin / plan.scale,
            "byes": swiss.scores[entrant].byes,
        }
        for place, entrant in enumerate(swiss.order(), 1)
    ]
    rounds = [
        {
            "pairings": [[names[each] for each in plan.pairings[at]] for at in planned.pairings],
            "byes": [names[entrant] for entrant in planned.byes],
            "complete": plan.due >= plan.span(number)[1],
        }
        for number, planned in enumerate(plan.rounds)
    ]
    return {"swiss": table, "rounds": rounds}
