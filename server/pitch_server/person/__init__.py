"""A person at a table with bots, in the terminal."""
