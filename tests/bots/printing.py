"""A good player that prints without end: more than a log holds, with every decision."""

from bots.first import First
from pitch import Action, View, run


class Printing(First):
    def choose(self, view: View) -> Action:
        for _ in range(8):
            print("thinking about it " * 4000)
        return super().choose(view)


if __name__ == "__main__":
    run(Printing, arguments=[])
