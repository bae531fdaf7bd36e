"""A bot by what it is called, as a process of its own: `python -m pitch my_bot.py:MyBot`.

Here belongs nothing but handing the class to `pitch.run`, for sample bots and for classes that no
script runs.
"""

import sys

from pitch import run
from pitch.testing.bot_source import BotSourceError, find_bot

__all__ = ["main"]


def main() -> None:
    """Runs the bot that the first argument names; the rest are options of every bot."""
    if len(sys.argv) < 2:
        sys.exit("expected a bot, as in: python -m pitch my_bot.py:MyBot")
    try:
        found = find_bot(sys.argv[1])
    except BotSourceError as error:
        sys.exit(str(error))
    if found.bot_class is None:
        sys.exit(f"{sys.argv[1]!r} is a command; expected a class, as in my_bot.py:MyBot")
    run(found.bot_class, arguments=sys.argv[2:])


if __name__ == "__main__":
    main()
