"""The document: what may be told when, and that it is finite whatever was played."""

from pathlib import Path
from typing import Any

import pytest

from cli.tournaments import changed
from pitch_server.reporting.document import report_document
from pitch_server.reporting.page import page
from pitch_server.store.errors import Damaged
from pitch_server.store.journal import Journal
from plan.making import make_settings
from reporting.making import document_of, running_document
from verify.making import SEED, play_tournament


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


def test_a_record_that_does_not_replay_is_told_as_damage(tmp_path: Path) -> None:
    play_tournament(tmp_path / "a.db", make_settings(2))
    changed(tmp_path / "a.db", "UPDATE records SET record = '{}'")
    with Journal.open(tmp_path / "a.db") as journal, pytest.raises(Damaged, match="not replay"):
        report_document(journal)
