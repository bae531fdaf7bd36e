"""A bot that takes the first legal action: nothing but the way there and back is measured."""

from pitch import Action, Bot, View, run


class TrivialBot(Bot):
    """Takes the first legal action."""

    def choose(self, view: View) -> Action:
        """The first of the legal actions."""
        return view.legal[0]


if __name__ == "__main__":
    run(TrivialBot, capacity=4096)
