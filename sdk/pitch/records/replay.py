"""Replaying a record by the rules alone: the answer line of `pitch replay` (records.md).

Here belongs playing a record from its decks and actions, finding the first fault in it,
comparing stored results, and the JSON of results and of legal actions. The rules stay in
pitch.rules and the form of a record in record.py; nothing here decides what is legal.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pitch.records.reading import JsonObject
from pitch.records.record import (
    Flaw,
    GameRecord,
    HandRecord,
    RecordError,
    SeatAction,
    parse_deck,
    parse_hand,
    parse_header,
    parse_seat_actions,
    quoted,
)
from pitch.rules import (
    MOON,
    SMUDGE,
    BadDeck,
    Discards,
    Game,
    Hand,
    HandResult,
    IllegalAction,
    Legal,
    Phase,
    action_text,
    apply_action,
    bid_text,
    card_text,
    cards_of,
    finish_hand,
    legal_actions,
    legal_text,
    start_game,
    start_hand,
    suit_text,
)

__all__ = [
    "PlayedHand",
    "Replayed",
    "answer_json",
    "bid_json",
    "end_of",
    "error_json",
    "game_result_json",
    "hand_result_json",
    "hands_of",
    "legal_json",
    "play_hand",
    "replay",
    "replay_game",
]


class Replayed(NamedTuple):
    """A record that replays: the game after its finished hands, and what they gave.

    `hand` is the last hand, finished or not, None if the record holds none; `before` is the
    game as it stood when that hand was dealt, which is what views of it are made with.
    """

    header: GameRecord
    before: Game
    game: Game
    hand: Hand | None
    results: list[JsonObject]

    @property
    def unfinished(self) -> Hand | None:
        """The hand that waits for an action, if there is one."""
        return self.hand if self.hand is not None and self.hand.phase is not Phase.OVER else None


class PlayedHand(NamedTuple):
    """A hand of a record that replays, with the game before and after it.

    `play` is the hand as its play begins, None if it has not begun; `result` is None, and
    `after` the game before, if the hand is not finished.
    """

    record: HandRecord
    before: Game
    dealt: Hand
    play: Hand | None
    end: Hand
    after: Game
    result: HandResult | None


def replay(value: object) -> JsonObject:
    """The answer line for one record, whatever JSON value it is; never raises."""
    try:
        replayed = replay_game(value)
    except RecordError as error:
        return error_json(error)
    return answer_json(replayed)


def answer_json(replayed: Replayed) -> JsonObject:
    """The answer line of a record that replays."""
    answer: JsonObject = {
        "ok": True,
        "hands": replayed.results,
        "result": game_result_json(replayed.game),
    }
    hand = replayed.unfinished
    if hand is not None:
        answer["to_act"] = {
            "seat": hand.to_act,
            "phase": hand.phase.name.lower(),
            "legal": legal_json(legal_actions(hand)),
        }
    return answer


def error_json(error: RecordError) -> JsonObject:
    """The answer line of a record that does not replay."""
    where = {"hand": error.hand, "action": error.action, "reason": error.reason}
    return {"ok": False, "error": where}


def replay_game(value: object) -> Replayed:
    """Play a record given as JSON; RecordError for the first fault in it.

    The order is that of records.md: header, hand by hand (keys, deck, actions, result),
    result of the record.
    """
    header = parse_header(value)
    record: JsonObject = value  # type: ignore[assignment]  # parse_header saw to it
    stored: list[JsonObject] = record["hands"]  # type: ignore[assignment]
    before = game = _game_of(header)
    hand: Hand | None = None
    results: list[JsonObject] = []
    for at, stored_hand in enumerate(stored):
        if game.over:
            raise RecordError(Flaw.AFTER_GAME, at, None, _after_game(game, at))
        before, hand = game, _replay_hand(game, stored_hand, at)
        if hand.phase is Phase.OVER:
            game, result = finish_hand(game, hand)
            results.append(hand_result_json(result))
            _check_result(stored_hand, results[-1], at)
        else:
            _check_unfinished(hand, stored_hand, at, is_last=at == len(stored) - 1)
    if "result" in record:
        _compare(record["result"], game_result_json(game), Flaw.GAME_RESULT, None)
    return Replayed(header, before, game, hand, results)


def hands_of(record: GameRecord) -> Iterator[PlayedHand]:
    """The hands of a record, one after the other.

    RecordError at the hand that breaks the rules; stored results are not compared.
    """
    game = _game_of(record)
    for at, stored in enumerate(record.hands):
        if game.over:
            raise RecordError(Flaw.AFTER_GAME, at, None, _after_game(game, at))
        states = list(_states(game, stored.deck, stored.actions, at))
        dealt, end = states[0], states[-1]
        play = next((each for each in states if each.phase in (Phase.PLAY, Phase.OVER)), None)
        before, result = game, None
        if end.phase is Phase.OVER:
            game, result = finish_hand(game, end)
        elif at < len(record.hands) - 1:
            raise _unfinished(end, at)
        yield PlayedHand(stored, before, dealt, play, end, game, result)


def end_of(record: GameRecord) -> tuple[Game, Hand | None]:
    """The game after the finished hands of a record, and its last hand, finished or not.

    RecordError if the record breaks the rules; stored results are not compared.
    """
    game, hand = _game_of(record), None
    for played in hands_of(record):
        game, hand = played.after, played.end
    return game, hand


def _game_of(header: GameRecord) -> Game:
    return start_game(header.variant, first_dealer=header.first_dealer, max_hands=header.max_hands)


def _replay_hand(game: Game, stored: object, at: int) -> Hand:
    deck, actions = parse_hand(stored, at)
    return play_hand(game, parse_deck(deck, at), parse_seat_actions(actions, at), at)


def play_hand(game: Game, deck: tuple[int, ...], actions: Iterable[SeatAction], at: int) -> Hand:
    """The next hand of a game as far as its actions go; `at` is the index that errors name."""
    for hand in _states(game, deck, actions, at):  # noqa: B007 - the last one is wanted
        pass
    return hand


def _states(
    game: Game, deck: tuple[int, ...], actions: Iterable[SeatAction], at: int
) -> Iterator[Hand]:
    """The next hand of a game as dealt and after each of its actions."""
    try:
        hand = start_hand(game.variant, game.dealer, deck)
    except BadDeck as error:
        raise RecordError(Flaw.DECK, at, None, f"the deck of hand {at}: {error}") from None
    yield hand
    for index, (seat, action) in enumerate(actions):
        if seat != hand.to_act:
            raise _out_of_turn(hand, SeatAction(seat, action), at, index)
        try:
            hand = apply_action(hand, action)
        except IllegalAction as error:
            raise RecordError(Flaw.ILLEGAL, at, index, f"seat {seat}: {error}") from None
        yield hand


def _out_of_turn(hand: Hand, tried: SeatAction, at: int, index: int) -> RecordError:
    said = f'seat {tried.seat} tried "{action_text(tried.action)}"'
    if hand.phase is Phase.OVER:
        return RecordError(Flaw.AFTER_HAND, at, index, f"{said}, but the hand was over")
    reason = (
        f"{said}, but seat {hand.to_act} was to act; legal were: {legal_text(legal_actions(hand))}"
    )
    return RecordError(Flaw.ILLEGAL, at, index, reason)


def _after_game(game: Game, at: int) -> str:
    return f"hand {at} comes after the game's end ({game.ended}, scores {list(game.scores)})"


def _unfinished(hand: Hand, at: int) -> RecordError:
    reason = (
        f"hand {at} is unfinished (seat {hand.to_act} was to act), but another hand follows; "
        "only the last may be"
    )
    return RecordError(Flaw.UNFINISHED, at, None, reason)


# ---- stored results


def _check_result(stored: object, replayed: JsonObject, at: int) -> None:
    if isinstance(stored, dict) and "result" in stored:
        _compare(stored["result"], replayed, Flaw.HAND_RESULT, at)


def _check_unfinished(hand: Hand, stored: object, at: int, *, is_last: bool) -> None:
    if not is_last:
        raise _unfinished(hand, at)
    if isinstance(stored, dict) and "result" in stored:
        reason = f"hand {at} is unfinished, so it has no result, but one is stored"
        raise RecordError(Flaw.HAND_RESULT, at, None, reason)


def _compare(stored: object, replayed: JsonObject, flaw: Flaw, at: int | None) -> None:
    difference = _difference(stored, replayed, "result")
    if difference:
        what = "the record" if at is None else f"hand {at}"
        raise RecordError(flaw, at, None, f"the stored result of {what} is wrong: {difference}")


def _difference(stored: object, expected: object, path: str) -> str:
    """Where a stored JSON value first differs from the replayed one; empty if nowhere.

    Types count (1, 1.0 and true are three values); keys that begin with x_ do not.
    """
    if isinstance(expected, dict) and isinstance(stored, dict):
        return _object_difference(stored, expected, path)
    if isinstance(expected, list) and isinstance(stored, list) and len(stored) == len(expected):
        pairs = zip(stored, expected, strict=True)
        inner = (_difference(a, b, f"{path}[{i}]") for i, (a, b) in enumerate(pairs))
        return next(filter(None, inner), "")
    if type(stored) is type(expected) and stored == expected:
        return ""
    return f"{path} is {quoted(stored)}, replayed it is {json.dumps(expected)}"


def _object_difference(
    stored: Mapping[str, object], expected: Mapping[str, object], path: str
) -> str:
    for key, value in expected.items():
        if key not in stored:
            return f"{path} has no {key}, replayed it is {json.dumps(value)}"
        inner = _difference(stored[key], value, f"{path}.{key}")
        if inner:
            return inner
    for key in stored:
        if key not in expected and not key.startswith("x_"):
            return f"{path} has an unknown key {quoted(key)}"
    return ""


# ---- results and legal actions as JSON


def hand_result_json(result: HandResult) -> JsonObject:
    """The `result` of a hand as records.md writes it."""
    return {
        "pitcher": result.pitcher,
        "bid": bid_json(result.bid),
        "trump": suit_text(result.trump),
        "made": result.made,
        "won": dict(result.won),
        "points": list(result.points),
        "delta": list(result.delta),
        "scores": list(result.scores),
    }


def game_result_json(game: Game) -> JsonObject:
    """The `result` of a record after the finished hands of a game."""
    return {
        "winner": game.winner,
        "ended": None if game.ended is None else str(game.ended),
        "scores": list(game.scores),
    }


def bid_json(bid: int) -> int | str:
    """A bid as a number, "smudge" or "moon"."""
    return bid_text(bid) if bid in (SMUDGE, MOON) else bid


def legal_json(legal: Legal) -> object:
    """The legal actions as texts; of a discard what it must and may hold."""
    if not isinstance(legal, Discards):
        return [action_text(action) for action in legal]
    return {
        "discard": {
            "required": [card_text(card) for card in cards_of(legal.required)],
            "optional": [card_text(card) for card in cards_of(legal.optional)],
            "min": legal.minimum,
            "max": legal.maximum,
        }
    }
