"""What all games of a tournament share, made of its settings and its seed.

Here belong the decks that the games are played with and the bits that bots may draw from;
both follow from names and boards alone (docs/deals.md).
"""

import secrets
from functools import lru_cache

from pitch.table.unit import Unit
from pitch_server.plan.decks import chances, deal_series, deck, game_key
from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.plan.settings import Opponents, Settings
from pitch_server.table.runner import GameSetup
from pitch_server.wire_ids import id_key

__all__ = ["ATTEMPTS", "game_setup"]

ATTEMPTS = 2
"""A game is begun so often before an exception of ours makes it void for good."""


def game_setup(settings: Settings, plan: Plan, seed: str, hold: int | None = None) -> GameSetup:
    """What the tables of a tournament are opened with.

    `hold` numbers this process's hold of the database; without one nobody finds its ids again.
    """
    form, clock, names = settings.format, settings.clock, settings.names
    size = settings.variant.deck

    @lru_cache(maxsize=1024)
    def deal(series: str, board: int, hand: int) -> tuple[int, ...]:
        return deck(seed, series, board, hand, size)

    def deck_of(game: PlannedGame, hand: int) -> tuple[int, ...]:
        return deal(deal_series(plan, game.pairing, names), game.board, hand)

    return GameSetup(
        variant=settings.variant,
        unit=Unit(form.unit),
        max_hands=form.hands_a_game,
        policy=settings.faults,
        move_timeout=clock.move_timeout,
        time_bank=clock.time_bank,
        id_key=secrets.token_bytes(32) if hold is None else id_key(seed, hold),
        names_shown=names if form.opponents is Opponents.SHOWN else (),
        deck=deck_of,
        chances=lambda game: chances(seed, game_key(game, names)),
    )
