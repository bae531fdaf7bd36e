"""What the search bot finds out by imagining deals, and how it spends its time."""

from random import Random
from statistics import fmean

import pytest

from bidding import strength
from pitch import Deals, Unit, action_text, card_text, play_out, random_policy
from pitch.rules import VARIANTS, Hand
from rules.playing import after, dealt, play_tricks, variant
from sample_bots.seen_hands import choice, view_at
from search_bot import Search, SearchBot, candidates, is_plausible, value

LOW = "2C 3C 4C 5C 6C 7C"


def test_it_sees_that_the_last_card_saves_the_jack() -> None:
    """Seat 0 is last to play and its queen takes the others' jack."""
    hand = dealt(variant("pitch-ac"), "QS 3S 4C 2D 3D 4D", "JS KC", "5S 5C", "8S 9C")
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass, 1 play JS, 2 play 5S, 3 play 8S")
    assert choice(SearchBot(), hand) == "play QS"


def test_it_bids_on_much_and_passes_on_nothing() -> None:
    of = variant("pitch-ac")
    assert choice(SearchBot(), dealt(of, "", "AS KS QS JS 2S AH")).startswith("bid")
    nothing = after(dealt(of, "", "AS KS QS JS TS 2S", "5C 6C 7D 8D 5H 6H"), "1 bid 3")
    assert choice(SearchBot(), nothing) == "pass"


def test_an_action_that_has_fallen_behind_gets_no_more_playouts() -> None:
    hand = after(dealt(variant("pitch-ac"), "", LOW, "AS KS QS JS TS 2S"), "1 pass")
    search = Search(view_at(hand), 400)
    while not search.done:
        search.step()
    assert len(search.results) < len(candidates(search.view))
    assert action_text(search.best).startswith("bid")


def test_a_decision_costs_the_playouts_that_are_stated_at_most() -> None:
    search = Search(view_at(dealt(variant("pitch-ac"), "", LOW)), 40)
    deals = 0
    while not search.done:
        search.step()
        deals += 1
    assert deals <= 40
    assert search.left > -len(candidates(search.view))


def test_without_time_it_still_answers() -> None:
    view = view_at(dealt(variant("pitch-ac"), "", LOW), limit=1e-9)
    assert SearchBot().choose(view) in view.legal


def test_the_same_chance_gives_the_same_thoughts() -> None:
    hand = after(dealt(variant("ten-point")), "1 pass, 2 bid 3")
    first, again = (Search(view_at(hand, chance=5), 60) for _ in range(2))
    for search in (first, again):
        while not search.done:
            search.step()
    assert first.results == again.results


def test_cards_that_come_to_the_same_are_tried_once() -> None:
    others = ("2S 5S 3C 4C 5C 6C", "3S 6S 3H 4H 5H 6H", "4S 7S 7C 8C 9C TC")
    hand = dealt(variant("pitch-ac"), others[2], "AS KS 7D 8D 9D 2H", *others[:2])
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass")
    hand = play_tricks(hand, "AS 2S 3S 4S")
    tried = {card_text(action.value) for action in candidates(view_at(hand))}
    assert tried == {"KS", "7D", "2H"}


def test_who_bids_high_is_imagined_with_better_cards() -> None:
    hand = after(dealt(variant("pitch-ac"), "", "AS KS QS JS TS 9S"), "1 bid 4")
    view = view_at(hand)

    def strength_of_bidder(deal: Hand) -> float:
        return max(strength(view.variant, deal.hands[1], suit) for suit in range(4))

    deals, random = Deals(view.known, view.variant), Random(1)
    drawn = [deals.draw(random) for _ in range(600)]
    kept = [deal for deal in drawn if is_plausible(view, deal)]
    assert 0 < len(kept) < len(drawn) / 2
    assert fmean(map(strength_of_bidder, kept)) > fmean(map(strength_of_bidder, drawn)) + 0.5


@pytest.mark.parametrize("name", VARIANTS)
def test_a_game_that_is_won_is_worth_more_than_one_that_goes_on(name: str) -> None:
    of = VARIANTS[name]
    random = Random(3)
    start = dealt(of, dealer=1)
    worths = {}
    for before in (0, of.target - 1):
        scores = (before,) * of.sides
        view = view_at(start, scores=scores, unit=Unit.GAME)
        ends = [play_out(start, random_policy, random) for _ in range(30)]
        worths[before] = [value(view, end) for end in ends]
        assert all(0 <= worth <= 1 for worth in worths[before])
    spread = [max(each) - min(each) for each in worths.values()]
    assert spread[1] > spread[0]  # near the target one hand decides more


def test_near_the_end_it_does_not_let_the_others_win_for_nothing() -> None:
    """The others need one point and have bid 2; seat 0 has a hand that may well make 3."""
    of = variant("pitch-ac")
    hand = dealt(of, "AS QS 9S 3S KH 4D", "", "", "")
    hand = after(hand, "1 pass, 2 pass, 3 bid 2")
    view = view_at(hand, scores=(6, 10), unit=Unit.GAME)
    assert action_text(SearchBot(400).choose(view)) != "pass"
