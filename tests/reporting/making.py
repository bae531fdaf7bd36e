"""Tournaments and documents for the tests of reports; names that no form may stumble over."""

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from pitch.table.faults import FaultPolicy
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import EntrantSettings, Settings
from pitch_server.published import published_analysis
from pitch_server.reporting.document import report_document
from pitch_server.store.journal import Journal
from plan.making import make_settings
from verify.making import SEED, play, play_tournament

NASTY = (
    "</script><script>alert(1)</script>",
    '=HYPERLINK("http://x.example","1")',
    "\u05e9\u05dc\u05d5\u05dd | 100%",
    "\U0001f3b2 *bold*, 'quoted'",
    "-2+3 `code` #1 | ~x~ $y$",
    "@sum :smile: http://x.example [a](b) &lt;",
    "W" * 64,
)


def nasty_settings(**others: Any) -> Settings:
    """Settings of entrants with such names, and of a tournament with one."""
    plain = make_settings(len(NASTY), faults=FaultPolicy(max_faults=3), **others)
    entrants = tuple(EntrantSettings(name=name) for name in NASTY)
    return replace(plain, name='<img src=x onerror="alert(1)">', entrants=entrants)


def document_of(file: Path, settings: Settings, *, analysis: bool = True) -> dict[str, Any]:
    """The document of a tournament that is played to its end in a new database."""
    play_tournament(file, settings)
    return document(file, analysis=analysis)


def running_document(file: Path, settings: Settings, games: int) -> dict[str, Any]:
    """The document of a tournament that goes on, with so many games played."""
    with Journal.create(file, settings, SEED) as journal:
        journal.append([play(settings, game) for game in islice(Plan(settings), games)])
        return report_document(journal)


def document(file: Path, *, analysis: bool = True) -> dict[str, Any]:
    """The document of a database's tournament."""
    with Journal.open(file) as journal:
        return (
            report_document(journal, published_analysis) if analysis else report_document(journal)
        )
