"""A variant: one table's choice of rules, checked when it is made (rules.md 2, 5 and 8).

Here belong the fields of rules.md 8, the combinations that cannot be played, and what follows
from the fields alone. The named variants and their reading from JSON belong to catalog.py.
"""

from dataclasses import dataclass
from enum import StrEnum

__all__ = [
    "Exchange",
    "Follow",
    "GamePoint",
    "Low",
    "OpeningLead",
    "Rounds",
    "Stuck",
    "Trump",
    "Variant",
    "VariantError",
    "Win",
]


class Rounds(StrEnum):
    """How long the auction goes on (rules.md 4.1)."""

    ONE = "one"
    UNTIL_PASSED = "until_passed"


class Stuck(StrEnum):
    """What a dealer may do when everyone else has passed (rules.md 4.1)."""

    MUST_BID = "must_bid"
    PASS_IS_MIN = "pass_is_min"  # noqa: S105 - a word of the rules


class Trump(StrEnum):
    """How trump is found (rules.md 4.2)."""

    LEAD = "lead"
    NAMED = "named"


class Exchange(StrEnum):
    """How cards are exchanged before the play (rules.md 4.3)."""

    NONE = "none"
    DRAW = "draw"
    DISCARD = "discard"
    WIDOW = "widow"
    PITCHER_DRAW = "pitcher_draw"
    TRUMP_REFILL = "trump_refill"


class OpeningLead(StrEnum):
    """What the pitcher may lead to the first trick (rules.md 4.4)."""

    SETS_TRUMP = "sets_trump"
    TRUMP = "trump"
    ANY = "any"
    SIDE_FREE = "side_free"


class Follow(StrEnum):
    """What a seat that does not lead may play (rules.md 4.4)."""

    FOLLOW_OR_TRUMP = "follow_or_trump"
    STRICT = "strict"
    MUST_FOLLOW_OR_TRUMP = "must_follow_or_trump"
    STRICT_THEN_TRUMP = "strict_then_trump"
    TRUMP_ONLY = "trump_only"


class Low(StrEnum):
    """Who scores the lowest trump in play (rules.md 5)."""

    TAKEN = "taken"
    HELD = "held"


class GamePoint(StrEnum):
    """What the point Game is for (rules.md 5)."""

    COUNT = "count"
    TEN = "ten"


class Win(StrEnum):
    """Who wins the game (rules.md 7)."""

    BIDDER_ONLY = "bidder_only"
    BIDDER_FIRST = "bidder_first"
    HIGHEST = "highest"


class VariantError(ValueError):
    """A variant that does not exist or cannot be played; `fields` are those to look at."""

    def __init__(self, message: str, fields: tuple[str, ...]) -> None:
        super().__init__(message)
        self.fields = fields

    def __reduce__(self) -> tuple[type, tuple[str, tuple[str, ...]]]:
        return type(self), (str(self), self.fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """The rules of one table. Raises VariantError for a combination that cannot be played."""

    name: str
    players: int
    sides: int
    target: int
    win: Win
    deck: int = 52
    packet: int = 3
    dealt: int = 6
    min_bid: int = 2
    max_bid: int = 4
    smudge: bool = False
    moon: bool = False
    steal: bool = False
    rounds: Rounds = Rounds.ONE
    stuck: Stuck = Stuck.MUST_BID
    top_bid_ends: bool = False
    pitching: bool = False
    takeover_doubles: bool = False
    trump: Trump = Trump.LEAD
    exchange: Exchange = Exchange.NONE
    keep_trumps: bool = True
    opening_lead: OpeningLead = OpeningLead.SETS_TRUMP
    follow: Follow = Follow.FOLLOW_OR_TRUMP
    low: Low = Low.TAKEN
    game: GamePoint = GamePoint.COUNT
    off_jack: bool = False
    trey: bool = False

    def __post_init__(self) -> None:
        _check_table(self)
        _check_deal(self)
        _check_bids(self)
        _check_pitching(self)
        _check_trump(self)
        _check_exchange(self)

    def __hash__(self) -> int:
        # Tables are kept by variant and looked up at every card: not all fields each time.
        return hash((self.name, self.players, self.target))

    @property
    def total_points(self) -> int:
        """How many points a hand can hold (rules.md 5)."""
        return 4 + self.off_jack + 2 * (self.deck == 54) + 3 * self.trey

    @property
    def points(self) -> tuple[str, ...]:
        """The names of the points in the order of records.md."""
        jokers = self.deck == 54
        present = {
            "off_jack": self.off_jack,
            "high_joker": jokers,
            "low_joker": jokers,
            "trey": self.trey,
        }
        return tuple(name for name in _POINTS if present.get(name, True))

    @property
    def highest_number(self) -> int:
        """The highest bid as a number of points, a smudge as 5; a moon has no number."""
        return 5 if self.smudge else self.max_bid

    @property
    def stock(self) -> int:
        """How many cards the deal leaves (rules.md 3)."""
        return self.deck - self.players * self.dealt

    def side_of(self, seat: int) -> int:
        """The side of a seat (rules.md 2)."""
        return seat % self.sides

    def seats_of(self, side: int) -> tuple[int, ...]:
        """The seats of a side, in ascending order."""
        return tuple(range(side, self.players, self.sides))


_POINTS = ("high", "low", "jack", "off_jack", "high_joker", "low_joker", "trey", "game")


def _require(condition: bool, message: str, *fields: str) -> None:
    if not condition:
        raise VariantError(message, fields)


def _check_table(v: Variant) -> None:
    _require(v.players >= 2, f"players must be 2 or more, got {v.players}", "players")
    _require(v.sides >= 2, f"sides must be 2 or more, got {v.sides}", "sides")
    _require(
        v.players % v.sides == 0,
        f"sides must divide players, got sides = {v.sides} with players = {v.players}",
        "sides",
        "players",
    )
    _require(1 <= v.target <= 1000, f"target must be 1 to 1000, got {v.target}", "target")


def _check_deal(v: Variant) -> None:
    _require(v.deck in (52, 54), f"deck must be 52 or 54, got {v.deck}", "deck")
    _require(1 <= v.packet <= 54, f"packet must be 1 to 54, got {v.packet}", "packet")
    _require(
        v.stock >= 0,
        f"players x dealt must be at most the deck's {v.deck} cards, "
        f"got players = {v.players} with dealt = {v.dealt}",
        "players",
        "dealt",
        "deck",
    )


def _check_bids(v: Variant) -> None:
    _require(v.min_bid >= 1, f"min_bid must be 1 or more, got {v.min_bid}", "min_bid")
    _require(
        v.max_bid >= v.min_bid,
        f"max_bid must not be below min_bid = {v.min_bid}, got max_bid = {v.max_bid}",
        "max_bid",
        "min_bid",
    )
    _require(
        v.max_bid <= v.total_points,
        f"max_bid must be at most the {v.total_points} points that deck = {v.deck}, off_jack = "
        f"{_word(v.off_jack)} and trey = {_word(v.trey)} give, got max_bid = {v.max_bid}",
        "max_bid",
        "deck",
        "off_jack",
        "trey",
    )
    if v.smudge:
        _check_smudge(v)
    _require(
        not v.moon or v.sides == 2,
        f"moon needs sides = 2, got sides = {v.sides}",
        "moon",
        "sides",
    )


def _check_smudge(v: Variant) -> None:
    _require(
        v.total_points == 4,
        "smudge needs a deck of 52 without off_jack and trey (four points), "
        f"got {v.total_points} points",
        "smudge",
        "deck",
        "off_jack",
        "trey",
    )
    _require(
        v.max_bid == 4,
        f"smudge needs max_bid = 4, got max_bid = {v.max_bid}",
        "smudge",
        "max_bid",
    )
    _require(not v.moon, "smudge and moon exclude each other: set one to false", "smudge", "moon")


def _check_pitching(v: Variant) -> None:
    _require(
        v.pitching or not v.takeover_doubles,
        "takeover_doubles needs pitching = true",
        "takeover_doubles",
        "pitching",
    )
    one_round = v.rounds is Rounds.ONE
    _require(
        one_round or not v.steal, "steal needs rounds = one, got until_passed", "steal", "rounds"
    )
    if not v.pitching:
        return
    _require(one_round, "pitching needs rounds = one, got until_passed", "pitching", "rounds")
    _require(
        v.trump is Trump.LEAD,
        f"pitching needs trump = lead, got {v.trump}",
        "pitching",
        "trump",
    )
    # Of max_bid = 4 follows that min_bid is at most 4.
    _require(
        v.max_bid == 4,
        f"pitching needs max_bid = 4, got max_bid = {v.max_bid}",
        "pitching",
        "max_bid",
    )
    _require(
        not v.moon, "pitching and moon exclude each other: set one to false", "pitching", "moon"
    )


def _check_trump(v: Variant) -> None:
    by_lead = v.trump is Trump.LEAD
    sets_trump = v.opening_lead is OpeningLead.SETS_TRUMP
    _require(
        not by_lead or v.deck == 52,
        f"trump = lead needs deck = 52 (a joker has no suit), got deck = {v.deck}",
        "trump",
        "deck",
    )
    _require(
        not by_lead or v.exchange is Exchange.NONE,
        f"trump = lead needs exchange = none, got {v.exchange}; or set trump = named",
        "trump",
        "exchange",
    )
    _require(
        by_lead == sets_trump,
        "trump = lead and opening_lead = sets_trump need each other, "
        f"got trump = {v.trump} with opening_lead = {v.opening_lead}",
        "trump",
        "opening_lead",
    )


def _check_exchange(v: Variant) -> None:
    exchange = v.exchange
    exact = exchange in (Exchange.NONE, Exchange.DRAW)
    _require(
        v.dealt == 6 if exact else v.dealt >= 6,
        f"exchange = {exchange} needs dealt = 6{'' if exact else ' or more'}, got {v.dealt}",
        "exchange",
        "dealt",
    )
    needed = {Exchange.DRAW: 6 * v.players, Exchange.PITCHER_DRAW: 3}.get(exchange, 0)
    _require(
        v.stock >= needed,
        f"exchange = {exchange} needs a stock of {needed} cards or more, got {v.stock} with "
        f"players = {v.players}, dealt = {v.dealt} and deck = {v.deck}",
        "exchange",
        "players",
        "dealt",
        "deck",
    )
    trump_only = v.follow is Follow.TRUMP_ONLY
    _require(
        (exchange is Exchange.TRUMP_REFILL) == trump_only,
        "exchange = trump_refill and follow = trump_only need each other, "
        f"got exchange = {exchange} with follow = {v.follow}",
        "exchange",
        "follow",
    )
    _require(
        not trump_only or v.opening_lead is OpeningLead.TRUMP,
        f"follow = trump_only needs opening_lead = trump, got {v.opening_lead}",
        "follow",
        "opening_lead",
    )


def _word(value: bool) -> str:
    return "true" if value else "false"
