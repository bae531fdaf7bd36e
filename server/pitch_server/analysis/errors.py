"""Errors of the analysis.

Strange(ValueError)   a result or a record that no game of the tournament can have
"""

__all__ = ["Strange"]


class Strange(ValueError):
    """A result or a record is none of this tournament: whatever keeps them is damaged."""
