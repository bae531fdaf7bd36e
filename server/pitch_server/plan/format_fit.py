"""What must fit together in a format: its keys, the variant's sides and the entrants.

Here belong the checks that need more than one value. Those of single values are in
`format_settings`.
"""

import math
from collections.abc import Sequence
from difflib import get_close_matches

from pitch.rules.variant import Variant
from pitch_server.plan.errors import SettingsError, require
from pitch_server.plan.format_settings import MAX_BATCHES, FormatKind, FormatSettings, SeatOrders
from pitch_server.plan.mixed import lineups
from pitch_server.plan.swiss import most_rounds

__all__ = ["MAX_PAIRINGS", "check_format"]

MAX_PAIRINGS = 500_000  # each has a row in the standings: two sides of a thousand entrants
MOST_SIDES_IN_ALL_ORDERS = 6  # 720 games a board


def check_format(form: FormatSettings, variant: Variant, names: Sequence[str]) -> None:
    """SettingsError where the format can't be played by these entrants."""
    _check_entrants(form, variant, names)
    _check_seatings(form, variant)
    _check_keys(form)
    _check_batches(form)
    _check_separation(form, variant)
    _check_question(form, variant, names)
    if form.kind is FormatKind.GAUNTLET:
        _check_challengers(form, variant, names)
    elif form.kind is FormatKind.SWISS:
        _check_swiss(form, variant, names)
    elif form.kind is FormatKind.MIXED:
        _check_mixed(variant)
    _check_pairings(form, variant, len(names))


def _check_entrants(form: FormatSettings, variant: Variant, names: Sequence[str]) -> None:
    if form.partners:
        least, what = variant.players, f"{variant.players} seats, each of another entrant"
    else:
        least, what = variant.sides, f"{variant.sides} sides"
    require(
        len(names) >= least,
        "entrants",
        list(names),
        f"at least {least} entrants, as {variant.name} has {what}",
    )


def _check_seatings(form: FormatSettings, variant: Variant) -> None:
    sides = variant.sides
    require(
        form.seatings is not SeatOrders.ALL or sides <= MOST_SIDES_IN_ALL_ORDERS,
        "format.seatings",
        str(form.seatings),
        f"'rotations', as {sides} sides have {math.factorial(sides):,} orders",
    )


def _check_keys(form: FormatSettings) -> None:
    """Each key is for some formats only."""
    batches = form.kind is FormatKind.LADDER or form.until_separated or form.question is not None
    uses = {
        "challengers": (
            list(form.challengers) or None,
            form.kind is FormatKind.GAUNTLET,
            "a gauntlet",
        ),
        "rounds": (form.rounds, form.kind is FormatKind.SWISS, "a swiss"),
        "batch": (form.batch, batches, 'a ladder, boards = "until-separated" and a question'),
        "error_rate": (form.error_rate, form.until_separated, 'boards = "until-separated"'),
    }
    for key, (value, used, of) in uses.items():
        if value is not None and not used:
            raise SettingsError(
                f"format.{key}",
                f'{value!r} is of no use to kind = "{form.kind}"; it is a key of {of}',
            )


def _check_batches(form: FormatSettings) -> None:
    if form.kind is FormatKind.LADDER or form.until_separated or form.question is not None:
        require(
            form.boards <= form.boards_a_batch * MAX_BATCHES,
            "format.batch",
            form.batch,
            f"{-(-form.boards // MAX_BATCHES):,} or more, as {form.boards:,} boards are planned in "
            f"at most {MAX_BATCHES:,} batches",
        )


def _check_separation(form: FormatSettings, variant: Variant) -> None:
    if not form.until_separated:
        return
    kinds = (FormatKind.ROUND_ROBIN, FormatKind.GAUNTLET)
    require(
        form.kind in kinds,
        "format.boards",
        "until-separated",
        f'a number with kind = "{form.kind}"; ' + " and ".join(kinds) + " are played until then",
    )
    require(
        variant.sides == 2,
        "format.boards",
        "until-separated",
        f"a number, as {variant.name} has {variant.sides} sides, and two are compared",
    )


def _check_question(form: FormatSettings, variant: Variant, names: Sequence[str]) -> None:
    if form.question is None:
        return
    require(
        form.kind is FormatKind.ROUND_ROBIN and not form.until_separated,
        "question.asks",
        str(form.question.asked),
        'kind = "round-robin" and no "until-separated" with it, as a question is one of two '
        "entrants",
    )
    require(
        variant.sides == 2 and len(names) == 2,
        "entrants",
        list(names),
        f"two entrants in a variant of two sides for a question; {variant.name} has "
        f"{variant.sides}",
    )


def _check_challengers(form: FormatSettings, variant: Variant, names: Sequence[str]) -> None:
    key, given = "format.challengers", list(form.challengers)
    if not given:
        raise SettingsError(key, "missing; expected the names of the entrants that are new")
    for name in given:
        if name not in names:
            near = get_close_matches(name, names, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise SettingsError(key, f"no entrant is named {name!r}{hint}")
        require(given.count(name) == 1, key, name, "every name once")
    field, least = len(names) - len(given), variant.sides - 1
    require(
        field >= least,
        key,
        given,
        f"at most {len(names) - least} of the {len(names)} entrants, as {least} of the field "
        "must be there for them to meet",
    )


def _check_swiss(form: FormatSettings, variant: Variant, names: Sequence[str]) -> None:
    require(
        variant.sides == 2,
        "format.kind",
        str(form.kind),
        f"round-robin, gauntlet or ladder, as {variant.name} has {variant.sides} sides, and a "
        "swiss pairs two",
    )
    most = most_rounds(len(names))
    if form.rounds is None:
        raise SettingsError("format.rounds", f"missing; expected 1 to {most} rounds of a swiss")
    require(
        form.rounds <= most,
        "format.rounds",
        form.rounds,
        f"1 to {most}, as with {len(names)} entrants more rounds could need a pairing twice; "
        'kind = "round-robin" has everybody meet everybody',
    )


def _check_mixed(variant: Variant) -> None:
    require(
        variant.players > variant.sides,
        "format.kind",
        str(FormatKind.MIXED),
        f"another format, as {variant.name} has no partners",
    )


def _check_pairings(form: FormatSettings, variant: Variant, entrants: int) -> None:
    """What there is a row for in the standings; of a swiss only those that meet."""
    if form.kind is FormatKind.SWISS:
        return
    if form.kind is FormatKind.MIXED:
        pairings = lineups(entrants, variant.players, variant.sides)
    elif form.kind is FormatKind.GAUNTLET:
        new = len(form.challengers)
        pairings = new * math.comb(entrants - new, variant.sides - 1)
    else:
        pairings = math.comb(entrants, variant.sides)
    require(
        pairings <= MAX_PAIRINGS,
        "entrants",
        entrants,
        f"fewer: {entrants} entrants at {variant.sides} sides make {pairings:,} pairings, "
        f"at most {MAX_PAIRINGS:,} are possible",
    )
