from dataclasses import replace
from pathlib import Path

from pitch_server.plan.settings import EntrantSettings
from pitch_server.published import published_standings
from pitch_server.steward import Steward
from pitch_server.store.journal import Journal
from pitch_server.store.rows import State
from plan.making import make_settings


def test_it_tells_what_others_have_changed_once(tmp_path: Path) -> None:
    settings = replace(make_settings(3), entrants=tuple(map(_remote, "abc")))
    with Journal.create(tmp_path / "a.db", settings, "a seed") as journal:
        steward = Steward(journal)
        assert steward.look() == ({}, frozenset(), State.RUNNING)
        with Journal.open(tmp_path / "a.db") as other:
            other.set_token_hash("b", "00" * 32)
            other.withdraw("c")
        assert steward.look() == ({"b": "00" * 32}, frozenset("c"), State.RUNNING)
        assert steward.look() == ({}, frozenset(), State.RUNNING)
        journal.end(State.CLOSED, published_standings(journal, revealed=True))
        assert steward.look().state is State.CLOSED


def _remote(name: str) -> EntrantSettings:
    return EntrantSettings(name=name)
