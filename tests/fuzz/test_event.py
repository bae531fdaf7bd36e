"""A short event under fire: nothing that is sent to the port changes honest bots' games."""

from pathlib import Path

from fuzz.event import play


def test_whatever_is_sent_to_the_port_changes_no_honest_game(tmp_path: Path) -> None:
    outcome = play(tmp_path, 10, attackers=1)
    assert outcome.ok, [check for check in outcome.checks if not check.ok]
    assert outcome.attacks.total() > 50
