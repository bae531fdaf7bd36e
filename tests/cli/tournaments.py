"""Tournaments in databases for the commands: finished ones, and some that lack games."""

import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from pitch.table.faults import FaultPolicy
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import EntrantSettings, Settings
from pitch_server.store.journal import Journal
from plan.making import make_settings
from verify.making import SEED, play, play_tournament

BOT = """\
import random

from pitch import Action, Bot, View, run


class AnyBot(Bot):
    def choose(self, view: View) -> Action:
        return view.random.choice(view.legal)


if __name__ == "__main__":
    run(AnyBot)
"""

COMMAND = ("{python}", "bot.py")
SETTINGS = make_settings(3, boards=4, faults=FaultPolicy(max_faults=2))
GAMES = len(Plan(SETTINGS))


def commanded(boards: int = 2, entrants: int = 2) -> Settings:
    """Settings whose entrants all are started by COMMAND."""
    plain = make_settings(entrants, boards=boards)
    return replace(
        plain,
        entrants=tuple(EntrantSettings(name=name, command=COMMAND) for name in plain.names),
    )


def finished(file: Path, settings: Settings = SETTINGS) -> Path:
    """A database with a finished tournament."""
    play_tournament(file, settings)
    return file


def going_on(file: Path, settings: Settings = SETTINGS, games: int = 5) -> Path:
    """A database with a tournament of which so many games are played; its bot beside it."""
    (file.parent / "bot.py").write_text(BOT, encoding="utf-8")
    with Journal.create(file, settings, SEED, directory=file.parent) as journal:
        journal.append([play(settings, game, faulty=0) for game in islice(Plan(settings), games)])
    return file


def copied(file: Path, to: Path) -> Path:
    """A copy to change."""
    shutil.copy(file, to)
    return to


def changed(file: Path, change: str | Callable[[sqlite3.Connection], Any]) -> Path:
    """The database, changed behind our back by a statement or a function."""
    connection = sqlite3.connect(file)
    if isinstance(change, str):
        connection.execute(change)
    else:
        change(connection)
    connection.commit()
    connection.close()
    return file


def config(
    directory: Path,
    settings: Settings,
    *,
    database: str = "a.db",
    seed: str = SEED,
    form: str | None = None,
) -> str:
    """The path of a CONFIG.toml for the settings, with their bot beside it.

    `form` is what stands in `[format]`, if it is not the number of boards alone.
    """
    (directory / "bot.py").write_text(BOT, encoding="utf-8")
    entrants = "".join(
        f'[[entrants]]\nname = "{name}"\ncommand = ["{{python}}", "bot.py"]\n'
        for name in settings.names
    )
    file = directory / "a.toml"
    file.write_text(
        f'name = "{settings.name}"\n'
        + (f'seed = "{seed}"\n' if seed else "")
        + f'database = "{database}"\n[variant]\nname = "{settings.variant.name}"\n'
        + f"[format]\n{form or f'boards = {settings.format.boards}'}\n{entrants}",
        encoding="utf-8",
    )
    return str(file)
