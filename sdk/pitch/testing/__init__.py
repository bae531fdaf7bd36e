"""For people who write bots: whole games in one process, through the same referee."""

from pitch.testing.bot_source import BotSourceError, FoundBot, find_bot
from pitch.testing.local_table import (
    LocalDecision,
    LocalFault,
    LocalGame,
    play_board,
    play_game,
)

__all__ = [
    "BotSourceError",
    "FoundBot",
    "LocalDecision",
    "LocalFault",
    "LocalGame",
    "find_bot",
    "play_board",
    "play_game",
]
