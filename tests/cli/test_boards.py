"""`pitch boards`: travellers agree with the records, and tell nothing before the end."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.running import pitch
from cli.tournaments import SETTINGS, changed, copied, finished, going_on
from pitch_server.plan.games import Plan
from pitch_server.store.journal import Journal
from pitch_server.store.rows import JournalEntry, State
from plan.making import make_settings
from verify.making import SEED, play


def rows(*arguments: str) -> list[dict[str, Any]]:
    result = pitch("boards", *arguments, "--json")
    assert result.exit_code == 0, result.output
    boards: list[dict[str, Any]] = json.loads(result.stdout)["boards"]
    return boards


def test_one_board_is_told_for_every_pairing_and_table(played: Path) -> None:
    found = rows(str(played), "--board", "2")
    assert [each["board"] for each in found] == [2, 2, 2]
    assert len({tuple(each["entrants"]) for each in found}) == 3
    with Journal.open(played) as journal:
        for each in found:
            one, other = each["tables"]
            assert one["seats"] == other["seats"][1:] + other["seats"][:1]
            assert one["dealt"] == other["dealt"]
            for table in each["tables"]:
                record = json.loads(journal.record(table["game"]) or "")
                assert record["x_board"] == 2
                assert table["seats"] == record["seats"]
                for told, hand in zip(table["hands"], record["hands"], strict=True):
                    if "result" in hand:
                        assert told["bid"] == hand["result"]["bid"]
                        assert told["entrant"] == record["seats"][hand["result"]["pitcher"]]


def test_margins_and_swings_are_those_of_the_tables(played: Path) -> None:
    for each in rows(str(played)):
        total = [
            sum(column) for column in zip(*(t["margins"] for t in each["tables"]), strict=True)
        ]
        assert [2 * margin for margin in each["margins"]] == total
        assert each["swing"] == max(total)


def test_the_worst_come_first_and_are_the_entrants_own(played: Path) -> None:
    found = rows(str(played), "--worst-for", "b", "--limit", "100")
    mine = [each["margins"][each["entrants"].index("b")] for each in found]
    assert mine == sorted(mine)
    assert len(mine) == 8
    assert rows(str(played), "--worst-for", "b", "--limit", "2") == found[:2]


def test_by_default_the_largest_swings_come_first(played: Path) -> None:
    swings = [each["swing"] for each in rows(str(played), "--limit", "12")]
    assert swings == sorted(swings, reverse=True)
    assert len(swings) == 12
    assert len(rows(str(played))) == 10


def test_people_see_the_same(played: Path) -> None:
    result = pitch("boards", str(played), "--board", "0")
    assert result.exit_code == 0
    assert result.stdout.count("Board 0: ") == 3
    assert "seat 0 dealt " in result.stdout
    assert "delta" in result.stdout


def test_before_the_end_it_is_refused_without_reveal(tmp_path: Path) -> None:
    file = str(going_on(tmp_path / "a.db"))
    for form in ((), ("--board", "0"), ("--json",)):
        result = pitch("boards", file, *form)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "say --reveal to show them" in result.stderr
    assert pitch("boards", file, "--reveal").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(("--board", "4"), "no whole board 4 that counts", id="beyond"),
        pytest.param(("--board", "-1"), "-1", id="below 0"),
        pytest.param(("--worst-for", "bb"), "no entrant is named 'bb'", id="nobody"),
        pytest.param(("--limit", "0"), "0", id="none"),
    ],
)
def test_bad_input_is_told(played: Path, arguments: tuple[str, ...], said: str) -> None:
    result = pitch("boards", str(played), *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_void_boards_and_boards_with_missing_tables_are_left_out(tmp_path: Path) -> None:
    settings = make_settings(2, boards=3)
    plan = Plan(settings)
    with Journal.create(tmp_path / "a.db", settings, SEED) as journal:
        entries = [play(settings, game, faulty=0) for game in plan]
        entries[0] = JournalEntry(entries[0].result._replace(void=True), entries[0].record)
        journal.append(entries[:5])
    found = rows(str(tmp_path / "a.db"), "--reveal")
    assert [each["board"] for each in found] == [1]
    result = pitch("boards", str(tmp_path / "a.db"), "--reveal", "--board", "2")
    assert result.exit_code == 2


def test_a_forfeited_table_and_whole_games_are_told(tmp_path: Path) -> None:
    from pitch_server.plan.settings import Unit

    settings = make_settings(2, boards=2, unit=Unit.GAME)
    file = finished(tmp_path / "a.db", settings)
    for each in rows(str(file)):
        assert all(len(table["hands"]) >= 1 for table in each["tables"])
    assert pitch("boards", str(file)).exit_code == 0


def test_nothing_played_has_no_boards(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "a.db", SETTINGS, SEED) as journal:
        assert journal.state() is State.RUNNING
    result = pitch("boards", str(tmp_path / "a.db"), "--reveal")
    assert (result.exit_code, result.stdout) == (0, "No whole board counts yet.\n")


@pytest.mark.parametrize("record", ["[", "{}", '{"hands": [{}], "first_dealer": 0}', "null"])
def test_a_record_that_is_none_is_named(played: Path, tmp_path: Path, record: str) -> None:
    file = copied(played, tmp_path / "a.db")
    changed(file, f"update records set record = '{record}'")
    result = pitch("boards", str(file))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is damaged: the record of game" in result.stderr


def test_a_swing_is_told_with_who_gained_it(played: Path) -> None:
    row = rows(str(played), "--limit", "1")[0]
    name = row["entrants"][row["margins"].index(max(row["margins"]))][0]
    first = pitch("boards", str(played), "--limit", "1").stdout.splitlines()[0]
    assert first.endswith(f"swing {row['swing']:g} to {name}, its 2 tables together")
