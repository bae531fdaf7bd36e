"""Processes that are killed and stopped, and a clock that jumps: the table stays the same.

Here belong the tournaments that this happens to, each compared in all that it publishes with
one that nothing happened to. Good bots alone, all deterministic; the limits are short where
stopping for longer than every limit is what is tried.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import psutil

from chaos.checks import Check
from end_to_end.running import FIRST, PITCH, RANDOM, TESTS, Arena, Ended
from end_to_end.serving import Served, Server

__all__ = ["Kills", "Published", "faketime", "undisturbed"]

_BOTS = {"random": RANDOM, "first": FIRST}
_SHORT = {"move_timeout": "1s", "reconnect_grace": "2s", "start_timeout": "8s"}
_LONGER = 10.0  # seconds: more than every limit of these
_SHORTER = 1.0  # and less than any of the patient ones
_CACHED = 1  # seconds until a clock that jumps is looked at again
_PATIENCE = 900  # seconds until a tournament is taken to hang
_FAR = 0.9  # of the games are played when the last blow falls


class Published(NamedTuple):
    """All that a tournament publishes, byte for byte."""

    standings: str
    export: str
    table: str


def _pitch(*words: str) -> str:
    done = subprocess.run([*PITCH, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def published(arena: Arena, ended: Ended) -> Published:
    """What a tournament that is over publishes, by the commands that tell it."""
    return Published(
        _pitch("standings", str(arena.database), "--json"),
        _pitch("export", str(arena.database)),
        ended.out,
    )


def undisturbed(directory: Path, boards: int) -> Published:
    """A tournament that nothing happens to."""
    arena = _arena(directory, boards, _BOTS)
    ended = _finish(arena.start())
    assert ended.status == 0, ended.err
    return published(arena, ended)


def _arena(
    directory: Path,
    boards: int,
    launched: Mapping[str, tuple[str, ...]],
    *,
    processes: int = 1,
    clock: Mapping[str, str] | None = None,
) -> Served:
    remote = [name for name in _BOTS if name not in launched]
    arena = Served(
        directory,
        remote,
        launched=launched,
        extra={name: {"processes": processes} for name in remote},
        tables=8,
        restarts=1000,
        format={"boards": boards, "isolation": "none"},
        clock=clock or {"move_timeout": "60s", "start_timeout": "60s", "reconnect_grace": "300s"},
    )
    text = arena.config.read_text(encoding="utf-8")
    for name in launched:
        text = text.replace(f'name = "{name}"\n', f'name = "{name}"\nprocesses = {processes}\n')
    arena.config.write_text(text, encoding="utf-8")
    return arena


class Kills:
    """Blows to a tournament of so many boards, compared with `expected` in the end."""

    def __init__(self, expected: Published, boards: int, seed: int = 1) -> None:
        self.expected = expected
        self._boards = boards
        self._games = 2 * boards
        self._chance = random.Random(seed)

    # --- kill -9 of the server ------------------------------------------------------------------

    def of_the_server(self, directory: Path, kills: int) -> Check:
        """Killed at random moments, also before it plays, and begun again each time."""
        arena = _arena(directory, self._boards, _BOTS)
        killed = 0
        moments = self._moments(kills)
        for kill in range(kills):
            process = arena.start()
            if kill % 5 == 0:  # before it plays, perhaps before it listens or has a journal
                time.sleep(2 * self._chance.random())
            else:
                _wait_for_games(arena, process, moments[kill])
                time.sleep(0.01 * self._chance.random())
            killed += arena.kill(process)
        return self._judge(
            "kill -9 of the server", arena, _finish(arena.start()), f"{killed} kills", killed
        )

    def of_a_server_with_guests(self, directory: Path, kills: int) -> Check:
        """The same while bots that connect by themselves stay and come back."""
        arena = _arena(directory, self._boards, {})
        killed = 0
        moments = self._moments(kills)
        server = arena.serve()
        try:
            port = server.address.rpartition(":")[2]
            with _supervised(server, _BOTS, 1) as bots:
                for moment in moments:
                    _wait_for_games(arena, server.process, moment)
                    if server.process.poll() is not None:
                        break
                    server.process.kill()
                    killed += server.end().status == -signal.SIGKILL
                    server = Server(
                        arena, arena.start("--listen", f"127.0.0.1:{port}", command="serve")
                    )
                    bots.tend()
                ended = _end(server, bots)
        finally:
            server.__exit__()
        what = "kill -9 of a server whose bots connect by themselves"
        return self._judge(what, arena, ended, f"{killed} kills", killed)

    # --- kill -9 and SIGSTOP of bots ------------------------------------------------------------

    def of_launched_bots(self, directory: Path, kills: int) -> Check:
        """Bots that the server has launched, and starts again."""
        arena = _arena(directory, self._boards, _BOTS, processes=8)
        process = arena.start()
        killed = 0
        for moment in self._moments(kills):
            _wait_for_games(arena, process, moment)
            killed += _send_to_a_bot(process, signal.SIGKILL, self._chance)
        ended = _finish(process)
        assert not arena.survivors()
        return self._judge("kill -9 of launched bots", arena, ended, f"{killed} kills", killed)

    def of_bots_that_connect(self, directory: Path, kills: int) -> Check:
        """Bots that connect by themselves, and are started again by whoever runs them."""
        arena = _arena(directory, self._boards, {}, processes=4)
        with arena.serve() as server, _supervised(server, _BOTS, 4) as bots:
            for moment in self._moments(kills):
                _wait_for_games(arena, server.process, moment, bots.tend)
                bots.kill(self._chance)
            ended = _end(server, bots)
        what = "kill -9 of bots that connect by themselves"
        return self._judge(what, arena, ended, f"{bots.killed} kills", bots.killed)

    def stopped_bots(self, directory: Path, stops: int) -> Check:
        """Bots that are stopped for less than their limit."""
        arena = _arena(directory, self._boards, _BOTS, processes=2)
        process = arena.start()
        stopped = 0
        for moment in self._moments(stops):
            _wait_for_games(arena, process, moment)
            with suppress(psutil.NoSuchProcess):
                bot = self._chance.choice(_bots_of(process) or [psutil.Process(process.pid)])
                bot.suspend()
                time.sleep(_SHORTER)
                bot.resume()
                stopped += 1
        ended = _finish(process)
        return self._judge("SIGSTOP of bots", arena, ended, f"{stopped} stops", stopped)

    # --- SIGSTOP of the server, and its clock ---------------------------------------------------

    def stopped_server(self, directory: Path, stops: int) -> Check:
        """The server is stopped for longer than every limit; no bot can be blamed for that."""
        launched = {"random": RANDOM}
        arena = _arena(directory, self._boards, launched, clock=_SHORT)
        stopped = 0
        with arena.serve() as server, _supervised(server, ["first"], 1) as bots:
            _stop(server.process)  # while they are starting
            for moment in self._moments(stops):
                _wait_for_games(arena, server.process, moment)
                stopped += _stop(server.process)
            ended = _end(server, bots)
        what = "SIGSTOP of the server for longer than every limit"
        found = f"{stopped + 1} stops of {_LONGER:g} s"
        return self._judge(what, arena, ended, found, stopped)

    def jumping_clock(self, directory: Path, jumps: int, preload: str) -> Check:
        """The server's wall clock jumps by an hour, to and fro."""
        directory.mkdir(parents=True, exist_ok=True)
        offset = directory / "offset"
        offset.write_text("+0\n")
        with _faked_time(preload, offset):
            arena = _arena(directory, self._boards, _BOTS, clock=_SHORT)
            process = arena.start()
            jumped = 0
            for moment in self._moments(jumps):
                _wait_for_games(arena, process, moment)
                jumped += process.poll() is None
                offset.write_text(("+3600\n", "+0\n", "-3600\n", "+0\n")[(jumped - 1) % 4])
                time.sleep(_CACHED + 0.5)
            ended = _finish(process)
        found = f"{jumped} jumps of an hour"
        return self._judge("a wall clock that jumps", arena, ended, found, jumped)

    # --- inside ---------------------------------------------------------------------------------

    def _moments(self, count: int) -> list[int]:
        """Numbers of games, rising."""
        last = int(self._games * _FAR)
        return sorted(self._chance.randrange(last) for _ in range(count))

    def _judge(self, what: str, arena: Arena, ended: Ended, found: str, blows: int) -> Check:
        if ended.status != 0:
            return Check(what, False, f"{found}; exit status {ended.status}: {ended.err[-2000:]}")
        now = published(arena, ended)
        different = [
            name
            for name, mine, theirs in zip(Published._fields, now, self.expected, strict=True)
            if mine != theirs
        ]
        wrong = arena.verified()
        if different or wrong or not blows:
            return Check(what, False, f"{found}; differ: {different}; {wrong}")
        return Check(what, True, f"{found}; standings, export and table are the same")


def _finish(process: "subprocess.Popen[str]") -> Ended:
    """The end of a run that is left to itself."""
    try:
        out, err = process.communicate(timeout=_PATIENCE)
    finally:
        process.kill()
    return Ended(process.returncode, out, err)


def _wait_for_games(
    arena: Arena,
    process: "subprocess.Popen[str]",
    games: int,
    meanwhile: Callable[[], None] = lambda: None,
) -> None:
    """Returns when so many games are in the journal, or when the run is over."""
    deadline = time.monotonic() + _PATIENCE
    while arena.games_played() < games and process.poll() is None:
        meanwhile()
        assert time.monotonic() < deadline, "no games are played"
        time.sleep(0.01)


def _bots_of(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    """The processes of launched bots, without their wardens."""
    found = []
    for child in psutil.Process(process.pid).children(recursive=True):
        with suppress(psutil.Error):
            if "PITCH_NAME" in child.environ():
                found.append(child)
    return found


def _send_to_a_bot(
    process: "subprocess.Popen[str]", number: signal.Signals, chance: random.Random
) -> bool:
    with suppress(psutil.Error):
        if bots := _bots_of(process):
            chance.choice(bots).send_signal(number)
            return True
    return False


def _stop(process: "subprocess.Popen[str]") -> bool:
    if process.poll() is not None:
        return False
    process.send_signal(signal.SIGSTOP)
    time.sleep(_LONGER)
    process.send_signal(signal.SIGCONT)
    return True


class _Supervised:
    """Bots that connect by themselves; whoever runs them starts them again when they crash."""

    def __init__(self, server: Server, names: Iterable[str], count: int) -> None:
        """So many of each."""
        self.killed = 0
        self._address = server.address
        self._bots = [(name, self._start(name)) for name in names for _ in range(count)]

    def _start(self, name: str) -> "subprocess.Popen[bytes]":
        environment = {
            **os.environ,
            "PITCH_SERVER": self._address,
            "PITCH_NAME": name,
            "PITCH_TOKEN": "any",
            "PYTHONPATH": str(TESTS),
        }
        command = [part.replace("{python}", sys.executable) for part in _BOTS[name]]
        return subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def tend(self) -> None:
        """Starts those again that were killed."""
        for index, (name, bot) in enumerate(self._bots):
            if bot.poll() not in (None, 0):
                self._bots[index] = (name, self._start(name))

    def kill(self, chance: random.Random) -> None:
        """Kills one of them, wherever it is, and starts it again."""
        _, bot = chance.choice(self._bots)
        if bot.poll() is None:
            bot.kill()
            bot.wait()
            self.killed += 1
        self.tend()

    def end(self) -> None:
        """Ends all of them."""
        for _, bot in self._bots:
            bot.kill()
            bot.wait()


@contextmanager
def _supervised(server: Server, names: Iterable[str], count: int) -> Iterator[_Supervised]:
    bots = _Supervised(server, names, count)
    try:
        yield bots
    finally:
        bots.end()


def _end(server: Server, bots: _Supervised) -> Ended:
    """The end of the tournament, with all bots there."""
    deadline = time.monotonic() + _PATIENCE
    while server.process.poll() is None:
        bots.tend()
        assert time.monotonic() < deadline, "the tournament does not end"
        time.sleep(0.05)
    return server.end()


def faketime() -> str:
    """The library that fakes the wall clock; FileNotFoundError where it is not installed."""
    for path in sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")):
        return str(path)
    raise FileNotFoundError("libfaketime is not installed; expected Debian's package libfaketime")


@contextmanager
def _faked_time(preload: str, offset: Path) -> Iterator[None]:
    """Within it processes that are started see a wall clock that is off by what a file says."""
    mine = {
        "LD_PRELOAD": preload,
        "FAKETIME_TIMESTAMP_FILE": str(offset),
        "FAKETIME_CACHE_DURATION": str(_CACHED),
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    before = {key: os.environ.get(key) for key in mine}
    os.environ.update(mine)
    try:
        yield
    finally:
        for key, value in before.items():
            if value is None:
                del os.environ[key]
            else:
                os.environ[key] = value
