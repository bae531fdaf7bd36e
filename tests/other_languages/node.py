"""Node.js for these tests: that of PITCH_TEST_NODE, which .ci/node sets.

One that is named and does not work is a failure, never a skip.
"""

import asyncio
import os
from pathlib import Path
from typing import NamedTuple

NODE = os.environ.get("PITCH_TEST_NODE")
NOT_HERE = "no Node.js is named in PITCH_TEST_NODE; .ci/node brings one"
HERE = Path(__file__).parent
BOT = HERE.parents[1] / "sample_bots" / "node_bot" / "bot.js"


class Ended(NamedTuple):
    """How a bot ended, and the lines that it wrote to standard error."""

    status: int
    said: list[str]


async def run_bot(
    script: Path, address: str, *options: str, environment: dict[str, str] | None = None
) -> Ended:
    """Runs a bot's script to its end."""
    assert NODE is not None
    given = ["--server", address, "--name", "ann", "--patience", "5", *options]
    process = await asyncio.create_subprocess_exec(
        NODE,
        str(script),
        *given,
        env={**os.environ, "PITCH_TOKEN": "secret", **(environment or {})},
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        _, said = await asyncio.wait_for(process.communicate(), 60)
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode is not None
    return Ended(process.returncode, said.decode().splitlines())
