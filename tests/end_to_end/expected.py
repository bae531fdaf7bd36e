"""What a tournament of good bots must give: the same games played in this process.

Only plan, decks, rules and the bots' classes are used; no clock, no wire, no process. So a game
that differs was changed by something that must not matter.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from bots.first import First
from bots.last import Last
from end_to_end.running import FIRST, LAST, RANDOM, SERVED_SEED
from pitch import Action, Bot, Seating, View
from pitch.records import (
    GameRecord,
    HandRecord,
    SeatAction,
    canonical_json,
    game_result_json,
    hand_result_json,
    record_json,
)
from pitch.table.referee import PlayedHand, Referee
from pitch_server.config import read_config
from pitch_server.plan.decks import board_series, chance, deck, game_key
from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.plan.settings import Settings


class Drawing(Bot):
    """As the sample bot `random_bot.py` plays."""

    def choose(self, view: View) -> Action:
        return view.random.choice(view.legal)


CLASSES: dict[tuple[str, ...], type[Bot]] = {RANDOM: Drawing, FIRST: First, LAST: Last}


def expected_records(config: Path, *, plays_as: type[Bot] = First) -> list[str]:
    """Every record that the tournament must export; unknown commands play as that class."""
    read = read_config(config, use="serve" if SERVED_SEED in config.read_text() else "run")
    settings, seed = read.settings, read.seed
    assert seed is not None
    bots = {
        entrant.name: CLASSES.get(entrant.command or (), plays_as) for entrant in settings.entrants
    }
    return [expected_record(settings, seed, game, bots) for game in Plan(settings)]


def expected_record(
    settings: Settings, seed: str, game: PlannedGame, bots: Mapping[str, type[Bot]]
) -> str:
    """The record of one game; `bots` are the classes that play, by the entrant's name."""
    names = [settings.names[entrant] for entrant in game.seats]
    referee = _played(settings, seed, game, [bots[name]() for name in names])
    record = GameRecord(
        variant=settings.variant,
        seats=tuple(names),
        first_dealer=game.first_dealer,
        max_hands=settings.format.hands_a_game,
        hands=tuple(_hands(referee.played)),
        result=game_result_json(referee.game),
        extra={"x_game": game.number, "x_board": game.board},
    )
    return canonical_json(record_json(record))


def _hands(played: list[PlayedHand]) -> Iterator[HandRecord]:
    for hand in played:
        assert hand.result is not None
        actions = tuple(SeatAction(seat, action) for seat, action in hand.actions)
        yield HandRecord(deck=hand.deck, actions=actions, result=hand_result_json(hand.result))


def _played(settings: Settings, seed: str, game: PlannedGame, bots: list[Bot]) -> Referee:
    variant, plan = settings.variant, Plan(settings)
    pairing = plan.pairings[game.pairing]
    series = "" if plan.duplicate else board_series(settings.names[each] for each in pairing)
    referee = Referee(
        variant,
        decks=lambda hand: deck(seed, series, game.board, hand, variant.deck),
        first_dealer=game.first_dealer,
        max_hands=settings.format.hands_a_game,
    )
    key = game_key(game, settings.names)
    referee.begin()
    while not referee.finished:
        seat = referee.asked
        table = Seating(
            variant=variant,
            seat=seat,
            first_dealer=game.first_dealer,
            unit=settings.format.unit,
            max_hands=settings.format.hands_a_game,
        )
        view = View(referee.view(seat), table, chance(seed, key, seat, referee.number))
        action = bots[seat].choose(view)
        assert isinstance(action, Action)
        referee.answer(seat, action)
    return referee
