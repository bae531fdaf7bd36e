"""A bot that thinks about all its tables at once, a few deals here and a few there.

It is the search bot as an `async def choose`: after some deals it gives way (`await`), so that
the other tables' questions are thought about meanwhile. Nobody waits behind another's long
thought, and what is obvious is answered at once. It looks at the clock: with many tables it
thinks less about each. So its games are not repeated exactly; those of the search bot are.

A bot that waits for something else, a service or a subprocess, awaits that in the same way.
"""

import asyncio
from time import monotonic

from pitch import Action, Bot, View, run
from search_bot import PLAYOUTS, Search

STEPS = 4  # deals between two looks at the other tables
TIME_SHARE = 0.4  # of the limit, from when it comes to the question


class AsyncBot(Bot):
    """As good as the search bot where there is time, a little worse where there is not."""

    async def choose(self, view: View) -> Action:
        """The action that does best on as many deals as there is time for."""
        search = Search(view, PLAYOUTS)
        limit = view.time_limit
        until = monotonic() + TIME_SHARE * limit
        while not search.done and (not limit or monotonic() < until):
            for _ in range(STEPS):
                search.step()
            await asyncio.sleep(0)
        return search.best


if __name__ == "__main__":
    run(AsyncBot)
