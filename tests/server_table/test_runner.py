import pytest

from pitch.rules import VARIANTS, Action, Kind, parse_variant
from pitch.table.faults import Fault, FaultPolicy, OnFault
from pitch.wire.frames import Failure, GameOver, HandOver, Question
from server_table.playing import SILENCE, Play, first
from server_table.timing import MOMENT, HandLoop, hand_loop

PITCH = VARIANTS["pitch-ac"]
THREE_SIDES = parse_variant({"name": "cutthroat", "players": 3})


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> HandLoop:
    return hand_loop(monkeypatch)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_game_of_any_variant_is_played_through_and_leaves_nothing_behind(
    loop: HandLoop, name: str
) -> None:
    play = Play(loop, VARIANTS[name])
    play.table.start()
    play.to_end()
    assert play.ended == [play.table]
    assert play.table.crash is None
    assert play.table.reports == []
    assert play.table.referee.game.over
    assert play.table.decisions == sum(len(bot.asked) for bot in play.bots)
    loop.pass_time(MOMENT)
    for bot in play.bots:
        assert bot.instance.open_tables == 0
        assert len(bot.sent[-1].closed) == 1
    loop.pass_time(10)
    assert loop.calls_due == 0


def test_seats_are_told_their_own_place_by_ids_of_their_own(loop: HandLoop) -> None:
    play = Play(loop, PITCH)
    play.table.start()
    loop.pass_time(MOMENT)
    openings = [bot.sent[0].openings[0] for bot in play.bots]
    assert [opening.seat for opening in openings] == [0, 1, 2, 3]
    assert len({opening.table_id for opening in openings}) == 4
    assert {opening.seat_names for opening in openings} == {()}
    named = Play(loop, PITCH, names_shown=("ann", "bob"))
    named.table.start()
    loop.pass_time(MOMENT)
    assert named.bots[0].sent[0].openings[0].seat_names == ("ann", "bob", "ann", "bob")


def test_another_attempt_at_a_game_has_other_ids_but_the_same_chance(loop: HandLoop) -> None:
    questions = []
    for attempt in (0, 1):
        play = Play(loop, PITCH, attempt=attempt)
        play.table.start()
        loop.pass_time(MOMENT)
        questions += [question for bot in play.bots for question in bot.asked]
    first_time, second_time = questions
    assert first_time.question_id != second_time.question_id
    assert first_time.table_id != second_time.table_id
    assert (first_time.chance, first_time.view) == (second_time.chance, second_time.view)


def test_ends_of_hands_and_of_the_game_are_told_to_all(loop: HandLoop) -> None:
    play = Play(loop, PITCH, notices=True)
    play.table.start()
    play.to_end()
    loop.pass_time(MOMENT)
    for seat, bot in enumerate(play.bots):
        events = [notice.event for each in bot.sent for notice in each.notices]
        *hands, end = events
        assert len(hands) == len(play.table.referee.played)
        for event, played in zip(hands, play.table.referee.played, strict=True):
            assert isinstance(event, HandOver)
            assert event.result == played.result
            assert event.view.seat == seat
        game = play.table.referee.game
        assert end == GameOver(game.scores, game.winner, ())


# --- faults --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "fault", "came"),
    [
        pytest.param(Action(Kind.BID, 99), Fault.ILLEGAL, "bid 99", id="illegal"),
        pytest.param(Failure("KeyError: 1", "line 3"), Fault.ERROR, "KeyError: 1", id="error"),
        pytest.param(None, Fault.MALFORMED, "an answer without a readable action", id="malformed"),
        pytest.param(SILENCE, Fault.TIMEOUT, "no answer", id="timeout"),
    ],
)
def test_a_fault_is_substituted_reported_with_evidence_and_told(
    loop: HandLoop, outcome: Action | Failure | str | None, fault: Fault, came: str
) -> None:
    play = Play(loop, PITCH)
    play.table.start()
    faulted: list[int] = []

    def reply(seat: int, question: Question) -> Action | Failure | str | None:
        if not faulted:
            faulted.append(seat)
            return outcome
        return first(seat, question)

    play.to_end(reply)
    (report,) = play.table.reports
    assert (report.seat, report.fault, report.number) == (faulted[0], fault, 0)
    assert report.evidence.came == came
    assert report.evidence.legal.startswith("pass, bid 2")
    assert report.evidence.limit == 1.0
    assert report.substitute == "pass"
    assert play.table.referee.played[0].substituted == [0]
    (charge,) = play.charges(faulted[0])
    assert charge.startswith(fault.sentence)
    assert came.splitlines()[0] in charge
    assert "the referee played pass" in charge
    assert all(play.charges(seat) == [] for seat in range(4) if seat != faulted[0])


def test_an_illegal_answer_tells_the_bot_what_was_legal(loop: HandLoop) -> None:
    play = Play(loop, PITCH)
    play.table.start()
    play.step(lambda _seat, _question: Action(Kind.BID, 99))
    assert "legal was: pass, bid 2, bid 3, bid 4" in play.charges(2)[0]


def test_the_time_of_an_illegal_answer_is_that_until_it_came(loop: HandLoop) -> None:
    play = Play(loop, PITCH)
    play.table.start()
    loop.pass_time(0.4)
    play.step(lambda _seat, _question: Action(Kind.BID, 99))
    evidence = play.table.reports[0].evidence
    assert evidence.measured == pytest.approx(0.4 + MOMENT)
    assert evidence.limit == 1.0


def test_an_answer_that_comes_too_late_makes_its_fault_known_better(loop: HandLoop) -> None:
    play = Play(loop, PITCH)
    play.table.start()
    loop.pass_time(1.2)
    (report,) = play.table.reports
    (number,) = [question.question_id for question in play.bots[report.seat].asked]
    assert report.evidence.reported is None
    play.bots[report.seat].answer(number, outcome=Action(Kind.PASS), reported=1.15)
    (report,) = play.table.reports
    assert report.evidence.reported == 1.15
    assert report.evidence.came.startswith("no answer; one came 0.1")
    assert report.evidence.legal.startswith("pass, bid 2")


def test_a_process_that_has_ended_is_told_from_a_connection_that_was_lost(loop: HandLoop) -> None:
    for ended in (False, True):
        play = Play(loop, PITCH)
        play.table.start()
        if ended:
            play.bots[1].instance.end("its process ended with exit status 4")
        else:
            play.bots[1].instance.disconnect()
            loop.pass_time(60)
        assert play.table.referee.forfeits == {1: Fault.DISCONNECT}
        evidence = play.table.reports[-1].evidence
        assert evidence.gone is ended
        assert evidence.came == ("its process ended with exit status 4" if ended else "")


def test_a_process_that_others_may_have_ended_is_nobodys_fault_for_sure(loop: HandLoop) -> None:
    play = Play(loop, PITCH)
    play.table.start()
    how = "its process was ended by signal 9 (SIGKILL)"
    play.bots[1].instance.end(how, own=False)
    evidence = play.table.reports[-1].evidence
    assert (evidence.gone, evidence.came) == (False, how)


def test_whose_partner_process_ended_is_told_of_that_end(loop: HandLoop) -> None:
    play = Play(loop, PITCH)
    play.bots[3].instance.end("its process ended with exit status 4")
    play.table.start()
    play.table.forfeit(1, Fault.ABSENT, 1)
    evidence = play.table.reports[-1].evidence
    assert (evidence.gone, evidence.came) == (True, "its process ended with exit status 4")


@pytest.mark.parametrize("most", [1, 3])
def test_the_last_fault_forfeits_and_the_others_question_is_not_asked(
    loop: HandLoop, most: int
) -> None:
    play = Play(loop, PITCH, policy=FaultPolicy(max_faults=most))
    play.table.start()
    play.to_end(lambda seat, question: None if seat % 2 == 0 else first(seat, question))
    assert play.table.referee.forfeits == {0: Fault.MALFORMED}
    assert len(play.table.reports) == most
    assert play.table.reports[-1].substitute is None
    assert "the game is lost" in play.charges(play.table.reports[-1].seat)[-1]
    assert [bot.instance.open_tables for bot in play.bots] == [0] * 4


def test_a_table_of_silent_bots_ends(loop: HandLoop) -> None:
    play = Play(loop, THREE_SIDES)
    play.table.start()
    play.to_end(lambda _seat, _question: SILENCE)
    assert play.table.referee.void
    assert {report.fault for report in play.table.reports} == {Fault.TIMEOUT}


def test_late_double_and_foreign_answers_change_nothing(loop: HandLoop) -> None:
    play = Play(loop, PITCH)
    play.table.start()

    def meddle(seat: int, question: Question) -> Action:
        for other, bot in enumerate(play.bots):
            if other != seat:  # a bot that has guessed another's question
                bot.answer(question.question_id, outcome=question.view.legal[-1])
        bot = play.bots[seat]
        action = question.view.legal[0]
        bot.answer(question.question_id, outcome=action)
        bot.answer(question.question_id, outcome=question.view.legal[-1])
        return action

    play.to_end(meddle)
    assert play.table.reports == []
    plain = Play(loop, PITCH)
    plain.table.start()
    plain.to_end()
    assert play.table.referee.played == plain.table.referee.played
    assert all(bot.instance.strays > 10 for bot in play.bots)


# --- bots that go --------------------------------------------------------------------------------


def test_a_process_that_ends_forfeits_at_once_and_the_others_are_free(loop: HandLoop) -> None:
    play = Play(loop, PITCH)
    play.table.start()
    play.step()
    play.bots[1].instance.end()
    assert play.ended == [play.table]
    assert play.table.referee.forfeits == {1: Fault.DISCONNECT}
    assert [bot.instance.open_tables for bot in play.bots] == [0] * 4
    loop.pass_time(MOMENT)
    connected = [bot for bot in play.bots if bot.instance.connected]
    assert len(connected) == 3
    assert all(len(bot.sent[-1].closed) == 1 for bot in connected)


def test_with_more_sides_the_rest_plays_on_without_whoever_went(loop: HandLoop) -> None:
    play = Play(loop, THREE_SIDES)
    play.table.start()
    play.step()
    play.bots[1].instance.disconnect()
    play.to_end()
    referee = play.table.referee
    assert referee.forfeits == {1: Fault.DISCONNECT}
    assert referee.game.over
    assert [report.fault for report in play.table.reports] == [Fault.DISCONNECT]
    play.bots[1].connect()
    loop.pass_time(MOMENT)
    assert play.bots[1].sent[-1].questions == ()


def test_a_bot_that_comes_back_in_time_plays_on_as_if_nothing_had_been(loop: HandLoop) -> None:
    play = Play(loop, PITCH)
    play.table.start()
    again = 0
    while not play.ended:
        loop.pass_time(MOMENT)
        for bot in play.bots:
            before = len(bot.asked)
            bot.instance.disconnect()
            bot.connect()
            loop.pass_time(MOMENT)
            again += len(bot.asked) - before
        play.step()
    plain = Play(loop, PITCH)
    plain.table.start()
    plain.to_end()
    assert again == plain.table.decisions
    assert play.table.referee.played == plain.table.referee.played
    assert play.table.reports == []


def test_an_absent_side_forfeits_without_a_question_left_open(loop: HandLoop) -> None:
    play = Play(loop, PITCH)
    play.table.start()
    play.table.forfeit(1, Fault.ABSENT)
    play.table.forfeit(1, Fault.ABSENT)
    assert play.ended == [play.table]
    assert [(report.seat, report.fault) for report in play.table.reports] == [(1, Fault.ABSENT)]
    loop.pass_time(100)
    assert loop.calls_due == 0


@pytest.mark.parametrize(
    ("seats", "gone", "charged"),
    [
        pytest.param((0, 1, 2, 3), 3, 3, id="a partner"),
        pytest.param((0, 1, 2, 3), 1, 1, id="the other partner"),
        pytest.param((0, 1, 0, 1), 3, 1, id="an entrant of both seats"),
    ],
)
def test_a_forfeit_is_charged_to_the_partner_whose_fault_it_is(
    loop: HandLoop, seats: tuple[int, ...], gone: int, charged: int
) -> None:
    play = Play(loop, PITCH, seats=seats)
    play.table.start()
    assert play.table.referee.asked not in (gone, charged)
    play.table.forfeit(gone % 2, Fault.ABSENT, gone)
    assert [(report.seat, report.fault) for report in play.table.reports] == [
        (charged, Fault.ABSENT)
    ]


def test_a_game_that_nobody_is_there_for_is_void(loop: HandLoop) -> None:
    play = Play(loop, PITCH)
    play.table.start()
    play.table.forfeit_all(Fault.ABSENT)
    assert play.table.referee.void
    assert {report.fault for report in play.table.reports} == {Fault.ABSENT}
    assert len(play.ended) == 1


def test_an_abandoned_game_leaves_nothing_and_never_ends(loop: HandLoop) -> None:
    play = Play(loop, PITCH)
    play.table.start()
    play.step()
    play.table.abandon()
    play.table.abandon()
    play.table.forfeit(0, Fault.ABSENT)
    loop.pass_time(100)
    assert play.ended == []
    assert [bot.instance.open_tables for bot in play.bots] == [0] * 4
    assert loop.calls_due == 0


# --- exceptions of ours --------------------------------------------------------------------------


class BrokenChance:
    """Gives chance until it breaks, at the question of that number."""

    def __init__(self, breaks_at: int) -> None:
        self.left = breaks_at

    def __call__(self, seat: int, number: int) -> int:
        self.left -= 1
        if self.left < 0:
            raise ZeroDivisionError("an error of ours")
        return 5


@pytest.mark.parametrize("breaks_at", [0, 1, 7])
def test_an_exception_of_ours_ends_the_table_once_and_frees_the_bots(
    loop: HandLoop, breaks_at: int
) -> None:
    chance = BrokenChance(breaks_at)
    play = Play(loop, PITCH, chances=lambda game: chance)
    play.table.start()
    play.to_end()
    assert isinstance(play.table.crash, ZeroDivisionError)
    assert play.ended == [play.table]
    assert [bot.instance.open_tables for bot in play.bots] == [0] * 4
    loop.pass_time(100)
    assert loop.calls_due == 0
    assert play.table.reports == []


def test_a_broken_deck_ends_the_table_when_it_is_dealt(loop: HandLoop) -> None:
    def broken(_game: object, hand: int) -> range:
        return range(52) if hand == 0 else range(51)

    play = Play(loop, PITCH, deck=broken)
    play.table.start()
    play.to_end()
    assert play.table.crash is not None
    assert len(play.ended) == 1


def test_forfeit_on_fault_is_the_referees_and_reaches_the_bot(loop: HandLoop) -> None:
    play = Play(loop, PITCH, policy=FaultPolicy(on_fault=OnFault.FORFEIT))
    play.table.start()
    play.to_end(lambda _seat, _question: SILENCE)
    assert play.table.referee.forfeits == {0: Fault.TIMEOUT}
    (charge,) = play.charges(play.table.reports[0].seat)
    assert charge.startswith(Fault.TIMEOUT.sentence)
