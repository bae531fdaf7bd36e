"""Plays a card that it does not hold."""

from pitch import Action, Bot, Kind, View, run


class Illegal(Bot):
    def choose(self, view: View) -> Action:
        return Action(Kind.PLAY, next(card for card in range(52) if card not in view.hand))


if __name__ == "__main__":
    run(Illegal, arguments=[])
