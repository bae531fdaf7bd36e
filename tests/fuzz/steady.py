"""An honest bot that takes a moment for each decision, so that an event lasts."""

import asyncio

from pitch import Action, Bot, View, run

PAUSE = 0.01  # seconds


class Steady(Bot):
    """Decides as `sample_bots/random_bot.py` does."""

    async def choose(self, view: View) -> Action:
        await asyncio.sleep(PAUSE)
        return view.random.choice(view.legal)


if __name__ == "__main__":
    run(Steady)
