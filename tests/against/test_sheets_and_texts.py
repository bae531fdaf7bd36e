"""CSV and Markdown: a cell that is not as it is recomputed is named; the last digit may differ."""

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest

from pitch_server.against.sheets import sheet_difference
from pitch_server.against.texts import nudged, text_difference
from pitch_server.reporting.csv_files import csv_files
from pitch_server.reporting.markdown import markdown

Rows = list[list[str]]


def test_files_as_they_were_written_agree(whole: dict[str, Any]) -> None:
    files = csv_files(whole)
    for name, text in files.items():
        assert sheet_difference(name, text, files) is None
        assert sheet_difference(name, text.replace("\r\n", "\n"), files) is None
        assert sheet_difference("renamed.csv", text, files) is None


def test_a_name_that_looks_like_a_number_is_compared_as_it_is_written() -> None:
    files = {"standings.csv": "entrant,mean\r\n1e3,0.1\r\n"}
    found = sheet_difference("standings.csv", "entrant,mean\r\n1000.0,0.1\r\n", files)
    assert found is not None
    assert "row 2, column 'entrant' is '1000.0'" in found
    near = "entrant,mean\r\n1e3,0.10000000000000002\r\n"
    assert sheet_difference("standings.csv", near, files) is None


def changed(text: str, change: Callable[[Rows], object]) -> str:
    rows = list(csv.reader(io.StringIO(text)))
    change(rows)
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    return written.getvalue()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(lambda rows: rows[2].__setitem__(3, "30.5"), "row 3, column 'μ' is '30.5'"),
        pytest.param(lambda rows: rows[1].__setitem__(0, "2"), "row 2, column '#' is '2'"),
        pytest.param(lambda rows: rows[1].__setitem__(1, "b"), "row 2, column 'entrant' is 'b'"),
        pytest.param(lambda rows: rows.pop(), "row 8 is None"),
        pytest.param(lambda rows: rows.append(rows[1]), "row 9 is ["),
        pytest.param(lambda rows: rows[1].append(""), "the number of cells in row 2"),
    ],
)
def test_a_changed_cell_is_named(
    whole: dict[str, Any], change: Callable[[Rows], object], said: str
) -> None:
    files = csv_files(whole)
    found = sheet_difference("standings.csv", changed(files["standings.csv"], change), files)
    assert found is not None
    assert said in found


def test_last_digits_of_a_cell_may_differ(whole: dict[str, Any]) -> None:
    files, other = csv_files(whole), csv_files(nudged(whole, 1e-10))
    assert files != other
    for name, text in other.items():
        assert sheet_difference(name, text, files) is None


def test_a_sheet_of_something_else_is_told(whole: dict[str, Any]) -> None:
    found = sheet_difference("a.csv", "x,y\r\n1,2\r\n", csv_files(whole))
    assert found is not None
    assert "expected one of standings.csv, crosstable.csv" in found


def test_markdown_as_it_was_written_agrees(whole: dict[str, Any]) -> None:
    text = markdown(whole)
    assert text_difference(text, whole, markdown) is None
    assert text_difference(text.replace("\n", "\r\n"), whole, markdown) is None


def test_a_changed_line_is_named_with_its_heading(whole: dict[str, Any]) -> None:
    lines = markdown(whole).splitlines()
    at = lines.index("## Standings") + 4
    forged = "\n".join([*lines[:at], lines[at].replace("| 1 |", "| 2 |"), *lines[at + 1 :]])
    found = text_difference(forged, whole, markdown)
    assert found is not None
    assert found.startswith(f"line {at + 1}, under 'Standings', is '| 2 |")
    for other in ("\n".join(lines[:-1]), "\n".join([*lines, "more"])):
        assert text_difference(other, whole, markdown) is not None


def test_what_another_machine_rounds_to_the_other_side_is_no_difference(
    whole: dict[str, Any],
) -> None:
    above, below = 0.1250000001, 0.1249999999

    def at(points: float) -> dict[str, Any]:
        first, *others = whole["entrants"]
        return {**whole, "entrants": [{**first, "points_per_board": points}, *others]}

    one, other = at(above), at(below)
    assert markdown(one) != markdown(other)
    assert text_difference(markdown(one), other, markdown) is None
    assert text_difference(markdown(other), one, markdown) is None
    assert text_difference(markdown(at(0.136)), one, markdown) is not None
