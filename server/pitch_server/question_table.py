"""The `[question]` table of CONFIG.toml: what two entrants are compared for, and for how long.

Here belong its keys and which of them go with which question. What a question may be is checked
by `plan.question`.
"""

from dataclasses import replace

from pitch_server.plan.errors import SettingsError
from pitch_server.plan.question import Asked, make_question, most_boards
from pitch_server.plan.settings import MAX_BOARDS, FormatSettings
from pitch_server.toml_table import Table

__all__ = ["read_question"]

_KEYS = {
    "equal_within": (Asked.BETTER,),
    "h0": (Asked.EFFECT, Asked.MARGIN),
    "h1": (Asked.EFFECT, Asked.MARGIN),
    "precision": (Asked.PRECISION,),
    "beta": (Asked.EFFECT, Asked.MARGIN),
}


def read_question(root: Table, form: FormatSettings, *, boards: bool) -> FormatSettings:
    """The format with the question, if there is one; `boards`: whether the format says a number."""
    if not root.has("question"):
        root.table("question")
        return form
    table = root.table("question")
    asked = table.word("asks", Asked)
    most = table.whole("max_boards", 1, MAX_BOARDS)
    said = {key: table.number(key) for key in ("alpha", *_KEYS)}
    if not table.valid or (asked is None and table.has("asks")):
        return form
    asked = asked or Asked.BETTER
    if boards:
        root.refuse(
            "format.boards", "is of no use to a [question]; max_boards there are the most it takes"
        )
    for key, uses in _KEYS.items():
        if said[key] is not None and asked not in uses:
            of = " or ".join(f'asks = "{use}"' for use in uses)
            table.refuse(key, f'is of no use to asks = "{asked}"; it is a key of {of}')
            said[key] = None
    try:
        question = make_question(asked, form.unit, **said)
    except SettingsError as error:
        key = error.key.rpartition(".")[2]
        missing = f'missing; expected a number, as asks = "{asked}"'
        table.refuse(key, error.reason if table.has(key) else missing)
        return form
    return replace(form, question=question, boards=most or most_boards(asked))
