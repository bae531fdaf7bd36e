"""Travellers: what happened at each table of a board, as JSON, from the records of its games.

`hands` tells a hand, `boards` the boards of a journal with all their tables, `telling` the one
hand that tells a board best, `swings` which boards made the greatest difference. Whatever shows a
board shows this: `pitch boards`, `pitch rerun` and the report.
"""
