"""Where an error sits, which of several counts, and what stored results are compared with."""

from typing import Any

import pytest

from pitch.records import end_of, parse_record, replay
from pitch.rules import Phase
from records.making import ACTIONS, DECK, HAND_RESULT, RESULT, Json, a_hand, a_record


def _where(answer: Json) -> tuple[int | None, int | None]:
    assert answer["ok"] is False, answer
    error = answer["error"]
    assert set(error) == {"hand", "action", "reason"}
    assert error["reason"]
    return error["hand"], error["action"]


def _reason(record: object) -> str:
    answer: Any = replay(record)
    reason: str = answer["error"]["reason"]
    return reason


def _with_action(index: int, text: object) -> Json:
    actions: list[object] = list(ACTIONS)
    actions[index] = text
    return a_record(hands=[a_hand(actions=actions)])


def test_a_finished_hand_of_a_game_that_goes_on() -> None:
    assert replay(a_record()) == {
        "ok": True,
        "hands": [HAND_RESULT],
        "result": {"winner": None, "ended": None, "scores": [1, 3]},
    }


def test_a_game_that_ends_at_the_limit() -> None:
    assert replay(a_record(max_hands=1)) == {"ok": True, "hands": [HAND_RESULT], "result": RESULT}


def test_a_record_without_hands_has_zeros_and_nobody_to_act() -> None:
    assert replay(a_record(hands=[])) == {
        "ok": True,
        "hands": [],
        "result": {"winner": None, "ended": None, "scores": [0, 0]},
    }


def test_a_hand_without_actions_waits_for_the_seat_left_of_the_dealer() -> None:
    answer = replay(a_record(hands=[a_hand(actions=[])], first_dealer=2))
    assert answer["to_act"] == {
        "seat": 3,
        "phase": "auction",
        "legal": ["pass", "bid 2", "bid 3", "bid 4", "bid smudge"],
    }


HEADER = [
    pytest.param([], id="no object"),
    pytest.param(None, id="null"),
    pytest.param({}, id="empty"),
    pytest.param(a_record(format="pitch-record/2"), id="format"),
    pytest.param(a_record(format=["pitch-record/1"]), id="format, a list"),
    pytest.param(a_record(variant="partnership"), id="variant, a text"),
    pytest.param(a_record(variant={}), id="variant without name"),
    pytest.param(a_record(variant={"name": "partnership", "target": 21.0}), id="target 21.0"),
    pytest.param(a_record(variant={"name": "partnership", "target": True}), id="target true"),
    pytest.param(a_record(variant={"name": "partnership", "steal": 1}), id="steal 1"),
    pytest.param(a_record(variant={"name": "partnership", "jokers": True}), id="unknown field"),
    pytest.param(a_record(variant={"name": ["partnership"]}), id="name, a list"),
    pytest.param(a_record(seats=["a", "b", "c"]), id="three seats"),
    pytest.param(a_record(seats=["a", "b", "c", "d", "e"]), id="five seats"),
    pytest.param(a_record(seats=["a", "b", "c", 4]), id="a seat that is a number"),
    pytest.param(a_record(seats="abcd"), id="seats, a text"),
    pytest.param(a_record(first_dealer=4), id="dealer 4"),
    pytest.param(a_record(first_dealer=-1), id="dealer -1"),
    pytest.param(a_record(first_dealer=0.0), id="dealer 0.0"),
    pytest.param(a_record(first_dealer=False), id="dealer false"),
    pytest.param(a_record(first_dealer=None), id="dealer null"),
    pytest.param(a_record(max_hands=0), id="no hands allowed"),
    pytest.param(a_record(max_hands=1_000_001), id="too many hands allowed"),
    pytest.param(a_record(max_hands=1.0), id="max_hands 1.0"),
    pytest.param(a_record(max_hands=True), id="max_hands true"),
    pytest.param(a_record(max_hands="1"), id="max_hands, a text"),
    pytest.param(a_record(hands={}), id="hands, an object"),
    pytest.param(a_record(hands=None), id="hands null"),
    pytest.param(a_record(notes=1), id="unknown key"),
    pytest.param(a_record(X_notes=1), id="capital X_"),
    pytest.param({k: v for k, v in a_record().items() if k != "seats"}, id="no seats"),
    pytest.param(a_record(result=None), id="result null"),
    pytest.param(a_record(result=[]), id="result, a list"),
    pytest.param(a_record(result={**RESULT, "ended": None}), id="winner of a game that goes on"),
    pytest.param(a_record(max_hands=1, result={**RESULT, "scores": [1, 3.0]}), id="score 3.0"),
    pytest.param(a_record(max_hands=1, result={**RESULT, "winner": True}), id="winner true"),
    pytest.param(a_record(max_hands=1, result={**RESULT, "more": 1}), id="result: unknown key"),
    pytest.param(
        a_record(max_hands=1, result={"winner": 1, "scores": [1, 3]}), id="result: missing key"
    ),
]


@pytest.mark.parametrize("record", HEADER)
def test_faults_of_header_and_record_result_sit_nowhere(record: object) -> None:
    assert _where(replay(record)) == (None, None)


HAND = [
    pytest.param([], id="no object"),
    pytest.param(None, id="null"),
    pytest.param({"deck": DECK}, id="no actions"),
    pytest.param({"actions": ACTIONS}, id="no deck"),
    pytest.param(a_hand(note=1), id="unknown key"),
    pytest.param(a_hand(deck=DECK.split(" ")), id="deck, a list"),
    pytest.param(a_hand(actions=" ".join(ACTIONS)), id="actions, a text"),
    pytest.param(a_hand(deck=DECK.replace(" ", "  ")), id="two spaces"),
    pytest.param(a_hand(deck=f" {DECK}"), id="space before"),
    pytest.param(a_hand(deck=DECK.lower()), id="lower case"),
    pytest.param(a_hand(deck=f"{DECK} HJ"), id="a joker among 52"),
    pytest.param(a_hand(deck=DECK.replace("TS", "2C")), id="twice"),
    pytest.param(a_hand(deck=""), id="empty"),
    pytest.param(a_hand(result=None), id="result null"),
    pytest.param(a_hand(result={**HAND_RESULT, "bid": 2.0}), id="bid 2.0"),
    pytest.param(a_hand(result={**HAND_RESULT, "made": 1}), id="made 1"),
    pytest.param(a_hand(result={**HAND_RESULT, "won": {"high": 1}}), id="won: missing"),
    pytest.param(a_hand(result={**HAND_RESULT, "points": [1, 3, 0]}), id="a third side"),
    pytest.param(a_hand(actions=ACTIONS[:-1], result=HAND_RESULT), id="result of unfinished"),
]


@pytest.mark.parametrize("hand", HAND)
def test_faults_of_a_hand_sit_at_the_hand(hand: object) -> None:
    assert _where(replay(a_record(hands=[hand]))) == (0, None)


ACTION = [
    pytest.param(0, "1 bid 02", id="leading zero"),
    pytest.param(0, "1 bid  2", id="two spaces"),
    pytest.param(0, "01 bid 2", id="seat 01"),
    pytest.param(0, " 1 bid 2", id="space before"),
    pytest.param(0, "1 bid 2 ", id="space after"),
    pytest.param(0, "1 bid 2\n", id="new line"),
    pytest.param(0, "1 Bid 2", id="capital"),
    pytest.param(0, "¹ bid 2", id="another digit"),
    pytest.param(0, "1 bid ²", id="another number"),
    pytest.param(0, "1 bid +2", id="sign"),
    pytest.param(0, "1 bid 100000000000000000000", id="huge"),
    pytest.param(0, "1", id="no action"),
    pytest.param(0, "", id="empty"),
    pytest.param(0, 1, id="number"),
    pytest.param(0, None, id="null"),
    pytest.param(0, ["1", "pass"], id="list"),
    pytest.param(0, "2 pass", id="out of turn"),
    pytest.param(0, "4 pass", id="no such seat"),
    pytest.param(0, "-1 pass", id="seat -1"),
    pytest.param(0, "1 play AD", id="wrong phase"),
    pytest.param(1, "2 bid 2", id="bid not higher"),
    pytest.param(5, "2 play 3S", id="card not held"),
    pytest.param(5, "2 play 3d", id="card in lower case"),
    pytest.param(5, "2 play LJ", id="card not in the deck"),
    pytest.param(5, "2 trump D", id="no naming in this variant"),
    pytest.param(5, "2 discard", id="no exchange in this variant"),
]


@pytest.mark.parametrize(("index", "text"), ACTION)
def test_malformed_and_illegal_actions_are_at_fault_themselves(index: int, text: object) -> None:
    assert _where(replay(_with_action(index, text))) == (0, index)


@pytest.mark.parametrize("extra", ["1 pass", "fold", 7])
def test_the_first_action_after_the_hands_end_is_at_fault(extra: object) -> None:
    record = a_record(hands=[a_hand(actions=[*ACTIONS, extra, "0 pass"])])
    assert _where(replay(record)) == (0, len(ACTIONS))


def test_only_the_last_hand_may_be_unfinished() -> None:
    record = a_record(hands=[a_hand(actions=ACTIONS[:5]), a_hand()])
    assert _where(replay(record)) == (0, None)


def test_a_hand_after_the_games_end_is_at_fault_before_its_own_faults() -> None:
    record = a_record(max_hands=1, hands=[a_hand(), {"deck": 1}, None])
    assert _where(replay(record)) == (1, None)


ORDER = [
    pytest.param(a_record(seats=[], hands=[None], result=None), (None, None), id="header first"),
    pytest.param(a_record(hands=[a_hand(x=1, deck=""), None]), (0, None), id="keys before deck"),
    pytest.param(
        a_record(hands=[a_hand(deck="2C", actions=["fold"])]), (0, None), id="deck before actions"
    ),
    pytest.param(
        a_record(hands=[a_hand(actions=["1 pass", "fold", "x"], result=None)]),
        (0, 1),
        id="actions before the result",
    ),
    pytest.param(
        a_record(hands=[a_hand(actions=["fold"]), None]), (0, 0), id="hand 0 before hand 1"
    ),
    pytest.param(
        a_record(hands=[a_hand(result=None)], result=None), (0, None), id="record result last"
    ),
]


@pytest.mark.parametrize(("record", "where"), ORDER)
def test_of_several_faults_the_first_counts(
    record: Json, where: tuple[int | None, int | None]
) -> None:
    assert _where(replay(record)) == where


def test_keys_come_before_the_deck() -> None:
    assert "unknown key" in _reason(a_record(hands=[a_hand(note=1, deck="")]))


def test_notes_in_results_are_ignored() -> None:
    hand_result = {**HAND_RESULT, "won": {**HAND_RESULT["won"], "x_a": 1}, "x_b": []}  # type: ignore[dict-item]
    record = a_record(
        max_hands=1,
        x_site={"deep": [1.5]},
        variant={"name": "partnership", "x_why": None},
        hands=[a_hand(result=hand_result, x_c="")],
        result={**RESULT, "x_d": True},
    )
    assert replay(record) == replay(a_record(max_hands=1))


def test_a_record_may_tell_the_result_of_a_game_that_goes_on() -> None:
    result = {"winner": None, "ended": None, "scores": [1, 3]}
    assert replay(a_record(result=result))["ok"] is True


def test_a_limit_of_null_is_no_limit() -> None:
    assert replay(a_record(max_hands=None))["ok"] is True


@pytest.mark.parametrize(
    ("record", "parts"),
    [
        pytest.param(_with_action(1, "2 bid 2"), ["bid 2", "bid 3", "bid 4"], id="illegal"),
        pytest.param(_with_action(1, "3 pass"), ["seat 3", "seat 2", "bid 3"], id="out of turn"),
        pytest.param(_with_action(1, "2 fold"), ["2 fold", "pass"], id="malformed"),
        pytest.param(a_record(hands=[a_hand(deck="2C 2C")]), ["2 cards", "2C"], id="deck"),
        pytest.param(
            a_record(max_hands=1, result={**RESULT, "winner": 0}), ["winner", "0", "1"], id="result"
        ),
        pytest.param(a_record(variant={"name": "pitch-ca"}), ["pitch-ac"], id="misspelt variant"),
    ],
)
def test_a_reason_names_what_was_tried_and_what_was_legal(record: Json, parts: list[str]) -> None:
    reason = _reason(record)
    assert all(part in reason for part in parts), reason


def test_an_answer_is_one_line_however_the_input_looks() -> None:
    assert "\n" not in _reason(_with_action(0, "1 bid\n2"))
    assert len(_reason(_with_action(0, "1 " + "bid" * 10_000))) < 400


def test_the_end_of_a_record_is_the_game_and_its_last_hand() -> None:
    game, hand = end_of(parse_record(a_record(hands=[a_hand(actions=ACTIONS[:6])])))
    assert game.hands_played == 0
    assert hand is not None
    assert (hand.phase, hand.to_act) == (Phase.PLAY, 3)
    game, hand = end_of(parse_record(a_record(max_hands=1)))
    assert (game.winner, game.scores) == (1, (1, 3))
    assert hand is not None
    assert hand.phase is Phase.OVER
    assert end_of(parse_record(a_record(hands=[])))[1] is None


def fault_of(record: Json) -> Json:
    error = replay(record)["error"]
    assert isinstance(error, dict)
    return error


def test_a_revoke_is_found_in_a_hand_that_was_played_on() -> None:
    """Seat 2, with the three of trump in hand, discards a heart; it plays the three later."""
    actions = list(ACTIONS)
    trump, heart = actions.index("2 play 3D"), actions.index("2 play 3H")
    actions[trump], actions[heart] = actions[heart], actions[trump]
    error = fault_of(a_record(hands=[a_hand(actions=actions)]))
    assert (error["hand"], error["action"]) == (0, trump)
    assert "tried play 3H, legal is: play 3D, play JD" in error["reason"]


@pytest.mark.parametrize("index", [0, 1, 4, 7, 19])
def test_a_second_action_for_the_same_turn_is_at_fault(index: int) -> None:
    actions = list(ACTIONS)
    actions.insert(index + 1, actions[index])
    error = fault_of(a_record(hands=[a_hand(actions=actions)]))
    assert (error["hand"], error["action"]) == (0, index + 1)
    assert "was to act" in error["reason"]
