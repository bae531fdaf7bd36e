"""From a finished table to its journal entry: what is kept of a fault, of hands and of time."""

import json

import pytest

from pitch.rules import VARIANTS, Action, Kind
from pitch.wire.frames import Failure
from pitch_server.entry import entry_of
from pitch_server.store.rows import FaultEvidence
from server_table.playing import SILENCE, Play
from server_table.timing import MOMENT, HandLoop, hand_loop

PITCH = VARIANTS["pitch-ac"]
NAMES = ("ann", "bob")


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> HandLoop:
    return hand_loop(monkeypatch)


def fault(loop: HandLoop, outcome: Action | Failure | str, output: str | None) -> FaultEvidence:
    """The evidence of a game whose first answer, and none after it, is a fault."""
    play = Play(loop, PITCH)
    for bot in play.bots:
        if output is not None:
            bot.instance.last_output = lambda: str(output)
    play.table.start()
    replies = iter([outcome])
    play.to_end(lambda _seat, question: next(replies, question.view.legal[0]))
    (evidence,) = entry_of(play.table, NAMES).evidence
    return evidence


def test_all_that_was_measured_is_kept_with_a_verdict(loop: HandLoop) -> None:
    evidence = fault(loop, SILENCE, None)
    assert (evidence.kind, evidence.verdict, evidence.question) == ("timeout", "unclear", 0)
    assert evidence.time_limit == 1.0
    assert evidence.measured == pytest.approx(1.0, abs=0.01)
    assert evidence.waited == pytest.approx(1.0, abs=0.01)
    assert (evidence.queued, evidence.lag) == (0.0, 0.0)
    assert evidence.legal is not None
    assert evidence.legal.startswith("pass, bid 2")
    assert (evidence.played, evidence.output) == ("pass", None)


def test_an_exception_is_kept_with_its_traceback_not_with_what_was_printed(loop: HandLoop) -> None:
    evidence = fault(loop, Failure("KeyError: 1", "line 3\nKeyError: 1"), "chatter")
    assert (evidence.kind, evidence.verdict, evidence.came) == ("error", "bot", "KeyError: 1")
    assert evidence.output == "line 3\nKeyError: 1"


def test_of_what_a_bot_printed_the_end_is_kept_without_its_sdks_own_words(loop: HandLoop) -> None:
    printed = "".join(f"line {number}\nfault: timeout: told before\n" for number in range(1000))
    evidence = fault(loop, Action(Kind.BID, 99), printed + "x" * 10_000)
    assert evidence.output is not None
    lines = evidence.output.splitlines()
    assert lines[:-1] == [f"line {number}" for number in range(989, 1000)]
    assert lines[-1] == "x" * 200
    assert evidence.measured == pytest.approx(MOMENT)


def test_hands_and_the_time_of_each_decision_are_kept_beside_the_record(loop: HandLoop) -> None:
    play = Play(loop, PITCH)
    play.table.start()
    play.to_end(lambda _seat, question: question.view.legal[0])
    entry = entry_of(play.table, NAMES)
    results = [hand["result"] for hand in json.loads(entry.record)["hands"]]
    assert json.loads(entry.play or "") == [
        [told["pitcher"], told["bid"], told["made"], [told["won"][kind] for kind in PITCH.points]]
        for told in results
    ]
    assert len(entry.times) == play.table.decisions > 20
    assert {entrant for entrant, _ in entry.times} == {0, 1}
    assert all(seconds == pytest.approx(MOMENT) for _, seconds in entry.times)


def test_an_answer_that_never_came_has_no_time(loop: HandLoop) -> None:
    play = Play(loop, PITCH)
    play.table.start()
    replies = iter([SILENCE])
    play.to_end(lambda _seat, question: next(replies, question.view.legal[0]))
    entry = entry_of(play.table, NAMES)
    assert len(entry.evidence) == 1
    assert max(seconds for _, seconds in entry.times) < 1.0
