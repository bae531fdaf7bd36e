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
from pitch_server.plan.decks import chance, deal_series, deck, game_key
from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.plan.settings import Settings
from pitch_server.scores.boards import note_results
from pitch_server.scores.results import GameResult


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
    plan, records, results = Plan(settings), list[str](), list[GameResult]()
    while len(records) < len(plan):
        game = plan[len(records)]
        referee = played_game(settings, seed, plan, game, bots)
        records.append(record_of(settings, game, referee))
        results.append(_result(game, referee))
        if len(results) == plan.seatings:
            note_results(plan, settings.variant, settings.format.unit, results)
            results.clear()
    return records


def expected_record(
    settings: Settings, seed: str, game: PlannedGame, bots: Mapping[str, type[Bot]]
) -> str:
    """The record of one game of a plan that results don't change; `bots` as in `played_game`."""
    return record_of(settings, game, played_game(settings, seed, Plan(settings), game, bots))


def record_of(settings: Settings, game: PlannedGame, referee: Referee) -> str:
    """The record of a game that was played to its end."""
    record = GameRecord(
        variant=settings.variant,
        seats=tuple(settings.names[entrant] for entrant in game.seats),
        first_dealer=game.first_dealer,
        max_hands=settings.format.hands_a_game,
        hands=tuple(_hands(referee.played)),
        result=game_result_json(referee.game),
        extra={"x_game": game.number, "x_board": game.board},
    )
    return canonical_json(record_json(record))


def _result(game: PlannedGame, referee: Referee) -> GameResult:
    end = referee.game
    return GameResult(game.number, "", end.scores, end.winner, str(end.ended))


def _hands(played: list[PlayedHand]) -> Iterator[HandRecord]:
    for hand in played:
        assert hand.result is not None
        actions = tuple(SeatAction(seat, action) for seat, action in hand.actions)
        yield HandRecord(deck=hand.deck, actions=actions, result=hand_result_json(hand.result))


def played_game(
    settings: Settings,
    seed: str,
    plan: Plan,
    game: PlannedGame,
    bot_classes: Mapping[str, type[Bot]],
) -> Referee:
    """One game played to its end; `bot_classes` are those that play, by the entrant's name."""
    variant = settings.variant
    bots = [bot_classes[settings.names[entrant]]() for entrant in game.seats]
    series = deal_series(plan, game.pairing, settings.names)
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
