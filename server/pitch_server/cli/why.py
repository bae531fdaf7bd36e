"""`pitch why`: the decisions of a game, what a seat saw, and what a bot would do there now.

Here belongs how they are listed and shown. Reading a game is `played_game`'s, asking a bot
again `pitch_server.asked_again`'s.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

import click

from pitch.bot.view_file import saved_view_json, saved_view_text
from pitch.rules import Action, action_text
from pitch_server.cli.database import tournament_option
from pitch_server.cli.group import DONE, LOOK_AT_IT, BadInput
from pitch_server.cli.outputs import check_output, write_output
from pitch_server.cli.played_game import game_in_database, game_in_file, is_record_file
from pitch_server.written_files import VIEW

if TYPE_CHECKING:
    from pitch.testing.bot_source import FoundBot
    from pitch_server.asked_again import AnswerAgain
    from pitch_server.decisions import Decided, HandEnd, PlayedGame

__all__ = ["why"]

_EPILOG = """\b
Examples:
  pitch why demo.db 17 --entrant careful
  pitch why demo.db 17 --decision 12 --with my_bot.py --save lost.json
  pitch export demo.db | pitch why - 17 --with rule
"""


@click.command(epilog=_EPILOG)
@click.argument("source", metavar="DB|FILE")
@click.argument("game", type=click.IntRange(min=0), metavar="GAME", required=False)
@tournament_option
@click.option("--seat", type=click.IntRange(min=0), help="Only the decisions of a seat, from 0.")
@click.option("--entrant", metavar="NAME", help="Only those of an entrant.")
@click.option("--decision", type=click.IntRange(min=0), metavar="N", help="What was seen there.")
@click.option("--question", metavar="ID", help="The decision that a bot's log names so.")
@click.option(
    "--with",
    "bot",
    metavar="BOT",
    help="Ask a bot again: my_bot.py, module:Class, rule, a command.",
)
@click.option("--save", metavar="FILE", help="Write the view there.")
@click.option("--seed", metavar="SEED", help="The tournament's, where FILE holds records.")
@click.option("--reveal", is_flag=True, help="Tell before the end what still is to be secret.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def why(
    source: str,
    game: int | None,
    tournament: int | None,
    seat: int | None,
    entrant: str | None,
    decision: int | None,
    question: str | None,
    bot: str | None,
    save: str | None,
    seed: str | None,
    reveal: bool,
    as_json: bool,
) -> int:
    """List the decisions of GAME, or show what was seen and done at one of them.

    The game is one of the tournament in DB, or of a FILE of records ("-" is standard input). A
    decision's number counts the actions of the game before it, as pitch faults does. With --with
    a bot is asked the same questions: it lives through its seat's game from the start,
    with the chance that was drawn then, so that a bot that is the same answers the same. In the
    place of GAME, --question takes the id that a bot's log has. Exit status 1 says that the bot
    failed at one of them.
    """
    from pitch_server.leftovers import end_despite_threads

    if question is not None:
        if game is not None or decision is not None:
            raise BadInput("--question names a game and a decision; expected it alone")
        game, decision = _question(source, tournament, question)
    if save is not None and decision is None:
        raise BadInput("--save needs --decision N: whose view is to be saved?")
    if save is not None:
        check_output(save, VIEW)
    played = _game(source, game, tournament, seed, reveal=reveal)
    wanted = _seats(played, seat, entrant)
    story = _story(played)
    chosen = _chosen(story, wanted, decision)
    found = None if bot is None else _bot(bot)
    answers = {} if found is None else _answers(found, played, story, chosen)
    if save is not None:
        _save(chosen[0], save)
    if as_json:
        document = _document(played, game, chosen, answers, found, whole=decision is not None)
        click.echo(json.dumps(document, indent=2, allow_nan=False))
    else:
        lines = (
            _one(played, chosen[0], answers)
            if decision is not None
            else _list(played, game, chosen, answers)
        )
        click.echo("\n".join(lines))
    status = DONE if all(answer.legal for answer in answers.values()) else LOOK_AT_IT
    end_despite_threads(status)
    return status


# --- what is meant ----------------------------------------------------------------------------


def _game(
    source: str, game: int | None, tournament: int | None, seed: str | None, *, reveal: bool
) -> "PlayedGame":
    if is_record_file(source):
        return game_in_file(source, game, seed)
    if game is None:
        raise BadInput("expected the number of a GAME, as pitch boards and pitch faults tell it")
    if seed is not None:
        raise BadInput("--seed is for a FILE of records; a database has its seed")
    return game_in_database(source, tournament, game, reveal=reveal)


def _question(source: str, tournament: int | None, text: str) -> tuple[int, int]:
    """The game and the decision that an id on the wire stands for."""
    from pitch_server.cli.played_game import question_in_database

    if is_record_file(source):
        raise BadInput("--question needs the tournament's database: records don't tell ids")
    try:
        wanted = int(text, 16)
    except ValueError:
        wanted = -1
    if not 0 <= wanted < 1 << 64:
        raise BadInput(f"--question: expected 16 hexadecimal digits, as in a log, got {text!r}")
    return question_in_database(source, tournament, wanted)


def _seats(played: "PlayedGame", seat: int | None, entrant: str | None) -> list[int]:
    """The seats whose decisions are wanted."""
    names = played.record.seats
    if seat is not None and seat >= len(names):
        raise BadInput(f"there is no seat {seat}; expected 0 to {len(names) - 1}")
    if entrant is not None and entrant not in names:
        raise BadInput(
            f"no entrant {entrant!r} sits at this game; there are {', '.join(dict.fromkeys(names))}"
        )
    return [
        each for each, name in enumerate(names) if seat in (None, each) and entrant in (None, name)
    ]


def _story(played: "PlayedGame") -> "list[Decided | HandEnd]":
    """All decisions and ends of hands; BadInput for a record that does not replay."""
    from pitch.records import RecordError
    from pitch_server.decisions import decisions_of

    try:
        return list(decisions_of(played))
    except RecordError as error:
        raise BadInput(f"the record does not replay: {error.reason}") from None


def _chosen(
    story: "Sequence[Decided | HandEnd]", seats: Sequence[int], number: int | None
) -> "list[Decided]":
    from pitch_server.decisions import Decided

    there = [each for each in story if isinstance(each, Decided) and each.seat in seats]
    if number is None:
        return there
    chosen = [each for each in there if each.number == number]
    if not chosen:
        near = sorted(sorted([each.number for each in there], key=lambda n: abs(n - number))[:4])
        raise BadInput(
            f"there is no decision {number}; near it are {', '.join(map(str, near)) or 'none'} (an "
            "action that is the only legal one is not asked for)"
        )
    return chosen


def _bot(text: str) -> "FoundBot":
    from pitch.testing.bot_source import BotSourceError, find_bot

    try:
        return find_bot(text)
    except BotSourceError as error:
        raise BadInput(f"--with: {error}") from None


def _answers(
    found: "FoundBot",
    played: "PlayedGame",
    story: "Sequence[Decided | HandEnd]",
    chosen: "Sequence[Decided]",
) -> "dict[int, AnswerAgain]":
    """What the bot answers at the chosen decisions, by their numbers."""
    wanted = {each.number for each in chosen}
    seats = sorted({each.seat for each in chosen})
    before = [each for each in story if each.number <= max(wanted, default=-1)]
    with redirect_stdout(sys.stderr):  # what a bot prints is no result of ours
        answers = _asked(found, played, before, seats)
    return {each.decided.number: each for each in answers if each.decided.number in wanted}


def _asked(
    found: "FoundBot",
    played: "PlayedGame",
    before: "Sequence[Decided | HandEnd]",
    seats: Sequence[int],
) -> "list[AnswerAgain]":
    """What the bot answers at these seats: a class here, a command in a process of its own."""
    from pitch_server.asked_again import ask_again
    from pitch_server.leftovers import no_process_left

    if found.bot_class is not None:
        bot = found.bot_class
        with no_process_left():
            return [answer for seat in seats for answer in ask_again(bot, played, before, seat)]
    from pitch_server.asked_process import NotAsked, ask_process

    try:
        return ask_process(found.command, played, before, seats)
    except NotAsked as error:
        raise BadInput(f"--with: {error}") from None


def _save(decided: "Decided", path: str) -> None:
    view = decided.view
    text = saved_view_text(view.known, view.table, view.chance, view.time_bank, None)
    write_output(path, VIEW, text)
    click.echo(f"the view is in {path}; a test reads it with View.load({path!r})", err=True)


# --- for people -------------------------------------------------------------------------------


def _list(
    played: "PlayedGame",
    game: int | None,
    chosen: "Sequence[Decided]",
    answers: "dict[int, AnswerAgain]",
) -> Iterator[str]:
    from pitch_server.report_tables import one_line

    seats = ", ".join(f"{at} {one_line(name)}" for at, name in enumerate(played.record.seats))
    number = played.record.extra.get("x_game", game)
    yield click.style(f"Game {'' if number is None else number}: {seats}", bold=True)
    again = "now" if answers else ""
    yield click.style(f"{'decision':>8}  hand  seat  {'did':<24}{again}".rstrip(), bold=True)
    for each in chosen:
        answer = answers.get(each.number)
        now = "" if answer is None else f"{_said(answer)}{'' if answer.same else '  *'}"
        yield f"{each.number:>8}  {each.hand:>4}  {each.seat:>4}  {_did(each):<24}{now}".rstrip()
    if answers:
        same = sum(answer.same for answer in answers.values())
        stars = "" if same == len(answers) else " * marks the others."
        yield f"It answers the same at {same} of {len(answers)} decisions.{stars}{_unsure(played)}"
    else:
        yield "--decision N shows what was seen there, --with BOT asks a bot again."


def _did(decided: "Decided") -> str:
    if decided.action is None:
        return "nothing: the game ended"
    text = action_text(decided.action)
    return f"{text} (by the referee)" if decided.substituted else text


def _said(answer: "AnswerAgain") -> str:
    if not isinstance(answer.outcome, Action):
        return answer.outcome.message.partition("\n")[0]
    return action_text(answer.outcome) + ("" if answer.legal else " (not legal)")


def _one(
    played: "PlayedGame", decided: "Decided", answers: "dict[int, AnswerAgain]"
) -> Iterator[str]:
    from pitch_server.report_tables import one_line

    name = one_line(played.record.seats[decided.seat])
    yield str(decided.view)
    yield ""
    yield click.style(f"{name} did: {_did(decided)}", bold=True)
    if decided.fault:
        yield f"  {decided.fault}"
    answer = answers.get(decided.number)
    if answer is None:
        return
    same = "the same" if answer.same else "something else"
    yield click.style(f"now: {_said(answer)} – {same}, in {answer.seconds:.3f} s", bold=True)
    if not isinstance(answer.outcome, Action):
        yield from (f"  {line}" for line in answer.outcome.traceback.splitlines())
    if unsure := _unsure(played):
        yield unsure.strip()


def _unsure(played: "PlayedGame") -> str:
    """Why a bot that draws may answer otherwise."""
    if played.chances is not None:
        return ""
    return (
        " The seed is not known here, so view.random is not what the bot had then: --seed SEED, "
        "or the tournament's database, restores it."
    )


# --- for programs -----------------------------------------------------------------------------


def _document(
    played: "PlayedGame",
    game: int | None,
    chosen: "Sequence[Decided]",
    answers: "dict[int, AnswerAgain]",
    found: "FoundBot | None",
    *,
    whole: bool,
) -> dict[str, Any]:
    return {
        "game": played.record.extra.get("x_game", game),
        "seats": list(played.record.seats),
        "chance_known": played.chances is not None,
        "with": None if found is None else found.name,
        "decisions": [_row(each, answers.get(each.number), whole=whole) for each in chosen],
    }


def _row(decided: "Decided", answer: "AnswerAgain | None", *, whole: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "decision": decided.number,
        "hand": decided.hand,
        "action": decided.action_index,
        "seat": decided.seat,
        "phase": decided.view.phase.name.lower(),
        "did": None if decided.action is None else action_text(decided.action),
        "substituted": decided.substituted,
        "fault": decided.fault,
    }
    if answer is not None:
        outcome = answer.outcome
        row["now"] = action_text(outcome) if isinstance(outcome, Action) else None
        row["now_failed"] = None if isinstance(outcome, Action) else outcome.message
        row["now_legal"], row["same"] = answer.legal, answer.same
        row["seconds"] = answer.seconds
    if whole:
        view = decided.view
        row["view"] = saved_view_json(view.known, view.table, view.chance, view.time_bank, None)
    return row
