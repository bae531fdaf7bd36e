"""`pitch play`: a person plays against bots in the terminal.

Here belong its options. The game and the screen are `pitch_server.person`'s.
"""

import codecs
import secrets
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from pitch_server.cli.group import BadInput
from pitch_server.cli.numbers import FiniteFloat

if TYPE_CHECKING:
    from pitch.bot.base import Bot
    from pitch.rules.variant import Variant
    from pitch.testing import FoundBot
    from pitch_server.person.seated import Seated

__all__ = ["play"]

_STRONGEST = ("search", "counting", "rule")
_EPILOG = """\b
Examples:
  pitch play
  pitch play my_bot.py
  pitch play rule my_bot.py rule --variant ten-point --unit hand
"""


@click.command(epilog=_EPILOG)
@click.argument("bots", nargs=-1, metavar="[BOT]...")
@click.option("--variant", default="pitch-ac", metavar="NAME", help="pitch-ac by default.")
@click.option(
    "--unit",
    type=click.Choice(("hand", "game")),
    default="game",
    help="A whole game, by default, or one hand.",
)
@click.option(
    "--seat", type=click.IntRange(min=0), default=0, metavar="N", help="The seat that you take; 0."
)
@click.option("--seed", metavar="TEXT", help="Of all deals; drawn and told at the end by default.")
@click.option("--hint", metavar="BOT", help="Who is asked for a hint; the strongest sample.")
@click.option(
    "--pace",
    type=FiniteFloat(0, 60),
    default=0.7,
    metavar="SECONDS",
    help="Between two actions; 0.7 by default.",
)
def play(bots: tuple[str, ...], unit: str, seat: int, pace: float, **given: Any) -> int:
    """Play a game against bots, in the terminal.

    A BOT is a file (my_bot.py, or my_bot.py:Class), module:Class or a sample's name. One sits
    everywhere else, also across from you; or name one for each other seat, from your left. The
    sample bot rule plays if none is named. Keys are told at the lower edge, ? tells all.
    """
    from pitch.table.unit import Unit
    from pitch_server.leftovers import no_process_left
    from pitch_server.person.app import PlayApp
    from pitch_server.person.seated import Seated

    variant = _variant(given["variant"])
    if seat >= variant.players:
        raise BadInput(f"--seat: got {seat}; {variant.name} has seats 0 to {variant.players - 1}")
    found = _seated_bots(bots or ("rule",), seat, variant)
    hint = _hint(given["hint"])
    seed = given["seed"] or secrets.token_hex(4)

    def deal(number: int) -> "Seated":
        return Seated(
            [_class_of(bot) for bot in found],
            seat,
            variant=variant,
            unit=Unit(unit),
            seed=f"{seed}/{number}" if number else seed,
            hint=_class_of(hint),
        )

    if not _on_a_terminal():
        raise BadInput("expected a terminal to play in; input or output is a file or a pipe")
    app = PlayApp(deal, pace=pace, hint_name=hint.name)
    _take_any_bytes()
    with no_process_left():
        app.run()
    if app.return_code:
        return app.return_code
    click.echo(f"{app.won} of {app.games} won; the same deals again: --seed {seed}")
    return 0


def _take_any_bytes() -> None:
    """Textual reads keys as UTF-8 and ends at a byte that is none, as of another encoding."""
    from textual.drivers import linux_driver

    lenient = codecs.getincrementaldecoder("utf-8")
    name = "getincrementaldecoder"  # as the driver has imported it
    setattr(linux_driver, name, lambda _encoding: partial(lenient, errors="replace"))


def _on_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _variant(name: str) -> "Variant":
    from pitch.rules.catalog import parse_variant
    from pitch.rules.variant import VariantError

    try:
        return parse_variant({"name": name})
    except VariantError as error:
        raise BadInput(f"--variant: {error}") from error


def _seated_bots(texts: tuple[str, ...], seat: int, variant: "Variant") -> "list[FoundBot]":
    """The bot of each seat; that of the person's is not used."""
    others = variant.players - 1
    if len(texts) not in (1, others):
        raise BadInput(
            f"got {len(texts)} bots; expected one, or one for each of the {others} other seats of "
            f"{variant.name}"
        )
    found = [_bot(text) for text in texts]
    around = found * others if len(found) == 1 else found
    return [around[(at - seat - 1) % variant.players % others] for at in range(variant.players)]


def _bot(text: str) -> "FoundBot":
    from pitch.testing import BotSourceError, find_bot

    try:
        found = find_bot(text)
    except BotSourceError as error:
        raise BadInput(str(error)) from error
    if found.bot_class is None:
        raise BadInput(f"{text!r} is a command; expected a file, module:Class or a sample bot here")
    return found


def _class_of(found: "FoundBot") -> "type[Bot]":
    assert found.bot_class is not None  # noqa: S101 - checked when it was found
    return found.bot_class


def _hint(text: str | None) -> "FoundBot":
    from pitch.testing.samples import sample_bots

    if text is not None:
        return _bot(text)
    there = sample_bots()
    return _bot(next(name for name in _STRONGEST if name in there))
