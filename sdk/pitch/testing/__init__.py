"""For people who write bots: whole games in one process, through the same referee."""

from pitch.testing.local_table import LocalFault, LocalGame, play_board, play_game

__all__ = ["LocalFault", "LocalGame", "play_board", "play_game"]
