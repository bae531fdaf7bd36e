"""`pitch replay --show`: hands for people."""

import json
import re
from pathlib import Path

import pytest

from cli.running import pitch, pitch_process, write_lines
from records.making import ACTIONS, VECTOR_FILES, a_hand, a_record, good_records, vectors


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def test_a_hand_with_deal_auction_tricks_and_points(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", a_record(max_hands=1))
    result = pitch("replay", path, "--show")
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    shown = _lines(result.stdout)
    for line in (
        "partnership: 0 ann, 1 bob, 2 ann, 3 bob",
        "Hand 0, dealer 0 ann, scores 0 0",
        "Clubs Diamonds Hearts Spades",
        "1 bob - A 9 6 K T 2",
        "Auction 1 bob bid 2 · 2 ann pass · 3 bob pass · 0 ann pass",
        "Pitcher 1 bob for 2, trump D",
        "Trick 0 ann 1 bob 2 ann 3 bob won by",
        "1 7D > AD* 3D 5D 1 bob",
        "2 QD* > 9D JD 3S 0 ann",
        "Points side 0 (0+2) 1: jack",
        "side 1 (1+3) 3: high, low, game",
        "Bid 2 by side 1 (1+3): made",
        "Scores side 0 (0+2) +1 = 1 · side 1 (1+3) +3 = 3",
        "Won by side 1 (1+3) (hand limit), scores 1 3",
    ):
        assert line in shown, result.stdout


def test_an_unfinished_hand_says_who_is_to_act(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", a_record(hands=[a_hand(actions=ACTIONS[:6])]))
    shown = _lines(pitch("replay", path, "--show").stdout)
    assert "Unfinished: 3 bob is to act (play)" in shown
    assert "1 - > AD 3D -" in shown
    assert "Not over after 0 hands, scores 0 0" in shown


def test_an_exchange_shows_the_hands_again(tmp_path: Path) -> None:
    (path,) = (path for path in VECTOR_FILES if path.stem == "trump-only")
    record = next(case.input for case in vectors(path) if case.id.endswith("finished/00"))
    shown = pitch("replay", write_lines(tmp_path / "a.jsonl", record), "--show").stdout
    assert shown.count("Clubs") == 2 * len(record["hands"])
    assert "discard" in shown
    assert "Jokers" in shown
    assert re.search(r" (take|give)\b", shown)


def test_an_output_that_cannot_hold_a_name_gets_it_escaped() -> None:
    record = json.dumps(a_record(seats=["☃", "b", "c", "d"])).encode()
    done = pitch_process("replay", "-", "--show", stdin=record, PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"0 \u2603" in done.stdout


def test_a_record_that_does_not_replay_says_where(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", a_record(hands=[a_hand(actions=["1 fold"])]))
    result = pitch("replay", path, "--show")
    assert result.exit_code == 1
    assert "does not replay: hand 0, action 0: malformed" in result.stdout


def test_names_cannot_steer_the_terminal(tmp_path: Path) -> None:
    seats = ["\x1b[31mred", "b\nc", "\u202ed", "\ud800"]
    path = write_lines(tmp_path / "a.jsonl", a_record(seats=seats))
    shown = pitch("replay", path, "--show").stdout
    assert "0 ?[31mred, 1 b?c, 2 ?d, 3 ?" in shown


@pytest.mark.parametrize("part", range(4))
def test_every_good_record_can_be_shown(tmp_path: Path, part: int) -> None:
    records = good_records()[part::4]
    result = pitch("replay", write_lines(tmp_path / "a.jsonl", *records), "--show")
    assert result.exit_code == 0
    assert result.stdout.count("line ") == len(records)
