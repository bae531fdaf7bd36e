"""Every action of every variant as one of 182 numbers; discards go card by card.

Here belong the numbering, and how a discard is made of steps. What is legal is decided by the
rules: a step is offered if a legal discard can still come of it.
"""

from pitch.rules import (
    BIDS,
    CARD_COUNT,
    GIVE,
    MOON,
    PASS,
    PITCHES,
    PLAYS,
    SMUDGE,
    TAKE,
    TRUMPS,
    Action,
    Discards,
    Legal,
    action_text,
    card_text,
    cards_of,
)

__all__ = [
    "ACTION_COUNT",
    "DONE",
    "PUT_AWAY",
    "action_index",
    "discard_steps",
    "index_text",
    "legal_indexes",
    "narrowed",
    "take_step",
]

_HIGHEST_NUMBER = 10  # no variant has more points to bid
_PLAIN: tuple[Action, ...] = (
    PASS,
    *BIDS[1 : _HIGHEST_NUMBER + 1],
    BIDS[SMUDGE],
    BIDS[MOON],
    *TRUMPS,
    TAKE,
    GIVE,
    *PITCHES,
    *PLAYS,
)
_INDEXES = {action: index for index, action in enumerate(_PLAIN)}

PUT_AWAY = len(_PLAIN)
"""The first of 54 indexes, one a card: this card goes into the discard."""

DONE = PUT_AWAY + CARD_COUNT
"""The index that ends a discard which may be ended and may be larger."""

ACTION_COUNT = DONE + 1


def action_index(action: Action) -> int:
    """The index of an action that is no discard."""
    return _INDEXES[action]


def narrowed(legal: Discards, putting: int) -> Discards:
    """The legal discards that hold all cards of the mask `putting`."""
    if not putting & ~legal.required:
        return legal
    held = legal.required | putting
    fewest = max(legal.minimum, held.bit_count())
    return Discards(held, legal.optional & ~putting, fewest, legal.maximum)


def legal_indexes(legal: Legal, putting: int = 0) -> list[int]:
    """What may be chosen now, with the cards of the mask `putting` put away already."""
    if not isinstance(legal, Discards):
        return [_INDEXES[action] for action in legal]
    left = narrowed(legal, putting)
    steps = [PUT_AWAY + card for card in cards_of(left.optional)]
    if left.required.bit_count() >= left.minimum:
        steps.append(DONE)
    return steps


def take_step(legal: Legal, putting: int, index: int) -> Action | int:
    """What choosing `index` comes to: an action, or the cards put away if more is to be chosen.

    A discard is an action as soon as only one is left that it can be. ValueError if the index
    is none of `legal_indexes`.
    """
    if index not in legal_indexes(legal, putting):
        raise ValueError(f"expected one of {_indexes_text(legal, putting)}, got {index}")
    if not isinstance(legal, Discards):
        return _PLAIN[index]
    if index != DONE:
        putting |= 1 << index - PUT_AWAY
    left = narrowed(legal, putting)
    return left[0] if index == DONE or len(left) == 1 else left.required


def discard_steps(legal: Discards, action: Action) -> list[tuple[int, int]]:
    """The steps that make a discard, cards ascending: (cards put away before it, index)."""
    steps, putting = [], 0
    for card in cards_of(action.value & legal.optional):
        left = narrowed(legal, putting)
        if len(left) == 1:
            break
        steps.append((putting, PUT_AWAY + card))
        putting |= 1 << card
    if len(narrowed(legal, putting)) > 1:
        steps.append((putting, DONE))
    return steps


def index_text(index: int) -> str:
    """The choice for a reader, such as "bid 3" or "put away 2C"."""
    if index < PUT_AWAY:
        return action_text(_PLAIN[index])
    return "done" if index == DONE else f"put away {card_text(index - PUT_AWAY)}"


def _indexes_text(legal: Legal, putting: int) -> str:
    return ", ".join(f"{each} ({index_text(each)})" for each in legal_indexes(legal, putting))
