"""Boards as they are drawn, from true records of every kind of variant."""

import json
from pathlib import Path
from typing import Any

import pytest

from pitch.rules.catalog import VARIANTS
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import Deals, Unit
from pitch_server.reporting.document import report_document
from pitch_server.reporting.hands import boards, card, held_suits
from pitch_server.reporting.numbers import Node
from pitch_server.store.journal import Journal
from pitch_server.store.rows import State
from plan.making import make_settings
from reporting.making import document_of
from verify.making import SEED, play


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
