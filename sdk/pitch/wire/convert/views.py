"""Views, options and actions: what is made for every decision.

Messages are filled in place and lists taken over whole: a submessage that is made apart is
copied on its way, and a field that is empty costs nothing when it is left alone.
"""

from typing import Any

from pitch.rules import (
    BIDS,
    CARD_COUNT,
    GIVE,
    PASS,
    PITCHES,
    PLAYS,
    TAKE,
    TRUMPS,
    Action,
    Discards,
    HandResult,
    Kind,
    Legal,
    Phase,
    View,
    cards_of,
    discard,
    mask_of,
)
from pitch.wire.convert.words import optional
from pitch.wire.v1 import game_pb2

__all__ = [
    "fill_action",
    "fill_options",
    "fill_result",
    "fill_view",
    "read_action",
    "read_options",
    "read_result",
    "read_view",
]

_BITS = tuple(1 << card for card in range(CARD_COUNT))
_PITCH_CODE = 200
# Calls of an auction, both ways (game.proto, View.auction_calls).
_CALL_CODES: dict[Action, int] = {
    PASS: 0,
    **{BIDS[value]: value for value in range(1, len(BIDS))},
    **{pitch: _PITCH_CODE + pitch.value for pitch in PITCHES},
}
_CALLS = {code: call for call, code in _CALL_CODES.items()}
_PHASES: dict[int, Phase] = {int(phase) + 1: phase for phase in Phase}
_LEFTOVERS: dict[Action | None, Any] = {None: 0, TAKE: 1, GIVE: 2}
_LEFTOVERS_OF = {number: said for said, number in _LEFTOVERS.items()}


# --- views ------------------------------------------------------------------------------------


def fill_view(message: game_pb2.View, view: View) -> None:
    """Writes a view into an empty message."""
    # fmt: off
    (
        message.seat, message.dealer, message.hand_number, scores, phase, to_act, hand,
        discarded, auction, pitcher, message.bid, trump, discard_counts, leftovers, received,
        played, trick_sizes, trick_winners, points, _legal,
    ) = view
    # fmt: on
    message.scores.extend(scores)
    message.phase = phase + 1  # type: ignore[assignment]
    message.hand_cards.extend(cards_of(hand))
    if to_act >= 0:
        message.acting_seat = to_act
    if auction:
        message.auction_seats.extend([seat for seat, _ in auction])
        message.auction_calls.extend([_CALL_CODES[call] for _, call in auction])
    if pitcher >= 0:
        message.pitcher = pitcher
    if trump >= 0:
        message.trump = trump
    if played:
        message.played_seats.extend([seat for seat, _ in played])
        message.played_cards.extend([card for _, card in played])
    if trick_sizes:
        message.trick_sizes.extend(trick_sizes)
        message.trick_winners.extend(trick_winners)
    if points is not None:
        message.points.extend(points)
    if discarded or received or discard_counts or leftovers is not None:
        _fill_exchange(message, view)


def _fill_exchange(message: game_pb2.View, view: View) -> None:
    message.discarded_cards.extend(cards_of(view.discarded))
    message.received_cards.extend(cards_of(view.received))
    message.leftovers = _LEFTOVERS[view.leftovers]
    for counts in view.discard_counts:
        message.discard_rounds.add(
            seats=[seat for seat, _ in counts], counts=[count for _, count in counts]
        )


def read_view(message: game_pb2.View, legal: Legal) -> View:
    """The view of a message; KeyError, IndexError or ValueError for values that can't be."""
    has = message.HasField
    auction: tuple[tuple[int, Action], ...] = ()
    played: tuple[tuple[int, int], ...] = ()
    if calls := message.auction_calls:
        named = [_CALLS[code] for code in calls]
        auction = tuple(zip(message.auction_seats, named, strict=True))
    if cards := message.played_cards:
        played = tuple(zip(message.played_seats, cards, strict=True))
    # fmt: off
    return View(
        message.seat, message.dealer, message.hand_number, tuple(message.scores),
        _PHASES[message.phase], message.acting_seat if has("acting_seat") else -1,
        _mask(message.hand_cards), _mask(message.discarded_cards), auction,
        message.pitcher if has("pitcher") else -1, message.bid,
        message.trump if has("trump") else -1,
        tuple(_read_counts(counts) for counts in message.discard_rounds),
        _LEFTOVERS_OF[message.leftovers], _mask(message.received_cards), played,
        tuple(message.trick_sizes), tuple(message.trick_winners),
        tuple(message.points) or None, legal,
    )
    # fmt: on


def _read_counts(message: game_pb2.DiscardRound) -> tuple[tuple[int, int], ...]:
    return tuple(zip(message.seats, message.counts, strict=True))


def _mask(cards: Any) -> int:
    mask = 0
    for card in cards:
        mask |= _BITS[card]
    return mask


# --- options ------------------------------------------------------------------------------------


def fill_options(message: game_pb2.Options, legal: Legal) -> None:
    """Writes legal actions into an empty message."""
    if isinstance(legal, Discards):
        options = message.discard
        options.required_cards.extend(cards_of(legal.required))
        options.optional_cards.extend(cards_of(legal.optional))
        options.minimum = legal.minimum
        options.maximum = legal.maximum
    elif legal[0][0] == Kind.PLAY:
        message.plays.extend([card for _, card in legal])
    else:
        _fill_calls(message, legal)


def _fill_calls(message: game_pb2.Options, legal: tuple[Action, ...]) -> None:
    for kind, value in legal:
        if kind == Kind.BID:
            message.bids.append(value)
        elif kind == Kind.PITCH:
            message.pitches.append(value)
        elif kind == Kind.TRUMP:
            message.trumps.append(value)
        else:  # pass, take, give
            setattr(message, _FLAGS[kind], True)


_FLAGS = {Kind.PASS: "pass", Kind.TAKE: "take", Kind.GIVE: "give"}


def read_options(message: game_pb2.Options) -> Legal:
    """The legal actions of a message; IndexError or ValueError for values that can't be."""
    if plays := message.plays:
        return tuple([PLAYS[card] for card in plays])
    if message.HasField("discard"):
        return _read_discards(message.discard)
    legal = [PASS] if getattr(message, "pass") else []
    legal += [BIDS[value] for value in message.bids]
    legal += [PITCHES[card] for card in message.pitches]
    legal += [TRUMPS[suit] for suit in message.trumps]
    legal += [TAKE] if message.take else []
    legal += [GIVE] if message.give else []
    return tuple(legal)


def _read_discards(message: game_pb2.DiscardOptions) -> Discards:
    required, optional = _mask(message.required_cards), _mask(message.optional_cards)
    held, most = required.bit_count(), (required | optional).bit_count()
    if not held <= message.minimum <= message.maximum <= most:
        raise ValueError(
            f"a discard of {message.minimum} to {message.maximum} cards, "
            f"with {held} required of {most} in all, cannot be"
        )
    return Discards(required, optional, message.minimum, message.maximum)


# --- actions ------------------------------------------------------------------------------------


def fill_action(message: game_pb2.Action, action: Action) -> None:
    """Writes an action into an empty message."""
    kind, value = action
    if kind == Kind.PLAY:
        message.play = value
    elif kind == Kind.BID:
        message.bid = value
    elif kind == Kind.DISCARD:
        message.discard.SetInParent()
        message.discard.cards.extend(cards_of(value))
    elif kind == Kind.PITCH:
        message.pitch = value
    elif kind == Kind.TRUMP:
        message.trump = value
    else:
        setattr(message, _FLAGS[kind], True)


def read_action(message: game_pb2.Action) -> Action | None:
    """The action, or None where it names none or no such card exists."""
    kind = message.WhichOneof("kind")
    try:
        if kind == "play":
            return PLAYS[message.play]
        if kind == "bid":
            return Action(Kind.BID, message.bid)
        if kind == "discard":
            return _read_discard(message.discard.cards)
        if kind == "pitch":
            return PITCHES[message.pitch]
        if kind == "trump":
            return TRUMPS[message.trump]
    except IndexError:
        return None
    return _FLAG_ACTIONS.get(kind)


_FLAG_ACTIONS: dict[str | None, Action] = {"pass": PASS, "take": TAKE, "give": GIVE}


def _read_discard(cards: Any) -> Action | None:
    """The discard of these cards; None if one is no card or is named twice."""
    if len(cards) > CARD_COUNT or max(cards, default=0) >= CARD_COUNT:
        return None
    mask = mask_of(cards)
    return discard(mask) if mask.bit_count() == len(cards) else None


# --- results ------------------------------------------------------------------------------------


def fill_result(message: game_pb2.HandResult, result: HandResult) -> None:
    """Writes the result of a hand into an empty message."""
    message.pitcher = result.pitcher
    message.bid = result.bid
    message.trump = result.trump
    message.made = result.made
    message.points.extend(result.points)
    message.deltas.extend(result.delta)
    message.scores.extend(result.scores)
    for point, side in result.won:
        message.won.add(point=point, side=side)


def read_result(message: game_pb2.HandResult) -> HandResult:
    """The result of a hand."""
    return HandResult(
        pitcher=message.pitcher,
        bid=message.bid,
        trump=message.trump,
        made=message.made,
        won=tuple((won.point, optional(won, "side")) for won in message.won),
        points=tuple(message.points),
        delta=tuple(message.deltas),
        scores=tuple(message.scores),
    )
