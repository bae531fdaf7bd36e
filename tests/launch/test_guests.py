"""Bots held to limits: what the system really refuses them, and how their end is told."""

import asyncio
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psutil
import pytest
import pytest_asyncio
import uvloop

from launch.processes import FAMILIES, mentioning, noted, script, survivors
from pitch_server.accounts import find_account, guest_problem
from pitch_server.guest import GuestSettings
from pitch_server.launch import BotLaunch, BotProcess, ExitReport, Launcher

MIB = 1 << 20
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can run a bot as another user")


@pytest_asyncio.fixture
async def launcher(tmp_path: Path) -> AsyncIterator[Launcher]:
    async with Launcher(
        server="127.0.0.1:1", directory=tmp_path, log_directory=tmp_path / "logs"
    ) as launcher:
        yield launcher


@pytest.fixture
def open_path() -> Iterator[Path]:
    """A directory that every user may enter, and write to."""
    path = Path(tempfile.mkdtemp(prefix="pitch-guests-"))
    path.chmod(0o777)
    yield path
    shutil.rmtree(path)


def bot(
    command: tuple[str, ...], guest: GuestSettings, entrant: int = 0, token: str = "s3cret"
) -> BotLaunch:
    return BotLaunch(name="rule", command=command, token=token, entrant=entrant, guest=guest)


async def ended(process: BotProcess) -> ExitReport:
    return await asyncio.wait_for(asyncio.shield(process.exited), 60)


@pytest.mark.parametrize(
    ("body", "guest", "sentence"),
    [
        pytest.param(
            "x = bytearray(1 << 30)",
            GuestSettings(memory=200 * MIB),
            "ended with exit status 1 (it ran out of memory, its limit is 200 MiB)",
            id="memory",
        ),
        pytest.param(
            "import ctypes; ctypes.memset(ctypes.CDLL(None).malloc(1 << 30), 1, 9)",
            GuestSettings(memory=200 * MIB + 4096),
            "was ended by signal 11 (SIGSEGV) (perhaps it ran out of memory, its limit is "
            "209,719,296 bytes)",
            id="memory-unchecked",
        ),
        pytest.param(
            "while True: pass",
            GuestSettings(cpu_time=1),
            f"was ended by signal {signal.SIGXCPU} (SIGXCPU) (it used up its CPU time of 1 s)",
            id="cpu",
        ),
        pytest.param(
            "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass",
            GuestSettings(cpu_time=1),
            "was ended by signal 9 (SIGKILL) (it used up its CPU time of 1 s)",
            id="cpu-ignored",
        ),
        pytest.param(
            "x = [open('/dev/null') for _ in range(100)]",
            GuestSettings(open_files=32),
            "ended with exit status 1 (it ran out of open files, its limit is 32)",
            id="open-files",
        ),
        pytest.param(
            "x = [open('/dev/null') for _ in range(100)]; raise MemoryError",
            GuestSettings(),
            "ended with exit status 1",
            id="no-limit",
        ),
        pytest.param(
            "print('MemoryError')", GuestSettings(memory=200 * MIB), "ended with exit status 0",
            id="all-well",
        ),
        pytest.param(
            "os.kill(os.getpid(), 9)",
            GuestSettings(cpu_time=60),
            "was ended by signal 9 (SIGKILL)",
            id="killed-before",
        ),
    ],
)  # fmt: skip
async def test_a_limit_that_ended_a_bot_is_named(
    launcher: Launcher, tmp_path: Path, body: str, guest: GuestSettings, sentence: str
) -> None:
    process = await launcher.launch(bot(script(tmp_path, body), guest))
    report = await ended(process)
    assert report.started
    assert report.sentence == sentence


async def test_memory_too_small_for_the_program_itself(launcher: Launcher) -> None:
    process = await launcher.launch(bot(("/bin/sleep", "9"), GuestSettings(memory=MIB)))
    assert "memory, its limit is 1 MiB" in (await ended(process)).sentence


async def test_a_bot_that_is_stopped_is_not_blamed_for_a_limit(
    launcher: Launcher, tmp_path: Path
) -> None:
    command = (*script(tmp_path, FAMILIES["ignores_sigterm"]), "pids")
    process = await launcher.launch(bot(command, GuestSettings(memory=500 * MIB)))
    await asyncio.to_thread(noted, tmp_path / "pids", 2)
    assert await process.stop(0) == ExitReport(signal=signal.SIGKILL)


async def test_every_limit_holds_the_bot_and_what_it_starts(
    launcher: Launcher, tmp_path: Path
) -> None:
    guest = GuestSettings(
        memory=600 * MIB, cpu_time=30, open_files=50, processes=100_000, nice=3,
        environment=(("MODEL", "small = fast"), ("EMPTY", "")),
    )  # fmt: skip
    body = """
import json, resource
if os.fork() == 0:
    names = ["AS", "CPU", "NOFILE", "NPROC", "CORE"]
    limits = [resource.getrlimit(getattr(resource, f"RLIMIT_{name}")) for name in names]
    print(json.dumps([limits, os.nice(0), os.umask(0), dict(os.environ)]))
else:
    os.wait()
"""
    process = await launcher.launch(bot(script(tmp_path, body), guest))
    assert (await ended(process)).code == 0
    limits, nice, umask, environment = json.loads(process.last_lines()[0])
    memory, cpu_time, open_files, processes, core = limits
    assert memory == [600 * MIB, 600 * MIB]
    assert cpu_time == [30, 31]
    assert open_files == [50, 50]
    ceiling = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    lower = 100_000 if ceiling == resource.RLIM_INFINITY else min(ceiling, 100_000)
    assert processes == [lower, lower]
    assert core[0] == 0
    assert nice == min(os.nice(0) + 3, 19)
    assert umask == 0o077
    assert (environment["MODEL"], environment["EMPTY"]) == ("small = fast", "")


def test_a_limit_above_the_servers_own_changes_nothing(tmp_path: Path) -> None:
    body = "import resource; print(resource.getrlimit(resource.RLIMIT_NOFILE))"
    code = f"""
import asyncio, resource, sys
from pathlib import Path
from pitch_server.guest import GuestSettings
from pitch_server.launch import BotLaunch, Launcher
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 200))
async def main():
    async with Launcher(server="", directory=Path("."), log_directory=Path("logs")) as launcher:
        bot = BotLaunch(
            name="x", command={script(tmp_path, body)!r}, token="t0ken", entrant=0,
            guest=GuestSettings(open_files=1000),
        )
        process = await launcher.launch(bot)
        await process.exited
        print(*process.last_lines())
asyncio.run(main())
"""
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run.stdout == "(200, 200)\n"


def test_a_bot_sees_none_of_the_servers_descriptors(tmp_path: Path) -> None:
    body = "print(sorted(map(int, os.listdir('/proc/self/fd'))))"

    async def run() -> list[str]:
        async with Launcher(
            server="", directory=tmp_path, log_directory=tmp_path / "logs"
        ) as launcher:
            # by the event loop that the server runs, which hands inheritable ones on
            process = await launcher.launch(bot(script(tmp_path, body), GuestSettings()))
            await ended(process)
            return process.last_lines()

    secret = os.open(tmp_path / "secret", os.O_RDWR | os.O_CREAT)
    high = os.dup2(secret, 900)
    try:
        os.set_inheritable(secret, True)
        assert os.get_inheritable(high)
        assert uvloop.run(run()) == ["[0, 1, 2, 3]"]  # 3 is the listing itself
    finally:
        os.close(secret)
        os.close(high)


async def test_no_secret_of_the_operator_reaches_a_bot_or_a_command_line(
    launcher: Launcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (
        "AWS_SECRET_ACCESS_KEY",
        "PITCH_ADMIN_TOKEN",
        "PITCH_INSTANCE",
        "PGPASSWORD",
        "SSH_AUTH_SOCK",
        "PYTHONSTARTUP",
        "PYTHONBREAKPOINT",
        "HTTPS_PROXY",
    ):
        monkeypatch.setenv(name, "operators-own")
    guest = GuestSettings(environment=(("KEY", "guests-own"),))
    command = (*script(tmp_path, "print(dict(os.environ))\nnote()\nsleep()"), "pids")
    process = await launcher.launch(bot(command, guest, token="t0ken-of-bot"))
    await asyncio.to_thread(noted, tmp_path / "pids", 1)
    while not (words := await process.last_words()):  # noqa: ASYNC110 - its warden will write them
        await asyncio.sleep(0.01)
    (shown,) = words
    assert "operators-own" not in shown
    assert "'KEY': 'guests-own'" in shown
    warden = psutil.Process(process.pid).parent()
    assert warden is not None
    handed_on = set(warden.environ().values())
    assert not handed_on & {"operators-own", "guests-own", "t0ken-of-bot"}
    for secret in ("operators-own", "guests-own", "t0ken-of-bot"):
        assert mentioning(secret) == []


async def test_a_warden_that_is_stopped_does_not_keep_its_bot_alive(
    launcher: Launcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitch_server.launch.WARDEN_ENDS", 0.3)
    command = (*script(tmp_path, "os.kill(os.getppid(), signal.SIGSTOP)\nnote()\nsleep()"), "pids")
    process = await launcher.launch(bot(command, GuestSettings()))
    pids = await asyncio.to_thread(noted, tmp_path / "pids", 1)
    assert (await process.stop(0.1)).signal == signal.SIGKILL
    assert survivors(pids) == []


async def test_children_without_environment_are_found_after_kill_9_of_the_warden(
    launcher: Launcher, tmp_path: Path
) -> None:
    body = """
child = os.fork()
if child == 0:
    note()
    os.execve("/bin/sleep", ["sleep", "600"], {})
while open(f"/proc/{child}/environ").read():
    time.sleep(0.01)
note()
os.kill(os.getppid(), signal.SIGKILL)
sleep()
"""
    process = await launcher.launch(bot((*script(tmp_path, body), "pids"), GuestSettings()))
    pids = await asyncio.to_thread(noted, tmp_path / "pids", 2)
    assert (await ended(process)).signal == signal.SIGKILL
    assert survivors(pids) == []


# --- another user --------------------------------------------------------------------------------


def test_a_user_needs_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 65533)
    problem = guest_problem(GuestSettings(user="nobody"))
    assert problem is not None
    assert problem.startswith("user = 'nobody' needs a server that is run by root, this one is")
    assert guest_problem(GuestSettings(memory=MIB)) is None


@pytest.mark.parametrize(
    ("user", "problem"),
    [
        pytest.param("nobody", None, id="fine"),
        pytest.param("n0-such-user", "there is no user 'n0-such-user' on this", id="unknown"),
        pytest.param("root", "user = 'root' is root itself", id="root"),
    ],
)  # fmt: skip
def test_a_user_is_looked_up_beforehand(
    monkeypatch: pytest.MonkeyPatch, user: str, problem: str | None
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    said = guest_problem(GuestSettings(user=user))
    assert said is None if problem is None else said is not None and said.startswith(problem)


async def test_a_user_that_cannot_be_had_starts_nothing(launcher: Launcher, tmp_path: Path) -> None:
    guest = GuestSettings(user="n0-such-user")
    process = await launcher.launch(bot((*script(tmp_path, "note()"), "pids"), guest))
    report = await ended(process)
    assert report.sentence.startswith("could not be started: ")
    assert "n0-such-user" in report.sentence
    assert not (tmp_path / "pids").exists()


def open_launcher(path: Path) -> Launcher:
    return Launcher(server="127.0.0.1:1", directory=path, log_directory=path / "logs")


def shell(text: str) -> tuple[str, ...]:
    return ("/bin/sh", "-c", text)


@as_root
async def test_a_bot_is_another_user_for_good(open_path: Path) -> None:
    (open_path / "demo.db").touch(0o600)
    text = """
    id -u; id -g; id -G; echo $HOME $USER ${TMPDIR-none}
    grep -E '^(NoNewPrivs|CapEff)' /proc/self/status
    cat demo.db logs/* || echo refused; kill -9 $PPID || echo refused; umask
    """
    async with open_launcher(open_path) as launcher:
        process = await launcher.launch(bot(shell(text), GuestSettings(user="games")))
        assert (await ended(process)).code == 0
        games = find_account("games")
        lines = process.last_lines()
        assert lines[:2] == [str(games.uid), str(games.gid)]
        assert set(lines[2].split()) == set(map(str, games.groups))
        assert lines[3] == f"{games.home} games none"
        assert {line.split()[1] for line in lines[4:6]} == {"0000000000000000", "1"}
        assert lines.count("refused") == 2
        assert lines[-1] == "0077"
        assert process.log_path.stat().st_uid == 0


@as_root
async def test_a_bots_environment_can_be_read_by_its_own_user_only(open_path: Path) -> None:
    async with open_launcher(open_path) as launcher:
        one = await launcher.launch(bot(shell("sleep 600"), GuestSettings(user="games")))
        assert psutil.Process(one.pid).environ()["PITCH_TOKEN"] == "s3cret"
        text = f"cat /proc/{one.pid}/environ; kill -9 {one.pid}; echo done"
        other = await launcher.launch(bot(shell(text), GuestSettings(user="news"), entrant=1))
        await ended(other)
        said = "\n".join(other.last_lines())
        assert "Permission denied" in said
        assert "not permitted" in said
        assert "s3cret" not in said
        assert not one.exited.done()


@as_root
async def test_files_that_the_user_cannot_read_are_named(
    launcher: Launcher, tmp_path: Path
) -> None:
    (tmp_path / "bot.sh").write_text("echo hello")  # in a directory of root's alone
    guest = GuestSettings(user="games")
    process = await launcher.launch(bot(("/bin/sh", "bot.sh"), guest))
    assert (await ended(process)).sentence == (
        "could not be started: user 'games' can't read bot.sh: Permission denied "
        "(look at the rights of the file and of every directory above it)"
    )
    (tmp_path / "bot.sh").chmod(0o755)
    process = await launcher.launch(bot(("./bot.sh",), guest))
    assert f"user 'games' can't run {tmp_path}/bot.sh: Perm" in (await ended(process)).sentence


FORKING = "f() { f | f & }; echo begun; f; sleep 600"


@as_root
@pytest.mark.parametrize("family", ["forking", "stubborn"])
async def test_nobody_of_another_user_survives_a_stop(open_path: Path, family: str) -> None:
    user = {"forking": "uucp", "stubborn": "list"}[family]
    text = {"forking": FORKING, "stubborn": "trap '' TERM; setsid sleep 600 & sleep 600"}[family]
    guest = GuestSettings(user=user, processes=40)
    uid = find_account(user).uid
    async with open_launcher(open_path) as launcher:
        process = await launcher.launch(bot(shell(text), guest))
        await asyncio.sleep(0.5)
        assert of_user(uid)
        await process.stop(0.1)
        assert of_user(uid) == []


@as_root
@pytest.mark.parametrize("killed", ["server", "both"])
def test_nobody_of_another_user_survives_kill_9(open_path: Path, killed: str) -> None:
    user = {"server": "irc", "both": "mail"}[killed]
    code = f"""
import asyncio
from pathlib import Path
from pitch_server.guest import GuestSettings
from pitch_server.launch import BotLaunch, Launcher
async def main():
    launcher = Launcher(server="", directory=Path("."), log_directory=Path("logs"))
    command = ("/bin/sh", "-c", "trap '' TERM; echo begun; exec sleep 600")
    guest = GuestSettings(user={user!r})
    bot = BotLaunch(name="x", command=command, token="t0ken", entrant=0, guest=guest)
    process = await launcher.launch(bot)
    print(process.pid, process._warden.pid, flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=open_path, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        pid, warden = map(int, running.stdout.readline().split())
        running.kill()
        if killed == "both":
            os.kill(warden, signal.SIGKILL)
    assert survivors([pid, warden]) == []


@as_root
async def test_too_many_processes_of_a_user_are_told(open_path: Path) -> None:
    async with open_launcher(open_path) as launcher:
        many = await launcher.launch(
            bot(shell("for i in 1 2 3 4; do sleep 600 & done; wait"), GuestSettings(user="proxy"))
        )
        await asyncio.sleep(0.3)
        one = await launcher.launch(
            bot(shell("true"), GuestSettings(user="proxy", processes=3), entrant=1)
        )
        assert (await ended(one)).sentence == (
            "could not be started: sh: user 'proxy' runs as many processes as its limit allows"
        )
        assert not many.exited.done()


def of_user(uid: int) -> list[int]:
    return [each.pid for each in psutil.process_iter() if _lives_as(each, uid)]


def _lives_as(process: psutil.Process, uid: int) -> bool:
    try:
        return process.uids().real == uid and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:  # it has ended since it was listed
        return False
