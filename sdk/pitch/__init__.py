"""Pitch: the rules of the card game, and what a bot needs to play it in an arena."""

__all__: list[str] = []
