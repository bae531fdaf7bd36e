"""Bots that are asked by many tables at once: the async bot and the batch bot."""

import asyncio
from functools import cache
from typing import ClassVar

import pytest

from async_bot import AsyncBot
from batch_bot import BatchBot
from counting_bot import CountingBot
from pitch import Action, Unit, View
from pitch.rules import VARIANTS
from pitch.testing import play_game
from rules.playing import after, dealt, play_tricks, variant
from sample_bots.seen_hands import view_at
from search_bot import SearchBot


class Remembering(CountingBot):
    """The counting bot, which keeps what it saw and did."""

    seen: ClassVar[list[tuple[View, Action]]] = []

    def choose(self, view: View) -> Action:
        action = super().choose(view)
        self.seen.append((view, action))
        return action


@cache
def decisions(name: str) -> list[tuple[View, Action]]:
    """Decisions of the counting bot in a few hands of a variant."""
    Remembering.seen.clear()
    for seed in range(4):
        play_game([Remembering] * VARIANTS[name].sides, variant=name, seed=seed)
    return list(Remembering.seen)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_batch_is_answered_as_the_counting_bot_answers_one_by_one(name: str) -> None:
    """But for cards that it holds for equally good to the last digit."""
    seen = decisions(name)
    answers = BatchBot.choose_many([view for view, _ in seen])
    same = [answer == action for answer, (_, action) in zip(answers, seen, strict=True)]
    assert len(same) > 60
    assert sum(same) >= len(same) - 2


def test_a_batch_may_come_from_tables_of_different_variants() -> None:
    seen = [pair for name in VARIANTS for pair in decisions(name)[::7]]
    answers = BatchBot.choose_many([view for view, _ in seen])
    alone = [BatchBot.choose_many([view])[0] for view, _ in seen]
    assert answers == alone


@pytest.mark.parametrize("bot", [AsyncBot, BatchBot])
@pytest.mark.parametrize("name", VARIANTS)
def test_they_play_every_named_variant_without_a_fault(
    name: str, bot: type[AsyncBot | BatchBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("async_bot.PLAYOUTS", 20)
    bots = [bot, *[CountingBot] * (VARIANTS[name].sides - 1)]
    assert play_game(bots, variant=name, unit=Unit.GAME, max_hands=2).faults == ()


async def test_a_clear_decision_does_not_wait_for_another_tables_long_thought() -> None:
    dealt_out = dealt(variant("pitch-ac"), "", "AS 9S 4D 7H 8C 3C")
    others = ("2S 5S 3C 4C 5C 6C", "3S 6S 3H 4H 5H 6H", "4S 7S 7C 8C 9C TC")
    only = dealt(variant("pitch-ac"), others[2], "AS KS 6D 7D 8D 9D", *others[:2])
    only = after(only, "1 bid 4, 2 pass, 3 pass, 0 pass")
    only = play_tricks(only, "AS 2S 3S 4S", "KS 5S 6S 7S")
    order: list[str] = []

    async def think(name: str, view: View) -> None:
        assert await AsyncBot().choose(view) in view.legal
        order.append(name)

    await asyncio.gather(think("bid", view_at(dealt_out)), think("diamonds", view_at(only)))
    assert order == ["diamonds", "bid"]


async def test_with_time_enough_it_chooses_what_the_search_bot_chooses() -> None:
    views = [view_at(after(dealt(variant("pitch-ac")), "1 pass"), chance=5) for _ in range(2)]
    assert await AsyncBot().choose(views[0]) == SearchBot().choose(views[1])


async def test_when_its_time_is_over_it_answers_with_what_it_has() -> None:
    view = view_at(dealt(variant("pitch-ac")), limit=1e-9)
    assert await AsyncBot().choose(view) in view.legal
