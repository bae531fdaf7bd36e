"""The exchange of cards before the play (rules.md 4.3).

Here belong the discards, what is drawn for them, and the leftovers. The widow is taken in
naming.py. The functions take actions that are legal; hand.py checks.
"""

from collections.abc import Iterable

from pitch.rules.actions import GIVE, TAKE, Action, Discards, Legal
from pitch.rules.cards import mask_of
from pitch.rules.play import begin_play
from pitch.rules.state import Exchanged, Hand, Phase, Step, with_cards
from pitch.rules.trumps import TRUMP_TABLES
from pitch.rules.variant import Exchange

__all__ = ["apply_exchange", "begin_exchange", "legal_exchange"]

_FULL = 6  # cards of a hand in play

# Names for what is compared at every action: a look into an enum costs more than the rest.
_EXCHANGING = Phase.EXCHANGE
_NONE = Exchange.NONE
_DRAW = Exchange.DRAW
_PITCHER_DRAW = Exchange.PITCHER_DRAW
_TRUMP_REFILL = Exchange.TRUMP_REFILL
_PITCHER_DISCARDS = Step.PITCHER_DISCARDS
_ALL_DISCARD = Step.ALL_DISCARD
_LEFTOVERS = Step.LEFTOVERS
_RECEIVER_DISCARDS = Step.RECEIVER_DISCARDS
_DONE = Step.DONE
# Without the keyword handling of the class, since every discard comes by here.
_new = tuple.__new__


def begin_exchange(hand: Hand) -> Hand:
    """The hand with trump named: at its first discard, or at the play if there is none."""
    exchange = hand.variant.exchange
    if exchange is _NONE:
        return begin_play(hand)
    if exchange is _PITCHER_DRAW:
        return _ask(hand, hand.exchanged, _PITCHER_DISCARDS, hand.pitcher)
    return _ask(hand, hand.exchanged, _ALL_DISCARD, _left_of_dealer(hand))


def legal_exchange(hand: Hand) -> Legal:
    """The discards of the seat to act, or what the pitcher may do with the leftovers."""
    if hand.exchanged.step is _LEFTOVERS:
        # rules.md 4.3: give exists only where a side has exactly two seats
        pairs = hand.variant.players == 2 * hand.variant.sides
        return (TAKE, GIVE) if pairs else (TAKE,)
    return _discards(hand)


def apply_exchange(hand: Hand, action: Action) -> Hand:
    """The hand after a discard, or after the leftovers were taken or given."""
    step = hand.exchanged.step
    if step is _LEFTOVERS:
        return _receive_leftovers(hand, action)
    if step is _ALL_DISCARD and hand.to_act != hand.dealer:
        return _discard(hand, action.value, (hand.to_act + 1) % hand.variant.players)
    hand = _close_round(_discard(hand, action.value, hand.to_act))
    if step is _ALL_DISCARD:
        return _after_all(hand)
    if step is _PITCHER_DISCARDS:
        hand = _refill(hand, (hand.pitcher,), hand.variant.dealt)
        return _ask(hand, hand.exchanged, _ALL_DISCARD, _left_of_dealer(hand))
    return _end(hand)


def _discards(hand: Hand) -> Discards:
    variant = hand.variant
    held = hand.hands[hand.to_act]
    trumps = held & TRUMP_TABLES[variant.off_jack][hand.trump].trumps
    plain = held ^ trumps
    if variant.exchange is _DRAW:
        return Discards(0, plain, 0, plain.bit_count())
    if variant.exchange is _TRUMP_REFILL:
        count = plain.bit_count() + max(trumps.bit_count() - _FULL, 0)
        return Discards(plain, trumps, count, count)
    if hand.exchanged.step is _PITCHER_DISCARDS:
        pool = plain if variant.keep_trumps else held
        return Discards(0, pool, 0, min(3, pool.bit_count()))
    count = held.bit_count() - _FULL
    if not variant.keep_trumps:
        return Discards(0, held, count, count)
    if plain.bit_count() >= count:
        return Discards(0, plain, count, count)
    # rules.md 4.3, keep_trumps: too few others, so all of them go, and trumps for the rest
    return Discards(plain, trumps, count, count)


def _after_all(hand: Hand) -> Hand:
    """The hand after a round of discards of all seats."""
    if hand.variant.exchange is _DRAW:
        return _end(_refill_from_piles(hand))
    if hand.variant.exchange is _TRUMP_REFILL:
        others = [seat for seat in _from_dealers_left(hand) if seat != hand.pitcher]
        hand = _refill(hand, (*others, hand.pitcher), _FULL)
        if hand.exchanged.stock:
            return _ask(hand, hand.exchanged, _LEFTOVERS, hand.pitcher)
    return _end(hand)


def _receive_leftovers(hand: Hand, action: Action) -> Hand:
    """The hand with all of the stock in the pitcher's hand, or in the partner's."""
    receiver = hand.pitcher
    if action == GIVE:
        receiver = (receiver + hand.variant.sides) % hand.variant.players
    stock, discarded, _, rounds, running, _, _, _ = hand.exchanged
    leftovers = mask_of(stock)
    hands = list(hand.hands)
    hands[receiver] |= leftovers
    exchanged = Exchanged(
        (), discarded, _RECEIVER_DISCARDS, rounds, running, action, receiver, leftovers
    )
    return with_cards(hand, _EXCHANGING, receiver, tuple(hands), hand.trump, exchanged)


def _refill(hand: Hand, seats: Iterable[int], size: int) -> Hand:
    """The hand with each of `seats` in turn filled up to `size` from the top of the stock."""
    stock = hand.exchanged.stock
    hands = list(hand.hands)
    top = 0
    for seat in seats:
        missing = size - hands[seat].bit_count()
        if missing:
            hands[seat] |= mask_of(stock[top : top + missing])
            top += missing
    return _with(hand, hands, stock[top:])


def _refill_from_piles(hand: Hand) -> Hand:
    """The hand with each seat filled up to 6 from its own pile of 6 (rules.md 4.3, draw)."""
    stock = hand.exchanged.stock
    hands = list(hand.hands)
    left: tuple[int, ...] = ()
    for place, seat in enumerate(_from_dealers_left(hand)):
        pile = stock[_FULL * place : _FULL * (place + 1)]
        missing = _FULL - hands[seat].bit_count()
        hands[seat] |= mask_of(pile[:missing])
        left += pile[missing:]
    return _with(hand, hands, left + stock[_FULL * hand.variant.players :])


def _ask(hand: Hand, exchanged: Exchanged, step: Step, seat: int) -> Hand:
    asked = _at_step(exchanged, step)
    return with_cards(hand, _EXCHANGING, seat, hand.hands, hand.trump, asked)


def _end(hand: Hand) -> Hand:
    exchanged = _at_step(hand.exchanged, _DONE)
    return begin_play(with_cards(hand, _EXCHANGING, -1, hand.hands, hand.trump, exchanged))


def _at_step(exchanged: Exchanged, step: Step) -> Exchanged:
    stock, discarded, _, rounds, running, leftovers, receiver, received = exchanged
    return _new(Exchanged, (stock, discarded, step, rounds, running, leftovers, receiver, received))


def _discard(hand: Hand, mask: int, following: int) -> Hand:
    """The hand after the seat to act has discarded the cards of `mask`; then who acts."""
    seat = hand.to_act
    hands = list(hand.hands)
    hands[seat] ^= mask
    stock, masks, step, rounds, running, leftovers, receiver, received = hand.exchanged
    discarded = list(masks)
    discarded[seat] |= mask
    running += ((seat, mask.bit_count()),)
    exchanged = _new(
        Exchanged,
        (stock, tuple(discarded), step, rounds, running, leftovers, receiver, received),
    )
    return with_cards(hand, _EXCHANGING, following, tuple(hands), hand.trump, exchanged)


def _with(hand: Hand, hands: list[int], stock: tuple[int, ...]) -> Hand:
    _, discarded, step, rounds, running, leftovers, receiver, received = hand.exchanged
    exchanged = _new(
        Exchanged, (stock, discarded, step, rounds, running, leftovers, receiver, received)
    )
    return with_cards(hand, _EXCHANGING, hand.to_act, tuple(hands), hand.trump, exchanged)


def _close_round(hand: Hand) -> Hand:
    """The hand with the round of discards over, and so its counts known to all."""
    stock, discarded, step, rounds, running, leftovers, receiver, received = hand.exchanged
    rounds += (running,)
    exchanged = _new(Exchanged, (stock, discarded, step, rounds, (), leftovers, receiver, received))
    return with_cards(hand, _EXCHANGING, hand.to_act, hand.hands, hand.trump, exchanged)


def _left_of_dealer(hand: Hand) -> int:
    return (hand.dealer + 1) % hand.variant.players


def _from_dealers_left(hand: Hand) -> list[int]:
    players = hand.variant.players
    return [(hand.dealer + step) % players for step in range(1, players + 1)]
