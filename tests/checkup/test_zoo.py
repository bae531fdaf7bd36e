"""Each bot of the zoo fails the check that is for it, and no other; none holds the check-up up."""

from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from checkup.examining import QUICK, examine, of
from pitch_server.checkup.checkup import CHECKS
from pitch_server.checkup.findings import Outcome

IMPATIENT = replace(QUICK, start_timeout=1.0)


async def test_a_good_bot_passes_everything_and_leaves_nothing_behind(tmp_path: Path) -> None:
    results = await examine("nearly_good at_everything", tmp_path)
    assert of(results, Outcome.PASSED) == [check.name for check in CHECKS], results
    assert [result.number for result in results] == list(range(1, len(CHECKS) + 1))
    assert psutil.Process().children(recursive=True) == []


@pytest.mark.parametrize("bot", ["late 60", "stranger nothing"])
async def test_a_bot_that_does_not_come_in_fails_at_the_start(bot: str, tmp_path: Path) -> None:
    results = await examine(bot, tmp_path, IMPATIENT)
    assert of(results, Outcome.FAILED) == ["starts"]
    assert len(of(results, Outcome.SKIPPED)) == len(CHECKS) - 1


@pytest.mark.parametrize(
    ("bot", "check", "told"),
    [
        pytest.param("crashing 0 exit", "starts", "exit status 7", id="never-in"),
        pytest.param("stranger protocol", "starts", "update the server", id="other-protocol"),
        pytest.param("crashing 5 signal", "stays", "SIGSEGV", id="crashing"),
        pytest.param("leaving 3 back", "stays", "left its connection", id="leaving"),
        pytest.param("leaving 3 over", "stays", "left its connection", id="changing"),
        pytest.param("garbage", "speaks", "no such message", id="garbage"),
        pytest.param("answering_twice", "speaks", "no open question", id="answering-twice"),
        pytest.param("flooding ever", "speaks", "no open question", id="flooding"),
        pytest.param("silent", "in time", "within 0.6 s", id="silent"),
        pytest.param("raising", "no errors", "raising.py", id="raising"),
        pytest.param("illegal", "legal", "play 2C; legal was", id="illegal"),
        pytest.param("nearly_good rare", "rare decisions", "legal was take, give", id="rare"),
        pytest.param("nearly_good fragile", "cancelled questions", "is not known", id="fragile"),
        pytest.param("nearly_good once", "repeated questions", "came twice", id="once"),
        pytest.param("nearly_good strict", "unknown fields", "notice of nothing", id="strict"),
        pytest.param("nearly_good quitting", "reconnect", "connection is lost", id="quitting"),
        pytest.param("nearly_good keyless", "reconnect", "session key", id="keyless"),
        pytest.param("nearly_good crowded", "load", "came too late", id="crowded"),
        pytest.param("nearly_good leaking", "memory", "MiB more would be too much", id="leaking"),
        pytest.param("nearly_good deaf", "ends", "SIGTERM", id="deaf"),
    ],
)
async def test_a_bad_bot_fails_the_check_that_fits(
    bot: str, check: str, told: str, tmp_path: Path
) -> None:
    results = await examine(bot, tmp_path)
    assert of(results, Outcome.FAILED) == [check], results
    (finding,) = [result.finding for result in results if result.check.name == check]
    assert told in "\n".join((finding.did, finding.remedy, *finding.details))
    assert finding.remedy


async def test_chance_of_its_own_is_a_warning(tmp_path: Path) -> None:
    results = await examine("nearly_good moody", tmp_path)
    assert of(results, Outcome.FAILED) == []
    assert of(results, Outcome.WARNING) == ["same again"]
