"""`pitch standings`: the contract of its JSON, its exit statuses, reading while others write."""

import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cli.running import command, pitch
from cli.tournaments import GAMES, SETTINGS, changed, copied, finished, going_on
from pitch_server.plan.games import Plan
from pitch_server.store.holding import hold_database
from pitch_server.store.journal import Journal
from pitch_server.store.rows import JournalEntry
from verify.making import SEED, play

NUMBER = (int, float)
FAULTS = ("timeout", "illegal", "malformed", "disconnect", "absent")
SHAPE: dict[str, Any] = {
    "tournament": str,
    "variant": {"name": str},
    "seed": str,
    "commitment": str,
    "digest": str,
    "complete": bool,
    "isolation": str,
    "games": dict.fromkeys(("planned", "played", "rated", "forfeited", "void"), int),
    "entrants": [
        {
            "rank": int,
            "name": str,
            "games": int,
            "wins": int,
            "draws": int,
            "losses": int,
            "points_per_board": NUMBER,
            "trueskill": dict.fromkeys(("mu", "sigma", "conservative"), NUMBER),
            "faults": dict.fromkeys(FAULTS, int),
        }
    ],
    "pairings": [
        {
            "entrants": [str],
            "boards": int,
            "void": int,
            "margins": [
                {
                    "name": str,
                    "mean": NUMBER,
                    "sd": NUMBER,
                    "standard_error": NUMBER,
                    "ci95": [NUMBER],
                    "wins": int,
                    "draws": int,
                    "losses": int,
                }
            ],
        }
    ],
}


def assert_shape(value: Any, shape: Any, where: str = "") -> None:
    """The value has all that the shape has; objects may have more (cli.md, "may add")."""
    if isinstance(shape, dict):
        assert isinstance(value, dict), where
        for key, inner in shape.items():
            assert key in value, f"{where}.{key}"
            assert_shape(value[key], inner, f"{where}.{key}")
    elif isinstance(shape, list):
        assert isinstance(value, list), where
        assert value, where
        for index, item in enumerate(value):
            assert_shape(item, shape[0], f"{where}[{index}]")
    else:
        assert isinstance(value, shape), f"{where} is {value!r}"
        assert type(value) is bool or shape is not bool, where


def as_json(*arguments: str) -> Any:
    return json.loads(pitch("standings", "--json", *arguments).stdout)


def test_json_is_of_the_contract_key_by_key(played: Path) -> None:
    table = as_json(str(played))
    assert_shape(table, SHAPE)
    top = {*SHAPE, "closed"} if "closed" in table else set(SHAPE)
    assert set(table) == top
    assert (table["tournament"], table["complete"], table["isolation"]) == ("test", True, "seats")
    assert table["games"]["planned"] == table["games"]["played"] == GAMES
    assert [row["rank"] for row in table["entrants"]] == [1, 2, 3]
    assert {row["name"] for row in table["entrants"]} == set(SETTINGS.names)
    assert [pairing["boards"] for pairing in table["pairings"]] == [4, 4, 4]
    assert all(len(each["ci95"]) == 2 for pair in table["pairings"] for each in pair["margins"])


def test_the_seed_is_told_at_the_end_and_not_before(played: Path, tmp_path: Path) -> None:
    table = as_json(str(played))
    assert table["seed"] == SEED
    assert table["commitment"] == hashlib.sha256(SEED.encode()).hexdigest()
    file = str(going_on(tmp_path / "b.db"))
    table = as_json(file)
    assert (table["seed"], table["complete"], table["games"]["played"]) == (None, False, 5)
    assert SEED not in pitch("standings", file).output


def test_the_same_journal_gives_the_same_bytes(played: Path, tmp_path: Path) -> None:
    other = copied(played, tmp_path / "other name.db")
    for form in ((), ("--json",)):
        one, two = pitch("standings", str(played), *form), pitch("standings", str(other), *form)
        assert one.exit_code == two.exit_code == 0
        assert one.stdout_bytes == two.stdout_bytes
        assert one.stderr == ""


def test_it_reads_only_also_while_another_process_plays(tmp_path: Path) -> None:
    file = going_on(tmp_path / "a.db")
    with hold_database(file):
        before = file.read_bytes()
        result = pitch("standings", str(file))
        assert file.read_bytes() == before
    assert result.exit_code == 0
    assert "5 of 24 games played; not complete" in result.stdout


@pytest.mark.parametrize(
    ("change", "status"),
    [
        pytest.param({}, 0, id="nothing"),
        pytest.param({"void": True}, 1, id="void"),
        pytest.param(
            {"forfeits": ((0, "absent"),), "faults": ((0, "absent", 1),)}, 1, id="absence"
        ),
        pytest.param(
            {"forfeits": ((0, "timeout"),), "faults": ((0, "timeout", 1),)}, 0, id="timeouts"
        ),
    ],
)
def test_status_1_says_that_something_is_to_be_looked_at(
    tmp_path: Path, change: dict[str, Any], status: int
) -> None:
    with Journal.create(tmp_path / "a.db", SETTINGS, SEED) as journal:
        entry = play(SETTINGS, Plan(SETTINGS)[0], faulty=0)
        journal.append([JournalEntry(entry.result._replace(**change), entry.record)])
    assert pitch("standings", str(tmp_path / "a.db")).exit_code == status
    assert pitch("standings", str(tmp_path / "a.db"), "--json").exit_code == status


def test_one_of_several_tournaments_is_chosen_by_its_number(tmp_path: Path) -> None:
    file = str(finished(going_on(tmp_path / "a.db")))
    assert as_json(file)["complete"]
    assert as_json(file, "--tournament", "2")["complete"]
    assert not as_json(file, "--tournament", "1")["complete"]
    result = pitch("standings", file, "--tournament", "3")
    assert result.exit_code == 2
    assert "holds no tournament 3; there are 2" in result.stderr


@pytest.mark.parametrize("command", ["standings", "export", "verify", "resume"])
@pytest.mark.parametrize(
    ("name", "hint"),
    [
        pytest.param("demp.db", "no file of that name, no database; did you mean", id="misspelt"),
        pytest.param("xyzzy", "no file of that name", id="nothing near"),
        pytest.param("no/demo.db", "a directory that exists", id="no directory"),
        pytest.param("text.db", "is not a database of ours", id="no database"),
        pytest.param("empty.db", "holds no tournament", id="empty"),
        pytest.param("loop.db", "no file of that name", id="a link to itself"),
        pytest.param("a" * 300, "File name too long", id="a name that cannot be"),
        pytest.param("", "expected a path", id="no name"),
        pytest.param("mysql://x/y", "expected sqlite or postgresql", id="another kind"),
        pytest.param("postgresql+nosuch://u:secret@h/d", "needs a driver", id="no driver"),
    ],
)
def test_a_database_that_cannot_be_read_is_status_2_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, name: str, hint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo.db").touch()
    (tmp_path / "empty.db").touch()
    (tmp_path / "loop.db").symlink_to("loop.db")
    (tmp_path / "text.db").write_text("text " * 1000)
    result = pitch(command, name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert hint in result.stderr
    assert result.stderr.count("\n") == 1
    assert "secret" not in result.stderr


def test_a_database_may_be_named_by_url(played: Path) -> None:
    assert as_json(f"sqlite:///{played}") == as_json(str(played))


def test_the_analysis_comes_beside_the_contract(played: Path) -> None:
    table = as_json(str(played), "--analysis")
    assert {"analysis", "format", "byes"} <= set(table)
    assert {key: table[key] for key in SHAPE} == as_json(str(played))
    rows = table["analysis"]["play"]
    assert sum(row["hands"] for row in rows) == 2 * sum(row["hands_pitched"] for row in rows) > 0
    shown = pitch("standings", str(played), "--analysis")
    assert shown.exit_code == 0
    for title in ("luck removed", "Order-free rating", "Bids and points", "Holm"):
        assert title in shown.stdout


def test_games_that_only_their_records_tell_of_are_counted_alike(
    played: Path, tmp_path: Path
) -> None:
    file = changed(copied(played, tmp_path / "a.db"), "update games set play = null")
    assert as_json(str(file), "--analysis") == as_json(str(played), "--analysis")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param(
            "update records set record = '['", "the record of game 3 can't be read", id="no JSON"
        ),
        pytest.param(
            'update records set record = \'{"seats": ["x"]}\'',
            "game 3 has no record of this variant",
            id="no record",
        ),
        pytest.param(
            "update games set play = '[[9,3,true,[0,0,0,0]]]'", "no hand of this variant", id="seat"
        ),
        pytest.param("update games set play = '[3]'", "expected hands of four values", id="play"),
        pytest.param("update games set play = x'00'", "the play of game 3 is no text", id="bytes"),
    ],
)
def test_what_cannot_be_read_of_a_games_hands_is_named(
    played: Path, tmp_path: Path, change: str, told: str
) -> None:
    file = changed(
        copied(played, tmp_path / "a.db"), "update games set play = null where number = 3"
    )
    changed(file, f"{change} where number = 3")
    result = pitch("standings", str(file), "--analysis", "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr
    assert pitch("standings", str(file), "--json").exit_code == 0


def test_a_reader_who_went_away_ends_the_command_as_any_program(tmp_path: Path) -> None:
    journal = finished(tmp_path / "a.db")
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as gone:
        ended = subprocess.run(
            command("standings", str(journal)),
            stdout=gone,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (141, b"")
