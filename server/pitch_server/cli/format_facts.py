"""What a dry run tells of a format: its rounds and byes, and what is not known yet.

Here belongs the text of it, a value for each heading. The plan itself is `plan`'s.
"""

import math
from itertools import islice

from pitch_server.comparing.asking import question_text
from pitch_server.plan.format_settings import ERROR_RATE, FormatKind
from pitch_server.plan.games import Plan
from pitch_server.plan.round_robin import RoundRobin
from pitch_server.plan.settings import Settings

__all__ = ["format_facts"]

_NAMED = 8  # byes


def format_facts(settings: Settings, plan: Plan) -> dict[str, str]:
    """Pairings, rounds, byes, boards and games, as far as they can be known."""
    form = settings.format
    if form.kind is FormatKind.SWISS:
        facts = _swiss(settings, plan)
    elif form.kind is FormatKind.LADDER:
        facts = _ladder(settings, plan)
    else:
        facts = _all_pairings(settings, plan)
    at_most = "" if plan.total_is_final else "at most "
    return facts | {
        "seatings": f"{plan.seatings:,} a board",
        "games": f"{at_most}{plan.total:,}",
    }


def _all_pairings(settings: Settings, plan: Plan) -> dict[str, str]:
    form, pairings = settings.format, plan.pairings
    facts = {"pairings": f"{len(pairings):,}"}
    if isinstance(pairings, RoundRobin) and pairings.rounds:
        rounds = pairings.rounds
        facts["rounds"] = f"{rounds:,} a board, of {len(pairings) // rounds:,} pairings"
        byes = (pairings.byes(turn) for turn in range(rounds))
        if told := _byes(settings, list(islice(byes, _NAMED + 1))):
            facts["byes"] = told
    if form.partners:
        facts["partners"] = _partners(settings, plan)
    if form.question is not None:
        name, opponent = settings.names
        asked = question_text(form.question, name, opponent, form.unit)
        return facts | {
            "question": asked,
            "boards": f"at most {plan.boards:,}, {form.boards_a_batch:,} at a time",
            "later": "whether it goes on follows from the boards before, in their order",
        }
    if not form.until_separated:
        return facts | {"boards": f"{plan.boards:,} a pairing"}
    return facts | {
        "boards": f"at most {plan.boards:,} a pairing, {form.boards_a_batch:,} at a time",
        "later": "which pairings play on follows from the boards before, with an error rate of "
        f"{form.error_rate or ERROR_RATE:g} over all of them",
    }


def _partners(settings: Settings, plan: Plan) -> str:
    """How often two entrants meet, on one side and on two."""
    entrants, size = len(settings.entrants), plan.players // plan.sides
    twos = math.comb(entrants, 2)
    together = len(plan.pairings) * plan.sides * math.comb(size, 2) // twos
    against = len(plan.pairings) * math.comb(plan.sides, 2) * size * size // twos
    return (
        f"everybody is everybody's {together:,} times a board, and the opponent {against:,} times"
    )


def _swiss(settings: Settings, plan: Plan) -> dict[str, str]:
    form, first = settings.format, plan.rounds[0]
    facts = {
        "rounds": f"{form.rounds:,} of {len(first.pairings):,} pairings",
        "boards": f"{plan.boards:,} a pairing",
    }
    if told := _byes(settings, [first.byes]):
        facts["byes"] = f"one a round; {told}"
    if not plan.settled:
        facts["later"] = "who meets from round 2 on follows from the rounds before"
    return facts


def _ladder(settings: Settings, plan: Plan) -> dict[str, str]:
    batch = settings.format.boards_a_batch
    return {
        "pairings": f"{len(plan.pairings):,}",
        "batches": f"{-(-plan.boards // batch):,} of {batch:,} boards",
        "boards": f"{plan.boards:,} in all",
        "later": "who plays from batch 2 on follows from the ratings before",
    }


def _byes(settings: Settings, rounds: list[tuple[int, ...]]) -> str:
    told = [
        f"{', '.join(settings.names[entrant] for entrant in byes)} in round {number}"
        for number, byes in enumerate(rounds[:_NAMED], 1)
        if byes
    ]
    return ", ".join([*told, "…"] if told and len(rounds) > _NAMED else told)
