"""Certificates: how they are read, and which a tournament refuses, with its reason."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from checkup.certifying import certified
from pitch_server.checkup.certificate import Asked, certificate_problem, read_certificate
from pitch_server.config import ConfigError, read_config

ASKED = Asked(fingerprint=None, variant="pitch-ac", move_timeout=1.0, max_age_days=30)

CONFIG = """
name = "asked"
[checks]
certificate = "required"
max_age_days = 30
[variant]
name = "pitch-ac"
[[entrants]]
name = "one"
command = ["{python}", "one.py"]
certificate = "one.json"
[[entrants]]
name = "two"
command = ["{python}", "two.py"]
certificate = "two.json"
"""


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """A tournament whose two bots have good certificates."""
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(f"print({name!r})\n")
        document = certified((str(tmp_path / f"{name}.py"),), tmp_path, name=name)
        (tmp_path / f"{name}.json").write_text(json.dumps(document))
    file = tmp_path / "asked.toml"
    file.write_text(CONFIG)
    return file


def problems(file: Path) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read_config(file)
    return [str(problem) for problem in caught.value.problems]


def test_good_certificates_are_taken_and_leave_the_settings_as_they_are(event: Path) -> None:
    asked = read_config(event).settings
    event.write_text(CONFIG.replace('certificate = "required"', 'certificate = "optional"'))
    assert read_config(event).settings == asked


def test_each_entrant_needs_one_where_it_is_required(event: Path) -> None:
    event.write_text(CONFIG.replace('certificate = "two.json"\n', ""))
    (problem,) = problems(event)
    assert problem.startswith("entrants[1].certificate: missing; ")
    assert problem.endswith("pitch check BOT --certificate FILE")
    event.write_text(event.read_text().replace('"required"', '"optional"'))
    read_config(event)


def test_a_bot_that_has_changed_since_is_refused(event: Path) -> None:
    event.with_name("one.py").write_text("print('better')\n")
    (problem,) = problems(event)
    assert problem.startswith('entrants[0].certificate: got "one.json"; belongs to another bot')


def test_a_bot_with_other_options_is_refused(event: Path) -> None:
    event.write_text(CONFIG.replace('"two.py"]', '"two.py", "--bold"]'))
    (problem,) = problems(event)
    assert "entrants[1].certificate" in problem


def test_a_bot_that_connects_by_itself_is_not_asked_for_its_files(event: Path) -> None:
    event.write_text(CONFIG.replace('command = ["{python}", "two.py"]\n', ""))
    read_config(event, use="serve")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        pytest.param(None, "can't be read: No such file", id="absent"),
        pytest.param("{", "is no certificate that this version reads", id="no-json"),
        pytest.param("[1]", "is no certificate", id="no-object"),
        pytest.param('{"certificate": 2}', "is no certificate", id="other-format"),
        pytest.param('{"certificate": 1}', "something else than pitch check writes", id="empty"),
        pytest.param("[" * 100_000, "is no certificate", id="deep"),
        pytest.param(" " * (1 << 20) + "{}", "is no certificate", id="huge"),
    ],
)
def test_what_is_no_certificate_is_refused(event: Path, content: str | None, told: str) -> None:
    file = event.with_name("one.json")
    file.unlink() if content is None else file.write_text(content)
    (problem,) = problems(event)
    assert told in problem


def _aged(days: int) -> Callable[[dict[str, Any]], None]:
    then = datetime.now(UTC) + timedelta(days=days)
    return lambda document: document.update(date=then.strftime("%Y-%m-%dT%H:%M:%SZ"))


def _changed(**values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda document: document.update(values)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param(_changed(), None, id="good"),
        pytest.param(_aged(-29), None, id="of-late"),
        pytest.param(_aged(-31), "asked for are 30 days", id="old"),
        pytest.param(_aged(2), "asked for are 30 days", id="of-the-future"),
        pytest.param(_changed(date="soon"), "something else", id="no-date"),
        pytest.param(_changed(quick=True), "without --quick", id="quick"),
        pytest.param(_changed(passed="yes"), "was not passed; mend the bot", id="passed-in-words"),
        pytest.param(_changed(rules="0"), "other rules", id="rules"),
        pytest.param(_changed(variants=["ten-point"]), "--variant pitch-ac", id="variant"),
        pytest.param(_changed(move_timeout=5.0), "--move-timeout 1", id="time"),
        pytest.param(_changed(move_timeout=0.5), None, id="less-time"),
        pytest.param(_changed(move_timeout=None), "something else", id="no-time"),
    ],
)
def test_a_certificate_is_refused_with_its_reason(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], told: str | None
) -> None:
    document = certified(("bot",), tmp_path)
    change(document)
    problem = certificate_problem(document, ASKED, datetime.now(UTC))
    assert problem is None if told is None else told in (problem or "")


def test_a_failed_check_up_is_refused_by_the_name_of_the_check(tmp_path: Path) -> None:
    document = certified(("bot",), tmp_path, fails="memory")
    assert not document["passed"]
    problem = certificate_problem(document, ASKED, datetime.now(UTC))
    assert problem is not None
    assert "not passed (memory)" in problem


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    document = certified(("bot",), tmp_path)
    file = tmp_path / "c.json"
    file.write_text(json.dumps(document))
    assert read_certificate(file) == document
