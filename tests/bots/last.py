"""A good bot: plays the last legal action, which bids high."""

from pitch import Action, Bot, View, run


class Last(Bot):
    def choose(self, view: View) -> Action:
        return view.legal[-1]


if __name__ == "__main__":
    run(Last, arguments=[])
