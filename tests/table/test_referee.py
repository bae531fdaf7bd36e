from random import Random

import pytest
from hypothesis import given, settings

from pitch.records import (
    GameRecord,
    HandRecord,
    SeatAction,
    game_result_json,
    record_json,
    replay,
)
from pitch.rules import (
    PASS,
    VARIANTS,
    Action,
    IllegalAction,
    Kind,
    Variant,
    apply_action,
    default_action,
    finish_hand,
    legal_actions,
    parse_variant,
    start_game,
    start_hand,
)
from pitch.table.faults import Fault, FaultPolicy, OnFault
from pitch.table.referee import (
    Ask,
    Effect,
    Faulted,
    GameFinished,
    HandFinished,
    Referee,
    RefereeError,
)
from strategies import seeds, variants
from table.driving import by_chance, last_ask, play_to_end, referee_of, state_of

PITCH = VARIANTS["pitch-ac"]
THREE_SIDES = parse_variant({"name": "cutthroat", "players": 3})
PATIENT = FaultPolicy(max_faults=10**6)
STRICT = FaultPolicy(on_fault=OnFault.FORFEIT)
ILLEGAL = Action(Kind.BID, 99)


# --- a game without faults ---------------------------------------------------------------------


@settings(max_examples=60)
@given(variant=variants(), seed=seeds)
def test_a_game_is_what_the_rules_make_of_its_decks_and_actions(
    variant: Variant, seed: int
) -> None:
    referee = referee_of(variant, hands=3, seed=seed)
    effects = [*referee.begin(), *play_to_end(referee, by_chance(seed))]
    game = start_game(variant, max_hands=3)
    finished = [effect for effect in effects if isinstance(effect, HandFinished)]
    assert len(finished) == len(referee.played)
    for played, end in zip(referee.played, finished, strict=True):
        hand = start_hand(variant, game.dealer, played.deck)
        for seat, action in played.actions:
            assert seat == hand.to_act
            hand = apply_action(hand, action)
        assert (end.game, end.hand) == (game, hand)
        game, result = finish_hand(game, hand)
        assert end.result == played.result == result
    assert referee.game == game
    assert game.over
    assert effects[-1] == GameFinished()
    assert effects.count(GameFinished()) == 1


@settings(max_examples=60)
@given(variant=variants(), seed=seeds)
def test_only_real_choices_are_asked_each_once(variant: Variant, seed: int) -> None:
    referee = referee_of(variant, hands=1, seed=seed)
    effects = [*referee.begin(), *play_to_end(referee, by_chance(seed))]
    asked = [effect for effect in effects if isinstance(effect, Ask)]
    (played,) = referee.played
    hand = start_hand(variant, 0, played.deck)
    choices = []
    for number, (seat, action) in enumerate(played.actions):
        if len(legal_actions(hand)) > 1:
            choices.append(Ask(seat, number))
        hand = apply_action(hand, action)
    assert asked == choices
    assert played.substituted == []


@pytest.mark.parametrize("name", VARIANTS)
def test_the_record_of_a_game_replays_to_the_referees_result(name: str) -> None:
    variant = VARIANTS[name]
    referee = referee_of(variant, hands=3)
    referee.begin()
    play_to_end(referee, by_chance(3))
    answer = replay(record_json(record_of(referee)))
    assert "error" not in answer
    assert answer["result"] == game_result_json(referee.game)


def record_of(referee: Referee) -> GameRecord:
    return GameRecord(
        variant=referee.variant,
        seats=tuple(map(str, range(referee.variant.players))),
        first_dealer=referee.game.first_dealer,
        max_hands=referee.game.max_hands,
        hands=tuple(
            HandRecord(
                deck=hand.deck,
                actions=tuple(SeatAction(seat, action) for seat, action in hand.actions),
                result=None,
            )
            for hand in referee.played
        ),
        result=None,
    )


# --- faults ------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", Fault)
def test_a_fault_is_charged_and_the_default_action_is_played(fault: Fault) -> None:
    referee = referee_of(PITCH)
    ask = last_ask(referee.begin())
    hand = referee.hand
    assert hand is not None
    default = default_action(hand)
    effects = referee.fault(ask.seat, fault)
    assert effects[0] == Faulted(ask.seat, fault, default)
    assert referee.played[0].actions[0] == (ask.seat, default)
    assert referee.played[0].substituted == [0]
    assert referee.faults == [(ask.seat, fault)]
    assert last_ask(effects).seat != ask.seat
    assert not referee.forfeits


def test_an_illegal_answer_is_a_fault_of_its_own_kind() -> None:
    referee = referee_of(PITCH)
    ask = last_ask(referee.begin())
    effects = referee.answer(ask.seat, ILLEGAL)
    assert effects[0] == Faulted(ask.seat, Fault.ILLEGAL, PASS)


@settings(max_examples=40)
@given(variant=variants(), seed=seeds)
def test_a_game_of_nothing_but_faults_is_the_game_of_default_actions(
    variant: Variant, seed: int
) -> None:
    faulty = referee_of(variant, hands=2, seed=seed, policy=PATIENT)
    faulty.begin()
    while not faulty.finished:
        faulty.fault(faulty.asked, Fault.TIMEOUT)
    plain = referee_of(variant, hands=2, seed=seed)
    plain.begin()
    play_to_end(plain)
    assert [hand.actions for hand in faulty.played] == [hand.actions for hand in plain.played]
    assert faulty.game == plain.game
    assert sum(len(hand.substituted) for hand in faulty.played) == len(faulty.faults)


def test_a_substituted_discard_is_the_lowest_that_is_allowed() -> None:
    referee = referee_of(VARIANTS["partnership-six"], policy=PATIENT)
    referee.begin()
    while not (referee.asked >= 0 and referee.legal[0].kind is Kind.DISCARD):
        referee.answer(referee.asked, referee.legal[0])
    expected, seat = referee.legal[0], referee.asked
    assert referee.fault(seat, Fault.TIMEOUT)[0] == Faulted(seat, Fault.TIMEOUT, expected)


@pytest.mark.parametrize("most", [1, 2, 5])
def test_the_last_fault_that_is_allowed_to_a_side_costs_it_the_game(most: int) -> None:
    referee = referee_of(PITCH, hands=100, policy=FaultPolicy(max_faults=most))
    referee.begin()
    charged = 0
    effects: list[Effect] = []
    while not referee.finished:
        seat = referee.asked
        if PITCH.side_of(seat) == 1:
            charged += 1
            effects = referee.fault(seat, Fault.TIMEOUT)
        else:
            referee.answer(seat, referee.legal[0])
    assert charged == most
    assert effects[0] == Faulted(effects[0].seat, Fault.TIMEOUT, None)  # type: ignore[union-attr]
    assert effects[-1] == GameFinished()
    assert referee.forfeits == {1: Fault.TIMEOUT}
    assert not referee.void


def test_faults_are_counted_by_the_side_not_by_the_seat_or_the_table() -> None:
    referee = referee_of(PITCH, policy=FaultPolicy(max_faults=2))
    ask = last_ask(referee.begin())
    ask = last_ask(referee.fault(ask.seat, Fault.TIMEOUT))
    ask = last_ask(referee.fault(ask.seat, Fault.TIMEOUT))
    assert not referee.finished
    assert ask.seat == 3
    referee.fault(ask.seat, Fault.ILLEGAL)
    assert referee.forfeits == {1: Fault.ILLEGAL}


def test_on_fault_forfeit_ends_the_game_at_the_first_fault_without_an_action() -> None:
    referee = referee_of(PITCH, policy=STRICT)
    ask = last_ask(referee.begin())
    effects = referee.fault(ask.seat, Fault.MALFORMED)
    assert effects == [Faulted(ask.seat, Fault.MALFORMED, None), GameFinished()]
    assert referee.played[0].actions == []
    assert referee.game.scores == (0, 0)
    assert referee.forfeits == {1: Fault.MALFORMED}


# --- forfeits ----------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [0, 1])
def test_of_two_sides_a_forfeit_ends_the_game_whoever_is_asked(side: int) -> None:
    referee = referee_of(PITCH)
    referee.begin()
    assert referee.forfeit(side, Fault.DISCONNECT) == [GameFinished()]
    assert referee.finished
    assert referee.asked == -1
    assert referee.forfeits == {side: Fault.DISCONNECT}
    assert not referee.void


def test_of_more_sides_the_forfeiting_one_plays_default_actions_to_the_end() -> None:
    referee = referee_of(THREE_SIDES, hands=4)
    ask = last_ask(referee.begin())
    effects = referee.forfeit(ask.seat, Fault.DISCONNECT)
    assert last_ask(effects).seat != ask.seat
    effects += play_to_end(referee, by_chance(1))
    assert all(effect.seat != ask.seat for effect in effects if isinstance(effect, Ask))
    assert referee.game.over
    assert referee.forfeits == {ask.seat: Fault.DISCONNECT}
    check_substituted(referee, {ask.seat})


def test_of_more_sides_a_forfeit_of_one_that_is_not_asked_asks_nobody_again() -> None:
    referee = referee_of(THREE_SIDES)
    ask = last_ask(referee.begin())
    other = (ask.seat + 1) % 3
    before = state_of(referee)
    assert referee.forfeit(other, Fault.ABSENT) == []
    assert referee.asked == ask.seat
    assert referee.forfeits == {other: Fault.ABSENT}
    assert state_of(referee)[:4] == before[:4]


def check_substituted(referee: Referee, seats: set[int]) -> None:
    """Every choice of these seats, and none other, was the default action and is marked so."""
    for number, played in enumerate(referee.played):
        hand = start_hand(referee.variant, number % referee.variant.players, played.deck)
        for index, (seat, action) in enumerate(played.actions):
            chosen = len(legal_actions(hand)) > 1
            assert (index in played.substituted) == (chosen and seat in seats)
            if seat in seats:
                assert action == default_action(hand)
            hand = apply_action(hand, action)


def test_when_all_sides_have_forfeited_the_game_is_void_and_over_at_once() -> None:
    referee = referee_of(THREE_SIDES)
    referee.begin()
    referee.forfeit(0, Fault.ABSENT)
    referee.forfeit(1, Fault.ABSENT)
    assert not referee.void
    assert referee.forfeit(2, Fault.DISCONNECT) == [GameFinished()]
    assert referee.void
    assert referee.forfeits == {0: Fault.ABSENT, 1: Fault.ABSENT, 2: Fault.DISCONNECT}


@pytest.mark.parametrize("variant", [VARIANTS["pitch-ac"], THREE_SIDES], ids=["two", "three"])
def test_a_game_that_nobody_is_there_to_play_is_void_whatever_the_number_of_sides(
    variant: Variant,
) -> None:
    referee = referee_of(variant)
    with pytest.raises(RefereeError, match="before the game has begun"):
        referee.forfeit_all(Fault.ABSENT)
    referee.begin()
    assert referee.forfeit_all(Fault.ABSENT) == [GameFinished()]
    assert referee.void
    assert referee.forfeits == dict.fromkeys(range(variant.sides), Fault.ABSENT)
    assert referee.forfeit_all(Fault.ABSENT) == []


def test_a_forfeit_counts_once_and_never_after_the_end() -> None:
    referee = referee_of(THREE_SIDES)
    referee.begin()
    referee.forfeit(0, Fault.ABSENT)
    before = state_of(referee)
    assert referee.forfeit(0, Fault.DISCONNECT) == []
    assert state_of(referee) == before
    play_to_end(referee)
    before = state_of(referee)
    assert referee.forfeit(1, Fault.DISCONNECT) == []
    assert state_of(referee) == before


# --- misuse ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 2, 3, -1, 4])
@pytest.mark.parametrize("how", ["answer", "fault"])
def test_an_event_of_a_seat_that_was_not_asked_is_our_error_and_changes_nothing(
    how: str, seat: int
) -> None:
    referee = referee_of(PITCH)
    assert last_ask(referee.begin()).seat == 1
    before = state_of(referee)
    events = {
        "answer": lambda: referee.answer(seat, PASS),
        "fault": lambda: referee.fault(seat, Fault.TIMEOUT),
    }
    with pytest.raises(RefereeError, match=f"seat {seat} was not asked, seat 1 was"):
        events[how]()
    assert state_of(referee) == before


@pytest.mark.parametrize("side", [-1, 2])
def test_a_side_that_does_not_exist_cannot_forfeit(side: int) -> None:
    referee = referee_of(PITCH)
    referee.begin()
    before = state_of(referee)
    with pytest.raises(RefereeError, match=f"side {side} cannot forfeit"):
        referee.forfeit(side, Fault.ABSENT)
    assert state_of(referee) == before


def test_nothing_can_happen_before_the_beginning() -> None:
    referee = referee_of(PITCH)
    for event in (
        lambda: referee.answer(1, PASS),
        lambda: referee.fault(1, Fault.TIMEOUT),
        lambda: referee.forfeit(1, Fault.ABSENT),
        lambda: referee.view(0),
    ):
        with pytest.raises(RefereeError):
            event()
    assert last_ask(referee.begin()) == Ask(1, 0)


def test_a_game_begins_once_and_ends_once() -> None:
    referee = referee_of(PITCH, hands=1)
    referee.begin()
    with pytest.raises(RefereeError, match="begun already"):
        referee.begin()
    play_to_end(referee)
    before = state_of(referee)
    for seat in range(-1, 4):
        with pytest.raises(RefereeError):
            referee.answer(seat, PASS)
        with pytest.raises(RefereeError):
            referee.fault(seat, Fault.TIMEOUT)
    assert state_of(referee) == before


def test_what_a_bot_answers_never_raises() -> None:
    odd = [ILLEGAL, Action(Kind.PLAY, -1), Action(Kind.DISCARD, 1 << 70), Action(Kind.TRUMP, 9)]
    for name in VARIANTS:
        referee = referee_of(VARIANTS[name], policy=PATIENT)
        referee.begin()
        chance = Random(name)
        while not referee.finished:
            seat = referee.asked
            referee.answer(seat, chance.choice([*odd, referee.legal[-1]]))
        assert referee.game.over


# --- every position ----------------------------------------------------------------------------


@pytest.mark.parametrize("policy", [PATIENT, STRICT], ids=["substitute", "forfeit"])
@pytest.mark.parametrize("name", VARIANTS)
def test_a_fault_at_any_decision_leaves_a_game_that_ends(name: str, policy: FaultPolicy) -> None:
    variant = VARIANTS[name]
    count = decisions(variant)
    assert count > 10
    for position in range(count):
        referee = referee_of(variant, hands=1, policy=policy)
        referee.begin()
        choose = by_chance(1)
        for _ in range(position):
            referee.answer(referee.asked, choose(referee))
        seat = referee.asked
        referee.fault(seat, Fault.TIMEOUT)
        play_to_end(referee, choose)
        if policy is STRICT:
            assert set(referee.forfeits) == {variant.side_of(seat)}
        assert referee.game.over or variant.sides == 2
        assert replayable(referee)


@pytest.mark.parametrize("name", VARIANTS)
def test_sides_that_forfeit_at_any_decision_leave_a_game_that_ends(name: str) -> None:
    variant = VARIANTS[name]
    for position in range(decisions(variant)):
        referee = referee_of(variant, hands=1)
        referee.begin()
        choose = by_chance(1)
        for _ in range(position):
            referee.answer(referee.asked, choose(referee))
        first = position % variant.sides
        referee.forfeit(first, Fault.DISCONNECT)
        if position % 2 and not referee.finished:
            referee.forfeit((first + 1) % variant.sides, Fault.DISCONNECT)
        play_to_end(referee, choose)
        assert referee.finished
        assert replayable(referee)


def decisions(variant: Variant) -> int:
    """How many questions one hand by chance has."""
    referee = referee_of(variant, hands=1)
    referee.begin()
    effects = play_to_end(referee, by_chance(1))
    return sum(isinstance(effect, Ask) for effect in effects) + 1


def replayable(referee: Referee) -> bool:
    """Whether the record of a game, finished or not, replays without an error."""
    try:
        for number, played in enumerate(referee.played):
            hand = start_hand(referee.variant, number % referee.variant.players, played.deck)
            for _, action in played.actions:
                hand = apply_action(hand, action)
    except IllegalAction:
        return False
    return True
