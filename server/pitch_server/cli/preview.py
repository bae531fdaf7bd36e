"""`pitch run --dry-run`: what a tournament would be, before anything is started.

Here belongs the size of the plan and its first games, by arithmetic: ten million boards are
shown as quickly as ten.
"""

import io
import os
from itertools import islice
from typing import TYPE_CHECKING

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pitch_server.cli.format_facts import format_facts
from pitch_server.cli.group import BadInput
from pitch_server.config import Config
from pitch_server.entrants import instances_needed
from pitch_server.places import near
from pitch_server.plan.decks import commitment
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import Isolation, Settings
from pitch_server.planned import known_plan
from pitch_server.result_console import ResultConsole
from pitch_server.store.database import database_name, database_path

if TYPE_CHECKING:
    from sqlalchemy import URL

    from pitch_server.store.journal import Journal

__all__ = ["preview"]

_GAMES = 8  # shown
_WIDE = 100_000  # for files: no line is wrapped


def preview(config: Config, database: "URL", tables: int, found: "Journal | None") -> None:
    """Prints the plan; `found` is the same tournament if the database holds it already.

    BadInput if the database could not be made.
    """
    state = _state(database, found)
    plan = Plan(config.settings)
    facts = _sizes(config.settings, plan) | {
        "tables": f"{tables:,} games at once",
        "database": f"{near(database_name(database))}: {state}",
        "commitment": _commitment(config, found),
    }
    console = ResultConsole()
    if console.is_terminal:
        _draw(console, facts, config.settings, plan)
        return
    plain = Console(file=io.StringIO(), width=_WIDE, color_system=None, force_terminal=False)
    with plain.capture() as drawn:
        _draw(plain, facts, config.settings, plan)
    click.echo("\n".join(line.rstrip() for line in drawn.get().rstrip().splitlines()))


def _state(database: "URL", found: "Journal | None") -> str:
    """What a run would do with the database."""
    if found is not None:
        played, planned = len(found.played()), known_plan(found).total
        going = f"a run goes on after {played:,} of its {planned:,} games"
        return f"holds this tournament, {going if played < planned else 'which is played'}"
    path = database_path(database)
    if path is not None and not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadInput(f"{near(path)} can't be written: the file or its directory is read-only")
    return "a run makes a new tournament in it"


def _commitment(config: Config, found: "Journal | None") -> str:
    if found is not None:
        return found.commitment
    if config.seed is None:
        return "of a seed that is drawn at the start"
    return commitment(config.seed)


def _sizes(settings: Settings, plan: Plan) -> dict[str, str]:
    form, entrants, each = settings.format, len(settings.entrants), instances_needed(settings)
    # by boards the instances of a pairing start afresh, so others do not run meanwhile
    at_once = plan.places if form.isolation is Isolation.BOARDS else entrants
    return {
        "tournament": settings.name,
        "variant": settings.variant.name,
        "format": f"{form.kind}, {form.deals} deals, by the {form.unit}",
        "isolation": str(form.isolation),
        "entrants": f"{entrants:,}",
        "processes": f"{each:,} an entrant, {each * at_once:,} at once",
        **format_facts(settings, plan),
    }


def _draw(console: Console, facts: dict[str, str], settings: Settings, plan: Plan) -> None:
    for key, value in facts.items():
        line = Text.assemble((f"{key:<12}", "dim"), value)
        console.print(line, soft_wrap=True)
    console.print()
    console.print(Text("First games", style="bold"))
    console.print(_games(settings, plan, ruled=console.is_terminal))


def _games(settings: Settings, plan: Plan, *, ruled: bool) -> Table:
    table = Table(box=box.SIMPLE_HEAD if ruled else None, padding=(0, 2 - ruled, 0, 0))
    for head in ("game", "board", "dealer"):
        table.add_column(head, justify="right", no_wrap=True)
    for seat in range(plan.players):
        table.add_column(f"seat {seat}", overflow="fold")
    for game in islice(plan, _GAMES):
        names = (Text(settings.names[entrant]) for entrant in game.seats)
        table.add_row(f"{game.number:,}", f"{game.board:,}", f"{game.first_dealer}", *names)
    return table
