"""The journal: what has been played, whole and safe, in a database."""
