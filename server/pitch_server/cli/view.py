"""`pitch view`: what a bot at one seat is shown at the end of a record (records.md)."""

import json

import click

from pitch.records import RecordError, replay_game, view_json
from pitch.rules import view_of
from pitch_server.cli.group import BadInput
from pitch_server.cli.inputs import name_of, read_one_record

__all__ = ["view"]

_EPILOG = """\b
Examples:
  pitch view game.json --seat 2
  pitch export demo.db | head -n 1 | pitch view - --seat 2
"""


@click.command(epilog=_EPILOG)
@click.argument("file", metavar="FILE")
@click.option("--seat", type=click.IntRange(min=0), required=True, help="The seat, from 0.")
def view(file: str, seat: int) -> None:
    """Print, as JSON, what a bot at a seat is shown at the end of the one record in FILE.

    It is what the wire carries and no more, with cards written as text; "-" is standard
    input.
    """
    value = read_one_record(file)
    try:
        replayed = replay_game(value)
    except RecordError as error:
        where = _where(error)
        raise BadInput(f"{name_of(file)}: does not replay{where}: {error.reason}") from None
    if seat >= replayed.game.variant.players:
        last = replayed.game.variant.players - 1
        raise click.BadParameter(f"{seat} is no seat of this record, expected 0 to {last}")
    if replayed.hand is None:
        raise BadInput(f"{name_of(file)}: the record has no hand yet, so a seat sees nothing")
    seen = view_json(view_of(replayed.before, replayed.hand, seat))
    click.echo(json.dumps(seen, indent=2))


def _where(error: RecordError) -> str:
    if error.hand is None:
        return ""
    return f" at hand {error.hand}" + ("" if error.action is None else f", action {error.action}")
