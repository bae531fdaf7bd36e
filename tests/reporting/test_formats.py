"""Reports of every format: what it alone has to tell stands in all forms."""

import csv
import io
import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from pitch_server.plan.games import Plan
from pitch_server.plan.question import Asked, Question
from pitch_server.plan.settings import FormatKind, Settings, Unit
from pitch_server.published import published_analysis
from pitch_server.report import write_report
from pitch_server.reporting.cells import MOST_ROWS, Cell, Heat, Table
from pitch_server.reporting.csv_files import csv_files
from pitch_server.reporting.document import report_document
from pitch_server.reporting.markdown import markdown
from pitch_server.reporting.notes import notes, remarks, verdict, warnings
from pitch_server.reporting.numbers import Number
from pitch_server.reporting.page import page
from pitch_server.reporting.tables.every import tables
from pitch_server.store.journal import Journal
from plan.making import make_settings
from plan.test_formats import EVENTS
from verify.making import SEED, play, play_tournament

SWISS = make_settings(5, boards=2, form={"kind": FormatKind.SWISS, "rounds": 2})
MIXED = make_settings(5, boards=1, form={"kind": FormatKind.MIXED})
ALONE = make_settings(5, boards=2, variant={"name": "cutthroat"})
SEPARATED = make_settings(3, boards=40, form={"until_separated": True, "batch": 20})
QUESTION = Question(asked=Asked.EFFECT, h0=0.0, h1=0.5)
COMPARED = make_settings(2, boards=60, form={"question": QUESTION, "batch": 20})


def document(directory: Path, settings: Settings) -> dict[str, Any]:
    file = directory / "a.db"
    play_tournament(file, settings)
    with Journal.open(file) as journal:
        found: dict[str, Any] = json.loads(json.dumps(report_document(journal, published_analysis)))
    return found


def texts(table: Table) -> list[tuple[str, ...]]:
    return [tuple(cell.text for cell in row) for row in table.rows]


def number(cell: Cell) -> Any:
    assert isinstance(cell, Number | Heat)
    return cell.value if isinstance(cell, Number) else cell.number.value


@pytest.mark.parametrize("settings", EVENTS)
def test_every_format_has_a_report_in_every_form(tmp_path: Path, settings: Settings) -> None:
    found = document(tmp_path, settings)
    written = {"page": page(found, {}), "text": markdown(found), **csv_files(found)}
    for text in written.values():
        assert not {"nan", "NaN", "inf", "Infinity", "None"} & set(text.replace(">", " ").split())
    for name, text in csv_files(found).items():
        assert len({len(row) for row in csv.reader(io.StringIO(text))}) == 1, name
    for sentence in notes(found):
        assert sentence[:40].replace("(", "") in written["page"].replace("(", "")


def test_a_swiss_tells_its_order_its_rounds_and_its_byes(tmp_path: Path) -> None:
    found = document(tmp_path, SWISS)
    drawn = tables(found)
    order = texts(drawn["swiss"])
    assert [row[:2] for row in order] == [(f"{r['place']}", r["name"]) for r in found["swiss"]]
    assert sum(number(row[4]) for row in drawn["swiss"].rows) == 2
    rounds = texts(drawn["rounds"])
    assert [row[0] for row in rounds] == ["1"] * 3 + ["2"] * 3
    byes = [row[1] for row in rounds if row[2] == "bye"]
    assert byes == [name for each in found["rounds"] for name in each["byes"]]
    assert len(set(byes)) == 2
    met = {(row[1], row[2]): row for row in rounds if row[2] != "bye"}
    for pairing in found["pairings"]:
        assert met[tuple(pairing["entrants"])]
    assert any("A bye is a match point and no game" in remark for remark in remarks(found))


def test_a_round_that_goes_on_is_told_so(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "a.db", SWISS, SEED) as journal:
        plan = Plan(SWISS)
        journal.append([play(SWISS, game, plan=plan) for game in islice(plan, 3)])
        found = report_document(journal, published_analysis)
    assert {row[0] for row in texts(tables(found)["rounds"])} == {"1, not over"}


def test_byes_of_an_odd_number_are_shown_and_counted_nowhere(tmp_path: Path) -> None:
    found = document(tmp_path, make_settings(3, boards=2))
    assert sorted(row[1] for row in texts(tables(found)["byes"])) == ["a", "b", "c"]
    assert {row["games"] for row in found["entrants"]} == {8}


def test_an_even_number_has_no_byes(tmp_path: Path) -> None:
    assert "byes" not in tables(document(tmp_path, make_settings(4, boards=1)))


def test_challengers_are_told_from_the_field(tmp_path: Path) -> None:
    form = {"kind": FormatKind.GAUNTLET, "challengers": ("d", "b")}
    found = document(tmp_path, make_settings(4, boards=2, form=form))
    roles = {row[1]: row[2] for row in texts(tables(found)["standings"])}
    assert roles == {"a": "field", "b": "challengers", "c": "field", "d": "challengers"}
    (remark,) = remarks(found)
    assert "the challengers (d, b)" in remark
    assert "relative to whom an entrant met" in remark


def test_until_separated_it_is_said_who_is_better_and_which_interval_holds(tmp_path: Path) -> None:
    found = document(tmp_path, SEPARATED)
    drawn = tables(found)
    columns = drawn["pairings"].columns
    better = [row[columns.index("better")] for row in texts(drawn["pairings"])]
    told = [pairing["separation"]["better"] or "undecided" for pairing in found["pairings"]]
    assert better == told
    assert any("do not hold" in warning for warning in warnings(found))
    names = [row["name"] for row in found["entrants"]]
    for row in found["analysis"]["pairings"]:
        one, other = (names.index(name) for name in row["entrants"])
        for cell, sign in (
            (drawn["crosstable"].rows[one][2 + other], 1),
            (drawn["crosstable"].rows[other][2 + one], -1),
        ):
            assert isinstance(cell, Heat)
            assert cell.interval is not None
            ends = [sign * end.value for end in (cell.interval.low, cell.interval.high)]
            assert sorted(ends) == row["running"]


def test_a_question_is_answered_at_the_top(tmp_path: Path) -> None:
    found = document(tmp_path, COMPARED)
    sentence = found["analysis"]["comparison"]["sentence"]
    assert verdict(found) == sentence
    assert page(found, {}).index('class="verdict"') < page(found, {}).index("<table")
    rows = {row[0]: row[1] for row in texts(tables(found)["comparison"])}
    assert rows["boards"] == str(found["analysis"]["comparison"]["boards"])
    assert rows["H1: a mean of (standard deviations)"] == "+0.50"
    assert any("for a fixed number of boards holds" in warning for warning in warnings(found))


def test_of_two_who_have_played_what_was_planned_it_is_said_what_that_says(tmp_path: Path) -> None:
    found = document(tmp_path, make_settings(2, boards=6))
    sentence = verdict(found)
    assert sentence is not None
    assert "6 boards, as fixed beforehand" in sentence
    assert sentence in markdown(found).replace("\\", "")
    assert "comparison" not in tables(found)


def test_where_everybody_is_alone_each_two_are_set_side_by_side(tmp_path: Path) -> None:
    found = document(tmp_path, ALONE)
    table = tables(found)["crosstable"]
    names = [row["name"] for row in found["entrants"]]
    for at, one in enumerate(names):
        for place, other in enumerate(names):
            cell = table.rows[at][2 + place]
            if one == other:
                assert cell.text == ""
                continue
            assert number(cell) == pytest.approx(points_more(found, one, other))
            assert number(cell) == -number(table.rows[place][2 + at])


def points_more(found: dict[str, Any], one: str, other: str) -> float:
    """By how many points a board `one` had more than `other`, of the pairings that have both."""
    boards = total = 0.0
    for pairing in found["pairings"]:
        means = {margin["name"]: margin["mean"] for margin in pairing["margins"]}
        if {one, other} <= set(means):
            boards += pairing["boards"]
            total += pairing["boards"] * (means[one] - means[other]) * 3 / 4
    return total / boards


def test_partners_are_told_with_and_against_each_other(tmp_path: Path) -> None:
    found = document(tmp_path, MIXED)
    drawn = tables(found)
    names = [row["name"] for row in found["entrants"]]
    one, other = names.index("a"), names.index("b")
    together = [
        (pairing["boards"], margin["mean"])
        for pairing in found["pairings"]
        for margin in pairing["margins"]
        if {"a", "b"} <= set(margin["name"])
    ]
    mean = sum(boards * each for boards, each in together) / sum(each for each, _ in together)
    assert number(drawn["partners"].rows[one][2 + other]) == pytest.approx(mean)
    assert number(drawn["partners"].rows[other][2 + one]) == pytest.approx(mean)
    against = number(drawn["crosstable"].rows[one][2 + other])
    assert against == -number(drawn["crosstable"].rows[other][2 + one])


def test_by_the_game_who_wins_is_better_by_one(tmp_path: Path) -> None:
    settings = make_settings(4, boards=1, unit=Unit.GAME, variant={"name": "cutthroat"})
    found = document(tmp_path, settings)
    cells = found["analysis"]["meetings"]["against"]
    assert all(-1 <= cell["mean"] <= 1 for row in cells for cell in row if cell is not None)


def test_of_many_rows_the_first_are_drawn_and_all_are_in_the_file(nasty: dict[str, Any]) -> None:
    many = {**nasty, "pairings": [nasty["pairings"][0]] * (MOST_ROWS + 1), "analysis": {}}
    text, told = page(many, {}), "The first 500 of 501 rows; pairings.csv has them all."
    assert told in text
    assert told in markdown(many)
    assert len(list(csv.reader(io.StringIO(csv_files(many)["pairings.csv"])))) == MOST_ROWS + 2


@pytest.mark.parametrize(
    ("settings", "heads"), [pytest.param(MIXED, ["vs", "with"]), pytest.param(ALONE, ["vs"])]
)
def test_a_terminal_shows_the_same_meetings(
    tmp_path: Path, settings: Settings, heads: list[str]
) -> None:
    found = document(tmp_path, settings)
    drawn = io.StringIO()
    write_report(found, Console(file=drawn, width=120))
    lines = [line.split() for line in drawn.getvalue().splitlines()]
    top = [line[2:] for line in lines if line[:3] == ["#", "entrant", heads[0]]]
    assert top == [[word for at in range(1, 6) for word in ("vs", str(at))]]
    first = next(at for at, line in enumerate(lines) if line[:3] == ["#", "entrant", "vs"]) + 1
    name = found["entrants"][0]["name"]
    others = found["analysis"]["meetings"]["against"][0][1:]
    assert lines[first] == ["1", name, *(f"{cell['mean']:+.2f}" for cell in others)]
    assert any(line[2:3] == ["with"] for line in lines) == ("with" in heads)
