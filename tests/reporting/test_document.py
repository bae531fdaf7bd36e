"""The document: what may be told when, and that it is finite whatever was played."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli.tournaments import changed
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import Settings
from pitch_server.reporting.csv_files import csv_files
from pitch_server.reporting.document import report_document
from pitch_server.reporting.markdown import markdown
from pitch_server.reporting.page import page
from pitch_server.store.errors import Damaged
from pitch_server.store.journal import Journal
from pitch_server.store.rows import JournalEntry
from plan.making import make_settings
from reporting.analysed import analysed
from reporting.making import document_of, running_document
from verify.making import SEED, play, play_tournament


def test_while_it_goes_on_no_card_and_no_seed_is_told(tmp_path: Path) -> None:
    document = running_document(tmp_path / "a.db", make_settings(3, boards=30), 40)
    assert (document["complete"], document["seed"], document["travellers"]) == (False, None, [])
    text = page(document, {})
    assert SEED not in text
    assert "Not complete: 40 of 180 games are played." in text
    assert 'id="boards"' not in text


def test_faults_come_in_groups_with_their_verdict(nasty: dict[str, Any]) -> None:
    groups = nasty["fault_groups"]
    counted = sum(sum(row["faults"].values()) for row in nasty["entrants"])
    assert sum(group["count"] for group in groups) == counted > 0
    assert {group["kind"] for group in groups} == {"timeout", "illegal"}
    assert {group["verdict"] for group in groups} <= {"bot", "network", "unclear"}


def test_the_same_journal_gives_the_same_bytes(tmp_path: Path) -> None:
    settings = make_settings(3)
    texts = [
        page(document_of(tmp_path / name, settings, analysis=False), {})
        for name in ("a.db", "another name.db")
    ]
    assert texts[0] == texts[1]


def won(settings: Settings, file: Path, **change: Any) -> None:
    """A tournament whose every game ends alike."""
    with Journal.create(file, settings, SEED) as journal:
        for game in Plan(settings):
            entry = play(settings, game, faulty=0)
            journal.append([JournalEntry(entry.result._replace(**change), entry.record)])


@pytest.mark.parametrize(
    ("boards", "change"),
    [
        pytest.param(1, {}, id="one board"),
        pytest.param(3, {"scores": (0, 0), "winner": None}, id="no spread, all drawn"),
        pytest.param(3, {"void": True}, id="all void"),
        pytest.param(
            3, {"forfeits": ((0, "timeout"),), "faults": ((0, "timeout", 3),)}, id="all forfeited"
        ),
    ],
)
def test_every_form_is_finite_whatever_was_played(
    tmp_path: Path, boards: int, change: dict[str, Any]
) -> None:
    won(make_settings(3, boards=boards), tmp_path / "a.db", **change)
    with Journal.open(tmp_path / "a.db") as journal:
        document = report_document(journal, analysed)
    assert_finite(document)


def test_every_form_is_finite_before_the_first_game(tmp_path: Path) -> None:
    assert_finite(running_document(tmp_path / "a.db", make_settings(2), 0))


def assert_finite(document: dict[str, Any]) -> None:
    json.dumps(document, allow_nan=False)
    body = page(document, {}).partition("<body>")[2].partition("<script")[0]
    for text in (body, markdown(document), *csv_files(document).values()):
        assert not re.search(r"\b(nan|inf|None|undefined)\b", text)


def test_a_record_that_does_not_replay_is_told_as_damage(tmp_path: Path) -> None:
    play_tournament(tmp_path / "a.db", make_settings(2))
    changed(tmp_path / "a.db", "UPDATE records SET record = '{}'")
    with Journal.open(tmp_path / "a.db") as journal, pytest.raises(Damaged, match="not replay"):
        report_document(journal)
