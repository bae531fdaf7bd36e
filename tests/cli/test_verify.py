"""`pitch verify`: what it says of a tournament as it was played, and of a changed one."""

import json
import re
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cli.running import pitch
from cli.tournaments import GAMES, changed, copied, going_on
from pitch_server.store.journal import Journal


def test_a_tournament_as_it_was_played_is_ok(played: Path) -> None:
    result = pitch("verify", str(played))
    with Journal.open(played) as journal:
        digest, _ = journal.final_digests()
        assert result.stdout.splitlines() == [
            "tournament  test",
            f"games       {GAMES} of {GAMES} recomputed and equal",
            f"commitment  {journal.commitment}",
            f"digest      {digest}",
            "ok",
        ]
    assert (result.exit_code, result.stderr) == (0, "")


def test_json_says_the_same(played: Path) -> None:
    result = pitch("verify", str(played), "--json")
    document = json.loads(result.stdout)
    assert result.exit_code == 0
    assert document["games"] == {"planned": GAMES, "agreed": GAMES}
    assert (document["ok"], document["difference"]) == (True, None)
    assert set(document) == {
        "tournament",
        "games",
        "commitment",
        "digest",
        "ok",
        "difference",
    }


def test_it_works_while_the_tournament_goes_on_and_tells_no_seed(tmp_path: Path) -> None:
    file = going_on(tmp_path / "a.db")
    with Journal.open(file) as journal:
        seed = journal.seed
    result = pitch("verify", str(file))
    assert result.exit_code == 0
    assert "5 of 24 recomputed and equal" in result.stdout
    assert seed not in result.output


def otherwise(connection: sqlite3.Connection) -> None:
    """In game 0 the last two cards of a seat change places, and are still its cards."""
    (text,) = connection.execute("select record from records where number = 0").fetchone()
    record: dict[str, Any] = json.loads(text)
    actions = record["hands"][0]["actions"]
    actions[-1], actions[-5] = f"{actions[-1][:7]}{actions[-5][7:]}", actions[-5]
    connection.execute("update records set record = ? where number = 0", (json.dumps(record),))


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        pytest.param(
            "update games set scores = '[99,0]' where number = 3",
            "differs: game 3: scores is (99, 0), recomputed it is (",
            id="scores",
        ),
        pytest.param(
            "update tournaments set seed = 'other'",
            "differs: the seed's commitment is '",
            id="seed",
        ),
        pytest.param(otherwise, "differs: game 0: the record's digest is '", id="action"),
        pytest.param("update games set scores = 'x' where number = 3", "can't be read", id="row"),
    ],
)
def test_the_first_difference_is_named_and_is_status_1(
    played: Path,
    tmp_path: Path,
    change: str | Callable[[sqlite3.Connection], None],
    difference: str,
) -> None:
    file = str(changed(copied(played, tmp_path / "b.db"), change))
    result = pitch("verify", file)
    assert (result.exit_code, result.stderr) == (1, "")
    assert difference in result.stdout.splitlines()[-1]
    document = json.loads(pitch("verify", file, "--json").stdout)
    assert not document["ok"]
    assert document["difference"] in result.stdout


def test_a_published_document_is_checked_against_the_records(played: Path, tmp_path: Path) -> None:
    published = tmp_path / "published.json"
    published.write_text(pitch("standings", str(played), "--json", "--analysis").stdout)
    assert pitch("verify", str(played), "--against", str(published)).exit_code == 0
    document = json.loads(published.read_text())
    document["analysis"]["pairings"][0]["boards"] += 1
    published.write_text(json.dumps(document))
    result = pitch("verify", str(played), "--against", str(published))
    assert result.exit_code == 1
    assert "the published analysis.pairings[0].boards is 5, recomputed it is 4" in result.stdout


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param("", "holds nothing", id="empty"),
        pytest.param("[1]", "expected a JSON object", id="a list"),
        pytest.param('{"a": NaN}', "is not JSON", id="NaN"),
        pytest.param("{} {}", "not JSON", id="two"),
    ],
)
def test_what_is_no_document_is_refused(
    played: Path, tmp_path: Path, content: str, said: str
) -> None:
    (tmp_path / "a.json").write_text(content)
    result = pitch("verify", str(played), "--against", str(tmp_path / "a.json"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_markdown_and_tables_that_were_published_are_checked(played: Path, tmp_path: Path) -> None:
    public = tmp_path / "public"
    report = ("report", str(played), "--csv", str(public), "--markdown", str(public / "a.md"))
    assert pitch(*report).exit_code == 0
    (public / "picture.png").write_bytes(b"\x89PNG")
    result = pitch("verify", str(played), "--against", str(public))
    assert result.exit_code == 0, result.output
    assert "standings.csv" in result.stdout
    assert "picture" not in result.stdout
    sheet = public / "standings.csv"
    sheet.write_text(sheet.read_text(encoding="utf-8").replace("1,a,", "1,b,"), encoding="utf-8")
    result = pitch("verify", str(played), "--against", str(public), "--json")
    document = json.loads(result.stdout)
    assert (result.exit_code, document["ok"]) == (1, False)
    assert document["difference"].startswith("standings.csv: row 2, column ")
    alone = pitch("verify", str(played), "--against", str(public / "a.md"))
    assert alone.exit_code == 0


def test_a_page_is_checked_by_making_it_again(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing = ModuleType("pitch_server.reporting.drawing")  # its library is an extra
    monkeypatch.setattr(drawing, "draw", lambda _: {}, raising=False)
    monkeypatch.setitem(sys.modules, "pitch_server.reporting.drawing", drawing)
    assert pitch("report", str(played), "--html", str(tmp_path)).exit_code == 0
    file = tmp_path / "index.html"
    assert pitch("verify", str(played), "--against", str(file)).exit_code == 0
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("<h2>Standings</h2>", "<h2>Final</h2>"), encoding="utf-8")
    result = pitch("verify", str(played), "--against", str(tmp_path))
    assert result.exit_code == 1
    assert re.search(r"differs: index.html: line \d+, in standings: it is .*Final", result.stdout)


def test_without_its_extra_no_page_is_checked(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    monkeypatch.delitem(sys.modules, "pitch_server.reporting.drawing", raising=False)
    (tmp_path / "a.html").write_text("<html></html>")
    result = pitch("verify", str(played), "--against", str(tmp_path / "a.html"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "-m pip install -c constraints.txt -e '.[report]')" in result.stderr


def test_a_directory_with_nothing_that_was_published_is_bad_input(
    played: Path, tmp_path: Path
) -> None:
    result = pitch("verify", str(played), "--against", str(tmp_path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "holds no .html, .md, .csv or .json file" in result.stderr
    (tmp_path / "a.md").write_bytes(b"\xff\xfe#")
    result = pitch("verify", str(played), "--against", str(tmp_path))
    assert "is not UTF-8" in result.stderr
