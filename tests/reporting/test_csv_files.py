import csv
import io
import json
from typing import Any

from pitch_server.reporting.csv_files import csv_files
from reporting.making import NASTY


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_numbers_are_whole(nasty: dict[str, Any]) -> None:
    head, *rows = read(csv_files(nasty)["standings.csv"])
    for row, entrant in zip(rows, nasty["entrants"], strict=True):
        cells = dict(zip(head, row, strict=True))
        assert float(cells["μ"]) == entrant["trueskill"]["mu"]
        assert float(cells["per board"]) == entrant["points_per_board"]
        assert int(cells["games"]) == entrant["games"]


def test_an_interval_has_two_columns(nasty: dict[str, Any]) -> None:
    head, first, *_ = read(csv_files(nasty)["pairings.csv"])
    cells = dict(zip(head, first, strict=True))
    ends = [float(cells[f"95 % interval {end}"]) for end in ("low", "high")]
    assert ends == nasty["pairings"][0]["margins"][0]["ci95"]


def test_every_row_is_as_long_as_its_head(nasty: dict[str, Any]) -> None:
    files = csv_files(nasty)
    assert {"standings.csv", "crosstable.csv", "faults.csv", "verdicts.csv"} <= set(files)
    for text in files.values():
        assert len({len(row) for row in read(text)}) == 1


def test_no_cell_of_text_is_a_formula(nasty: dict[str, Any]) -> None:
    cells = [cell for text in csv_files(nasty).values() for row in read(text) for cell in row]
    assert f"'{NASTY[1]}" in cells
    for name in (NASTY[0], NASTY[2], NASTY[3]):
        assert name in cells
    formulas = [cell for cell in cells if cell.startswith(("=", "+", "@"))]
    assert formulas == []
    for cell in cells:
        if cell.startswith("-"):
            float(cell)


def test_what_is_not_known_is_an_empty_cell(nasty: dict[str, Any]) -> None:
    one = {**nasty["pairings"][0], "boards": 0}
    one["margins"] = [{**margin, "mean": None, "ci95": None} for margin in one["margins"]]
    head, row = read(csv_files({**nasty, "pairings": [one], "analysis": {}})["pairings.csv"])
    cells = dict(zip(head, row, strict=True))
    assert [cells[name] for name in ("mean", "95 % interval low", "95 % interval high")] == [""] * 3


def test_names_that_differ_by_an_apostrophe_stay_apart(nasty: dict[str, Any]) -> None:
    before, after = (json.dumps(name) for name in (NASTY[0], f"'{NASTY[1]}"))
    other = json.loads(json.dumps(nasty).replace(before, after))
    table = read(csv_files(other)["standings.csv"])
    names = [row[table[0].index("entrant")] for row in table[1:]]
    assert {f"'{NASTY[1]}", f"''{NASTY[1]}"} <= set(names)
