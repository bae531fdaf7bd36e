"""A good bot: plays the first legal action."""

from pitch import Action, Bot, View, run


class First(Bot):
    def choose(self, view: View) -> Action:
        return view.legal[0]


if __name__ == "__main__":
    run(First, arguments=[])
