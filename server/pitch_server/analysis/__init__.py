"""The report document: everything that is shown or exported of a tournament. Pure.

One function gives it, from the plan, the results in plan order and the records (docs/analysis.md).
"""
