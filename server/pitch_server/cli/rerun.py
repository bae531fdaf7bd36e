"""`pitch rerun`: plays one game again, the very deal, with another bot in the seat if wanted.

Here belongs how the two games are set side by side. Playing is for pitch_server.rerun.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pitch_server.cli.database import (
    database_argument,
    open_journal,
    refusing,
    tournament_option,
)
from pitch_server.cli.group import BadInput
from pitch_server.cli.resume import parse_commands

if TYPE_CHECKING:
    from pitch_server.rerun import Again
    from pitch_server.store.journal import Journal

__all__ = ["rerun"]

_LOOK_AT_IT = 1
_EPILOG = """\b
Examples:
  pitch rerun demo.db 17
  pitch rerun demo.db 17 --with "rule={python} rule_bot.py --caution 1.2"
"""


@click.command(epilog=_EPILOG)
@database_argument
@click.argument("game", type=click.IntRange(min=0), metavar="GAME")
@tournament_option
@click.option(
    "--with", "commands", multiple=True, metavar="NAME=...", help="Another bot in its seats."
)
@click.option("--reveal", is_flag=True, help="Play before the end what still is to be secret.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def rerun(
    database: str,
    game: int,
    tournament: int | None,
    commands: tuple[str, ...],
    reveal: bool,
    as_json: bool,
) -> int:
    """Play GAME of the tournament in DB again: same seats, decks and bits of chance.

    The bots are those of the database, or of --with, under the names that they had; a command
    runs where the configuration was. Both games are shown side by side. The tournament stays as
    it is. Exit status 1 says that a bot was at fault this time.
    """
    from pitch_server.rerun import play_again
    from pitch_server.store.export import check_revealed

    with open_journal(database, tournament) as journal, refusing():
        check_revealed(journal, reveal=reveal, verb="play")
        names = _names_at(journal, game)
        anew = parse_commands(commands, journal.settings.names, "--with")
        _need_at_table(anew, names, game)
        directory = journal.directory or Path.cwd()
        bots = _bots(journal, names, anew, directory)
        again = play_again(journal, game, bots, directory, on_news=_tell)
    if as_json:
        click.echo(json.dumps(_document(game, again, anew), indent=2, allow_nan=False))
    else:
        click.echo("\n".join(_lines(game, again)))
    return _LOOK_AT_IT if again.faults else 0


def _tell(sentence: str) -> None:
    click.echo(sentence, err=True)


def _names_at(journal: "Journal", game: int) -> list[str]:
    """Who sits at the game, each once; BadInput if it has not been played."""
    from pitch_server.planned import known_plan

    plan = known_plan(journal)
    if game >= len(plan) or journal.record(game) is None:
        raise BadInput(
            f"game {game} is not in {journal.place}; {len(journal.played()):,} games are, with "
            f"numbers below {len(plan):,}"
        )
    return list(dict.fromkeys(journal.settings.names[each] for each in plan[game].seats))


def _need_at_table(anew: Mapping[str, Sequence[str]], names: Sequence[str], game: int) -> None:
    """BadInput for an entrant of the tournament who has no seat at this game."""
    for name in anew:
        if name not in names:
            raise BadInput(
                f"--with: {name} does not play in game {game}; expected one of those who do: "
                f"{', '.join(names)}"
            )


def _bots(
    journal: "Journal", names: Sequence[str], anew: Mapping[str, Sequence[str]], directory: Path
) -> dict[str, Sequence[str]]:
    """The command of everyone at the table; BadInput where one can't be started."""
    from pitch_server.bot_command import command_problem

    if not directory.is_dir():
        raise BadInput(f"the bots run in {directory}, which is no directory any more")
    kept = {row.name: row.command for row in journal.entrants()}
    bots: dict[str, Sequence[str]] = {}
    for name in names:
        command = anew.get(name, kept.get(name))
        if command is None:
            raise BadInput(
                f"{name} connected by itself, so there is no command to start it by; expected "
                f'--with "{name}=PROGRAM ARGUMENT..."'
            )
        if problem := command_problem(command, directory):
            raise BadInput(f"{name}: {problem}")
        bots[name] = command
    return bots


# --- side by side -----------------------------------------------------------------------------


def _document(game: int, again: "Again", anew: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    from pitch_server.rerun import first_difference

    found = first_difference(again.before, again.again)
    return {
        "game": game,
        "with": {name: list(command) for name, command in anew.items()},
        "first_difference": None if found is None else {"hand": found[0], "action": found[1]},
        "before": again.before,
        "again": again.again,
        "faults": [
            {"seat": fault.seat, "kind": fault.kind, "came": fault.came, "output": fault.output}
            for fault in again.faults
        ],
    }


def _lines(game: int, again: "Again") -> Iterator[str]:
    from pitch_server.report_tables import one_line
    from pitch_server.rerun import first_difference

    seats = ", ".join(f"{at} {one_line(name)}" for at, name in enumerate(again.again["seats"]))
    yield click.style(f"Game {game}: {seats}", bold=True)
    found = first_difference(again.before, again.again)
    hands = zip_longest(_told(again.before), _told(again.again))
    for at, (before, now) in enumerate(hands):
        yield ""
        yield from _hand_lines(before, now, found, at)
    yield ""
    yield f"{'scores':<26}{_scores(again.before):<26}{_scores(again.again)}"
    if found is None:
        yield "Both games are the same, action for action."
    else:
        yield f"They part at action {found[1]} of hand {found[0]}."
    for fault in again.faults:
        yield f"seat {fault.seat} was at fault: {fault.kind}"
        yield from (f"  {line}" for line in (fault.output or "").splitlines())


class _Hand(NamedTuple):
    """A hand of one of the games: its actions, and what is told of it."""

    actions: list[str]
    told: Mapping[str, Any]


def _told(record: Mapping[str, Any]) -> Iterator[_Hand]:
    from pitch.records import hands_of, parse_record
    from pitch_server.travellers.hands import told_hand

    game = parse_record(record)
    for stored, hand in zip(record["hands"], hands_of(game), strict=True):
        yield _Hand(stored["actions"], told_hand(hand, game.seats))


def _hand_lines(
    before: _Hand | None, now: _Hand | None, found: tuple[int, int] | None, at: int
) -> Iterator[str]:
    """The deal, a line an action, what came of it; from where the games part on, a star."""
    first = before or now
    assert first is not None  # noqa: S101 - one of two that are zipped
    yield click.style(f"hand {at}, dealer {first.told['dealer']}", bold=True)
    for seat, cards in enumerate(first.told["dealt"]):
        yield f"  seat {seat} dealt {' '.join(cards)}"
    yield click.style(f"{'':<26}{'before':<26}again", bold=True)
    pairs = zip_longest(_actions(before), _actions(now), fillvalue="")
    for index, (mine, its) in enumerate(pairs):
        mark = "" if found is None or (at, index) < found else "*"
        yield f"{f'  {index} {mark}':<26}{mine:<26}{its}"
    yield f"{'  contract':<26}{_contract(before):<26}{_contract(now)}"
    yield f"{'  delta':<26}{_delta(before):<26}{_delta(now)}"


def _actions(hand: _Hand | None) -> list[str]:
    return [] if hand is None else hand.actions


def _contract(hand: _Hand | None) -> str:
    """Who pitched for what, and whether it was made."""
    if hand is None or hand.told["pitcher"] is None:
        return "–"
    made = {True: ", made", False: ", set", None: ""}[hand.told["made"]]
    trump = "" if hand.told["trump"] is None else f" in {hand.told['trump']}"
    return f"{hand.told['pitcher']} for {hand.told['bid']}{trump}{made}"


def _delta(hand: _Hand | None) -> str:
    delta = None if hand is None else hand.told["delta"]
    return "–" if delta is None else " ".join(f"{each:+d}" for each in delta)


def _scores(record: Mapping[str, Any]) -> str:
    forfeited = " forfeited" if "x_forfeit" in record else ""
    void = " void" if "x_void" in record else ""
    result = record.get("result")
    return (" ".join(map(str, result["scores"])) if result else "–") + forfeited + void
