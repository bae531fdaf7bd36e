"""A bot that plays any legal action: the least that a bot can be."""

from pitch import Action, Bot, View, run


class RandomBot(Bot):
    """Draws from the question's own chance, so that its games can be repeated exactly."""

    def choose(self, view: View) -> Action:
        """One of the legal actions, each as likely as any other."""
        return view.random.choice(view.legal)


if __name__ == "__main__":
    run(RandomBot)
