"""Frames of real games, of any variant, for the tests of the wire."""

from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st

from pitch.rules import (
    Action,
    Discards,
    Hand,
    Phase,
    Variant,
    View,
    finish_hand,
    start_game,
    view_of,
)
from pitch.table.faults import Fault
from pitch.table.unit import Unit
from pitch.wire.frames import (
    Answer,
    Delivery,
    FaultNotice,
    GameOver,
    HandOver,
    Notice,
    Question,
    TableOpening,
)
from strategies import Playout

ids = st.integers(1, 2**64 - 1)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
# What a Duration holds: whole nanoseconds.
spans = st.integers(0, 10**12).map(lambda nanos: nanos / 1e9)


def views(playout: Playout) -> Iterator[View]:
    """What the seat to act sees, at every decision of a hand."""
    game = start_game(playout.hands[0].variant)
    for hand in playout.hands:
        if hand.phase is not Phase.OVER:
            yield view_of(game, hand, hand.to_act)


def last_views(playout: Playout) -> Iterator[HandOver]:
    """What each seat is told at the end of a hand."""
    hand = playout.hands[-1]
    game = start_game(hand.variant)
    _, result = finish_hand(game, hand)
    for seat in range(hand.variant.players):
        yield HandOver(view_of(game, hand, seat), result)


def delivery_of(playout: Playout, chance: Random) -> Delivery:
    """All that a hand of one table could bring to a bot, in one frame."""
    variant = playout.hands[0].variant
    questions = [
        Question(
            number,
            chance.getrandbits(64) | 1,
            view,
            chance.getrandbits(64),
            chance.choice([0.0, 1.25]),
            chance.choice([None, 0.0, 0.5]),
        )
        for number, view in enumerate(views(playout), start=1)
    ]
    return Delivery(
        openings=(opening_of(variant, chance),),
        notices=tuple(
            Notice(7, event) for event in (*last_views(playout), *_other_events(variant))
        ),
        withdrawn=(1, 2**64 - 1),
        closed=(2, 3),
        questions=tuple(questions),
    )


def opening_of(variant: Variant, chance: Random) -> TableOpening:
    """The opening of a table of a variant, with what may be absent there or not."""
    named = chance.random() < 0.5
    return TableOpening(
        table_id=chance.getrandbits(64),
        variant=variant,
        seat=chance.randrange(variant.players),
        first_dealer=chance.randrange(variant.players),
        unit=chance.choice(list(Unit)),
        max_hands=chance.choice([None, 1, 100]),
        seat_names=("ann", "bœb") * (variant.players // 2) if named else (),
        move_timeout=chance.choice([0.25, 1.0, 3600.0]),
        time_bank=chance.choice([0.0, 2.5]),
    )


def _other_events(variant: Variant) -> Iterator[GameOver | FaultNotice]:
    yield GameOver((0,) * variant.sides, None)
    yield GameOver((-3,) * variant.sides, 0, (0, 1))
    for number, fault in enumerate(Fault):
        yield FaultNotice(number or None, fault, fault.sentence)


def answers_of(playout: Playout, chance: Random) -> tuple[Answer, ...]:
    """The answers that played a hand, as one frame."""
    return tuple(
        Answer(number, action, chance.getrandbits(32))
        for number, (_, action) in enumerate(playout.actions, start=1)
    )


def told_cards(view: View) -> int:
    """The mask of every card that a view names anywhere."""
    mask = view.hand | view.discarded | view.received
    for _, card in view.played:
        mask |= 1 << card
    for _, call in view.auction:
        mask |= _card_of(call)
    if isinstance(view.legal, Discards):
        return mask | view.legal.required | view.legal.optional
    for action in view.legal:
        mask |= _card_of(action)
    return mask


def _card_of(action: Action) -> int:
    return 1 << action.value if action.kind.name in ("PITCH", "PLAY") else 0


def swapped(hand: Hand, seat: int, chance: Random) -> Hand:
    """The hand with everything that `seat` cannot know exchanged; counts stay, but for hidden ones.

    Of the round of discards that goes on not even the counts are known: others' discards in it
    and their hands change in size.
    """
    exchanged = hand.exchanged
    others = [each for each in range(hand.variant.players) if each != seat]
    hands, discarded = list(hand.hands), list(exchanged.discarded)
    running = list(exchanged.running)
    sizes = {each: [hands[each].bit_count(), discarded[each].bit_count()] for each in others}
    for place, (each, count) in enumerate(running):
        if each != seat:
            kept = chance.randrange(count + 1)  # cards that were not discarded after all
            sizes[each][0] += kept
            sizes[each][1] -= kept
            running[place] = (each, count - kept)
    pool = list(exchanged.stock)
    for each in others:
        pool += [card for mask in (hands[each], discarded[each]) for card in _cards(mask)]
    chance.shuffle(pool)
    for each in others:
        hands[each], discarded[each] = (_take(pool, size) for size in sizes[each])
    received = hands[exchanged.receiver] if exchanged.receiver in others else exchanged.received
    return hand._replace(
        hands=tuple(hands),
        exchanged=exchanged._replace(
            stock=tuple(pool),
            discarded=tuple(discarded),
            running=tuple(running),
            received=received,
        ),
    )


def _cards(mask: int) -> list[int]:
    return [card for card in range(54) if mask >> card & 1]


def _take(pool: list[int], size: int) -> int:
    mask = 0
    for _ in range(size):
        mask |= 1 << pool.pop()
    return mask
