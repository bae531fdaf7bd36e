"""A short event with a crowd: nobody pays for what it did not do, and no game is lost."""

from pathlib import Path

from chaos.event import Event, play


def test_in_a_crowd_that_misbehaves_nobody_pays_for_what_it_did_not_do(tmp_path: Path) -> None:
    event = Event(
        games=1,  # a board a pairing
        seconds=60,
        tables=16,
        connections=36,
        drivers=1,
        strangers=3,
        move_timeout=2.0,
        grace=6.0,
    )
    outcome = play(event, tmp_path, lambda *_: None)
    assert outcome.ok, [check for check in outcome.checks if not check.ok]
    assert outcome.told.notes.deeds.total() > 50
