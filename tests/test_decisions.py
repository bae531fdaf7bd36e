"""Decisions read out of records, and bots asked again about them."""

from pitch import Action, Bot, HandResult, Unit, View, action_text
from pitch.records import GameRecord, HandRecord, SeatAction
from pitch.rules import VARIANTS
from pitch.table.faults import Fault, FaultPolicy, OnFault
from pitch.testing import LocalDecision, LocalGame, play_game
from pitch_server.asked_again import ask_again
from pitch_server.decisions import Decided, HandEnd, PlayedGame, decisions_of
from pitch_server.plan.decks import chances

VARIANT = VARIANTS["ten-point"]
CHANCES = chances("a seed", "a game")


class Drawing(Bot):
    def choose(self, view: View) -> Action:
        return view.random.choice(view.legal)


class First(Bot):
    def choose(self, view: View) -> Action:
        return view.legal[0]


class Remembering(Bot):
    """Plays by how often it was asked, and how many hands it saw end."""

    def __init__(self) -> None:
        self.asked = self.ended = 0

    def choose(self, view: View) -> Action:
        self.asked += 1
        return view.legal[(self.asked + self.ended) % len(view.legal)]

    def hand_over(self, view: View, result: HandResult) -> None:
        self.ended += 1


class Raising(Bot):
    def choose(self, view: View) -> Action:
        if len(view.tricks) == 1:
            raise RuntimeError("lost")
        return view.legal[0]


def _played(
    *bots: type[Bot], hands: int = 2, on_fault: OnFault = OnFault.SUBSTITUTE
) -> tuple[PlayedGame, list[LocalDecision]]:
    """A game, with what its bots were asked."""
    asked: list[LocalDecision] = []
    game = play_game(
        bots,
        variant=VARIANT,
        unit=Unit.GAME,
        max_hands=hands,
        chance=CHANCES,
        watch=asked.append,
        policy=FaultPolicy(on_fault=on_fault, max_faults=100),
    )
    faults = {(each.seat, each.number): str(each.fault) for each in game.faults}
    return PlayedGame(
        record=_record(game, hands), unit=Unit.GAME, chances=CHANCES, faults=faults
    ), asked


def _record(game: LocalGame, hands: int) -> GameRecord:
    return GameRecord(
        variant=VARIANT,
        seats=("a", "b", "a", "b"),
        max_hands=hands,
        hands=tuple(
            HandRecord(
                deck=hand.deck,
                actions=tuple(SeatAction(*each) for each in hand.actions),
                extra={"x_substituted": hand.substituted} if hand.substituted else {},
            )
            for hand in game.hands
        ),
    )


def _decided(game: PlayedGame) -> list[Decided]:
    return [each for each in decisions_of(game) if isinstance(each, Decided)]


def test_decisions_are_the_questions_that_were_asked_with_what_was_seen() -> None:
    game, asked = _played(Drawing, First)
    decided = _decided(game)
    assert [(each.seat, each.number) for each in decided] == [
        (each.seat, each.number) for each in asked
    ]
    for each, question in zip(decided, asked, strict=True):
        assert each.view.known == question.view.known
        assert each.view.table == question.view.table
        assert each.view.chance == question.view.chance
        stored = game.record.hands[each.hand].actions[each.action_index]
        assert (each.seat, each.action) == stored


def test_hands_end_where_their_last_action_was() -> None:
    game, _ = _played(First, First)
    ends = [each for each in decisions_of(game) if isinstance(each, HandEnd)]
    counts = [len(hand.actions) for hand in game.record.hands]
    assert [each.number for each in ends] == [counts[0], sum(counts)]


def test_the_same_bot_answers_the_same_by_the_chance_that_it_had() -> None:
    game, _ = _played(Drawing, First)
    story = list(decisions_of(game))
    for seat in range(4):
        bot = Drawing if seat % 2 == 0 else First
        answers = list(ask_again(bot, game, story, seat))
        assert answers
        assert all(answer.same and answer.legal for answer in answers)


def test_what_a_bot_remembers_it_knows_again() -> None:
    game, _ = _played(Remembering, First)
    answers = list(ask_again(Remembering, game, decisions_of(game), 2))
    assert all(answer.same for answer in answers)
    half = [each for each in decisions_of(game) if each.number > 10]
    assert not all(answer.same for answer in ask_again(Remembering, game, half, 2))


def test_without_the_seed_chance_is_not_what_it_was() -> None:
    game, _ = _played(Drawing, First)
    unknown = PlayedGame(record=game.record, unit=Unit.GAME, faults={})
    answers = list(ask_again(Drawing, unknown, decisions_of(unknown), 0))
    assert not all(answer.same for answer in answers)


def test_a_substituted_action_is_told_with_its_fault() -> None:
    game, _ = _played(Raising, First, hands=1)
    faulted = [each for each in _decided(game) if each.substituted]
    assert faulted
    assert {each.fault for each in faulted} == {"error"}
    answers = {a.decided.number: a for a in ask_again(Raising, game, decisions_of(game), 0)}
    for each in faulted:
        if each.seat == 0:
            failure = answers[each.number].outcome
            assert not isinstance(failure, Action)
            line = Raising.choose.__code__.co_firstlineno + 2
            assert failure.message == f"RuntimeError: lost (test_decisions.py:{line})"


def test_the_question_that_lost_the_game_is_the_last_decision() -> None:
    game, asked = _played(Raising, First, hands=1, on_fault=OnFault.FORFEIT)
    last = _decided(game)[-1]
    assert (last.number, last.action) == (asked[-1].number, None)
    assert last.fault == Fault.ERROR
    assert action_text(last.view.legal[0])
