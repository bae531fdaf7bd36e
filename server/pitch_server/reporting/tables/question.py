"""The question that two entrants played until it was answered, and how it stands."""

from collections.abc import Iterator

from pitch_server.reporting.cells import Cell, Table, Words
from pitch_server.reporting.names import printable
from pitch_server.reporting.numbers import Form, Node

__all__ = ["comparison"]


def comparison(root: Node) -> Table | None:
    """The answer with what it rests on."""
    asked = root["analysis"]["comparison"]
    if not asked["question"]:
        return None
    return Table(
        key="comparison",
        title="The question",
        columns=("what", "value"),
        rows=tuple(_rows(asked)),
        note=f"Seen from {printable(asked['point_of_view'].value)}, in "
        f"{printable(asked['measure'].value)}. The any-time interval holds whenever one looks; "
        "an answer is final, boards after it stand apart.",
    )


def _rows(asked: Node) -> Iterator[tuple[Cell, ...]]:
    question = asked["question"]
    if question["precision"].value is not None:
        yield Words("asked: a precision of ±"), question["precision"].number(Form.PLAIN)
    elif question["asked"].value == "better":
        yield (
            Words("asked: which is better; alike within ±"),
            question["equal_within"].number(Form.PLAIN),
        )
        yield Words("one wrongly, at most (alpha)"), question["alpha"].number(Form.RATE)
    else:
        unit = "standard deviations" if question["asked"].value == "effect" else "a margin"
        yield Words(f"H0: a mean of ({unit})"), question["h0"].number(Form.SIGNED)
        yield Words(f"H1: a mean of ({unit})"), question["h1"].number(Form.SIGNED)
        yield Words("H1 wrongly, at most (alpha)"), question["alpha"].number(Form.RATE)
        yield Words("H0 wrongly, at most (beta)"), question["beta"].number(Form.RATE)
    yield Words("verdict"), Words(printable(asked["verdict"].value))
    yield Words("boards"), asked["boards"].number(Form.COUNT)
    yield Words("mean"), asked["mean"].number(Form.SIGNED)
    for end, word in enumerate(("from", "to")):
        yield Words(f"any-time interval, {word}"), asked["running"][end].number(Form.SIGNED)
    if asked["llr"].value is not None:
        yield Words("log-likelihood ratio"), asked["llr"].number(Form.SIGNED)
        yield Words("decides for H0 at"), asked["lower"].number(Form.SIGNED)
        yield Words("decides for H1 at"), asked["upper"].number(Form.SIGNED)
    if asked["later_boards"]:
        yield Words("boards after the answer"), asked["later_boards"].number(Form.COUNT)
        yield Words("their mean"), asked["later_mean"].number(Form.SIGNED)
