"""Tournaments that tell little or nothing: every form is finite or says that it does not know."""

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.plan.question import Asked, Question
from pitch_server.plan.settings import FormatKind, Settings, Unit
from pitch_server.published import published_analysis
from pitch_server.report import write_report
from pitch_server.reporting.charts import charts
from pitch_server.reporting.csv_files import csv_files
from pitch_server.reporting.document import report_document
from pitch_server.reporting.markdown import markdown
from pitch_server.reporting.page import embedded_document, page
from pitch_server.store.journal import Journal
from pitch_server.store.rows import JournalEntry, State
from plan.making import make_settings
from verify.making import SEED, play

Change = Callable[[PlannedGame], dict[str, Any]]

EFFECT = Question(asked=Asked.EFFECT, h0=0.0, h1=0.2)
PRECISION = Question(asked=Asked.PRECISION, precision=0.1)
SETTINGS = [
    pytest.param(make_settings(3, boards=3), id="three"),
    pytest.param(make_settings(2, boards=1), id="one board"),
    pytest.param(make_settings(3, boards=2, unit=Unit.GAME), id="games"),
    pytest.param(make_settings(4, boards=2, variant={"name": "cutthroat"}), id="four sides"),
    pytest.param(make_settings(4, boards=1, form={"kind": FormatKind.MIXED}), id="mixed"),
    pytest.param(make_settings(3, boards=1, form={"kind": FormatKind.SWISS, "rounds": 1}), id="sw"),
    pytest.param(make_settings(3, boards=4, form={"until_separated": True, "batch": 2}), id="sep"),
    pytest.param(make_settings(2, boards=4, form={"question": EFFECT, "batch": 2}), id="effect"),
    pytest.param(make_settings(2, boards=4, form={"question": PRECISION, "batch": 2}), id="width"),
]


def outcome(entrant: int, mine: int, its: int) -> Change:
    """Of two, `entrant` scores `mine` and the other `its`; the higher has won."""

    def change(game: PlannedGame) -> dict[str, Any]:
        scores = (mine, its) if game.seats[0] == entrant else (its, mine)
        winner = None if mine == its else scores.index(max(scores))
        return {"scores": scores, "winner": winner, "ended": "target"}

    return change


def nothing(_: PlannedGame) -> dict[str, Any]:
    return {}


def void(_: PlannedGame) -> dict[str, Any]:
    return {"void": True}


def forfeited(_: PlannedGame) -> dict[str, Any]:
    return {"forfeits": ((0, "timeout"),), "faults": ((0, "timeout", 3),)}


def entries(settings: Settings, change: Change) -> Iterator[JournalEntry]:
    plan = Plan(settings)
    for game in islice(plan, 12):
        entry = play(settings, game, faulty=0, plan=plan)
        yield JournalEntry(entry.result._replace(**change(game)), entry.record)


def of_journal(file: Path, settings: Settings, played: Iterable[JournalEntry]) -> dict[str, Any]:
    with Journal.create(file, settings, SEED) as journal:
        journal.append(list(played))
        journal.end(State.CLOSED, {"digest": ""})
        return report_document(journal, published_analysis)


def assert_finite(document: dict[str, Any]) -> None:
    """All forms can be written, and none holds what is no number."""
    told = json.loads(json.dumps(document, allow_nan=False))
    whole = page(document, {})
    assert embedded_document(whole) == told
    drawn = io.StringIO()
    write_report(document, Console(file=drawn, width=100))
    specs = json.dumps([chart.spec for chart in charts(document)], allow_nan=False)
    body = whole.partition("<body>")[2].partition("<script")[0]
    texts = (body, markdown(document), *csv_files(document).values(), drawn.getvalue())
    for text in texts:
        assert not re.search(r"\b(nan|inf|None|undefined)\b", text)
    assert not re.search(r"NaN|Infinity", specs)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(nothing, id="as played"),
        pytest.param(void, id="void"),
        pytest.param(forfeited, id="forfeited"),
    ],
)
def test_every_form_is_finite(tmp_path: Path, settings: Settings, change: Change) -> None:
    assert_finite(of_journal(tmp_path / "a.db", settings, entries(settings, change)))


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        pytest.param(outcome(0, 4, 0), (3, 0, 0), id="N to 0"),
        pytest.param(outcome(0, 0, 4), (0, 0, 3), id="0 to N"),
        pytest.param(outcome(0, 2, 2), (0, 3, 0), id="all drawn"),
        pytest.param(outcome(0, -4, -2), (0, 0, 3), id="all negative"),
    ],
)
def test_one_sided_results_are_told(
    tmp_path: Path, change: Change, verdict: tuple[int, int, int]
) -> None:
    settings = make_settings(2, boards=3)
    document = of_journal(tmp_path / "a.db", settings, entries(settings, change))
    assert_finite(document)
    margin = document["pairings"][0]["margins"][0]
    assert (margin["wins"], margin["draws"], margin["losses"]) == verdict
    (row,) = document["analysis"]["pairings"]
    assert (row["effect"], row["holm"]["significant"]) == (None, False)  # nothing varies


@pytest.mark.parametrize(
    "kept",
    [
        pytest.param(slice(0, 0), id="nothing"),
        pytest.param(slice(0, 1), id="half a board"),
        pytest.param(slice(1, None, 2), id="second tables"),
        pytest.param(slice(0, 2), id="an entrant without games"),
        pytest.param(slice(5, 6), id="one from the middle"),
    ],
)
def test_missing_tables_leave_it_finite(tmp_path: Path, kept: slice) -> None:
    settings = make_settings(3, boards=3)
    played = list(entries(settings, nothing))[kept]
    document = of_journal(tmp_path / "a.db", settings, played)
    assert_finite(document)
    assert document["games"]["played"] == len(played)
    assert f"{len(played)} of 18 games" in markdown(document)


def test_a_running_tournament_without_a_game_is_told(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "a.db", make_settings(2), SEED) as journal:
        assert_finite(report_document(journal, published_analysis))
