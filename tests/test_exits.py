import signal

import pytest

from pitch_server.exits import ExitReport, failed_start, read_exit
from pitch_server.guest import GuestSettings

MIB = 1 << 20
ALL = GuestSettings(memory=256 * MIB, cpu_time=5, open_files=64, processes=9)


@pytest.mark.parametrize(
    ("line", "guest", "output", "limit"),
    [
        pytest.param("exited 0 9.0", ALL, "MemoryError", None, id="all-well"),
        pytest.param(
            "exited 1 0.1",
            ALL,
            "MemoryError\n",
            "it ran out of memory, its limit is 256 MiB",
            id="memory",
        ),
        pytest.param("exited 1 0.1", ALL, "KeyError\n", None, id="own-error"),
        pytest.param("exited 1 0.1", GuestSettings(), "MemoryError\n", None, id="no-limit"),
        pytest.param("exited 1 9.0", ALL, "", None, id="ended-itself"),
        pytest.param(
            "exited 1 0.1",
            ALL,
            "[Errno 24] Too many open files",
            "it ran out of open files, its limit is 64",
            id="files",
        ),
        pytest.param(
            "exited 2 0.1",
            ALL,
            "can't start new thread",
            "it could start no more processes or threads, its user's limit is 9",
            id="threads",
        ),
        pytest.param(
            "exited 2 0.1",
            GuestSettings(memory=MIB),
            "can't start new thread",
            "it could start no thread, perhaps as its memory is 1 MiB",
            id="threads-memory",
        ),
        pytest.param(
            "killed 6 0.1",
            ALL,
            "terminate called after throwing 'std::bad_alloc'",
            "it ran out of memory, its limit is 256 MiB",
            id="bad-alloc",
        ),
        pytest.param(
            "killed 11 0.1",
            ALL,
            "",
            "perhaps it ran out of memory, its limit is 256 MiB",
            id="segv",
        ),
        pytest.param("killed 11 0.1", GuestSettings(), "", None, id="segv-no-limit"),
        pytest.param("killed 9 5.01", ALL, "", "it used up its CPU time of 5 s", id="cpu-hard"),
        pytest.param(
            "killed 9 4.0",
            ALL,
            "",
            "perhaps it ran out of memory, its limit is 256 MiB",
            id="killed-early",
        ),
        pytest.param(
            f"killed {signal.SIGXCPU:d} 5.0", ALL, "", "it used up its CPU time of 5 s", id="cpu"
        ),
        pytest.param("killed 15 0.1", ALL, "", None, id="asked-to-end"),
    ],
)
def test_the_limit_of_an_end(
    line: str, guest: GuestSettings, output: str, limit: str | None
) -> None:
    report = read_exit(line, guest, output, asked=False)
    assert report.limit == limit
    assert report.started
    assert read_exit(line, guest, output, asked=True).limit is None


def test_sentences() -> None:
    assert ExitReport(code=1, limit="why").sentence == "ended with exit status 1 (why)"
    assert ExitReport(signal=9, limit="why").sentence == "was ended by signal 9 (SIGKILL) (why)"
    assert ExitReport(signal=40).sentence == "was ended by signal 40 (unnamed)"


@pytest.mark.parametrize(
    ("line", "guest", "why"),
    [
        pytest.param("failed 2 run", GuestSettings(), "bot: No such file or directory", id="none"),
        pytest.param("failed 13 run", GuestSettings(), "bot: Permission denied", id="rights"),
        pytest.param(
            "failed 13 run",
            GuestSettings(user="ann"),
            "user 'ann' can't run /x/bot: Permission denied (look at the",
            id="user-rights",
        ),
        pytest.param(
            "failed 13 read:1",
            GuestSettings(user="ann"),
            "user 'ann' can't read a.py: Permission denied (look at the",
            id="script",
        ),
        pytest.param(
            "failed 11 run",
            GuestSettings(user="ann", processes=2),
            "bot: user 'ann' runs as many processes as its limit allows",
            id="processes",
        ),
        pytest.param(
            "failed 12 run",
            GuestSettings(memory=MIB),
            "bot: 1 MiB of memory are too little for it",
            id="memory",
        ),
        pytest.param(
            "failed 1 user",
            GuestSettings(user="ann"),
            "bot: its limits or its user can't be set: Operation not",
            id="no-rights",
        ),
    ],
)
def test_why_a_bot_did_not_start(line: str, guest: GuestSettings, why: str) -> None:
    report = failed_start(line, ("/x/bot", "a.py"), guest)
    assert not report.started
    assert report.sentence.startswith(f"could not be started: {why}")


@pytest.mark.parametrize(
    ("report", "own"),
    [
        pytest.param(ExitReport(code=0), True, id="exit"),
        pytest.param(ExitReport(signal=signal.SIGSEGV), True, id="crash"),
        pytest.param(ExitReport(signal=signal.SIGKILL), False, id="killed"),
        pytest.param(ExitReport(signal=signal.SIGTERM), False, id="asked to end"),
        pytest.param(ExitReport(signal=signal.SIGKILL, limit="its CPU time"), True, id="limit"),
        pytest.param(ExitReport(failure="could not be started"), True, id="not started"),
    ],
)
def test_a_signal_that_others_send_is_not_the_bots_own_doing(report: ExitReport, own: bool) -> None:
    assert report.own is own
