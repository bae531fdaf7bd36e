import os

import pytest

from person.seating import Lowest, seated
from pitch import Action, Bot, Kind, Unit, View, apply_action
from pitch.rules import VARIANTS
from pitch_server.person.choosing import Choosing
from pitch_server.person.seated import Moment, Seated
from pitch_server.person.words import done, result_lines


def played(it: Seated) -> list[Moment]:
    """The whole game, with the person doing what is hinted."""
    moments = it.news()
    while not it.over:
        if it.my_turn:
            hinted = it.hinted()
            assert isinstance(hinted, Action)
            moments += it.answer(hinted)
        else:
            moments += it.advance()
    return moments


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_action_is_seen_once_and_as_the_seat_may_see_it(variant: str) -> None:
    it = seated(variant, seat=1)
    moments = played(it)
    (hand,) = it._table.referee.played
    assert [(each.seat, each.action) for each in moments[1:]] == hand.actions
    assert {each.view.seat for each in moments} == {1}
    assert [each.result for each in moments[:-1]] == [None] * (len(moments) - 1)
    assert moments[-1].result == hand.result
    for moment in moments:
        assert done(moment)


def test_a_game_goes_on_hand_by_hand_to_its_winner() -> None:
    it = seated(unit=Unit.GAME)
    moments = played(it)
    results = [each.result for each in moments if each.result is not None]
    deals = [each for each in moments if each.action is None]
    assert len(results) == len(deals) > 1
    assert [each.view.hand_number for each in deals] == list(range(len(deals)))
    assert it.winner is not None
    assert results[-1].scores == it.scores
    assert it.scores[it.winner] >= 11


def test_the_seed_gives_the_same_deals() -> None:
    assert [m.view.known for m in played(seated())] == [m.view.known for m in played(seated())]
    assert played(seated())[0].view.hand != played(seated(seed="b"))[0].view.hand


def test_what_another_discards_is_not_told() -> None:
    it = seated("ten-point")
    told = [
        (each.seat, done(each))
        for each in played(it)
        if each.action and each.action.kind is Kind.DISCARD
    ]
    assert any(line.endswith(" cards") for seat, line in told if seat != 0)
    assert all("♣" not in line and "♠" not in line for seat, line in told if seat != 0)
    assert any(
        line.startswith("You discard") and line[-1] in "♣♦♥♠" for seat, line in told if seat == 0
    )


class Broken(Bot):
    def choose(self, view: View) -> Action:
        raise ZeroDivisionError("no idea")


def test_a_bot_at_fault_is_told_once_and_the_game_goes_on() -> None:
    it = seated(bot=Broken)
    moments = played(it)
    assert moments
    faults = it.faults()
    assert faults
    assert "no idea" in faults[0].came
    assert it.faults() == []


def test_a_hint_that_fails_is_words() -> None:
    it = seated(hint=Broken, bot=Lowest)
    while not it.my_turn:
        it.advance()
    assert str(it.hinted()).startswith("ZeroDivisionError: no idea (test_seated.py:")


@pytest.mark.parametrize("variant", ["pitch-ac", "ten-point", "cutthroat", "partnership-six"])
def test_the_result_explains_each_point_and_the_scores(variant: str) -> None:
    moment = played(seated(variant))[-1]
    assert moment.result is not None
    lines = list(result_lines(moment.view, moment.result))
    assert " bid " in lines[0]
    points = lines[2 : 2 + len(moment.result.won)]
    assert points[0].startswith("High")
    assert points[-1].startswith("Game")
    changes = lines[-len(moment.result.delta) :]
    assert [int(line.split(":")[1].split(",")[0]) for line in changes] == list(moment.result.delta)


# --- choosing ---------------------------------------------------------------------------------


def first_choice(it: Seated, kind: type | None = None) -> Choosing:
    moments = it.news()
    while not it.my_turn:
        moments += it.advance()
    return Choosing(moments[-1].view)


def test_calls_have_the_keys_of_their_names() -> None:
    choosing = first_choice(seated(seat=1, seed="a"))
    keys = {option.label: option.key for option in choosing.options}
    assert keys["pass"] == "p"
    assert keys["4"] == "4"
    action = choosing.press("4")
    assert action == Action(Kind.BID, 4)
    assert choosing.press("z") is None


def test_every_key_means_one_thing_in_every_variant() -> None:
    for variant in VARIANTS:
        it = seated(variant)
        moments = it.news()
        while not it.over:
            if it.my_turn:
                choosing = Choosing(moments[-1].view)
                keys = [option.key for option in choosing.options]
                assert len(set(keys)) == len(keys)
                assert not set(keys) & set("hq?")
                hinted = it.hinted()
                assert isinstance(hinted, Action)
                choosing.mark(hinted)
                assert choosing.confirm() == hinted
                moments += it.answer(hinted)
            else:
                moments += it.advance()


def test_a_discard_is_marked_card_by_card_and_confirmed_when_it_is_legal() -> None:
    it = seated("ten-point-six", seed="b", seat=1)
    moments = it.news()
    while not (it.my_turn and Choosing(moments[-1].view).discards is not None):
        if it.my_turn:
            hinted = it.hinted()
            assert isinstance(hinted, Action)
            moments += it.answer(hinted)
        else:
            moments += it.advance()
    choosing = Choosing(moments[-1].view)
    assert choosing.discards is not None
    low, high = choosing.discards.minimum, choosing.discards.maximum
    marked = choosing.discards.required.bit_count()
    assert f"{marked} marked, Enter discards them" in choosing.explained()
    for option in choosing.options[: high - marked + 1]:
        assert choosing.press(option.key) is None
    assert choosing.confirm() is None  # one too many
    choosing.press(choosing.options[0].key)
    action = choosing.confirm()
    assert action is not None
    assert action.value.bit_count() == high >= low
    assert apply_action(it._hand, action)


class Leaving(Bot):
    def choose(self, view: View) -> Action:
        os._exit(4)
        return view.legal[0]


def test_a_bot_that_would_end_the_program_has_lost_and_the_game_goes_on() -> None:
    it = seated(bot=Leaving, hint=Leaving)
    it.news()
    while not it.my_turn and not it.over:
        it.advance()
    (fault, *_) = it.faults()
    assert "os._exit(4)" in fault.message
    assert it.over or "os._exit(4)" in str(it.hinted())
