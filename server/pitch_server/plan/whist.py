"""Base tables of balanced schedules for two against two.

Here belongs the data that `mixed` turns round a circle, found by a search once; tests prove that
each is balanced. Of 4, 5, 8, 12, 13, 16 and 17 entrants they are whist tournaments: in every
round everybody plays, but for one bye of an odd number.
"""

__all__ = ["OUTSIDE", "base_tables"]

OUTSIDE = -1
"""The place in the middle of the circle, for the last of an even number."""

Table = tuple[int, int, int, int]

# (a, b, c, d): a and c play b and d; places on a circle of the entrants, less one if even.
_BASE: dict[int, tuple[Table, ...]] = {
    4: ((0, OUTSIDE, 1, 2),),
    5: ((1, 2, 4, 3),),
    6: (
        (0, 3, 1, OUTSIDE),
        (OUTSIDE, 0, 2, 1),
        (3, 4, 1, 2),
    ),
    7: (
        (5, 4, 6, 0),
        (5, 1, 2, 6),
        (5, 1, 3, 0),
    ),
    8: (
        (2, OUTSIDE, 5, 4),
        (3, 0, 1, 6),
    ),
    9: (
        (3, 8, 2, 5),
        (1, 2, 3, 8),
        (4, 7, 6, 2),
        (3, 2, 7, 1),
    ),
    10: (
        (2, 4, 5, 1),
        (7, 5, OUTSIDE, 1),
        (0, 2, 8, 7),
        (7, 2, OUTSIDE, 3),
        (0, 3, 7, 1),
    ),
    11: (
        (9, 10, 2, 8),
        (9, 4, 8, 0),
        (0, 10, 8, 5),
        (8, 3, 7, 5),
        (8, 7, 3, 10),
    ),
    12: (
        (8, 0, 10, OUTSIDE),
        (9, 5, 2, 4),
        (3, 7, 6, 1),
    ),
    13: (
        (3, 6, 11, 10),
        (4, 7, 5, 9),
        (2, 8, 12, 1),
    ),
    14: (
        (4, 3, 11, 0),
        (1, 6, 4, 5),
        (12, 3, 6, 5),
        (OUTSIDE, 6, 0, 8),
        (6, 4, 11, 8),
        (1, 10, OUTSIDE, 11),
        (11, 12, 7, 4),
    ),
    15: (
        (4, 2, 12, 5),
        (11, 9, 10, 0),
        (1, 9, 6, 2),
        (11, 0, 6, 13),
        (7, 1, 11, 5),
        (4, 11, 5, 8),
        (14, 2, 1, 11),
    ),
    16: (
        (OUTSIDE, 8, 13, 3),
        (1, 14, 2, 10),
        (7, 4, 0, 6),
        (5, 9, 11, 12),
    ),
    17: (
        (11, 1, 15, 16),
        (8, 2, 9, 13),
        (10, 7, 5, 14),
        (6, 12, 3, 4),
    ),
    18: (
        (14, 15, 4, 1),
        (12, 5, 7, 3),
        (2, 6, 16, 1),
        (1, 0, 9, 11),
        (13, OUTSIDE, 12, 1),
        (7, 2, 11, 13),
        (9, 4, 1, 6),
        (7, 1, 0, OUTSIDE),
        (10, 2, 6, 3),
    ),
    19: (
        (17, 4, 7, 16),
        (7, 0, 4, 6),
        (10, 13, 15, 9),
        (17, 8, 0, 9),
        (17, 6, 1, 13),
        (7, 0, 13, 15),
        (9, 4, 7, 14),
        (15, 16, 7, 11),
        (5, 8, 6, 0),
    ),
}


def base_tables(entrants: int) -> tuple[Table, ...]:
    """The base tables for that many entrants; none if they are not known."""
    return _BASE.get(entrants, ())
