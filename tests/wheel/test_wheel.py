"""The wheel: what is in it, and that everything works from it in an empty folder.

The dependencies are those of the test's own environment, lent to a fresh one that has nothing
of the checkout. With PITCH_TEST_WHEEL=full (`.ci/wheel` sets it) they are installed as users
install them, first without extras, then with those of a server; whole tournaments are played,
and the tutorial is followed word for word.
"""

import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from docs.pages import DOCS, run_page

CHECKOUT = Path(__file__).parents[2]
FULL = os.environ.get("PITCH_TEST_WHEEL") == "full"
SAMPLES = "from pitch.testing.samples import sample_directory; print(sample_directory())"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wheel")
    _pip(Path(sys.executable), "wheel", "--no-deps", "--wheel-dir", str(place), str(CHECKOUT))
    (built,) = place.glob("*.whl")
    return built


def _pip(python: Path, *arguments: str) -> None:
    command = [str(python), "-m", "pip", "--quiet", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr


class Installed:
    """A fresh environment with the wheel, used from a folder with nothing of the checkout."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.folder = folder
        self._wheel = wheel
        self.environment = folder.parent / "environment"
        venv.create(self.environment, with_pip=FULL, symlinks=True)
        self._python = self.environment / "bin" / "python"
        if FULL:
            self._install("")
        else:
            self._lend()

    def add_server(self) -> None:
        """Adds the extra that a server needs, and pytest for a new bot's tests."""
        if FULL:
            self._install("[server]", "pytest")

    def _install(self, extras: str, *more: str) -> None:
        constraints = str(CHECKOUT / "constraints.txt")
        _pip(self._python, "install", "--constraint", constraints, f"{self._wheel}{extras}", *more)

    def _lend(self) -> None:
        """Installs the wheel alone; a mere path to the others does not bring the checkout."""
        python = f"--python={self._python}"
        _pip(Path(sys.executable), python, "install", "--no-deps", str(self._wheel))
        (own,) = self.environment.glob("lib/python*/site-packages")
        lent = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
        (own / "lent.pth").write_text("\n".join(lent))

    def run(self, program: str, *arguments: str, cwd: str = ".", status: int = 0) -> str:
        """What a program of the environment prints."""
        hidden = ("PYTHONPATH", "VIRTUAL_ENV", "PYTEST_ADDOPTS")
        done = subprocess.run(
            [str(self.environment / "bin" / program), *arguments],
            cwd=self.folder / cwd,
            env={name: value for name, value in os.environ.items() if name not in hidden},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout

    def pitch(self, *arguments: str, cwd: str = ".", status: int = 0) -> str:
        return self.run("pitch", *arguments, cwd=cwd, status=status)


def _readme(language: str, containing: str) -> str:
    """The block of code of the README that has this in it."""
    blocks = re.finditer(
        r"^```(\w+)\n(.*?)^```", (CHECKOUT / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )
    return next(each[2] for each in blocks if each[1] == language and containing in each[2])


def test_it_has_all_that_is_needed_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {
        "pitch",
        "pitch_server",
        "pitch_arena",
    }
    assert {
        "pitch/proto/pitch/wire/v1/referee.proto",
        "pitch/py.typed",
        "pitch/sample_bots/demo.toml",
        "pitch/sample_bots/node_bot/bot.js",
        "pitch/sample_bots/rule_bot.py",
        "pitch/sample_bots/training/train.py",
        "pitch/wire/v1/game_pb2.py",
        "pitch_server/project/bot.template",
        "pitch_server/reporting/page.html",
        "pitch_server/warden/script.py",
    } <= set(names)
    unwanted = r"\.db|\.log|__pycache__|/tests/|node_modules|\.npz"
    assert not [name for name in names if re.search(unwanted, name)]


@pytest.mark.timeout(600)
def test_everything_works_from_it_in_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    it = Installed(wheel, folder)
    place = it.run("python", "-c", "import pitch, pitch_server; print(pitch_server.__file__)")
    assert place.startswith(str(tmp_path))
    _a_first_bot(it)
    it.add_server()
    _its_tournament(it)
    _a_new_project(it)
    _the_demo(it)
    if FULL:
        _the_tutorial(it, tmp_path / "reader")


def _a_first_bot(it: Installed) -> None:
    """What the base installation is for: no extra is there, if the installation is full."""
    assert "Play a tournament" in it.pitch("--help")
    assert "pitch-ac" in it.pitch("variants")
    (it.folder / "my_bot.py").write_text(_readme("python", "class MyBot(Bot)"))
    tried = it.pitch("try", "my_bot.py", "--boards", "20")
    assert re.search(r"\nrule +20 +-\d\.\d\d ", tried)
    assert ("pitch-arena[server]" in tried) is FULL


def _its_tournament(it: Installed) -> None:
    (it.folder / "my.toml").write_text(_readme("toml", "my first tournament"))
    assert "100 of 100 games played; complete" in it.pitch("run", "my.toml")
    assert "against random: " in it.pitch(
        "try", "my_bot.py", "--processes", "--against", "random", "--boards", "4"
    )


def _a_new_project(it: Installed) -> None:
    assert "pitch try alice_bot.py" in it.pitch("new", "alice")
    assert "against random: better" in it.pitch(
        "try", "alice_bot.py", "--boards", "20", cwd="alice"
    )
    tested = it.run(
        "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", cwd="alice"
    )
    assert "5 passed" in tested
    trial = it.pitch("run", "trial.toml", *([] if FULL else ["--dry-run"]), cwd="alice")
    assert (
        "600 of 600 games played; complete" if FULL else "round-robin, duplicate deals"
    ) in trial


def _the_demo(it: Installed) -> None:
    demo = Path(it.run("python", "-c", SAMPLES).strip()) / "demo.toml"
    assert it.folder.parent in demo.parents
    if not FULL:
        assert "round-robin, duplicate deals" in it.pitch(
            "run", str(demo), "--db", "demo.db", "--dry-run"
        )
        return
    assert "480 of 480 games played; complete" in it.pitch("run", str(demo), "--db", "demo.db")
    assert "480 of 480 recomputed and equal" in it.pitch("verify", "demo.db")


def _the_tutorial(it: Installed, folder: Path) -> None:
    """Word for word, as on a clean machine."""
    folder.mkdir()
    done = run_page(DOCS / "tutorial.md", folder, installed=it.environment)
    assert done.status == 0, done.output[-4000:]
