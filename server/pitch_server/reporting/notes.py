"""What a reader of the tables must know before trusting them: sentences.

Here belong the answer to the question, if one was asked, how a format is to be read, and warnings.
They are the same in every form, on a terminal too.
"""

from collections.abc import Iterator
from typing import Any

from pitch_server.reporting.names import label, printable
from pitch_server.reporting.numbers import Form, Node, shown

__all__ = ["notes", "remarks", "verdict", "warnings"]


_LONGEST = 4000  # characters of a verdict


def verdict(document: dict[str, Any]) -> str | None:
    """The answer to the question that was played for; None where none was asked."""
    sentence = Node(document)["analysis"]["comparison"]["sentence"].value
    return None if sentence is None else printable(sentence, _LONGEST)


def notes(document: dict[str, Any]) -> list[str]:
    """All sentences but the verdict, the most important first."""
    return [*warnings(document), *remarks(document)]


def warnings(document: dict[str, Any]) -> list[str]:
    """What is missing, and what misleads."""
    root = Node(document)
    return [*_unfinished(root), *_adaptive(root), *_cycles(root), *_games(root)]


def remarks(document: dict[str, Any]) -> list[str]:
    """How the numbers of the format are to be read."""
    root = Node(document)
    remark = _FORMATS.get(root["format"]["kind"].value or "")
    return [remark(root)] if remark else []


# --- formats --------------------------------------------------------------------------------------


def _gauntlet(root: Node) -> str:
    names = ", ".join(label(each.value) for each in root["format"]["challengers"])
    return (
        f"Gauntlet: the challengers ({names}) met the field, which did not meet among itself, nor "
        "did they. Every number is relative to whom an entrant met; what the field is worth among "
        "itself is known by way of the challengers alone."
    )


def _swiss(_: Node) -> str:
    return (
        "Swiss: the standings are in the order of the rating; that of the Swiss, by match points, "
        "is a table of its own. A bye is a match point and no game."
    )


def _ladder(_: Node) -> str:
    return (
        "Ladder: boards went to the pairings from which the ratings learn most, so that the mean "
        "over an entrant's boards depends on whom it met. Look at the rating."
    )


def _mixed(_: Node) -> str:
    return (
        "Mixed partnerships: sides are of different entrants, everybody with everybody. A side's "
        "margin counts for each of the partners; ranked is everybody alone."
    )


_FORMATS = {"gauntlet": _gauntlet, "swiss": _swiss, "ladder": _ladder, "mixed": _mixed}


# --- warnings -------------------------------------------------------------------------------------


def _unfinished(root: Node) -> Iterator[str]:
    if root["complete"].value:
        return
    games = root["games"]
    played, planned = (shown(games[key].value, Form.COUNT) for key in ("played", "planned"))
    at_most = "at most " if games["at_most"].value else ""
    yield (
        f"Not complete: {played} of {at_most}{planned} games are played. The 95 % intervals hold "
        "for a number of boards fixed beforehand; stopping when one excludes 0 makes it wrong."
    )


def _adaptive(root: Node) -> Iterator[str]:
    """Where the number of boards follows from results."""
    if any(node["separation"] for node in root["pairings"]):
        yield (
            "Boards were played until pairings were separated, so the 95 % intervals for a fixed "
            "number of boards do not hold; what holds, over all pairings at once, is who is "
            "called better."
        )
    elif root["format"]["question"]:
        yield (
            "Boards were played until the question was answered, so no 95 % interval for a fixed "
            "number of boards holds; that of the answer, for any time, does."
        )


def _cycles(root: Node) -> Iterator[str]:
    cycles = root["analysis"]["cycles"]
    warning, names = cycles["warning"].value, cycles["cycle"].value
    if not warning:
        return
    circle = f" ({' beats '.join(map(label, [*names, names[0]]))})" if names else ""
    yield f"Cycles: {warning}{'' if _tells(warning, names) else circle}"


def _tells(warning: str, names: Any) -> bool:
    """Whether the warning names those of the cycle itself."""
    return bool(names) and all(label(name) in warning for name in names)


def _games(root: Node) -> Iterator[str]:
    games = root["games"]
    void, forfeited = games["void"].value or 0, games["forfeited"].value or 0
    unrated = (games["played"].value or 0) - (games["rated"].value or 0)
    if unrated:
        yield (
            f"{_count(unrated, 'game')} played but not rated: of boards that are void, not "
            "complete, or planned after an open one."
        )
    if void:
        yield f"{_count(void, 'game')} void: every side had forfeited, or the server failed."
    yield from _void_boards(root)
    if forfeited:
        yield f"{_count(forfeited, 'game')} forfeited, counted like any other."


_MOST_NAMED = 20


def _void_boards(root: Node) -> Iterator[str]:
    found = [node for node in root["pairings"] if node["void"].value]
    for node in found[:_MOST_NAMED]:
        names = " against ".join(label(name.value) for name in node["entrants"])
        yield f"{_count(node['void'].value, 'board')} void, left out: {names}."
    if left := found[_MOST_NAMED:]:
        boards = sum(node["void"].value for node in left)
        yield f"{_count(boards, 'board')} void, left out, of {len(left):,} other pairings."


def _count(number: int, noun: str) -> str:
    return f"{shown(number, Form.COUNT)} {noun}{'' if number == 1 else 's'}"
