"""Points and scores of whole hands, played trick by trick (rules.md 5 and 6)."""

from random import Random

import pytest

from pitch.rules import (
    MOON,
    SMUDGE,
    VARIANTS,
    Hand,
    HandResult,
    Variant,
    card_text,
    cards_of,
    finish_hand,
    start_game,
)
from rules.playing import after, dealt, dealt_for_tricks, play_tricks, variant
from strategies import play_out

# Seat 1 leads spades, trump, to the first two tricks; its side (1) takes all but the last two.
PLAIN = ("AS 3S JS 2S", "KS 4S 5S 6S", "AH 2H 3H 4H", "AD 2D 3D 4D", "TC KC 2C AC", "QC 8C 9C 7C")
LEADERS = (1, 1, 1, 1, 1, 0)


def result_of(hand: Hand, scores: tuple[int, ...] | None = None) -> HandResult:
    game = start_game(hand.variant, first_dealer=hand.dealer)
    if scores is not None:
        game = game._replace(scores=scores)
    return finish_hand(game, hand)[1]


def played(of: Variant, calls: str, *tricks: str, leaders: tuple[int, ...] = LEADERS) -> Hand:
    hand = after(dealt_for_tricks(of, *tricks, leaders=leaders), calls)
    if of.trump == "named":
        hand = after(hand, f"{hand.to_act} trump S")
    return play_tricks(hand, *tricks)


def bid(number: int | str) -> str:
    return f"1 bid {number}, 2 pass, 3 pass, 0 pass"


def test_the_plain_hand() -> None:
    result = result_of(played(variant("pitch-ac"), bid(3), *PLAIN))
    # Game: side 1 took AS JS KS AH AD = 4+1+3+4+4 = 16; side 0 took TC KC AC QC = 10+3+4+2 = 19
    assert result.won == (("high", 1), ("low", 1), ("jack", 1), ("game", 0))
    assert result.points == (1, 3)
    assert (result.pitcher, result.bid, result.trump, result.made) == (1, 3, 3, True)
    assert result.delta == result.scores == (1, 3)


@pytest.mark.parametrize(
    ("fields", "point", "side"),
    [
        pytest.param({"low": "taken"}, "low", 1, id="low to the side that took it"),
        pytest.param({"low": "held"}, "low", 0, id="low to the side that played it"),
        pytest.param({"game": "count"}, "game", 0, id="game by count"),
        pytest.param({"game": "ten"}, "game", None, id="the ten of trump is not in play"),
        pytest.param({"trey": True}, "trey", 1, id="the three of trump"),
        pytest.param({"off_jack": True}, "off_jack", None, id="the off-jack is not in play"),
    ],
)
def test_who_scores_a_point(fields: dict[str, object], point: str, side: int | None) -> None:
    result = result_of(played(variant("pitch-ac", **fields), bid(2), *PLAIN))
    assert dict(result.won)[point] == side


def test_the_three_of_trump_may_be_low_and_trey() -> None:
    tricks = ("AS 3S JS 7S", *PLAIN[1:])
    result = result_of(played(variant("pitch-ac", trey=True), bid(4), *tricks))
    assert dict(result.won)["low"] == dict(result.won)["trey"] == 1
    assert result.points == (1, 6)


def test_the_off_jack_and_the_ten_are_taken() -> None:
    of = variant("pitch-ac", off_jack=True, game="ten", max_bid=5)
    tricks = ("AS 3S JC 2S", "KS TS 5S 6S", *PLAIN[2:])
    result = result_of(played(of, bid(5), *tricks))
    assert result.won == (("high", 1), ("low", 1), ("jack", None), ("off_jack", 1), ("game", 1))
    assert (result.made, result.delta) == (False, (0, -5))


def test_one_trump_may_be_high_and_low() -> None:
    tricks = (
        "AS 2H 3H 4H",
        "AD 2D 3D 4D",
        "KC 2C 3C 4C",
        "QC 5C 6C 7C",
        "QD 5D 6D 7D",
        "QH 5H 6H 7H",
    )
    hand = played(variant("pitch-ac"), bid(2), *tricks, leaders=(1,) * 6)
    result = result_of(hand)
    assert result.won == (("high", 1), ("low", 1), ("jack", None), ("game", 1))
    assert result.points == (0, 3)


def test_without_a_trump_in_play_nobody_scores_high_or_low() -> None:
    of = variant("gameweave", opening_lead="any")
    tricks = (
        "AH 2H 3H 4H",
        "AD 2D 3D 4D",
        "KC 2C 3C 4C",
        "QC 5C 6C 7C",
        "QD 5D 6D 7D",
        "QH 5H 6H 7H",
    )
    result = result_of(played(of, "1 bid 4", *tricks, leaders=(1,) * 6))
    assert result.won == (("high", None), ("low", None), ("jack", None), ("game", 1))
    assert result.delta == (0, -4)


def test_a_tie_for_game_scores_nobody() -> None:
    # side 1: AS JS KS QS = 10, side 0: TC = 10
    tricks = (
        "AS 3S JS 2S",
        "KS 4S QS 6S",
        "7H 2H 3H 4H",
        "7D 2D 3D 4D",
        "9C TC 2C 3C",
        "7C 5C 4C 6C",
    )
    hand = played(variant("pitch-ac"), bid(2), *tricks, leaders=(1, 1, 1, 1, 1, 2))
    assert dict(result_of(hand).won)["game"] is None


# Three sides; seat 1 leads spades, trump, and each side takes an ace. Cards from the leader.
ACES = ("AS 2S 3S", "4H AH 2H", "4D AD 2D", "7D 5D 8D", "2C 3C 4C")
ACE_LEADERS = (1, 1, 2, 0, 2)


@pytest.mark.parametrize(
    ("last", "game"),
    [
        pytest.param("5C 7C 6C", None, id="all tie"),
        pytest.param("5C JC 6C", 2, id="one more, alone"),
    ],
)
def test_game_of_three_sides_goes_to_one_alone(last: str, game: int | None) -> None:
    of = variant("cutthroat", players=3)
    hand = dealt_for_tricks(of, *ACES, last, leaders=(*ACE_LEADERS, 1))
    hand = play_tricks(after(hand, "1 bid 2, 2 pass, 0 pass"), *ACES, last)
    assert dict(result_of(hand).won)["game"] == game


def test_set_costs_the_bid() -> None:
    result = result_of(played(variant("pitch-ac"), bid(4), *PLAIN))
    assert (result.made, result.points, result.delta) == (False, (1, 3), (1, -4))


SWEEP = ("AS 3S JS 2S", "KS 4S 5S 6S", "AH 2H 3H 4H", "AD 2D 3D 4D", "AC KC 2C TC", "QC 8C 9C 7C")


def test_a_smudge_is_all_four_points_and_every_trick() -> None:
    hand = played(variant("partnership"), bid("smudge"), *SWEEP, leaders=(1,) * 6)
    assert result_of(hand).delta == (0, 5)
    assert result_of(hand).points == (0, 4)


def test_a_smudge_fails_with_a_worthless_trick_lost() -> None:
    tricks = (*SWEEP[:5], "7C 8C 6C 9C")
    hand = played(variant("partnership"), bid("smudge"), *tricks, leaders=(1,) * 6)
    result = result_of(hand)
    assert (result.points, result.made, result.delta) == ((0, 4), False, (0, -5))


def test_all_four_points_without_a_smudge_score_four() -> None:
    hand = played(variant("partnership"), bid(2), *SWEEP, leaders=(1,) * 6)
    assert result_of(hand).delta == (0, 4)


MOON_GAME = {"smudge": False, "moon": True, "target": 11}


@pytest.mark.parametrize(
    ("before", "delta"),
    [((0, 0), 11), ((5, 4), 7), ((5, 12), 0), ((5, -3), 3)],
    ids=["from nothing", "from below target", "stays above target", "from below zero"],
)
def test_a_made_moon(before: tuple[int, int], delta: int) -> None:
    hand = played(variant("partnership", **MOON_GAME), bid("moon"), *SWEEP, leaders=(1,) * 6)
    assert result_of(hand, before).delta == (0, delta)


def test_a_lost_moon_costs_the_target() -> None:
    hand = played(variant("partnership", **MOON_GAME), bid("moon"), *PLAIN)
    result = result_of(hand, (2, 3))
    assert (result.made, result.delta, result.scores) == (False, (1, -11), (3, -8))


TAKEOVER = [
    # takeover_doubles, calls, how the dealer's side fares
    (False, "1 pass, 2 pitch 3S, 0 pitch 2H", -4),
    (True, "1 pass, 2 pitch 3S, 0 pitch 2H", -8),
    (True, "1 pass, 2 pitch 3S, 0 bid smudge", -10),
    (True, "1 pass, 2 pass, 3 pass, 0 pitch 2H", -4),
    (True, "1 bid 4, 2 pass, 3 pass, 0 pitch 2H", -4),
]


@pytest.mark.parametrize(("doubles", "calls", "delta"), TAKEOVER)
def test_a_set_takeover_may_cost_twice_the_bid(doubles: bool, calls: str, delta: int) -> None:
    of = variant("partnership-pitching", takeover_doubles=doubles)
    hand = dealt(
        of, "2H 2C 2D 3C 3D 4C", "AH AS AC AD KS KC", "3S 4S 3H 4D 5D 5C", "KH QH QS QC QD JS"
    )
    hand = after(hand, calls)
    while hand.to_act >= 0:
        cards = [card for card in range(52) if hand.playable >> card & 1]
        hand = after(
            hand, f"{hand.to_act} play {card_text(max(cards) if hand.to_act % 2 else min(cards))}"
        )
    assert result_of(hand).delta[0] == delta


@pytest.mark.parametrize(
    ("tricks", "high", "low"),
    [
        pytest.param(("TS 5S 4S JC", "2S"), 0, 1, id="the best trump in play"),
        pytest.param(("AS KS JC JS", "QS"), 1, 1, id="the lowest trump in play"),
    ],
)
def test_an_off_jack_may_be_high_or_low(tricks: tuple[str, str], high: int, low: int) -> None:
    """Seat 1 leads spades; JC stands between the jack of spades and the ten."""
    first, second = tricks
    of = variant("gameweave", off_jack=True)
    seats = [[card] for card in first.split()]
    seats[0].append(second)
    plain = ["2H 3H 4H 5H 6H", "7H 8H 9H TH JH", "2D 3D 4D 5D 6D", "7D 8D 9D TD QD"]
    held = [
        " ".join(cards + filler.split()[: 6 - len(cards)])
        for cards, filler in zip(seats, plain, strict=True)
    ]
    hand = after(dealt(of, held[3], *held[:3]), "1 bid 4, 1 trump S")
    hand = play_tricks(hand, first)
    while hand.to_act >= 0:
        card = max(cards_of(hand.playable))  # a trump where there is one: it is the last suit
        hand = after(hand, f"{hand.to_act} play {card_text(card)}")
    won = dict(result_of(hand).won)
    assert (won["high"], won["low"]) == (high, low)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_set_hand_costs_the_bid_in_every_variant(name: str) -> None:
    of, chance = VARIANTS[name], Random(name)
    bids = [*range(of.min_bid, of.max_bid + 1), *([SMUDGE] if of.smudge else [])]
    sets = 0
    for _ in range(30):
        hand = play_out(of, 0, chance).hands[-1]
        side = of.side_of(hand.pitcher)
        for bid in bids:
            result = result_of(hand._replace(bid=bid))
            if not result.made:
                sets += 1
                assert result.delta[side] == -(5 if bid == SMUDGE else bid)
            assert all(result.delta[each] == result.points[each] for each in others_of(of, side))
    assert sets >= 10


def others_of(of: Variant, side: int) -> list[int]:
    return [each for each in range(of.sides) if each != side]


MOON_OPTIONS = [
    {"deck": deck, "off_jack": off_jack, "trey": trey, "low": low}
    for deck in (52, 54)
    for off_jack in (False, True)
    for trey in (False, True)
    for low in ("taken", "held")
]


@pytest.mark.parametrize("options", MOON_OPTIONS, ids=str)
def test_a_moon_needs_every_point_under_all_options(options: dict[str, object]) -> None:
    of = variant("gameweave", moon=True, players=2, **options)
    chance = Random(str(options))
    hands = [play_out(of, 0, chance).hands[-1]._replace(bid=MOON) for _ in range(300)]
    results = [result_of(hand) for hand in hands]
    points = [each.points[of.side_of(each.pitcher)] for each in results]
    assert [each.made for each in results] == [each == of.total_points for each in points]
    assert max(each for each in points if each < of.total_points) >= 3
