"""Travellers: boards told from true records, of every kind of variant."""

import json
from pathlib import Path
from typing import Any

import pytest

from pitch.records import parse_record
from pitch.rules.catalog import VARIANTS
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import Deals, Unit
from pitch_server.reporting.document import report_document
from pitch_server.reporting.hands import boards, card, held_suits
from pitch_server.reporting.numbers import Node
from pitch_server.reporting.travellers import traveller
from pitch_server.store.journal import Journal
from pitch_server.store.rows import State
from plan.making import make_settings
from reporting.making import document_of
from verify.making import SEED, play

DECK = (
    "QH AS 2H JC TH TD JS 2D 4S 3D AD 4H 2S 8H 6C QS 8S 5S 9D 6H 4C KD 7S AH 8C 5H 7H 3S 9S JH "
    "7D 6S AC TS 5C 7C QC 8D QD 9H JD 5D 2C KS 4D KC TC 3H 9C 3C KH 6D"
)
ACTIONS = (
    "1 pass / 2 bid 4 / 3 pass / 0 pass / 2 play 5S / 3 play JS / 0 play 7S / 1 play 2S / 3 "
    "play 2D / 0 play AD / 1 play AS / 2 play TD / 1 play 2H / 2 play TH / 3 play 4S / 0 play "
    "4H / 3 play 9D / 0 play KD / 1 play 6C / 2 play QS / 2 play 8S / 3 play 4C / 0 play AH / 1 "
    "play 8H / 2 play JC / 3 play 6H / 0 play 3D / 1 play QH"
)


def test_a_table_is_told_as_it_was_played() -> None:
    record = parse_record(
        {
            "format": "pitch-record/1",
            "variant": {"name": "pitch-ac"},
            "seats": ["a", "b", "a", "b"],
            "first_dealer": 0,
            "max_hands": 1,
            "hands": [{"deck": DECK, "actions": ACTIONS.split(" / "), "x_substituted": [3]}],
        }
    )
    told = traveller([(7, record)])
    assert (told["hand"], told["hands"], told["dealer"]) == (0, 1, 0)
    assert told["dealt"][2] == ["QS", "8S", "5S", "TH", "TD", "JC"]
    (table,) = told["tables"]
    assert table["auction"] == [[1, "pass"], [2, "bid 4"], [3, "pass"], [0, "pass"]]
    assert (table["game"], table["pitcher"], table["bid"], table["trump"]) == (7, 2, "4", "S")
    assert (table["made"], table["points"], table["delta"]) == (False, [0, 4], [-4, 4])
    assert table["won"] == {"high": 1, "low": 1, "jack": 1, "game": 1}
    assert table["tricks"][0] == {
        "cards": [[2, "5S"], [3, "JS"], [0, "7S"], [1, "2S"]],
        "winner": 3,
    }
    assert table["substituted"] == 1


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_boards_of_every_variant_are_told_and_drawn(tmp_path: Path, variant: str) -> None:
    settings = make_settings(4, variant={"name": variant}, boards=2)
    document = document_of(tmp_path / "a.db", settings, analysis=False)
    drawn = boards(Node(json.loads(json.dumps(document))))
    assert drawn
    for board, told in zip(drawn, document["travellers"], strict=True):
        assert len(board.seats) == settings.variant.players
        assert sum(seat.dealer for seat in board.seats) == 1
        assert [table.game.value for table in board.tables] == [
            table["game"] for table in told["tables"]
        ]
        assert_every_card_is_drawn(told, board.seats)


def test_of_a_whole_game_the_hand_that_differed_most_is_told(tmp_path: Path) -> None:
    settings = make_settings(2, boards=6, unit=Unit.GAME)
    with Journal.create(tmp_path / "a.db", settings, SEED) as journal:
        journal.append([play(settings, game, faulty=0) for game in Plan(settings)])
        journal.end(State.CLOSED, {"digest": ""})
        told = report_document(journal)["travellers"]
    assert told
    for board in told:
        assert board["hands"] > 1
        assert all(len(table["tricks"]) == 6 for table in board["tables"])
        changes = list(zip(*(table["delta"] for table in board["tables"]), strict=True))
        assert max(max(side) - min(side) for side in changes) > 0


def assert_every_card_is_drawn(told: dict[str, Any], seats: Any) -> None:
    for cards, seat in zip(told["dealt"], seats, strict=True):
        drawn = [rank for held in seat.suits for rank in held.ranks.split() if rank != "–"]
        assert len(drawn) == len(cards)


def test_an_independent_board_has_one_table(tmp_path: Path) -> None:
    settings = make_settings(2, boards=6, deals=Deals.INDEPENDENT)
    told = document_of(tmp_path / "a.db", settings, analysis=False)["travellers"]
    assert told
    assert all(len(board["tables"]) == 1 for board in told)


def test_hands_are_shown_by_suits_high_cards_first() -> None:
    suits = {held.name: held.ranks for held in held_suits(["HJ", "AS", "TS", "2H"])}
    assert suits == {
        "spades": "A 10",
        "hearts": "2",
        "diamonds": "–",
        "clubs": "–",
        "jokers": "high",
    }
    assert [card(text) for text in ("TD", "LJ")] == ["10♦", "★low"]
