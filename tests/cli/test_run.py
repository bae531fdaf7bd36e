"""`pitch run`: new, same or other tournaments; previews; what stops it and what is said then."""

import os
import shlex
import signal
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from cli.running import LIMIT, command, pitch, pitch_process
from cli.tournaments import GAMES, commanded, config, finished, going_on
from pitch_server.plan.decks import commitment
from pitch_server.resuming import renew_bots
from pitch_server.store.errors import JournalError
from pitch_server.store.holding import hold_database
from pitch_server.store.journal import Journal, list_tournaments
from pitch_server.store.rows import JournalEntry, State
from plan.making import make_settings
from verify.making import SEED

TWO = commanded()  # two entrants, two boards, four games


def games_of(file: Path) -> list[int]:
    counts = []
    for row in list_tournaments(file):
        with Journal.open(file, row.id) as journal:
            counts.append(len(journal.played()))
    return counts


def names_in(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}


# --- previews -----------------------------------------------------------------------------------


def test_a_preview_shows_the_plan_and_makes_nothing(tmp_path: Path) -> None:
    result = pitch("run", config(tmp_path, make_settings(3, boards=4)), "--dry-run")
    assert (result.exit_code, result.stderr) == (0, "")
    facts = dict(line.split(maxsplit=1) for line in result.stdout.split("\n\n")[0].splitlines())
    assert facts["pairings"] == "3"
    assert facts["boards"] == "4 a pairing"
    assert facts["seatings"] == "2 a board"
    assert facts["games"] == str(GAMES)
    assert facts["processes"] == "2 an entrant, 6 at once"
    assert facts["tables"] == "8 games at once"
    assert facts["commitment"] == commitment(SEED)
    games = result.stdout.split("First games\n")[1].splitlines()
    assert games[0].split("  ") == [
        "game",
        "board",
        "dealer",
        "seat 0",
        "seat 1",
        "seat 2",
        "seat 3",
    ]
    assert games[1].split() == ["0", "0", "0", "b", "c", "b", "c"]
    assert games[7].split() == ["6", "1", "1", "b", "c", "b", "c"]
    assert names_in(tmp_path) == {"a.toml", "bot.py"}


@pytest.mark.parametrize(
    ("entrants", "form", "told"),
    [
        pytest.param(
            3,
            "boards = 4",
            {
                "rounds": "3 a board, of 1 pairings",
                "byes": "a in round 1, b in round 2, c in round 3",
                "games": "24",
            },
            id="round-robin",
        ),
        pytest.param(
            3,
            'kind = "gauntlet"\nchallengers = ["b"]\nboards = 4',
            {"pairings": "2", "games": "16"},
            id="gauntlet",
        ),
        pytest.param(
            5,
            'kind = "swiss"\nrounds = 2\nboards = 4',
            {
                "rounds": "2 of 2 pairings",
                "byes": "one a round; e in round 1",
                "later": "who meets from round 2 on follows from the rounds before",
                "games": "32",
            },
            id="swiss",
        ),
        pytest.param(
            3,
            'kind = "ladder"\nboards = 100\nbatch = 30',
            {
                "batches": "4 of 30 boards",
                "boards": "100 in all",
                "later": "who plays from batch 2 on follows from the ratings before",
                "games": "200",
            },
            id="ladder",
        ),
        pytest.param(
            5,
            'kind = "mixed"\nboards = 4',
            {
                "pairings": "5",
                "partners": "everybody is everybody's 1 times a board, and the opponent 2 times",
                "processes": "1 an entrant, 5 at once",
                "games": "40",
            },
            id="mixed",
        ),
        pytest.param(
            3,
            'boards = "until-separated"\nmax_boards = 1000\nerror_rate = 0.01',
            {
                "boards": "at most 1,000 a pairing, 20 at a time",
                "later": "which pairings play on follows from the boards before, "
                "with an error rate of 0.01 over all of them",
                "games": "at most 6,000",
            },
            id="until separated",
        ),
    ],
)
def test_a_preview_says_what_follows_from_results(
    tmp_path: Path, entrants: int, form: str, told: dict[str, str]
) -> None:
    result = pitch("run", config(tmp_path, make_settings(entrants), form=form), "--dry-run")
    assert (result.exit_code, result.stderr) == (0, "")
    facts = dict(line.split(maxsplit=1) for line in result.stdout.split("\n\n")[0].splitlines())
    assert facts | told == facts
    shown = result.stdout.split("First games\n")[1].splitlines()
    assert len(shown) == 9


def test_a_preview_of_a_thousand_million_boards_is_as_quick(tmp_path: Path) -> None:
    file = config(tmp_path, make_settings(4, boards=1_000_000_000), seed="")
    result = pitch("run", file, "--dry-run", "--tables", "99")
    assert result.exit_code == 0
    assert "12,000,000,000" in result.stdout
    assert "of a seed that is drawn at the start" in result.stdout
    assert "99 games at once" in result.stdout


def test_on_a_terminal_a_preview_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    result = pitch("run", config(tmp_path, TWO), "--dry-run")
    assert result.exit_code == 0
    assert "───" in result.stdout


def test_a_preview_says_what_a_run_would_find(tmp_path: Path) -> None:
    file = config(tmp_path, TWO)
    going_on(tmp_path / "a.db", TWO, 1)
    result = pitch("run", file, "--dry-run")
    assert "holds this tournament, a run goes on after 1 of its 4 games" in result.stdout
    assert "makes a new tournament" in pitch("run", file, "--dry-run", "--fresh").stdout
    other = pitch("run", config(tmp_path, commanded(boards=3)), "--dry-run")
    assert (other.exit_code, other.stdout) == (2, "")
    assert "differs in: format.boards." in other.stderr


def test_a_preview_refuses_a_place_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = config(tmp_path, TWO)
    access = os.access
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK and access(path, mode))
    result = pitch("run", file, "--dry-run")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "a.db can't be written" in result.stderr


# --- what the database holds --------------------------------------------------------------------


def test_a_finished_tournament_prints_its_table_again(tmp_path: Path) -> None:
    file = config(tmp_path, TWO)
    finished(tmp_path / "a.db", TWO)
    result = pitch("run", file)
    assert result.exit_code == 0
    assert result.stdout.startswith("test\n")
    assert "4 of 4 games played; complete" in result.stdout
    assert result.stderr.endswith("holds this tournament, which is over; --fresh plays it anew\n")
    assert "changed" not in result.stderr
    assert names_in(tmp_path) == {"a.toml", "bot.py", "a.db"}  # no lock, no logs


def test_the_table_of_a_bot_that_changed_since_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    file = config(tmp_path, TWO)
    with Journal.open(finished(tmp_path / "a.db", TWO)) as journal:
        renew_bots(journal, tmp_path, {})
        bot = tmp_path / "bot.py"
        bot.write_text(bot.read_text() + "# better\n")
        before = journal.entrants()
        result = pitch("run", file)
        assert journal.entrants() == before
    assert result.exit_code == 0
    assert result.stderr.count("bot.py changed since\n") == 2
    below = "warning: this is of bots that changed since; --fresh plays anew\n"
    assert result.stderr.endswith(below)


def test_another_tournament_is_refused_naming_what_differs(tmp_path: Path) -> None:
    finished(tmp_path / "a.db", TWO)
    file = config(tmp_path, commanded(boards=3), seed="another")
    result = pitch("run", file)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "holds another tournament; it differs in: format.boards, seed." in result.stderr
    assert "--fresh" in result.stderr
    assert games_of(tmp_path / "a.db") == [4]


def test_of_several_tournaments_the_same_one_is_taken(tmp_path: Path) -> None:
    finished(tmp_path / "a.db", TWO)
    finished(tmp_path / "a.db", commanded(boards=3))
    for boards, games in ((2, 4), (3, 6)):
        result = pitch("run", config(tmp_path, commanded(boards=boards)))
        assert f"{games} of {games} games played; complete" in result.stdout


def test_a_seed_that_is_not_given_is_any(tmp_path: Path) -> None:
    finished(tmp_path / "a.db", TWO)
    assert "complete" in pitch("run", config(tmp_path, TWO, seed="")).stdout


def test_a_database_in_which_another_process_plays_is_refused(tmp_path: Path) -> None:
    going_on(tmp_path / "a.db", TWO, 1)
    with hold_database(tmp_path / "a.db"):
        for result in (
            pitch("run", config(tmp_path, TWO)),
            pitch("run", config(tmp_path, TWO), "--fresh"),
            pitch("resume", str(tmp_path / "a.db")),
        ):
            assert (result.exit_code, result.stdout) == (2, "")
            assert "another process" in result.stderr
    assert games_of(tmp_path / "a.db") == [1]


@pytest.mark.parametrize("database", ["", "no/a.db", "mysql://x/y", "."])
def test_a_database_that_cannot_be_is_refused(tmp_path: Path, database: str) -> None:
    file = config(tmp_path, TWO)
    result = pitch("run", file, "--db", database)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: --db: got " in result.stderr
    assert names_in(tmp_path) == {"a.toml", "bot.py"}


# --- true games ---------------------------------------------------------------------------------


def test_a_run_says_what_it_plays_and_another_beside_it_gives_the_same(tmp_path: Path) -> None:
    file = config(tmp_path, TWO)
    (tmp_path / "a.db").touch()  # as a run leaves it that is killed at once
    first = pitch_process("run", file, "--tables", "2")
    assert first.returncode == 0
    told = first.stderr.decode().splitlines()
    assert told[0] == "test: 4 games, 2 at once"
    assert told[1].startswith("database ")
    assert "a.db.logs" in told[1]
    assert told[2] == f"commitment to the seed {commitment(SEED)}"
    fresh = pitch_process("run", file, "--fresh")
    assert fresh.stdout == first.stdout
    assert games_of(tmp_path / "a.db") == [4, 4]
    assert pitch("verify", str(tmp_path / "a.db")).exit_code == 0


def test_faults_point_to_the_logs(tmp_path: Path) -> None:
    file = config(tmp_path, TWO)
    (tmp_path / "bot.py").write_text("raise SystemExit('no bot today')")
    ended = pitch_process("run", file)
    assert ended.returncode == 1
    out = ended.stdout.decode()
    for log in ("01-a-1.log", "01-a-2.log", "02-b-1.log"):
        assert f"a.db.logs/{log}" in out
    assert "no bot today" in ended.stderr.decode()
    again = pitch("run", file)
    assert (again.exit_code, again.stdout) == (1, out)


def test_logs_that_cannot_be_kept_are_refused_before_anything_starts(tmp_path: Path) -> None:
    file = config(tmp_path, TWO)
    (tmp_path / "a.db.logs").touch()
    result = pitch("run", file)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "a.db.logs can't hold the logs of bots: File exists" in result.stderr
    assert games_of(tmp_path / "a.db") == [0]


def test_a_journal_that_fails_midway_keeps_what_is_in_and_is_status_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append, calls = Journal.append, []

    def fail_later(journal: Journal, entries: Any, checkpoint: Any = None) -> Any:
        calls.append(entries)
        if len(calls) > 1:
            raise JournalError("a.db can't grow: the disk is full")
        return append(journal, entries, checkpoint)

    monkeypatch.setattr(Journal, "append", fail_later)
    monkeypatch.chdir(tmp_path)
    result = pitch("run", config(tmp_path, commanded(boards=400)), "--tables", "3")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith(
        "stopped: a.db can't grow: the disk is full\ngo on with: pitch resume a.db --tables 3\n"
    )
    assert games_of(tmp_path / "a.db") == [len(calls[0])]


def test_a_tournament_that_is_closed_meanwhile_shows_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = Journal.append

    def close_then_append(
        journal: Journal, entries: Iterable[JournalEntry], checkpoint: Any = None
    ) -> Any:
        journal.end(State.CLOSED, {"digest": "d"})
        return append(journal, list(entries), checkpoint)

    monkeypatch.setattr(Journal, "append", close_then_append)
    result = pitch("run", config(tmp_path, commanded(boards=400)))
    assert "the tournament is closed" in result.stderr
    assert "0 of 800 games played; not complete" in result.stdout


def test_ctrl_c_while_starting_is_130(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pitch_server.config.read_config", stop)
    assert pitch("run", config(tmp_path, TWO)).exit_code == 130


def started(*arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_the_state_and_tells_the_command_that_goes_on(
    tmp_path: Path, number: signal.Signals
) -> None:
    settings = commanded(boards=1000)
    with started("run", config(tmp_path, settings), "--tables", "3") as process:
        assert process.stderr is not None
        lines = iter(process.stderr)
        told = next(line for line in lines if line.startswith("commitment"))
        process.send_signal(number)
        out, told = process.communicate(timeout=LIMIT)
    assert (process.returncode, out) == (128 + number, "")
    last = told.splitlines()[-1]
    assert last.startswith("go on with: pitch resume ")
    assert last.endswith("--tables 3")
    words = shlex.split(last.partition(": ")[2])
    assert Path(words[2]).resolve() == tmp_path / "a.db"
    assert games_of(tmp_path / "a.db")[0] < 2000


def test_messages_that_nobody_reads_stop_nothing(tmp_path: Path) -> None:
    with started("run", config(tmp_path, TWO)) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        process.stderr.close()
        assert "4 of 4 games played; complete" in process.stdout.read()
        assert process.wait(LIMIT) == 0


@pytest.mark.parametrize("command", ["run", "serve", "token"])
def test_a_config_that_is_not_there_is_told_with_what_may_be_meant(
    tmp_path: Path, command: str
) -> None:
    config(tmp_path, TWO)
    more = ["ann"] if command == "token" else []
    missing = pitch(command, str(tmp_path / "b.toml"), *more)
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert missing.stderr == (
        f"Error: {tmp_path / 'b.toml'} is not there; expected a file that describes a tournament; "
        f"did you mean {tmp_path / 'a.toml'}?\n"
    )
    folder = pitch(command, str(tmp_path), *more)
    assert "is a folder; expected a file that describes a tournament" in folder.stderr
    nothing = pitch(command, "x" * 300, *more)
    assert (nothing.exit_code, "can't be looked at" in nothing.stderr) == (2, True)
