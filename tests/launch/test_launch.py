import asyncio
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from launch.processes import FAMILIES, alive, mentioning, noted, script, survivors
from pitch_server.launch import BotLaunch, BotProcess, ExitReport, Launcher, log_name

TWO = {"child", "ignores_sigterm", "own_session", "daemon", "daemon_of_a_thread", "stopped"}


@pytest_asyncio.fixture
async def launcher(tmp_path: Path) -> AsyncIterator[Launcher]:
    async with Launcher(
        server="127.0.0.1:1", directory=tmp_path, log_directory=tmp_path / "demo.db.logs"
    ) as launcher:
        yield launcher


def bot(command: tuple[str, ...], entrant: int = 0, name: str = "rule") -> BotLaunch:
    return BotLaunch(name=name, command=command, token="s3cret-token", entrant=entrant)


async def ended(process: BotProcess) -> ExitReport:
    return await asyncio.wait_for(asyncio.shield(process.exited), 60)


@pytest.mark.parametrize("family", sorted(FAMILIES))
async def test_nobody_survives_a_stop(launcher: Launcher, tmp_path: Path, family: str) -> None:
    process = await launcher.launch(bot((*script(tmp_path, FAMILIES[family]), "pids")))
    pids = await asyncio.to_thread(noted, tmp_path / "pids", 2 if family in TWO else 1)
    assert process.pid in pids
    await launcher.stop(0.2)
    assert process.exited.done()
    assert survivors(pids, 0) == []
    assert mentioning(str(tmp_path)) == []


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_nobody_survives_kill_9_of_the_server(tmp_path: Path, family: str) -> None:
    server = tmp_path / "server.py"
    server.write_text(f"""
import asyncio
from pathlib import Path
from pitch_server.launch import BotLaunch, Launcher
async def main():
    launcher = Launcher(server="", directory=Path("."), log_directory=Path("logs"))
    command = {(*script(tmp_path, FAMILIES[family]), "pids")!r}
    await launcher.launch(BotLaunch(name="rule", command=command, token="t", entrant=0))
    await asyncio.sleep(600)
asyncio.run(main())
""")
    with subprocess.Popen([sys.executable, str(server)], cwd=tmp_path) as running:
        pids = noted(tmp_path / "pids", 2 if family in TWO else 1)
        running.kill()
    assert survivors(pids) == []
    deadline = time.monotonic() + 10
    while (left := mentioning(str(tmp_path))) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []


@pytest.mark.parametrize("family", ["alone", "ignores_sigterm", "daemon"])
async def test_nobody_survives_kill_9_of_the_warden(
    launcher: Launcher, tmp_path: Path, family: str
) -> None:
    process = await launcher.launch(bot((*script(tmp_path, FAMILIES[family]), "pids")))
    pids = await asyncio.to_thread(noted, tmp_path / "pids", 2 if family in TWO else 1)
    assert process.pid is not None
    psutil.Process(process.pid).parent().kill()  # type: ignore[union-attr]
    assert (await ended(process)).signal == signal.SIGKILL
    assert survivors(pids) == []


@pytest.mark.parametrize(
    ("body", "report", "sentence"),
    [
        pytest.param("", ExitReport(code=0), "ended with exit status 0", id="done"),
        pytest.param("sys.exit(3)", ExitReport(code=3), "ended with exit status 3", id="status"),
        pytest.param(
            "os.kill(os.getpid(), signal.SIGSEGV)",
            ExitReport(signal=signal.SIGSEGV),
            f"was ended by signal {signal.SIGSEGV} (SIGSEGV)",
            id="signal",
        ),
    ],
)
async def test_the_end_of_a_bot_is_told(
    launcher: Launcher, tmp_path: Path, body: str, report: ExitReport, sentence: str
) -> None:
    process = await launcher.launch(bot(script(tmp_path, body)))
    assert await ended(process) == report
    assert report.started
    assert report.sentence == sentence


@pytest.mark.parametrize(
    ("program", "mode", "content", "why"),
    [
        pytest.param("./missing", None, "", "No such file or directory", id="missing"),
        pytest.param("no-such-program-anywhere", None, "", "No such file", id="not-on-path"),
        pytest.param("./bot", 0o644, "#!/bin/sh\n", "Permission denied", id="not-executable"),
        pytest.param("./bot", 0o755, "\0\1\2", "Exec format error", id="not-a-program"),
        pytest.param("./bot", 0o755, "#!/no/such\n", "first line (#!) names", id="no-interpreter"),
        pytest.param("bad\0name", None, "", "null byte", id="nul"),
    ],
)
async def test_what_cannot_start_says_why(
    launcher: Launcher, tmp_path: Path, program: str, mode: int | None, content: str, why: str
) -> None:
    if mode is not None:
        (tmp_path / "bot").write_text(content)
        (tmp_path / "bot").chmod(mode)
    process = await launcher.launch(bot((program,)))
    report = await ended(process)
    assert not report.started
    assert report.sentence.startswith("could not be started: ")
    assert why in report.sentence
    assert process.pid is None


async def test_a_directory_or_log_that_cannot_be_used_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    nowhere = Launcher(server="", directory=tmp_path / "gone", log_directory=tmp_path / "logs")
    assert "gone" in (await ended(await nowhere.launch(bot(("true",))))).sentence
    no_log = Launcher(server="", directory=tmp_path, log_directory=tmp_path / "file")
    assert "file" in (await ended(await no_log.launch(bot(("true",))))).sentence


async def test_no_zombie_is_left(launcher: Launcher, tmp_path: Path) -> None:
    command = script(tmp_path, "[os._exit(0) for _ in range(3) if os.fork() == 0]")
    processes = await launcher.launch_all(bot(command, entrant) for entrant in range(3))
    await asyncio.gather(*map(ended, processes))
    await launcher.stop()
    assert psutil.Process().children(recursive=True) == []


async def test_what_a_crashed_bot_left_behind_ends_too(launcher: Launcher, tmp_path: Path) -> None:
    body = FAMILIES["daemon"].replace("note()\nsleep()\n", "note()\ntime.sleep(0.3)\nos._exit(1)\n")
    process = await launcher.launch(bot((*script(tmp_path, body), "pids")))
    pids = await asyncio.to_thread(noted, tmp_path / "pids", 2)
    assert await ended(process) == ExitReport(code=1)
    assert await asyncio.to_thread(survivors, pids) == []


async def test_a_command_may_stand_as_in_the_configuration(
    launcher: Launcher, tmp_path: Path
) -> None:
    (tmp_path / "hello.py").write_text("import sys; print(sys.executable)")
    process = await launcher.launch(bot(("{python}", "hello.py")))
    assert await ended(process) == ExitReport(code=0)
    assert process.last_lines() == [sys.executable]


async def test_a_bot_may_say_goodbye(launcher: Launcher, tmp_path: Path) -> None:
    body = """
def bye(*_):
    print("good", flush=True)
    time.sleep(0.2)
    print("bye")
    sys.exit(7)
signal.signal(signal.SIGTERM, bye)
note()
sleep()
"""
    process = await launcher.launch(bot((*script(tmp_path, body), "pids")))
    await asyncio.to_thread(noted, tmp_path / "pids", 1)
    assert await process.stop(grace=20) == ExitReport(code=7)
    assert process.last_lines() == ["good", "bye"]


async def test_32_bots_stop_together(launcher: Launcher, tmp_path: Path) -> None:
    command = (*script(tmp_path, FAMILIES["ignores_sigterm"]), "pids")
    await launcher.launch_all(bot(command, entrant) for entrant in range(32))
    pids = await asyncio.to_thread(noted, tmp_path / "pids", 64, 60)
    begun = time.monotonic()
    await launcher.stop(0.5)
    print(f"32 stubborn bots stopped in {time.monotonic() - begun:.2f} s")
    assert survivors(pids, 0) == []


async def test_a_flood_of_output_neither_blocks_the_bot_nor_fills_the_disk(tmp_path: Path) -> None:
    body = """
for number in range(300):
    os.write(1 + number % 2, b"x" * 100_000)
os.write(1, b"\\nlast words\\n")
note()
sleep()
"""
    process = BotProcess(
        (*script(tmp_path, body), "pids"),
        directory=tmp_path,
        environment={},
        log_path=tmp_path / "logs" / "bot.log",
        log_limit=100_000,
    )
    await process.start()
    await asyncio.to_thread(noted, tmp_path / "pids", 1, 60)
    await process.stop()
    files = {path.name: path.stat().st_size for path in (tmp_path / "logs").iterdir()}
    assert set(files) == {"bot.log", "bot.log.1", "bot.log.2", "bot.log.3"}
    assert max(files.values()) <= 100_000
    assert process.last_lines(1) == ["last words"]


async def test_a_bot_that_floods_for_ever_is_stopped(launcher: Launcher, tmp_path: Path) -> None:
    body = "note()\nsignal.signal(15, signal.SIG_IGN)\nwhile True: os.write(2, b'y' * 65536)"
    process = await launcher.launch(bot((*script(tmp_path, body), "pids")))
    pids = await asyncio.to_thread(noted, tmp_path / "pids", 1)
    assert await process.stop(0.2) == ExitReport(signal=signal.SIGKILL)
    assert survivors(pids, 0) == []


async def test_last_lines_are_harmless_and_hold_no_token(
    launcher: Launcher, tmp_path: Path
) -> None:
    body = r"""
print("first")
print("\x1b[2J\x1b]0;title\x07 red \x9b31m \u202eevil \t tab\x00 caf\xe9 \r")
sys.stdout.buffer.write(b"\xff\xfe raw\n")
print(os.environ["PITCH_TOKEN"])
print("x" * 5000)
"""
    process = await launcher.launch(bot(("env", "PYTHONUTF8=1", *script(tmp_path, body))))
    await ended(process)
    lines = process.last_lines()
    assert lines[0] == "first"
    assert lines[1].startswith(r"␛[2J␛]0;title␇ red \u{9b}31m \u{202e}evil")
    assert lines[1].endswith("tab␀ café ")
    assert all(line.isprintable() for line in lines)
    assert lines[2].endswith(" raw")
    assert lines[3] == "[token]"
    assert len(lines[4]) == 2001
    assert process.last_lines(2) == lines[-2:]


async def test_a_bot_gets_what_it_needs_and_nothing_else(
    launcher: Launcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET", "never")
    monkeypatch.setenv("http_proxy", "http://never")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    body = """
import json
print(json.dumps(dict(os.environ)))
print(os.getcwd(), sorted(os.listdir("/proc/self/fd")), os.getsid(0) == os.getpid())
print([line.split()[1] for line in open("/proc/self/status") if line.startswith("SigIgn")])
print(repr(sys.stdin.read()))
"""
    name = "\u00c5sa \U0001f0cf"
    ours = (signal.SIGQUIT, signal.SIGHUP)  # as where a shell or nohup has started the server
    before = [signal.signal(number, signal.SIG_IGN) for number in ours]
    try:
        process = await launcher.launch(bot(script(tmp_path, body), name=name))
    finally:
        for number, handler in zip(ours, before, strict=True):
            signal.signal(number, handler)
    assert (await ended(process)).code == 0
    environment, place, ignored, given = process.last_lines()
    assert '"PITCH_SERVER": "127.0.0.1:1"' in environment
    assert '"LC_ALL": "C.UTF-8"' in environment
    assert '"PATH"' in environment
    assert "never" not in environment
    # 3 is the listing of the directory itself
    assert place == f"{tmp_path} ['0', '1', '2', '3'] True"
    # Python itself ignores SIGPIPE (13) and SIGXFSZ (25), nobody else's choice is left.
    assert ignored == "['0000000001001000']"
    assert given == "''"
    assert not [pid for pid in mentioning("s3cret-token") if alive(pid)]


async def test_starts_share_a_log_and_each_shows_its_own_lines(
    launcher: Launcher, tmp_path: Path
) -> None:
    first = await launcher.launch(bot(script(tmp_path, "print('one', end=''); sys.exit(1)")))
    await ended(first)
    second = await launcher.launch(
        bot((*script(tmp_path, "print('two'); note(); sleep()"), "pids"))
    )
    await asyncio.to_thread(noted, tmp_path / "pids", 1)
    assert first.log_path == second.log_path
    heading = r"--- started \S+Z, run [0-9a-f]{12} ---\n"
    content = second.log_path.read_text()
    assert re.fullmatch(f"{heading}one\n{heading}two\n", content)
    assert await second.last_words() == ["two"]
    assert first.last_lines() == ["one"]
    assert launcher.processes == (second,)


async def test_a_start_that_fails_shows_no_earlier_lines(
    launcher: Launcher, tmp_path: Path
) -> None:
    await ended(await launcher.launch(bot(script(tmp_path, "print('one')"))))
    failed = await launcher.launch(bot(("./missing",)))
    assert not (await ended(failed)).started
    assert failed.last_lines() == []


async def test_nothing_starts_once_stopped(launcher: Launcher, tmp_path: Path) -> None:
    await launcher.stop()
    process = await launcher.launch(bot(script(tmp_path, "")))
    assert (await ended(process)).sentence == "was stopped before it started"
    assert await process.stop() == await process.stop()


async def test_a_stop_during_the_start_wins(launcher: Launcher, tmp_path: Path) -> None:
    command = (*script(tmp_path, FAMILIES["ignores_sigterm"]), "pids")
    starting = [asyncio.create_task(launcher.launch(bot(command, entrant))) for entrant in range(4)]
    await asyncio.sleep(0)
    await launcher.stop(0)
    for process in await asyncio.gather(*starting):
        await ended(process)
    assert mentioning(str(tmp_path)) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("rule", "03-rule-1.log", id="plain"),
        pytest.param("../../etc/passwd", "03-etc-passwd-1.log", id="path"),
        pytest.param("Ünïcode Bot", "03-unicode-bot-1.log", id="accents"),
        pytest.param("\u6a4b\u672c", "03-bot-1.log", id="no-latin"),
        pytest.param("." * 64, "03-bot-1.log", id="dots"),
        pytest.param("a" * 64, f"03-{'a' * 40}-1.log", id="long"),
    ],
)
def test_log_names_are_safe(name: str, expected: str) -> None:
    assert log_name(name, 2, 0) == expected


def test_the_log_is_for_its_owner_only(tmp_path: Path) -> None:
    async def run() -> Path:
        async with Launcher(server="", directory=tmp_path, log_directory=tmp_path) as launcher:
            return (await launcher.launch(bot(("true",)))).log_path

    assert asyncio.run(run()).stat().st_mode & 0o077 == 0


async def test_a_bot_that_closes_its_output_is_watched_all_the_same(
    launcher: Launcher, tmp_path: Path
) -> None:
    body = """
print("bye", flush=True)
for each in range(3):
    os.close(each)
time.sleep(0.2)
os._exit(4)
"""
    process = await launcher.launch(bot(script(tmp_path, body)))
    assert await ended(process) == ExitReport(code=4)
    assert process.last_lines() == ["bye"]


async def test_the_last_64_kib_of_a_crash_are_kept(launcher: Launcher, tmp_path: Path) -> None:
    body = "for n in range(20_000): print('line', n)\nprint('boom', file=sys.stderr)\nos._exit(1)"
    process = await launcher.launch(bot(script(tmp_path, body)))
    await ended(process)
    again = await launcher.launch(bot(script(tmp_path, "for n in range(100_000): print('again')")))
    await ended(again)
    lines = process.last_lines(100_000)
    assert lines[-2:] == ["line 19999", "boom"]
    assert 60_000 < len("\n".join(lines)) < 65_536
    assert set(again.last_lines(100_000)) == {"again"}


async def test_fifty_crashes_leave_nothing_behind(launcher: Launcher, tmp_path: Path) -> None:
    opened = psutil.Process().num_fds()
    command = script(tmp_path, "print('crash')\nos._exit(1)")
    for _ in range(50):
        process = await launcher.launch(bot(command))
        assert await ended(process) == ExitReport(code=1)
    await launcher.stop()
    assert psutil.Process().children(recursive=True) == []
    assert psutil.Process().num_fds() <= opened + 2
    assert process.log_path.read_text().count("\ncrash\n") == 50


async def test_a_bot_that_writes_as_fast_as_it_can_does_not_get_a_processor_of_ours(
    launcher: Launcher, tmp_path: Path
) -> None:
    body = "note()\nwhile True: os.write(1, b'y' * 65536)"
    process = await launcher.launch(bot((*script(tmp_path, body), "pids")))
    await asyncio.to_thread(noted, tmp_path / "pids", 1)
    warden = psutil.Process(process.pid).parent()
    assert warden is not None
    before, begun = warden.io_counters().read_chars, time.monotonic()
    await asyncio.sleep(1)
    drained = warden.io_counters().read_chars - before
    seconds = time.monotonic() - begun
    assert 1 << 20 < drained < seconds * 20 * (1 << 20)
    await process.stop(0)
