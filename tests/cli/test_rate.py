"""`pitch rate`: one tournament alone is its standings; several go on from one another."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli.running import pitch
from cli.tournaments import SETTINGS, copied, finished, going_on
from pitch_server.plan.settings import EntrantSettings, FormatKind, Unit
from pitch_server.store.journal import Journal
from plan.making import make_settings


def named(names: Sequence[str], boards: int = 4, **others: Any) -> Any:
    settings = make_settings(len(names), boards=boards, **others)
    return replace(settings, entrants=tuple(EntrantSettings(name=name) for name in names))


def rated(*files: Path) -> dict[str, Any]:
    result = pitch("rate", *map(str, files), "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_one_tournament_alone_is_rated_as_its_standings_are(played: Path) -> None:
    found = rated(played)
    table = json.loads(pitch("standings", str(played), "--json", "--analysis").stdout)
    assert [(row["name"], row["trueskill"]) for row in found["entrants"]] == [
        (row["name"], row["trueskill"]) for row in table["entrants"]
    ]
    ratings = {row["name"]: row["rating"] for row in table["analysis"]["ratings"]}
    assert {row["name"]: row["rating"] for row in found["entrants"]} == pytest.approx(ratings)
    assert found["note"] is None


def test_entrants_are_the_same_by_name_and_order_counts_for_trueskill_alone(
    tmp_path: Path,
) -> None:
    one = finished(tmp_path / "1.db", named("abc"))
    two = finished(tmp_path / "2.db", named("cbd", boards=6))
    there, back = rated(one, two), rated(two, one)
    rows = {row["name"]: row for row in there["entrants"]}
    assert set(rows) == {"a", "b", "c", "d"}
    assert (rows["b"]["tournaments"], rows["a"]["tournaments"]) == (2, 1)
    assert (rows["b"]["boards"], rows["a"]["boards"]) == (8 + 12, 8)
    others = {row["name"]: row for row in back["entrants"]}
    for name, row in rows.items():
        assert row["rating"] == pytest.approx(others[name]["rating"])
        assert row["standard_error"] == pytest.approx(others[name]["standard_error"])
    assert any(row["trueskill"] != others[name]["trueskill"] for name, row in rows.items())


def test_entrants_who_never_met_are_of_different_groups(tmp_path: Path) -> None:
    one = finished(tmp_path / "1.db", named("ab"))
    two = finished(tmp_path / "2.db", named("xy", boards=5))
    found = rated(one, two)
    groups = {row["name"]: row["group"] for row in found["entrants"]}
    assert groups["a"] == groups["b"] != groups["x"] == groups["y"]
    assert "group" in pitch("rate", str(one), str(two)).stdout


def test_margins_of_different_units_are_not_added_up(tmp_path: Path) -> None:
    one = finished(tmp_path / "1.db", named("ab"))
    two = finished(tmp_path / "2.db", named("ab", boards=2, unit=Unit.GAME))
    found = rated(one, two)
    assert found["note"] == (
        "order-free ratings count points per board of 2 sides and 4 points; left out of them: "
        f"{two} counts wins less losses per game of 2 sides"
    )
    assert [each["order_free"] for each in found["tournaments"]] == [True, False]
    alone = {row["name"]: row["rating"] for row in rated(one)["entrants"]}
    assert {row["name"]: row["rating"] for row in found["entrants"]} == alone
    assert [row["boards"] for row in found["entrants"]] == [6, 6]
    assert found["entrants"][0]["tournaments"] == 2
    three = finished(tmp_path / "3.db", named("ab", boards=3, unit=Unit.GAME))
    found = rated(one, two, three)
    assert found["note"].startswith(
        "order-free ratings count wins less losses per game of 2 sides;"
    )
    assert f"{one} counts points per board" in found["note"]


def test_partners_are_rated_by_themselves_and_one_among_others_is_named(tmp_path: Path) -> None:
    mixed = finished(tmp_path / "mixed.db", named("abcd", form={"kind": FormatKind.MIXED}))
    alone = rated(mixed)
    assert alone["note"] is None
    assert all(row["rating"] is not None for row in alone["entrants"])
    table = json.loads(pitch("standings", str(mixed), "--json", "--analysis").stdout)
    ratings = {row["name"]: row["rating"] for row in table["analysis"]["ratings"]}
    assert {row["name"]: row["rating"] for row in alone["entrants"]} == pytest.approx(ratings)
    one = finished(tmp_path / "1.db", named("abc"))
    two = finished(tmp_path / "2.db", named("abc", boards=5))
    found = rated(mixed, one, two)
    assert found["note"].endswith(
        f"left out of them: {mixed} counts points per board of 2 sides and 4 points, each of 2 "
        "entrants"
    )
    rows = {row["name"]: row for row in found["entrants"]}
    assert rows["d"]["rating"] is None
    assert None not in (rows[name]["rating"] for name in "abc")
    shown = pitch("rate", *map(str, (mixed, one, two))).stdout
    assert "3 tournaments, by" in shown
    assert "left out of them" in shown
    assert "order-free: points per board" in shown


def test_one_tournament_is_one(played: Path) -> None:
    assert pitch("rate", str(played)).stdout.startswith("1 tournament, by")


def test_a_name_is_one_however_its_accents_are_written(tmp_path: Path) -> None:
    one = finished(tmp_path / "1.db", named(("Zo\u00eb", "b")))
    two = finished(tmp_path / "2.db", named(("Zoe\u0308", "b"), boards=5))
    rows = {row["name"]: row for row in rated(one, two)["entrants"]}
    assert set(rows) == {"Zo\u00eb", "b"}
    assert rows["Zo\u00eb"]["tournaments"] == 2


def test_a_bot_whose_file_is_another_one_is_named(tmp_path: Path) -> None:
    files = [finished(tmp_path / f"{at}.db", named("ab", boards=3 + at)) for at in (1, 2, 3)]
    for file, digest in zip(files, ("1" * 64, "2" * 64, None), strict=True):
        with Journal.open(file) as journal:
            known = None if digest is None else json.dumps({"rule_bot.py": digest})
            journal.set_command("a", ["rule_bot.py"], known)
    result = pitch("rate", *map(str, files))
    assert result.exit_code == 0
    assert result.stderr == (
        f"a: rule_bot.py of {files[1]} is another file than in {files[0]}; they are rated as one "
        "entrant\n"
    )


def test_one_that_goes_on_counts_by_its_finished_prefix(tmp_path: Path) -> None:
    found = rated(going_on(tmp_path / "a.db", SETTINGS, games=7))
    assert sum(row["boards"] for row in found["entrants"]) == 6
    nothing = rated(going_on(tmp_path / "b.db", SETTINGS, games=0))
    assert all(row["rating"] is None for row in nothing["entrants"])


def test_a_tournament_is_not_taken_twice(played: Path, tmp_path: Path) -> None:
    result = pitch("rate", str(played), str(copied(played, tmp_path / "b.db")))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is the same tournament as" in result.stderr


def test_a_file_that_is_none_is_told(played: Path, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("text")
    for file in ("text.db", "no.db"):
        result = pitch("rate", str(played), str(tmp_path / file))
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.count("\n") == 1
    assert pitch("rate").exit_code == 2
