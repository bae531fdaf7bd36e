"""Games of a person against sample bots, for the tests of this room."""

from pitch import Action, Bot, View
from pitch.rules import VARIANTS
from pitch.table.unit import Unit
from pitch.testing import find_bot
from pitch_server.person.seated import Seated

__all__ = ["Lowest", "seated"]


def _rule() -> type[Bot]:
    found = find_bot("rule").bot_class
    assert found is not None
    return found


RULE = _rule()


class Lowest(Bot):
    """Takes the first action, which is soon decided."""

    def choose(self, view: View) -> Action:
        return view.legal[0]


def seated(
    variant: str = "pitch-ac",
    *,
    seat: int = 0,
    unit: Unit = Unit.HAND,
    seed: str = "a",
    bot: type[Bot] = RULE,
    hint: type[Bot] = RULE,
) -> Seated:
    rules = VARIANTS[variant]
    return Seated([bot] * rules.players, seat, variant=rules, unit=unit, seed=seed, hint=hint)
