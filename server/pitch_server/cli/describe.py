"""A variant in words, made from its fields alone.

Here belong the sentences of `pitch variants`. A word of a variant that has no sentence yet
is a missing key here and fails its test; nothing is decided by a variant's name.
"""

from pitch.rules import Exchange, Follow, OpeningLead, Rounds, Stuck, Trump, Variant, Win

__all__ = ["describe", "headline"]


def headline(variant: Variant) -> str:
    """One line: the table, the bids and whatever makes the variant special."""
    parts = [f"{variant.players} players, {_sides(variant)}, to {variant.target}", _bids(variant)]
    if variant.pitching:
        parts.append("pitching")
    if variant.exchange is not Exchange.NONE:
        parts.append(_EXCHANGE_NAMES[variant.exchange])
    elif variant.trump is Trump.NAMED:
        parts.append("trump is named")
    if variant.follow is Follow.TRUMP_ONLY:
        parts.append("only trumps are played")
    return "; ".join(parts)


def describe(variant: Variant) -> list[str]:
    """A few sentences: table, auction, trump, exchange, play, points, winning."""
    return [
        _table(variant),
        _auction(variant),
        *([_pitching(variant)] if variant.pitching else []),
        _TRUMP[variant.trump, variant.opening_lead],
        *([] if variant.exchange is Exchange.NONE else [_exchange(variant)]),
        _FOLLOW[variant.follow],
        _points(variant),
        f"{_WIN[variant.win].format(target=variant.target)}.",
    ]


def _sides(variant: Variant) -> str:
    if variant.sides == variant.players:
        return "each alone"
    return f"{variant.sides} sides"


def _bids(variant: Variant) -> str:
    bids = [f"bids {variant.min_bid}-{variant.max_bid}"]
    bids += [word for word in ("smudge", "moon", "steal") if getattr(variant, word)]
    return ", ".join(bids)


def _table(variant: Variant) -> str:
    sides = (
        "every seat for itself"
        if variant.sides == variant.players
        else f"in {variant.sides} sides ({_seats(variant)})"
    )
    return (
        f"{variant.players} players, {sides}; {variant.dealt} cards each from a deck of "
        f"{variant.deck}, dealt {variant.packet} at a time."
    )


def _seats(variant: Variant) -> str:
    sides = (variant.seats_of(side) for side in range(variant.sides))
    return " against ".join("+".join(map(str, seats)) for seats in sides)


def _auction(variant: Variant) -> str:
    bids = f"Bids from {variant.min_bid} to {variant.max_bid}"
    bids += ", then smudge" if variant.smudge else ""
    bids += ", then moon" if variant.moon else ""
    sentence = f"{bids}, {_ROUNDS[variant.rounds]}; {_STUCK[variant.stuck]}"
    if variant.steal:
        sentence += "; the dealer may take the bid over by equalling it"
    if variant.top_bid_ends:
        sentence += "; the highest bid ends the auction at once"
    return f"{sentence}."


def _pitching(variant: Variant) -> str:
    doubled = "; a dealer who took over and is set loses twice" * variant.takeover_doubles
    return (
        "A seat may pitch a card in place of a bid of 4, and the dealer may take that over "
        f"with a card of another suit{doubled}."
    )


def _exchange(variant: Variant) -> str:
    sentence = _EXCHANGE[variant.exchange]
    if variant.exchange in (Exchange.DRAW, Exchange.TRUMP_REFILL):
        return f"{sentence}."
    kept = "trumps only go where nothing else is left to discard" if variant.keep_trumps else ""
    return f"{sentence}; {kept or 'trumps may be discarded too'}."


def _points(variant: Variant) -> str:
    names = ", ".join(name.replace("_", " ") for name in variant.points)
    low = "takes its trick" if variant.low == "taken" else "held it"
    game = "most game value" if variant.game == "count" else "ten of trump"
    trey = "; trey counts three" if variant.trey else ""
    return (
        f"{variant.total_points} points: {names} (low to the side that {low}, "
        f"game for the {game}{trey})."
    )


_ROUNDS = {
    Rounds.ONE: "each seat once",
    Rounds.UNTIL_PASSED: "round and round until all but one have passed",
}
_STUCK = {
    Stuck.MUST_BID: "the dealer must bid where all others passed",
    Stuck.PASS_IS_MIN: "where all pass, the dealer's pass is the lowest bid",
}
_TRUMP = {
    (Trump.LEAD, OpeningLead.SETS_TRUMP): "The suit of the first card led is trump.",
    (Trump.NAMED, OpeningLead.TRUMP): "The pitcher names trump and leads one.",
    (Trump.NAMED, OpeningLead.ANY): "The pitcher names trump and leads any card.",
    (Trump.NAMED, OpeningLead.SIDE_FREE): (
        "The pitcher names trump and leads any card; if that is no trump, nobody trumps the "
        "first trick."
    ),
}
_EXCHANGE_NAMES = {
    Exchange.DRAW: "draw to six",
    Exchange.DISCARD: "discard to six",
    Exchange.WIDOW: "widow for the pitcher",
    Exchange.PITCHER_DRAW: "the pitcher draws up to three",
    Exchange.TRUMP_REFILL: "refill for trumps",
}
_EXCHANGE = {
    Exchange.DRAW: "Each seat discards any of its non-trumps and refills from its own pile of six",
    Exchange.DISCARD: "Each seat discards down to six",
    Exchange.WIDOW: "The pitcher takes the stock before naming trump; each discards down to six",
    Exchange.PITCHER_DRAW: "The pitcher changes up to three cards; then each discards down to six",
    Exchange.TRUMP_REFILL: (
        "Each seat discards all its non-trumps and refills to six, the pitcher last, who takes "
        "the stock that is left or gives it to a partner"
    ),
}
_FOLLOW = {
    Follow.FOLLOW_OR_TRUMP: "Follow suit or trump; void, play anything.",
    Follow.STRICT: "Follow suit; void, play anything.",
    Follow.MUST_FOLLOW_OR_TRUMP: "Follow suit or trump; void, trump if you can.",
    Follow.STRICT_THEN_TRUMP: "Follow suit; void, trump if you can.",
    Follow.TRUMP_ONLY: "Only trumps are played; who has none sits out.",
}
_WIN = {
    Win.BIDDER_ONLY: "A side wins by making its bid and standing at {target} or more",
    Win.BIDDER_FIRST: (
        "The first side at {target} or more wins; of several the bidders, if they made it, "
        "else the highest"
    ),
    Win.HIGHEST: "The highest score at {target} or more wins; in a tie the bidders",
}
