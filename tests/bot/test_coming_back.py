import asyncio
import sys
from pathlib import Path

import pytest

from bot.serving import Talk, serving
from pitch.wire.frames import Farewell, Refusal, RefusalReason

# Says on each start whether others could see its token, and how much it has open.
BOT = """
import os, sys
from pitch import Bot, run
print("secret" in " ".join(sys.orig_argv), len(os.listdir("/proc/self/fd")), flush=True)
class Mine(Bot):
    pass
run(Mine)
"""


async def started(directory: Path, address: str, *options: str) -> tuple[int, list[str], list[str]]:
    """Runs the bot to its end; its status and the lines of its output and its errors."""
    (directory / "bot.py").write_text(BOT)
    given = ["--server", address, "--name", "ann", "--token", "secret", *options]
    process = await asyncio.create_subprocess_exec(
        *[sys.executable, "bot.py", *given],
        cwd=directory,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode is not None
    return process.returncode, out.decode().splitlines(), err.decode().splitlines()


async def sent_away(talk: Talk) -> None:
    await talk.welcome("an old key")
    assert (talk.hello.session_key, talk.hello.token) == ("", "secret")
    await talk.send(Farewell(message="to the next pairing", come_back_fresh=True))


async def last(talk: Talk) -> None:
    await talk.welcome()
    assert (talk.hello.session_key, talk.hello.token) == ("", "secret")
    await talk.farewell()


async def test_a_bot_comes_back_as_a_fresh_process_and_leaves_nothing_open(tmp_path: Path) -> None:
    async with serving([sent_away, sent_away, sent_away, last]) as address:
        status, out, err = await started(tmp_path, address)
    assert status == 0
    assert err[1::2] == ["to the next pairing"] * 3 + ["the games are over"]
    assert err[::2] == [f"connected to {address} as 'ann', instance 1, for 't'"] * 4
    visible = [line.split()[0] for line in out]
    assert visible == ["True", "False", "False", "False"]  # the token as given, then no more
    assert len({line.split()[1] for line in out}) == 1


async def test_each_of_several_instances_comes_back_by_itself(tmp_path: Path) -> None:
    async with serving([sent_away, sent_away, last, last]) as address:
        status, out, _ = await started(tmp_path, address, "--instances", "2")
    assert status == 0
    assert len(out) == 1 + 2 + 2


@pytest.mark.parametrize("reason", [RefusalReason.REPLACED, RefusalReason.CLOSED])
async def test_a_session_that_is_ended_by_a_refusal_does_not_come_back(
    reason: RefusalReason, tmp_path: Path
) -> None:
    async def replaced(talk: Talk) -> None:
        await talk.welcome()
        await talk.send(Refusal(reason=reason, message="another sits here"))

    async with serving([replaced]) as address:  # a second connection would find no script
        status, out, err = await started(tmp_path, address)
    assert status == 1
    assert err[1:] == [f"refused ({reason.value}): another sits here"]
    assert len(out) == 1
