"""What a reader of the tables must know before trusting them: sentences.

Here belong the warnings of a report, the same in every form.
"""

from typing import Any

from pitch_server.reporting.names import label
from pitch_server.reporting.numbers import Form, Node, shown

__all__ = ["notes"]


def notes(document: dict[str, Any]) -> list[str]:
    """The sentences, the most important first."""
    root = Node(document)
    return [*_unfinished(root), *_cycles(root), *_games(root)]


def _unfinished(root: Node) -> list[str]:
    if root["complete"].value:
        return []
    games = root["games"]
    played, planned = (shown(games[key].value, Form.COUNT) for key in ("played", "planned"))
    text = (
        f"Not complete: {played} of {planned} games are played. The 95 % intervals hold for a "
        "number of boards fixed beforehand; stopping when one excludes 0 makes it wrong."
    )
    return [text]


def _cycles(root: Node) -> list[str]:
    cycles = root["analysis"]["cycles"]
    warning, names = cycles["warning"].value, cycles["cycle"].value
    if not warning:
        return []
    circle = f" ({' beats '.join(map(label, [*names, names[0]]))})" if names else ""
    return [f"Cycles: {warning}{'' if _tells(warning, names) else circle}"]


def _tells(warning: str, names: Any) -> bool:
    """Whether the warning names those of the cycle itself."""
    return bool(names) and all(label(name) in warning for name in names)


def _games(root: Node) -> list[str]:
    games = root["games"]
    void, forfeited = games["void"].value or 0, games["forfeited"].value or 0
    unrated = (games["played"].value or 0) - (games["rated"].value or 0)
    found = []
    if unrated:
        found.append(
            f"{_count(unrated)} played but not rated: of boards that are void, not complete, or "
            "planned after an open one."
        )
    if void:
        found.append(f"{_count(void)} void: every side had forfeited, or the server failed.")
    if forfeited:
        found.append(f"{_count(forfeited)} forfeited, counted like any other.")
    return found


def _count(number: int) -> str:
    return f"{shown(number, Form.COUNT)} game{'' if number == 1 else 's'}"
