"""How long entrants took for their decisions: measured, so no two runs say the same."""

from pitch_server.reporting.cells import Table, name_cell
from pitch_server.reporting.numbers import Form, Node
from pitch_server.reporting.ranking import by_rank

__all__ = ["times"]


def times(root: Node) -> Table | None:
    """The middle and the far end of everybody's times, where any were measured."""
    players = by_rank(root, root["measured"]["decision_seconds"])
    if not any(player["decisions"] for player in players):
        return None
    return Table(
        key="times",
        title="Time for decisions",
        columns=("entrant", "decisions", "median", "99 %", "longest"),
        rows=tuple(
            (
                name_cell(player["name"]),
                player["decisions"].number(Form.COUNT),
                *(player[key].number(Form.SPAN) for key in ("p50", "p99", "max")),
            )
            for player in players
        ),
        note="Measured while it was played: another run gives other times, and nothing can "
        "recompute these. Answers in time only; median and 99 % are a fifth too high at most.",
    )
