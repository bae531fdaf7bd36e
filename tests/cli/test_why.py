"""`pitch why`: decisions of a game in a database and in a file, and bots asked again."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli.running import pitch, pitch_process
from cli.tournaments import BOT, changed, config, finished, going_on
from pitch import View
from plan.making import make_settings
from verify.making import SEED

GAME = "3"
FIRST = BOT.replace("view.random.choice(view.legal)", "view.legal[0]")
PRINTING = BOT.replace(
    "return view.random.choice(view.legal)",
    'chosen = view.random.choice(view.legal); print("I will", action_text(chosen)); return chosen',
).replace("Action, Bot", "Action, action_text, Bot")
RAISING = BOT.replace("return view.random.choice(view.legal)", 'raise RuntimeError("lost")')


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tournament that real bots played: a.db, a.jsonl, and their files."""
    directory = tmp_path_factory.mktemp("why")
    file = config(directory, make_settings(2, boards=2))
    (directory / "bot.py").write_text(PRINTING)
    ended = pitch_process("run", file)
    assert ended.returncode == 0, ended.stderr
    (directory / "first.py").write_text(FIRST)
    (directory / "raising.py").write_text(RAISING)
    (directory / "crashing.py").write_text(
        ("import os\n" + RAISING).replace('raise RuntimeError("lost")', "os._exit(7)")
    )
    (directory / "forgetful.py").write_text("import pitch")
    exported = pitch("export", str(directory / "a.db"))
    (directory / "a.jsonl").write_text(exported.stdout)
    return directory


@pytest.fixture(autouse=True)
def _there(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(played)


def _why(*arguments: str) -> Any:
    ended = pitch("why", *arguments, "--json")
    assert ended.exit_code == 0, ended.stderr
    return json.loads(ended.stdout)


def test_the_decisions_of_a_game_are_those_of_its_record() -> None:
    found = _why("a.db", GAME)
    record = json.loads(Path("a.jsonl").read_text().splitlines()[int(GAME)])
    assert found["seats"] == record["seats"]
    for row in found["decisions"]:
        action = record["hands"][row["hand"]]["actions"][row["action"]]
        assert action == f"{row['seat']} {row['did']}"


def test_the_bot_that_played_answers_the_same_again() -> None:
    found = _why("a.db", GAME, "--with", "bot.py")
    assert found["decisions"]
    assert all(row["same"] for row in found["decisions"])
    assert found["with"] == "bot"


def test_another_bot_is_told_where_it_differs() -> None:
    shown = pitch("why", "a.db", GAME, "--with", "first.py")
    assert shown.exit_code == 0
    assert "  *\n" in shown.stdout
    rows = _why("a.db", GAME, "--with", "first.py")["decisions"]
    same = sum(row["same"] for row in rows)
    assert 0 < same < len(rows)
    assert f"It answers the same at {same} of {len(rows)} decisions." in shown.stdout


def test_a_file_of_records_tells_the_same_given_the_seed() -> None:
    assert _why("a.jsonl", GAME)["decisions"] == _why("a.db", GAME)["decisions"]
    seeded = _why("a.jsonl", GAME, "--with", "bot.py", "--seed", SEED)
    assert all(row["same"] for row in seeded["decisions"])
    unsure = pitch("why", "a.jsonl", GAME, "--with", "bot.py")
    assert "The seed is not known here" in unsure.stdout


def test_one_decision_is_shown_and_saved(tmp_path: Path) -> None:
    row = _why("a.db", GAME)["decisions"][-1]
    file = tmp_path / "view.json"
    arguments = ("why", "a.db", GAME, "--decision", str(row["decision"]), "--save", str(file))
    shown = pitch(*arguments, "--with", "bot.py")
    assert shown.exit_code == 0, shown.stderr
    view = View.load(file)
    assert str(view) in shown.stdout
    assert f"did: {row['did']}" in shown.stdout
    assert f"now: {row['did']} – the same" in shown.stdout
    (whole,) = _why(*arguments[1:5])["decisions"]
    assert whole["view"] == json.loads(file.read_text())


def test_a_command_is_asked_in_a_process_of_its_own() -> None:
    found = _why("a.db", GAME, "--with", "{python} bot.py")
    assert all(row["same"] and row["now_legal"] for row in found["decisions"])
    raising = pitch("why", "a.db", GAME, "--with", "{python} raising.py", "--json")
    assert raising.exit_code == 1
    rows = json.loads(raising.stdout)["decisions"]
    line = RAISING.splitlines().index('        raise RuntimeError("lost")') + 1
    assert {row["now_failed"] for row in rows} == {f"RuntimeError: lost (raising.py:{line})"}
    crashing = pitch("why", "a.db", GAME, "--with", "{python} crashing.py", "--json")
    first, *_ = json.loads(crashing.stdout)["decisions"]
    assert first["now_failed"] == "its process ended with exit status 7"


def test_only_the_decisions_of_a_seat_or_an_entrant() -> None:
    every = _why("a.db", GAME)
    for seat, name in enumerate(every["seats"]):
        mine = [row for row in every["decisions"] if row["seat"] == seat]
        assert _why("a.db", GAME, "--seat", str(seat))["decisions"] == mine
        ours = _why("a.db", GAME, "--entrant", name)["decisions"]
        assert {row["seat"] for row in ours} == {
            at for at, each in enumerate(every["seats"]) if each == name
        }


def test_a_bot_that_raises_is_told_with_its_line() -> None:
    row = _why("a.db", GAME)["decisions"][0]
    shown = pitch("why", "a.db", GAME, "--decision", str(row["decision"]), "--with", "raising.py")
    assert shown.exit_code == 1
    assert "RuntimeError: lost" in shown.stdout
    assert "raising.py" in shown.stdout


def test_a_fault_is_told_at_the_decision_that_it_names(tmp_path: Path) -> None:
    file = finished(tmp_path / "f.db")
    fault = json.loads(pitch("faults", str(file), "--json").stdout)["faults"][0]
    game = str(fault["game"])
    row = _why(str(file), game)["decisions"][1]
    where = f"seat = {row['seat']}, question = {row['decision']}"
    changed(file, f"UPDATE faults SET {where} WHERE number = {game}")
    shown = pitch("why", str(file), game, "--decision", str(row["decision"]))
    assert f"  {fault['kind']}: {fault['explanation']}" in shown.stdout
    (told,) = _why(str(file), game, "--decision", str(row["decision"]))["decisions"]
    assert told["fault"] == f"{fault['kind']}: {fault['explanation']}"


def test_a_question_of_a_log_is_found_again(played: Path) -> None:
    logs = "".join(log.read_text() for log in (played / "a.db.logs").iterdir())
    asked = re.findall(r"^\[question ([0-9a-f]{16}), seat (\d)\]\nI will (.+)$", logs, re.MULTILINE)
    assert asked
    for question, seat, did in asked[:: len(asked) // 8]:
        (row,) = _why("a.db", "--question", question)["decisions"]
        assert (row["seat"], row["did"]) == (int(seat), did)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(("a.db",), "expected the number of a GAME", id="no game"),
        pytest.param(("a.db", "99"), "game 99 is not in", id="no such game"),
        pytest.param(("a.db", GAME, "--seat", "9"), "there is no seat 9", id="no seat"),
        pytest.param(("a.db", GAME, "--entrant", "zoe"), "no entrant 'zoe'", id="no entrant"),
        pytest.param(("a.db", GAME, "--decision", "999"), "there is no decision 999", id="late"),
        pytest.param(("a.db", GAME, "--save", "x"), "--save needs --decision", id="save"),
        pytest.param(("a.db", GAME, "--seed", "x"), "--seed is for a FILE", id="seed"),
        pytest.param(("a.db", GAME, "--with", "bto.py"), "--with: there is no file", id="no bot"),
        pytest.param(
            ("a.db", GAME, "--with", "{python} forgetful.py"), "run(MyBot)", id="forgetful"
        ),
        pytest.param(("a.db", "--question", "xyz"), "expected 16 hexadecimal", id="no id"),
        pytest.param(("a.db", "--question", "1"), "has the id 0000000000000001", id="other id"),
        pytest.param(("a.db", "3", "--question", "1"), "expected it alone", id="id and game"),
        pytest.param(("a.jsonl", "--question", "1"), "needs the tournament's database", id="ids"),
        pytest.param(("a.jsonl",), "expected one record or the number", id="many records"),
        pytest.param(("a.jsonl", "99"), "expected game 99, the file holds", id="no such record"),
        pytest.param(("b.jsonl", "1"), "cannot be read", id="no file"),
        pytest.param(("b.db", "1"), "b.db", id="no database"),
    ],
)
def test_what_cannot_be_shown_says_why(arguments: tuple[str, ...], message: str) -> None:
    ended = pitch("why", *arguments)
    assert ended.exit_code == 2
    assert message in ended.stderr


def test_a_tournament_that_runs_keeps_its_boards_to_itself(tmp_path: Path) -> None:
    file = str(going_on(tmp_path / "g.db"))
    refused = pitch("why", file, "0")
    assert refused.exit_code == 2
    assert "--reveal" in refused.stderr
    assert _why(file, "0", "--reveal")["decisions"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        pytest.param("raise SystemExit(3)", r"sys\.exit\(3\) \(odd\.py:\d+\) ends", id="sys-exit"),
        pytest.param(
            "import os; os._exit(4)", r"os\._exit\(4\) \(odd\.py:\d+\) ends", id="os-exit"
        ),
        pytest.param(
            "raise KeyboardInterrupt", r"KeyboardInterrupt \(odd\.py:\d+\) ends", id="interrupt"
        ),
        pytest.param(
            "while True: pass", r"timeout: interrupted after 0\.2\d\d s at odd\.py:\d+", id="loop"
        ),
    ],
)
def test_a_bot_that_would_end_the_program_or_never_answer_is_told_with_its_line(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, said: str
) -> None:
    monkeypatch.setattr("pitch_server.asked_again.DEFAULT_LIMIT", 0.2)
    monkeypatch.chdir(tmp_path)
    Path("odd.py").write_text(
        BOT.replace("return view.random.choice(view.legal)", line), encoding="utf-8"
    )
    arguments = ("why", str(played / "a.jsonl"), GAME, "--seat", "0", "--with", "odd.py")
    shown = pitch(*arguments, "--seed", SEED)
    assert shown.exit_code == 1
    rows = re.findall(rf"^ +\d+ .* {said}.*  \*$", shown.stdout, re.MULTILINE)
    assert rows, shown.output
    assert "* marks the others." in shown.stdout
