"""The document of a report: all that is shown of a tournament, from its journal.

Here belongs reading a journal for it. What may be told when is as for `pitch export` and
`pitch faults`: until the tournament is over no card and no seed.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pitch_server.faults import Charge, Charges, explain, veiled
from pitch_server.plan.settings import settings_json
from pitch_server.planned import known_plan, within_plan
from pitch_server.published import published_standings
from pitch_server.scores.boards import board_results
from pitch_server.store.journal import Journal
from pitch_server.store.rows import State
from pitch_server.travellers.boards import told_board
from pitch_server.travellers.swings import Swings
from pitch_server.travellers.telling import telling_hand

__all__ = ["MOST_TRAVELLERS", "report_document"]

MOST_TRAVELLERS = 6

Analyse = Callable[[Journal], Mapping[str, Any]]


def report_document(
    journal: Journal, analyse: Analyse = published_standings, *, swings: Swings | None = None
) -> dict[str, Any]:
    """The report's document, which begins as what `analyse` tells of the journal.

    Whoever reads all boards for the analysis may have found the `swings` on the way; else they
    are read for it.
    """
    over = journal.state() is not State.RUNNING
    document = dict(analyse(journal))
    document.setdefault("format", _settings(journal))
    document["fault_groups"] = _fault_groups(journal, over=over)
    document["travellers"] = _travellers(journal, swings) if over else []
    return document


def _settings(journal: Journal) -> dict[str, Any]:
    frozen = settings_json(journal.settings)
    return {key: frozen[key] for key in ("format", "clock", "rating", "faults")}


# --- faults ---------------------------------------------------------------------------------------


def _fault_groups(journal: Journal, *, over: bool) -> list[dict[str, Any]]:
    """Faults that are much the same, told once, the most frequent first."""
    charges = Charges()
    for charge in _charges(journal, over=over):
        charges.add(charge)
    return [
        {
            "entrant": group.first.entrant,
            "kind": group.first.evidence.kind,
            "verdict": str(group.found.verdict),
            "count": group.count,
            "game": group.first.number,
            "explanation": explain(group.first.evidence),
            "reason": group.found.reason,
        }
        for group in charges.groups
    ]


def _charges(journal: Journal, *, over: bool) -> Iterator[Charge]:
    plan, names = known_plan(journal), journal.settings.names
    for number, evidence in journal.evidence():
        seats = plan[number].seats if number < len(plan) else ()
        name = names[seats[evidence.seat]] if evidence.seat in range(len(seats)) else "?"
        yield Charge(number, name, evidence if over else veiled(evidence))


# --- boards ---------------------------------------------------------------------------------------


def _travellers(journal: Journal, swings: Swings | None) -> list[dict[str, Any]]:
    """The boards of the greatest swing, told from their records."""
    settings, plan = journal.settings, known_plan(journal)
    if swings is None:
        swings = Swings(MOST_TRAVELLERS)
        with within_plan(journal):
            results = journal.results()
            swings.add_all(board_results(plan, settings.variant, settings.format.unit, results))
    chosen = [told_board(journal, plan, swing.board) for swing in swings.chosen()]
    return [
        telling_hand(board) for board in chosen if all(each["hands"] for each in board["tables"])
    ]
