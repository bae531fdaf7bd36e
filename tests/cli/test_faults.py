"""`pitch faults`: each fault explained, cards hidden before the end, crashes of ours told."""

import json
import sqlite3
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from cli.running import pitch
from cli.tournaments import SETTINGS, changed, copied
from pitch_server.plan.games import Plan
from pitch_server.store.journal import Journal
from pitch_server.store.rows import FaultEvidence
from verify.making import SEED, play

NAMES = SETTINGS.names
TIMEOUT = FaultEvidence(
    seat=1,
    kind="timeout",
    question=4,
    time_limit=1.0,
    measured=1.3,
    queued=0.001,
    reported=0.05,
    lag=0.0,
    came="no answer",
    legal="play AS, play 2C",
    played="play 2C",
    wire=0.0001,
    waited=1.4,
    verdict="network",
)
ERROR = FaultEvidence(
    seat=0,
    kind="error",
    question=2,
    came="KeyError: \x1b[31m7",
    legal="pass, bid 2",
    output="Traceback:\n  line 3\nKeyError: 7",
    verdict="bot",
)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament that goes on, with faults in its first games and an exception of ours."""
    file = tmp_path_factory.mktemp("faulty") / "a.db"
    with Journal.create(file, SETTINGS, SEED) as journal:
        games = [play(SETTINGS, game, faulty=0) for game in islice(Plan(SETTINGS), 6)]
        journal.append(
            [
                entry._replace(evidence=(TIMEOUT, ERROR) if number == 0 else (TIMEOUT,))
                for number, entry in enumerate(games)
            ]
        )
        journal.note_crash(3, 0, "Traceback (most recent call last):\nZeroDivisionError: ours\n")
    return file


def document(*arguments: str) -> Any:
    result = pitch("faults", *arguments, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def seats(number: int) -> tuple[int, ...]:
    return Plan(SETTINGS)[number].seats


def test_a_summary_comes_first_and_groups_are_explained_with_an_example(faulty: Path) -> None:
    result = pitch("faults", str(faulty), "--reveal")
    assert (result.exit_code, result.stderr) == (0, "")
    summary, *details = result.stdout.split("\n\n")
    head, *rows = [line.split() for line in summary.splitlines()]
    assert head == ["entrant", "fault", "whose", "count"]
    assert sum(int(row[-1]) for row in rows) == 7
    assert [NAMES[seats(0)[0]], "error", "bot", "1"] in rows
    (error,) = [text for text in details if ": error, once" in text]
    assert "KeyError: \N{REPLACEMENT CHARACTER}[31m7" in error
    assert "\x1b" not in result.stdout
    assert "    KeyError: 7" in error
    assert "in game 0, seat 0, decision 2" in error
    assert f"look at: pitch why {faulty} 0 --decision 2" in error
    late = next(text for text in details if ": timeout, " in text)
    assert "it took 1.300 s of 1.000 s, the bot says 50 ms; the referee played play 2C" in late
    assert "network: its SDK says that it thought 50 ms only" in late
    assert "1 ms in queue, 0.1 ms to the wire, 1.400 s until" in late
    assert "legal was: play AS, play 2C" in late


def test_before_the_end_no_card_is_told_unless_revealed(faulty: Path) -> None:
    hidden = pitch("faults", str(faulty)).stdout
    assert "--reveal tells them" in hidden
    assert "a default action" in hidden
    for secret in ("AS", "2C", "KeyError", "bid 2"):
        assert secret not in hidden
        assert secret not in pitch("faults", str(faulty), "--json").stdout
        assert secret in pitch("faults", str(faulty), "--reveal", "--json").stdout


def test_after_the_end_everything_is_told(faulty: Path, tmp_path: Path) -> None:
    over = changed(copied(faulty, tmp_path / "b.db"), "UPDATE tournaments SET state = 'closed'")
    assert "play 2C" in pitch("faults", str(over)).stdout
    assert document(str(over))["cards_hidden"] is False


def test_an_exception_of_ours_is_told_with_its_game(faulty: Path) -> None:
    text = pitch("faults", str(faulty)).stdout
    assert "game 3 met an exception of the server at attempt 1; no bot is charged" in text
    assert "    ZeroDivisionError: ours" in text
    (crash,) = document(str(faulty))["crashes"]
    assert (crash["game"], crash["attempt"]) == (3, 0)
    assert document(str(faulty), "--game", "2")["crashes"] == []


def test_json_has_every_fault_with_all_that_was_measured(faulty: Path) -> None:
    found = document(str(faulty), "--reveal")
    assert found["tournament"] == SETTINGS.name
    assert [fault["game"] for fault in found["faults"]] == [0, 0, 1, 2, 3, 4, 5]
    first = found["faults"][0]
    assert {key: first[key] for key in TIMEOUT._asdict()} == TIMEOUT._asdict()
    assert first["entrant"] == NAMES[seats(0)[1]]
    assert first["reason"].startswith("its SDK says")
    assert first["explanation"].startswith("no answer came within the limit")
    assert sum(row["count"] for row in found["summary"]) == 7
    assert len(document(str(faulty), "--limit", "2")["faults"]) == 2


def test_faults_are_chosen_by_entrant_kind_and_game(faulty: Path) -> None:
    name = NAMES[seats(0)[1]]
    mine = [number for number in range(6) if NAMES[seats(number)[1]] == name]
    chosen = document(str(faulty), "--entrant", name, "--kind", "timeout")["faults"]
    assert [fault["game"] for fault in chosen] == mine
    assert [fault["kind"] for fault in document(str(faulty), "--game", "0")["faults"]] == [
        "timeout",
        "error",
    ]


def test_a_name_that_is_misspelt_gets_a_suggestion(faulty: Path) -> None:
    result = pitch("faults", str(faulty), "--entrant", NAMES[0][:-1] + "x")
    assert result.exit_code == 2
    assert f"did you mean {NAMES[0]!r}?" in result.stderr or "there are" in result.stderr


def test_without_faults_it_says_so(faulty: Path) -> None:
    result = pitch("faults", str(faulty), "--kind", "malformed", "--game", "0")
    assert (result.exit_code, result.stdout) == (0, "no faults\n")
    assert document(str(faulty), "--kind", "malformed")["faults"] == []


def test_a_limit_tells_how_many_are_left(faulty: Path) -> None:
    text = pitch("faults", str(faulty), "--limit", "1").stdout
    assert "more kinds of fault; --limit N shows more of them" in text


def test_evidence_without_measurements_is_explained_all_the_same(
    faulty: Path, tmp_path: Path
) -> None:
    def forget(connection: sqlite3.Connection) -> None:
        empty = [name for name in FaultEvidence._fields if name not in ("seat", "kind")]
        connection.execute(f"UPDATE faults SET {', '.join(f'{name} = NULL' for name in empty)}")

    old = changed(copied(faulty, tmp_path / "old.db"), forget)
    text = pitch("faults", str(old), "--reveal").stdout
    assert "unclear: nothing is known of its connection" in text
    assert document(str(old))["faults"][0]["verdict"] == "unclear"


def test_where_bots_were_launched_the_output_is_pointed_to(faulty: Path, tmp_path: Path) -> None:
    file = copied(faulty, tmp_path / "a.db")
    changed(file, "UPDATE entrants SET command = '[\"x\"]'")
    (tmp_path / "a.db.logs").mkdir()
    assert "a.db.logs" in pitch("faults", str(file)).stdout
