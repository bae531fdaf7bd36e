"""The tables of a report, a noun of it a file; `every` puts them in order.

What stands in which row is decided here alone, for the page, Markdown and CSV alike.
"""
