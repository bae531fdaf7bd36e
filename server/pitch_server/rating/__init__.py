"""Ratings over results in plan order. Pure."""
