"""Whose a fault was, and the line that explains it."""

import pytest

from pitch.table.faults import Fault
from pitch_server.faults import (
    MOST_GROUPS,
    WITHDRAWN,
    Charge,
    Charges,
    Measured,
    Verdict,
    explain,
    explained,
    span,
    veiled,
    verdict,
)
from pitch_server.store.rows import FaultEvidence

LATE = FaultEvidence(
    seat=2,
    kind="timeout",
    question=7,
    time_limit=1.0,
    measured=1.204,
    queued=0.001,
    reported=0.02,
    lag=0.05,
    came="an answer came, but too late",
    legal="play AS, play 2C",
    played="play 2C",
    wire=0.0002,
    waited=1.254,
    verdict="network",
)


@pytest.mark.parametrize(
    ("measured", "whose", "because"),
    [
        pytest.param(Measured(Fault.ILLEGAL), Verdict.BOT, "the bot's own", id="illegal"),
        pytest.param(Measured(Fault.MALFORMED), Verdict.BOT, "the bot's own", id="malformed"),
        pytest.param(Measured(Fault.ERROR), Verdict.BOT, "the bot's own", id="error"),
        pytest.param(
            Measured(Fault.DISCONNECT, gone=True), Verdict.BOT, "process had ended", id="ended"
        ),
        pytest.param(Measured(Fault.DISCONNECT), Verdict.UNCLEAR, "nobody can tell", id="cut"),
        pytest.param(Measured(Fault.ABSENT), Verdict.UNCLEAR, "nobody can tell", id="absent"),
        pytest.param(
            Measured(Fault.TIMEOUT, 1.0, 1.19), Verdict.BOT, "thought 1.190 s", id="long thought"
        ),
        pytest.param(
            Measured(Fault.TIMEOUT, 1.0, 0.02), Verdict.NETWORK, "20 ms only", id="short thought"
        ),
        pytest.param(
            Measured(Fault.TIMEOUT, 1.0, 0.7), Verdict.UNCLEAR, "thought 0.700 s", id="between"
        ),
        pytest.param(
            Measured(Fault.TIMEOUT, 1.0, 0.0), Verdict.UNCLEAR, "does not say", id="no report"
        ),
        pytest.param(
            Measured(Fault.TIMEOUT, 1.0, None, True), Verdict.BOT, "other answers", id="heard of"
        ),
        pytest.param(
            Measured(Fault.TIMEOUT, 1.0, None, False), Verdict.UNCLEAR, "nothing at all", id="mute"
        ),
        pytest.param(
            Measured(Fault.TIMEOUT, 1.0), Verdict.UNCLEAR, "nothing is known", id="old evidence"
        ),
    ],
)
def test_a_verdict_follows_from_what_was_measured(
    measured: Measured, whose: Verdict, because: str
) -> None:
    found = verdict(measured)
    assert found.verdict is whose
    assert because in found.reason
    stored = FaultEvidence(
        seat=0,
        kind=str(measured.fault),
        time_limit=measured.limit,
        reported=measured.reported,
        verdict=None if measured.heard is None and not measured.gone else str(whose),
    )
    assert explained(stored) == found


def test_a_timeout_is_told_with_its_times_and_what_was_played() -> None:
    assert explain(LATE) == (
        "no answer came within the limit (an answer came, but too late); "
        "it took 1.204 s of 1.000 s, 50 ms of the server's own lag left out, "
        "the bot says 20 ms; the referee played play 2C"
    )


def test_evidence_of_older_databases_is_explained_as_far_as_it_goes() -> None:
    old = FaultEvidence(seat=0, kind="timeout")
    assert explain(old) == "no answer came within the limit; the game was lost by it"
    assert explained(old).verdict is Verdict.UNCLEAR


def test_a_kind_that_nobody_knows_is_told_as_it_is() -> None:
    odd = FaultEvidence(seat=0, kind="odd", came="this")
    assert explain(odd).startswith("odd (this)")
    assert explained(odd).verdict is Verdict.UNCLEAR


@pytest.mark.parametrize("kind", list(Fault))
def test_nothing_of_a_card_is_left_under_the_veil(kind: Fault) -> None:
    cards = "play AS" if kind in (Fault.ILLEGAL, Fault.ERROR) else "no answer"
    full = LATE._replace(kind=str(kind), came=cards, output="I hold AS", legal="AS", played="AS")
    hidden = veiled(full)
    assert "AS" not in repr(hidden)
    assert "AS" not in explain(hidden)
    assert explain(hidden).endswith("the referee played a default action")
    assert hidden.measured == full.measured


def test_faults_that_are_much_the_same_are_one_group() -> None:
    charges = Charges()
    for number in range(30):
        came = f"no answer; one came 0.{number:03} s after it was given up"
        charges.add(Charge(number, "ann", LATE._replace(came=came)))
    charges.add(Charge(3, "bob", LATE))
    charges.add(Charge(4, "ann", FaultEvidence(seat=1, kind="illegal", came="play 2C")))
    charges.add(Charge(5, "ann", FaultEvidence(seat=1, kind="illegal", came="play AS")))
    assert charges.counts == {
        ("ann", "timeout", "network"): 30,
        ("bob", "timeout", "network"): 1,
        ("ann", "illegal", "bot"): 2,
    }
    assert [(group.count, group.first.number) for group in charges.groups] == [
        (30, 0),
        (2, 4),
        (1, 3),
    ]


def test_however_many_kinds_of_error_there_are_memory_is_bounded() -> None:
    charges = Charges()
    for number in range(MOST_GROUPS + 50):
        text = "".join(chr(ord("a") + int(digit)) for digit in str(number))
        charges.add(Charge(number, "ann", FaultEvidence(seat=0, kind="error", came=text)))
    assert len(charges.groups) == MOST_GROUPS
    assert charges.counts["ann", "error", "bot"] == MOST_GROUPS + 50


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "<1 µs"),
        (3.5e-5, "35 µs"),
        (0.00012, "0.12 ms"),
        (0.02, "20 ms"),
        (1.2044, "1.204 s"),
        (3600.0, "3600 s"),
    ],
)
def test_spans_are_told_as_people_do(seconds: float, text: str) -> None:
    assert span(seconds) == text


def test_a_withdrawal_is_explained_as_what_it_is() -> None:
    evidence = FaultEvidence(seat=0, kind="absent", came=WITHDRAWN, verdict="unclear")
    assert explained(evidence) == (Verdict.UNCLEAR, "that is nobody's fault")
