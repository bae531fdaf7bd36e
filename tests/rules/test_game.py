"""Who has won, and by what (rules.md 6, 7 and 10), from scores before one more hand."""

import pytest

from pitch.rules import (
    MOON,
    VARIANTS,
    Ended,
    Game,
    Hand,
    HandResult,
    finish_hand,
    start_game,
    start_hand,
)
from rules.playing import after, dealt_for_tricks, play_tricks, variant

# Seat 1, of side 1, bids 3 and its side wins three points, the other one: 1 and 3.
TRICKS = ("AS 3S JS 2S", "KS 4S 5S 6S", "AH 2H 3H 4H", "AD 2D 3D 4D", "TC KC 2C AC", "QC 8C 9C 7C")


def finish(
    scores: tuple[int, int], bid: int = 3, *, max_hands: int = 100, **fields: object
) -> tuple[Game, HandResult]:
    of = variant("pitch-ac", **fields)
    hand = dealt_for_tricks(of, *TRICKS, leaders=(1, 1, 1, 1, 1, 0))
    hand = play_tricks(after(hand, f"1 bid {bid}, 2 pass, 3 pass, 0 pass"), *TRICKS)
    return finish_hand(start_game(of, max_hands=max_hands)._replace(scores=scores), hand)


WINS = [
    # win, scores before, bid (3 is made, 4 is set), winner
    pytest.param("bidder_only", (0, 8), 3, 1, id="the bidders reach the target by their bid"),
    pytest.param("bidder_only", (0, 7), 3, None, id="one short"),
    pytest.param("bidder_only", (15, 8), 3, 1, id="the others stand higher"),
    pytest.param("bidder_only", (15, 7), 3, None, id="the others cannot win"),
    pytest.param("bidder_only", (0, 20), 4, None, id="set, yet above the target"),
    pytest.param("bidder_first", (15, 8), 3, 1, id="bidders first"),
    pytest.param("bidder_first", (10, 7), 3, 0, id="the others alone at the target"),
    pytest.param("bidder_first", (10, 20), 4, 1, id="set, yet the highest"),
    pytest.param("bidder_first", (10, 15), 4, None, id="set, and a tie at the target plays on"),
    pytest.param("bidder_first", (11, 15), 4, 0, id="set, and the others higher"),
    pytest.param("highest", (15, 8), 3, 0, id="the highest of two at the target"),
    pytest.param("highest", (10, 8), 3, 1, id="a tie goes to the bidders"),
    pytest.param("highest", (10, 15), 4, 1, id="a tie goes to the bidders even if set"),
    pytest.param("highest", (9, 7), 3, None, id="nobody at the target"),
]


@pytest.mark.parametrize(("win", "scores", "bid", "winner"), WINS)
def test_who_wins_at_the_target(
    win: str, scores: tuple[int, int], bid: int, winner: int | None
) -> None:
    game, result = finish(scores, bid, win=win)
    assert result.made == (bid == 3)
    assert game.winner == winner
    assert game.ended == (None if winner is None else Ended.TARGET)
    assert game.over == (winner is not None)


def three_sides(win: str, scores: tuple[int, ...], made: bool) -> Game:
    """A game of three sides after a hand in which side 1 bid and nothing else changed."""
    of = variant("cutthroat", players=3, smudge=False, target=11, win=win)
    aces = ("AS 2S 3S", "4H AH 2H", "4D AD 2D", "7D 5D 8D", "2C 3C 4C", "5C 7C 6C")
    hand = dealt_for_tricks(of, *aces, leaders=(1, 1, 2, 0, 2, 1))
    hand = after(hand, f"1 bid {2 if made else 3}, 2 pass, 0 pass")
    hand = play_tricks(hand, *aces)  # side 1 wins High and Low, nobody else anything
    change = 2 if made else -3
    before = (scores[0], scores[1] - change, scores[2])
    game, result = finish_hand(start_game(of)._replace(scores=before), hand)
    assert result.scores == scores
    return game


@pytest.mark.parametrize(
    ("win", "scores", "made", "winner"),
    [
        ("bidder_first", (12, 5, 12), True, None),
        ("bidder_first", (12, 11, 12), True, 1),
        ("bidder_first", (12, 11, 13), False, 2),
        ("highest", (12, 12, 11), False, 1),
        ("highest", (12, 11, 12), True, None),
        ("bidder_only", (12, 5, 12), True, None),
    ],
)
def test_who_wins_among_three(
    win: str, scores: tuple[int, ...], made: bool, winner: int | None
) -> None:
    assert three_sides(win, scores, made).winner == winner


def test_the_limit_on_hands_ends_a_game() -> None:
    game, _ = finish((0, 0), max_hands=1)
    assert (game.winner, game.ended, game.scores) == (1, Ended.HAND_LIMIT, (1, 3))
    game, _ = finish((2, 0), max_hands=1)
    assert (game.winner, game.ended) == (None, Ended.HAND_LIMIT)  # a draw
    game, _ = finish((0, 8), max_hands=1)
    assert (game.winner, game.ended) == (1, Ended.TARGET)
    game, _ = finish((0, 0), max_hands=2)
    assert (game.winner, game.ended) == (None, None)


SWEEP = ("AS 3S JS 2S", "KS 4S 5S 6S", "AH 2H 3H 4H", "AD 2D 3D 4D", "AC KC 2C TC", "QC 8C 9C 7C")


@pytest.mark.parametrize(
    ("tricks", "scores", "winner", "ended", "after_hand"),
    [
        pytest.param(SWEEP, (20, 0), 1, Ended.MOON, (20, 11), id="made: wins at once"),
        pytest.param(SWEEP, (0, -2), None, None, (0, 0), id="made from below zero: plays on"),
        pytest.param(SWEEP, (11, -2), 0, Ended.TARGET, (11, 0), id="made, the others at target"),
        pytest.param(TRICKS, (-30, 30), 0, Ended.MOON, (-29, 19), id="lost: loses at once"),
    ],
)
def test_a_moon_comes_first(
    tricks: tuple[str, ...],
    scores: tuple[int, int],
    winner: int | None,
    ended: Ended | None,
    after_hand: tuple[int, int],
) -> None:
    of = variant("pitch-ac", moon=True)
    leaders = (1,) * 5 + ((1,) if tricks is SWEEP else (0,))
    hand = dealt_for_tricks(of, *tricks, leaders=leaders)
    hand = play_tricks(after(hand, "1 bid moon, 2 pass, 3 pass, 0 pass"), *tricks)
    game, result = finish_hand(start_game(of)._replace(scores=scores), hand)
    assert result.bid == MOON
    assert (game.winner, game.ended, game.scores) == (winner, ended, after_hand)


def test_the_deal_goes_round() -> None:
    game = start_game(VARIANTS["pitch-ac"], first_dealer=3)
    assert game.dealer == 3
    assert game._replace(hands_played=2).dealer == 1


def test_a_game_starts_as_said() -> None:
    assert start_game(VARIANTS["cutthroat"]).scores == (0, 0, 0, 0)
    with pytest.raises(ValueError, match="first_dealer must be a seat below 4, got 4"):
        start_game(VARIANTS["pitch-ac"], first_dealer=4)
    with pytest.raises(ValueError, match="max_hands must be 1 or more"):
        start_game(VARIANTS["pitch-ac"], max_hands=0)


def test_only_a_finished_hand_finishes_and_only_in_a_game_that_goes_on() -> None:
    game = start_game(VARIANTS["pitch-ac"])
    hand: Hand = start_hand(VARIANTS["pitch-ac"], 0, range(52))
    with pytest.raises(ValueError, match="the hand is not over: seat 1 is to act"):
        finish_hand(game, hand)
    over, _ = finish((0, 8))
    with pytest.raises(ValueError, match="the game ended"):
        finish_hand(over, hand)
