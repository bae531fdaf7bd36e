"""A served tournament as real processes: `pitch serve`, and bots that connect by themselves."""

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from end_to_end.running import LIMIT, SERVED_SEED, TESTS, Arena, Ended, Section

RANDOM_BOT = TESTS.parent / "sample_bots" / "random_bot.py"


class Served(Arena):
    """A directory with a tournament whose entrants connect by themselves, but for `launched`."""

    def __init__(
        self,
        directory: Path,
        names: Sequence[str],
        *,
        launched: Mapping[str, Sequence[str]] | None = None,
        extra: Mapping[str, Section] | None = None,
        **more: Any,
    ) -> None:
        """`extra` are further keys of an entrant, by its name."""
        super().__init__(directory, launched or {}, **more)
        text = self.config.read_text(encoding="utf-8")
        text = re.sub(r"^seed = .*$", f'seed = "{SERVED_SEED}"', text, flags=re.MULTILINE)
        for name in names:
            keys = [f"{key} = {value}" for key, value in (extra or {}).get(name, {}).items()]
            text += "\n".join(["[[entrants]]", f'name = "{name}"', *keys, ""])
        self.config.write_text(text, encoding="utf-8")

    def serve(self, *arguments: str, address: str = "127.0.0.1:0") -> "Server":
        """`pitch serve` of the configuration, once it listens."""
        return Server(self, self.start("--listen", address, *arguments, command="serve"))


class Server:
    """A serving process and what it has said so far."""

    def __init__(self, arena: Served, process: "subprocess.Popen[str]") -> None:
        self.arena = arena
        self.process = process
        self.said: list[str] = []
        self._bots: list[subprocess.Popen[str]] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.address = self.wait_for(r"listening on (\S+)")

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append(line.rstrip("\n"))

    def wait_for(self, pattern: str) -> str:
        """The first group of a line that it says, now or soon; the whole match without one."""
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            over = self.process.poll() is not None
            for line in self.said:
                if match := re.search(pattern, line):
                    return match.group(match.lastindex or 0)
            assert not over, "\n".join(self.said)
            time.sleep(0.02)
        raise AssertionError(f"never said {pattern!r}:\n" + "\n".join(self.said))

    def bot(
        self, name: str, *arguments: str, script: Path = RANDOM_BOT, token: str = "any"
    ) -> "subprocess.Popen[str]":
        """A bot that connects by itself."""
        process = subprocess.Popen(
            [sys.executable, str(script), "--server", self.address, "--name", name, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PITCH_TOKEN": token, "PYTHONPATH": str(TESTS)},
        )
        self._bots.append(process)
        return process

    def end(self) -> Ended:
        """Waits until the tournament is over; fails if it does not end."""
        assert self.process.stdout is not None
        try:
            self.process.wait(timeout=LIMIT)
        finally:
            if self.process.poll() is None:
                self.process.kill()
        self._reader.join()
        out = self.process.stdout.read()
        self.process.stdout.close()
        assert self.process.stderr is not None
        self.process.stderr.close()
        return Ended(self.process.returncode, out, "\n".join(self.said))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.end()
        for bot in self._bots:
            bot.kill()
            bot.communicate()


def words_of(bot: "subprocess.Popen[str]") -> str:
    """What a bot has said, once it has ended."""
    said, _ = bot.communicate(timeout=LIMIT)
    return said
