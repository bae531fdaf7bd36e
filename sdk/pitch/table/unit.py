"""The unit of play: what one game of a table is about."""

from enum import StrEnum

__all__ = ["Unit"]


class Unit(StrEnum):
    """What counts at a table: the points of a single hand from 0-0, or winning a game."""

    HAND = "hand"
    GAME = "game"
