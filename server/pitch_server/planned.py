"""The plan of a tournament as far as the results in its journal settle it.

Here belongs having plan and journal meet. What follows from which result is `plan`'s business.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from pitch_server.plan.errors import NotPlanned
from pitch_server.plan.games import Plan
from pitch_server.scores.boards import note_results
from pitch_server.store.errors import Damaged
from pitch_server.store.journal import Journal

__all__ = ["catch_up", "known_plan", "within_plan"]


def known_plan(journal: Journal) -> Plan:
    """The plan with all rounds that are known by the results so far.

    Read in one pass, but for plans that no result can change: those are known at once.
    """
    plan = Plan(journal.settings)
    catch_up(plan, journal)
    return plan


def catch_up(plan: Plan, journal: Journal) -> None:
    """Has the plan take in the results that it does not know yet; only these are read."""
    if plan.settled:
        return
    settings = journal.settings
    with within_plan(journal):
        note_results(plan, settings.variant, settings.format.unit, journal.results(plan.due))


@contextmanager
def within_plan(journal: Journal) -> Iterator[None]:
    """Within it a game that is not in the plan is told as the damage of the database it is."""
    try:
        yield
    except NotPlanned as error:
        raise Damaged(
            f"{journal.place} is damaged: {error} is there, which is not planned"
        ) from error
