"""Raises an exception, or returns what is no action, in turns."""

from typing import Any

from pitch import Bot, View, run


class Raising(Bot):
    decisions = 0

    def choose(self, view: View) -> Any:
        Raising.decisions += 1
        if Raising.decisions % 2:
            raise LookupError("no idea\nat all")
        return None


if __name__ == "__main__":
    run(Raising, arguments=[])
