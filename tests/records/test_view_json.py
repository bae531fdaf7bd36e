"""A view as JSON: every field as text, and no card that the seat may not know."""

import json
from pathlib import Path
from typing import Any

import pytest

from pitch.records import replay_game, view_json
from pitch.rules import Kind, card_text, cards_of, view_of
from records.making import ACTIONS, VECTOR_FILES, a_hand, a_record, vectors


def _view(record: dict[str, Any], seat: int) -> dict[str, object]:
    replayed = replay_game(record)
    assert replayed.hand is not None
    return view_json(view_of(replayed.before, replayed.hand, seat))


def test_a_view_in_the_play() -> None:
    record = a_record(hands=[a_hand(), a_hand(actions=["2 bid 3", "3 pass", "0 pass", "1 pass"])])
    assert _view(record, 2) == {
        "seat": 2,
        "dealer": 1,
        "hand_number": 1,
        "scores": [1, 3],
        "phase": "play",
        "to_act": 2,
        "hand": ["6D", "9D", "AD", "KH", "2S", "TS"],
        "discarded": [],
        "auction": ["2 bid 3", "3 pass", "0 pass", "1 pass"],
        "pitcher": 2,
        "bid": 3,
        "trump": None,
        "discard_counts": [],
        "leftovers": None,
        "received": [],
        "tricks": [],
        "trick": [],
        "points": None,
        "legal": ["play 6D", "play 9D", "play AD", "play KH", "play 2S", "play TS"],
    }


def test_tricks_and_the_trick_that_goes_on() -> None:
    seen = _view(a_record(hands=[a_hand(actions=ACTIONS[:10])]), 0)
    assert seen["tricks"] == [{"winner": 1, "cards": ["1 AD", "2 3D", "3 5D", "0 7D"]}]
    assert seen["trick"] == ["1 9D", "2 JD"]
    assert seen["trump"] == "D"
    assert (seen["to_act"], seen["legal"]) == (3, [])


def test_a_finished_hand_shows_points_and_nobody_to_act() -> None:
    seen = _view(a_record(), 3)
    assert (seen["phase"], seen["to_act"], seen["points"]) == ("over", None, [1, 3])
    assert seen["scores"] == [0, 0]


def _known(record: dict[str, Any], seat: int) -> set[str]:
    """The cards that rules.md 9 lets a seat know, from the end state."""
    hand = replay_game(record).hand
    assert hand is not None
    own = hand.hands[seat] | hand.exchanged.discarded[seat]
    if seat == hand.exchanged.receiver:
        own |= hand.exchanged.received
    pitched = {action.value for _, action in hand.auction if action.kind is Kind.PITCH}
    return set(map(card_text, (*cards_of(own), *pitched, *(card for _, card in hand.played))))


@pytest.mark.parametrize("path", VECTOR_FILES, ids=lambda path: path.stem)
def test_no_view_names_a_card_that_the_seat_cannot_know(path: Path) -> None:
    for case in vectors(path):
        if not case.expected["ok"] or not case.input["hands"]:
            continue
        for seat in range(len(case.input["seats"])):
            text = json.dumps(_view(case.input, seat))
            words = set(text.replace('"', " ").replace(",", " ").split())
            named = words & {card_text(card) for card in range(54)}
            assert named <= _known(case.input, seat), (case.id, seat)
