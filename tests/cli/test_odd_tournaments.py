"""Odd tournaments through every command of statistics: finite answers or "undecided", in words.

Each tournament is made of true games, so that `pitch verify` has to find all of it right.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import Result

from cli.running import pitch
from pitch.table.faults import Fault, FaultPolicy
from pitch.table.referee import Referee
from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.plan.question import Asked, make_question
from pitch_server.plan.settings import Deals, EntrantSettings, FormatKind, Settings, Unit
from pitch_server.published import shown_standings
from pitch_server.scores.boards import note_results
from pitch_server.store.journal import Journal
from pitch_server.store.rows import State
from plan.making import make_settings
from verify.making import SEED, Step, play

NO_NUMBER = re.compile(r"(?<![\w'])[-+±]?(nan|inf|infinity)(?!\w)", re.IGNORECASE)
NAMES = (
    '=1+2, "x"',
    "\u05e9\u05dc\u05d5\u05dd | a",
    "\U0001f3b2 *bold*, 'q'",
    "Zo\u00eb \\\\ & <b>",
)


def first_legal(referee: Referee, _: PlannedGame) -> None:
    referee.answer(referee.asked, referee.legal[0])


def nobody(referee: Referee, game: PlannedGame) -> None:
    if referee.forfeits:
        first_legal(referee, game)
    else:
        referee.forfeit_all(Fault.ABSENT)


def loses(entrant: int) -> Step:
    """The entrant is not there; everybody else plays."""

    def step(referee: Referee, game: PlannedGame) -> None:
        if entrant in game.seats and not referee.forfeits:
            referee.forfeit(game.seats.index(entrant) % referee.variant.sides, Fault.ABSENT)
        else:
            first_legal(referee, game)

    return step


def faulty(referee: Referee, _: PlannedGame) -> None:
    referee.fault(referee.asked, Fault.TIMEOUT)


def by_chance_of(void: Callable[[PlannedGame], bool]) -> Step:
    """Games that nobody is there for, and others."""

    def step(referee: Referee, game: PlannedGame) -> None:
        if void(game):
            nobody(referee, game)
        else:
            referee.answer(referee.asked, referee.legal[(game.number + len(referee.legal)) % 2 - 1])

    return step


class Odd(NamedTuple):
    settings: Settings
    step: Step | None = None
    keep: Callable[[int], bool] = lambda _: True
    end: State | None = State.FINISHED


def asking(boards: int = 40, unit: Unit = Unit.HAND, asked: Asked = Asked.BETTER) -> Settings:
    said = {"h1": 0.3} if asked is Asked.EFFECT else {}
    settings = make_settings(2, unit=unit)
    question = make_question(asked, unit, **said)
    return replace(settings, format=replace(settings.format, boards=boards, question=question))


def named(*names: str, **others: Any) -> Settings:
    settings = make_settings(len(names), **others)
    return replace(
        settings,
        name='=2+3, "\u05d0"',
        entrants=tuple(EntrantSettings(name=name) for name in names),
    )


ODD = {
    "0 to N": Odd(make_settings(2, boards=25), loses(0)),
    "N to 0 by the game": Odd(make_settings(2, boards=25, unit=Unit.GAME), loses(1)),
    "one board": Odd(make_settings(2, boards=1)),
    "one game": Odd(make_settings(2, boards=1, deals=Deals.INDEPENDENT)),
    "all alike": Odd(make_settings(3, boards=25), first_legal),
    "half a board": Odd(make_settings(2, boards=9), None, lambda game: game % 4 != 1, None),
    "closed with half a board": Odd(
        make_settings(2, boards=9), None, lambda game: game < 5, State.CLOSED
    ),
    "nothing": Odd(make_settings(3), None, lambda _: False, None),
    "closed with nothing": Odd(make_settings(3), None, lambda _: False, State.CLOSED),
    "all void": Odd(make_settings(3, boards=3), nobody),
    "some void": Odd(make_settings(3, boards=9), by_chance_of(lambda game: game.board % 3 == 0)),
    "all faulty": Odd(make_settings(3, boards=3, faults=FaultPolicy(max_faults=2)), faulty),
    "one who never played": Odd(
        named(*NAMES[:3], boards=5),
        None,
        lambda game: 2 not in Plan(named(*NAMES[:3], boards=5))[game].seats,
        None,
    ),
    "one who was never there": Odd(make_settings(3, boards=25), loses(2)),
    "names": Odd(named(*NAMES, boards=4)),
    "partners": Odd(named(*NAMES, boards=3, form={"kind": FormatKind.MIXED}), loses(1)),
    "two partners with half a board": Odd(
        named(*NAMES, boards=3, form={"kind": FormatKind.MIXED}), None, lambda game: game < 3, None
    ),
    "four sides": Odd(make_settings(4, variant={"name": "cutthroat"}, boards=3), loses(1)),
    "which is better, 0 to N": Odd(asking(), loses(0)),
    "which is better, all alike": Odd(asking(), first_legal),
    "which is better, all void": Odd(asking(20), nobody),
    "which is better, nothing": Odd(asking(), None, lambda _: False, None),
    "which is better, closed": Odd(asking(), None, lambda game: game < 7, State.CLOSED),
    "a test by the game, 0 to N": Odd(asking(40, Unit.GAME, Asked.EFFECT), loses(0)),
    "until separated, 0 to N": Odd(
        make_settings(3, boards=60, form={"until_separated": True, "batch": 20}), loses(0)
    ),
    "a swiss nobody came to": Odd(
        make_settings(4, boards=2, form={"kind": FormatKind.SWISS, "rounds": 2}), nobody
    ),
    "a ladder nobody came to": Odd(
        make_settings(3, boards=12, form={"kind": FormatKind.LADDER, "batch": 4}), nobody
    ),
}


def made(file: Path, odd: Odd) -> Path:
    settings, plan = odd.settings, Plan(odd.settings)
    with Journal.create(file, settings, SEED) as journal:
        entries, number = [], 0
        while number < len(plan):
            board = range(number, number + plan.seatings)
            played = [
                play(settings, plan[game], plan=plan, step=odd.step)
                for game in board
                if odd.keep(game)
            ]
            entries += played
            results = [entry.result for entry in played]
            note_results(plan, settings.variant, settings.format.unit, results)
            number += plan.seatings
        journal.append(entries)
        if odd.end is not None:
            from pitch_server.analysis.document import standings_part

            journal.end(odd.end, standings_part(shown_standings(journal, revealed=True)))
    return file


def said(*arguments: str) -> Result:
    """What a command says, which must be an answer or a sentence of what is wrong."""
    result = pitch(*arguments)
    assert result.exit_code in (0, 1, 2), (arguments, result.output, result.exc_info)
    assert "Traceback" not in result.output, (arguments, result.output)
    found = NO_NUMBER.search(result.output)
    assert found is None, (arguments, found, result.output)
    if result.exit_code == 2:
        assert (result.stdout, result.stderr.count("\n")) == ("", 1), (arguments, result.output)
    return result


def numbers(text: str) -> Any:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} in JSON")

    return json.loads(text, parse_constant=refuse)


def values(document: Any) -> Iterator[Any]:
    if isinstance(document, dict):
        document = list(document.values())
    if isinstance(document, list):
        for each in document:
            yield from values(each)
    else:
        yield document


@pytest.mark.parametrize("odd", [pytest.param(odd, id=name) for name, odd in ODD.items()])
def test_every_command_has_an_answer(odd: Odd, tmp_path: Path) -> None:
    file = str(made(tmp_path / "a.db", odd))
    said("standings", file)
    said("standings", file, "--analysis")
    numbers(said("standings", file, "--json").stdout)
    document = numbers(said("standings", file, "--json", "--analysis").stdout)
    (tmp_path / "a.json").write_text(json.dumps(document))
    checked = said("verify", file, "--against", str(tmp_path / "a.json"))
    assert checked.exit_code == 0, checked.output
    numbers(said("rate", file, "--json").stdout)
    said("rate", file)
    name = odd.settings.names[0]
    worst = said("boards", file, "--worst-for", name, "--json", "--reveal")
    if worst.exit_code == 0:
        numbers(worst.stdout)
    said("boards", file, "--worst-for", name, "--reveal")
    rerun = said("rerun", file, "0", "--reveal")
    assert rerun.exit_code == 2
    for name in odd.settings.names:
        assert name in said("standings", file).stdout
    if odd.settings.format.question is not None:
        sentence = document["analysis"]["comparison"]["sentence"]
        assert document["analysis"]["comparison"]["verdict"] in ("undecided", "better", "worse")
        assert sentence in said("standings", file).stdout
        if odd.end is not None:
            assert said("resume", file).stdout.splitlines()[-1] == sentence


def test_where_no_game_is_played_there_is_nothing_to_check(tmp_path: Path) -> None:
    result = said("verify", str(made(tmp_path / "a.db", ODD["nothing"])))
    assert result.stdout.endswith(
        "ok, but no game is played yet: the commitment was all there was to check\n"
    )
    assert said("verify", str(made(tmp_path / "b.db", ODD["one board"]))).stdout.endswith("\nok\n")


def test_boards_that_are_all_alike_answer_which_is_better_and_no_test(tmp_path: Path) -> None:
    test = ODD["which is better, 0 to N"]._replace(settings=asking(asked=Asked.EFFECT))
    for at, (odd, start) in enumerate(
        (
            (ODD["which is better, 0 to N"], "b is better than a, by 8.00 points per board"),
            (ODD["which is better, all alike"], "Inconclusive after the most boards"),
            (test, "Inconclusive after the most boards"),
        )
    ):
        file = str(made(tmp_path / f"{at}.db", odd))
        assert said("resume", file).stdout.splitlines()[-1].startswith(start)
        found = numbers(said("standings", file, "--json", "--analysis").stdout)
        (row,) = found["analysis"]["pairings"]
        assert row["running"] is row["effect"] is None
