"""No message tells a seat what it cannot know (rules.md 9).

Whole games of every variant are played through the referee, and through a server's table; what
a seat cannot know is exchanged, and the bytes that it gets must stay the same.
"""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings

from pitch.rules import VARIANTS, Hand, Variant, apply_action, start_hand, view_of
from pitch.table.faults import FaultPolicy
from pitch.table.referee import Ask, Effect, HandFinished, Referee
from pitch.table.unit import Unit
from pitch.wire.convert import read_server_frame, write_server_frame
from pitch.wire.frames import (
    Answer,
    Delivery,
    HandOver,
    Notice,
    Question,
    TableOpening,
)
from pitch_server.plan.decks import chances
from pitch_server.plan.decks import deck as deck_of
from pitch_server.plan.games import PlannedGame
from pitch_server.table.clock import Moment
from pitch_server.table.instance import Instance
from pitch_server.table.runner import GameSetup, Table
from strategies import seeds, shuffled, variants
from wire.making import swapped, told_cards

HANDS = 3


def question_frame(referee: Referee, hand: Hand, ask: Ask) -> bytes:
    """The bytes of a question about `hand`, and of the table's opening."""
    opening = TableOpening(
        table_id=1,
        variant=referee.variant,
        seat=ask.seat,
        first_dealer=referee.game.first_dealer,
        unit=Unit.GAME,
        max_hands=HANDS,
        move_timeout=1.0,
    )
    view = view_of(referee.game, hand, ask.seat)
    return write_server_frame(
        Delivery(openings=(opening,), questions=(Question(ask.number + 1, 1, view, 5),))
    )


def notice_frame(finished: HandFinished, hand: Hand, seat: int) -> bytes:
    """The bytes of the notice that a hand is over, to one seat."""
    event = HandOver(view_of(finished.game, hand, seat), finished.result)
    return write_server_frame(Delivery(notices=(Notice(1, event),)))


def check_hidden(variant: Variant, chance: Random) -> int:
    """Plays a game by chance and compares frames all the way; how many were compared."""
    referee = Referee(variant, decks=lambda _: shuffled(variant, chance), max_hands=HANDS)
    effects: Sequence[Effect] = referee.begin()
    compared = 0
    while True:
        for effect in effects:
            if isinstance(effect, HandFinished):
                for seat in range(variant.players):
                    other = swapped(effect.hand, seat, chance)
                    assert notice_frame(effect, other, seat) == notice_frame(
                        effect, effect.hand, seat
                    )
        if referee.finished:
            return compared
        ask = effects[-1]
        assert isinstance(ask, Ask)
        hand = referee.hand
        assert hand is not None
        frame = question_frame(referee, hand, ask)
        assert question_frame(referee, swapped(hand, ask.seat, chance), ask) == frame
        compared += 1
        effects = referee.answer(ask.seat, chance.choice(referee.legal))


@pytest.mark.parametrize("name", VARIANTS)
def test_what_a_seat_cannot_know_changes_no_byte_of_what_it_is_sent(name: str) -> None:
    assert check_hidden(VARIANTS[name], Random(name)) > HANDS * 4


@settings(max_examples=60)
@given(variant=variants(), seed=seeds)
def test_what_a_seat_cannot_know_changes_no_byte_in_any_variant(
    variant: Variant, seed: int
) -> None:
    check_hidden(variant, Random(seed))


def test_the_exchange_of_cards_really_exchanges_them() -> None:
    variant = VARIANTS["ten-point"]
    referee = Referee(variant, decks=lambda _: shuffled(variant, Random(1)))
    referee.begin()
    hand = referee.hand
    assert hand is not None
    other = swapped(hand, hand.to_act, Random(2))
    assert other.hands[hand.to_act] == hand.hands[hand.to_act]
    assert all(other.hands[seat] != hand.hands[seat] for seat in range(4) if seat != hand.to_act)
    assert other.exchanged.stock != hand.exchanged.stock


# --- through a table of the server -------------------------------------------------------------

SEED = "a seed that nobody may read"
ID_KEY = b"a key that nobody may read"


class Pipe:
    """An instance at one seat with everything that was ever sent to it."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.frames: list[bytes] = []
        self.instance = Instance(
            now=lambda: Moment(0.0, 0.0), move_timeout=9.0, time_bank=0.0, reconnect_grace=9.0
        )
        self.instance.connect(lambda: None, 64, notices=True)

    def deliver(self) -> tuple[Question, ...]:
        """Sends what waits, as a stream does; the questions in it."""
        delivery = self.instance.take_delivery()
        if delivery is None:
            return ()
        self.frames.append(write_server_frame(delivery))
        return delivery.questions


def play_through_table(variant: Variant, chance: Random) -> tuple[Table, list[Pipe]]:
    """A game at a table of the server, with what each seat was sent."""
    setup = GameSetup(
        variant=variant,
        unit=Unit.GAME,
        max_hands=HANDS,
        policy=FaultPolicy(),
        move_timeout=9.0,
        time_bank=0.0,
        id_key=ID_KEY,
        names_shown=(),
        deck=lambda game, hand: deck_of(SEED, "", game.board, hand, variant.deck),
        chances=lambda _game: chances(SEED, "key"),
    )
    pipes = [Pipe(seat) for seat in range(variant.players)]
    seats = tuple(seat % variant.sides for seat in range(variant.players))
    ended: list[Table] = []
    table = Table(
        PlannedGame(17, 4, 0, 0, seats, 1),
        setup,
        [pipe.instance for pipe in pipes],
        ended.append,
    )
    table.start()
    while not ended:
        for pipe in pipes:
            for question in pipe.deliver():
                answer = Answer(question.question_id, chance.choice(question.view.legal))
                pipe.instance.receive((answer,))
    for pipe in pipes:
        pipe.deliver()
    assert table.crash is None
    return table, pipes


def known_to(seat: int, table: Table) -> dict[int, int]:
    """By number of the hand, the mask of all cards that a seat has any right to see."""
    known: dict[int, int] = {}
    referee = table.referee
    for number, played in enumerate(referee.played):
        hand = _dealt(table, number)
        mask = 0
        for acting, action in played.actions:
            mask |= hand.hands[seat]
            if action.kind.name in ("PITCH", "PLAY"):
                mask |= 1 << action.value
            hand = apply_action(hand, action)
            assert acting >= 0
        known[number] = mask
    return known


def _dealt(table: Table, number: int) -> Hand:
    variant = table.referee.variant
    dealer = (table.game.first_dealer + number) % variant.players
    return start_hand(variant, dealer, table.referee.played[number].deck)


@pytest.mark.parametrize("name", VARIANTS)
async def test_a_seat_is_sent_no_card_but_its_own_and_those_on_the_table(name: str) -> None:
    table, pipes = play_through_table(VARIANTS[name], Random(name))
    for pipe in pipes:
        known = known_to(pipe.seat, table)
        for frame in pipe.frames:
            delivery = read_server_frame(frame)
            assert isinstance(delivery, Delivery)
            views = [question.view for question in delivery.questions]
            views += [n.event.view for n in delivery.notices if isinstance(n.event, HandOver)]
            for view in views:
                assert told_cards(view) & ~known[view.hand_number] == 0


@pytest.mark.parametrize("name", VARIANTS)
async def test_no_frame_holds_a_secret_or_tells_which_game_it_is(name: str) -> None:
    _, pipes = play_through_table(VARIANTS[name], Random(name))
    sent = b"".join(frame for pipe in pipes for frame in pipe.frames)
    assert SEED.encode() not in sent
    assert ID_KEY not in sent
    assert b"key" not in sent
    tables = set()
    for pipe in pipes:
        for frame in pipe.frames:
            delivery = read_server_frame(frame)
            assert isinstance(delivery, Delivery)
            tables |= {opening.table_id for opening in delivery.openings}
    assert len(tables) == len(pipes)  # ids differ from seat to seat
    assert min(tables) > 2**32
