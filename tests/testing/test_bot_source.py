import subprocess
import sys
from pathlib import Path

import pytest

from pitch.testing import BotSourceError, find_bot, play_game
from pitch.testing.samples import sample_bots, sample_directory

FIRST = """
from pitch import Bot, run
class MyBot(Bot):
    def choose(self, view):
        return view.legal[0]
if __name__ == "__main__":
    print("running")
    run(MyBot)
"""
NO_CHOOSE = "from pitch import Bot\nclass Empty(Bot): pass\n"
TWO = FIRST + "class Other(MyBot):\n    pass\n"


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def refused(text: str) -> str:
    with pytest.raises(BotSourceError) as raised:
        find_bot(text)
    return str(raised.value)


def test_a_file_is_loaded_without_its_main_part(capsys: pytest.CaptureFixture[str]) -> None:
    path = write("my_bot.py", FIRST)
    found = find_bot("my_bot.py")
    assert found.name == "my_bot"
    assert found.command == (sys.executable, str(path.resolve()))
    assert found.bot_class is not None
    assert sum(play_game([found.bot_class] * 2).scores) != 0
    assert capsys.readouterr().out == ""


def test_the_class_is_named_where_a_file_has_several() -> None:
    path = write("my_bot.py", TWO)
    found = find_bot("my_bot.py:Other")
    assert found.name == "Other"
    assert found.bot_class is not None
    assert found.bot_class.__name__ == "Other"
    assert found.command[-2:] == ("pitch", f"{path.resolve()}:Other")


def test_a_bot_that_is_only_imported_is_found() -> None:
    write("made/elsewhere.py", FIRST)
    write("made/my_bot.py", "from elsewhere import MyBot")
    assert find_bot("made/my_bot.py").bot_class is not None


def test_two_files_of_one_name_have_neighbours_of_one_name() -> None:
    for folder in ("a", "b"):
        write(f"{folder}/tables/deep.py", f"WORTH = {folder!r}")
        write(f"{folder}/tables/__init__.py", "from tables import deep")
        write(f"{folder}/my_bot.py", f"import tables\n{FIRST}    pass\nMyBot.worth = tables.deep")
    worths = [find_bot(f"{folder}/my_bot.py").bot_class for folder in ("a", "b", "a")]
    assert [getattr(each, "worth").WORTH for each in worths] == ["a", "b", "a"]  # noqa: B009
    assert worths[0] is not worths[1]


def test_a_neighbour_is_found_when_a_function_imports_it() -> None:
    lazily = FIRST.replace("return", "import later; return")
    write("lazy/my_bot.py", lazily)
    write("lazy/later.py", "")
    found = find_bot("lazy/my_bot.py").bot_class
    assert found is not None
    assert play_game([found, found]).faults == ()


def test_a_module_of_the_current_folder_gives_its_class() -> None:
    write("bots_of_mine/__init__.py", "")
    write("bots_of_mine/first.py", FIRST)
    found = find_bot("bots_of_mine.first:MyBot")
    assert found.name == "MyBot"
    assert found.command[1:] == ("-m", "pitch", "bots_of_mine.first:MyBot")


def test_every_sample_is_found_by_its_name() -> None:
    assert {"random", "rule"} <= set(sample_bots())
    for name, path in sample_bots().items():
        found = find_bot(name)
        assert found.name == name
        assert found.bot_class is not None
        assert found.command == (sys.executable, str(path))
    assert (sample_directory() / "demo.toml").is_file()


def test_a_name_may_be_given_with_any_bot() -> None:
    write("my_bot.py", FIRST)
    assert find_bot("mine=my_bot.py").name == "mine"
    assert find_bot("old=rule").name == "old"
    assert find_bot("quick={python} -c 'x = 1'").name == "quick"


@pytest.mark.parametrize(
    ("text", "name", "command"),
    [
        pytest.param(
            "{python} my_bot.py --x 1",
            "my_bot",
            (sys.executable, "my_bot.py", "--x", "1"),
            id="python",
        ),
        pytest.param(
            "my_bot.py --x", "my_bot", (sys.executable, "my_bot.py", "--x"), id="a script's options"
        ),
        pytest.param(
            "rule --caution 1",
            "rule",
            (sys.executable, str(sample_directory() / "rule_bot.py"), "--caution", "1"),
            id="a sample's options",
        ),
    ],
)
def test_a_command_starts_a_process(text: str, name: str, command: tuple[str, ...]) -> None:
    write("my_bot.py", FIRST)
    found = find_bot(text)
    assert (found.name, found.bot_class, found.command) == (name, None, command)


def test_a_file_with_a_space_in_its_name_is_no_command() -> None:
    write("my bot.py", FIRST)
    assert find_bot("my bot.py").bot_class is not None


@pytest.mark.parametrize(
    ("source", "message"),
    [
        pytest.param(
            "x = 1\ny = x + z\n", "my_bot.py, line 2: y = x + z\n  NameError", id="raises"
        ),
        pytest.param(
            "x = (\n", "my_bot.py, line 1, is not Python: '(' was never closed", id="syntax"
        ),
        pytest.param("import nowhere_at_all", "line 1: import nowhere_at_all", id="import"),
        pytest.param("", "there is no bot in my_bot.py: expected a class", id="empty"),
        pytest.param(NO_CHOOSE, "its class Empty has no method choose(self, view)", id="no choose"),
        pytest.param(
            "class Mine:\n    def choose(self, view): ...\n",
            "its class Mine is no Bot; write class Mine(Bot):",
            id="no Bot",
        ),
        pytest.param(TWO, "2 bots (MyBot, Other); say which, as in my_bot.py:Other", id="several"),
        pytest.param(
            FIRST.replace("    def", "    def __init__(self, depth): ...\n    def"),
            "MyBot() can't be made without arguments (missing a required argument: 'depth')",
            id="needs arguments",
        ),
        pytest.param(
            FIRST.replace('__name__ == "__main__"', "True"),
            "line 8: run(MyBot)\n  put run(...) and whatever else is to happen under if __name__",
            id="runs at once",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_told(source: str, message: str) -> None:
    write("my_bot.py", source)
    assert message in refused("my_bot.py")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("my_bt.py", "did you mean my_bot.py?", id="file"),
        pytest.param("my_bot", "did you mean my_bot.py?", id="suffix"),
        pytest.param("nowhere/my_bot.py", "there is no folder nowhere", id="folder"),
        pytest.param("folder.py", "folder.py is a folder", id="a folder"),
        pytest.param("my_bot.py:MyBt", "did you mean MyBot?", id="class"),
        pytest.param("my_bot.py:run", "my_bot.py:run is no Bot class", id="a function"),
        pytest.param("rul", "did you mean rule?", id="sample"),
        pytest.param("nothing_like_it", "expected a file (my_bot.py), module:Class", id="nothing"),
        pytest.param("my_bots:MyBot", "there is no module 'my_bots'", id="module"),
        pytest.param("my_bot:MyBt", "did you mean MyBot?", id="class of a module"),
        pytest.param("broken:MyBot", "broken.py, line 1: 1 / 0\n  ZeroDivisionError", id="broken"),
        pytest.param("{python} my_bt.py", "did you mean my_bot.py?", id="script"),
        pytest.param("bot.js", "as in 'node bot.js'", id="another language"),
        pytest.param("nod bot.js", "'nod bot.js' names no bot", id="program"),
        pytest.param("{python} 'my_bot.py", "is no command: No closing quotation", id="quotes"),
        pytest.param("mine=", "got an empty text", id="empty"),
    ],
)
def test_a_text_that_names_no_bot_gets_one_message(text: str, message: str) -> None:
    write("my_bot.py", FIRST)
    write("broken.py", "1 / 0")
    write("bot.js", "")
    Path("folder.py").mkdir()
    assert message in refused(text)


def test_a_class_that_no_script_runs_becomes_a_process() -> None:
    write("my_bot.py", TWO)
    command = find_bot("my_bot.py:Other").command
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "no server to connect to" in done.stderr


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("import os; os._exit(5)", id="os-exit"),
        pytest.param("import sys; sys.exit(5)", id="sys-exit"),
        pytest.param("raise KeyboardInterrupt", id="interrupt"),
    ],
)
@pytest.mark.parametrize("text", ["ending_bot.py", "ending_bot:MyBot"], ids=["file", "module"])
def test_what_ends_the_program_while_it_is_imported_is_refused_with_its_line(
    text: str, line: str
) -> None:
    write("ending_bot.py", f"x = 1\n{line}\n")
    with pytest.raises(BotSourceError) as refused:
        find_bot(text)
    said = str(refused.value)
    assert "ended the program while it was imported: ending_bot.py, line 2: " in said
    assert "under if __name__" in said
