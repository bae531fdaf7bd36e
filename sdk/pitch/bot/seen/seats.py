"""The seats, the sides, the score, and what is asked.

Here belongs what is known before any card is looked at.
"""

from pitch.bot.seating import Seating
from pitch.rules import Action, Discards, Kind, Legal, Phase, Variant, action_text, legal_text
from pitch.rules import View as SeatView
from pitch.rules.actions import BIDS, PLAYS, TRUMPS
from pitch.table.unit import Unit

__all__ = ["SeatsSeen"]


class SeatsSeen:
    """The seats, the sides, the score, and what is asked."""

    known: SeatView
    table: Seating

    # --- what is asked ------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """What is decided: a call in the auction, trump, an exchange or a card.

        >>> view.phase is Phase.PLAY
        True
        """
        return self.known.phase

    @property
    def legal(self) -> Legal:
        """The legal actions, two at least; of discards a sequence that is never written out.

        >>> [action_text(action) for action in view.legal]
        ['play 8D', 'play TD', 'play HJ']
        """
        return self.known.legal

    @property
    def legal_cards(self) -> tuple[int, ...]:
        """The cards that may be played now, ascending; none where no card is asked for.

        >>> cards_text(view.legal_cards)
        '8D TD HJ'
        """
        return tuple([value for kind, value in self._listed if kind == Kind.PLAY])

    @property
    def legal_bids(self) -> tuple[int, ...]:
        """The bids that may be made now, the lowest first: numbers, SMUDGE, MOON.

        >>> calling.legal_bids
        (3, 4, 5, 6, 7, 8, 9, 10)
        """
        return tuple([value for kind, value in self._listed if kind == Kind.BID])

    @property
    def can_pass(self) -> bool:
        """Whether a pass is legal now.

        >>> calling.can_pass
        True
        """
        return any(kind == Kind.PASS for kind, _ in self._listed)

    @property
    def _listed(self) -> tuple[Action, ...]:
        legal = self.known.legal
        return () if isinstance(legal, Discards) else legal

    def play(self, card: int) -> Action:
        """The action that plays a card; ValueError names the legal ones if it is not among them.

        >>> action_text(view.play(parse_card("HJ")))
        'play HJ'
        """
        return self._checked(PLAYS[card])

    def call(self, bid: int) -> Action:
        """The action that makes a bid (0 passes); ValueError names the legal ones.

        >>> action_text(calling.call(4))
        'bid 4'
        """
        return self._checked(BIDS[bid] if bid else Action(Kind.PASS))

    def name_trump(self, suit: int) -> Action:
        """The action that names a trump suit; ValueError names the legal ones.

        >>> action_text(naming.name_trump(1))
        'trump D'
        """
        return self._checked(TRUMPS[suit])

    def _checked(self, action: Action) -> Action:
        if action in self.known.legal:
            return action
        raise ValueError(
            f"{action_text(action)} is not legal for seat {self.known.seat} here; legal: "
            f"{legal_text(self.known.legal)}"
        )

    # --- who sits where -----------------------------------------------------------------------

    @property
    def variant(self) -> Variant:
        """The rules of the table.

        >>> view.variant.name, view.variant.total_points
        ('ten-point', 10)
        """
        return self.table.variant

    @property
    def seat(self) -> int:
        """The bot's own seat; seats and sides count from 0.

        >>> view.seat
        2
        """
        return self.known.seat

    @property
    def side(self) -> int:
        """The bot's own side.

        >>> view.side
        0
        """
        return self.variant.side_of(self.known.seat)

    def side_of(self, seat: int) -> int:
        """The side that a seat belongs to.

        >>> view.side_of(3)
        1
        """
        return self.variant.side_of(seat)

    def is_ours(self, seat: int) -> bool:
        """Whether a seat belongs to the bot's side: its own seat or a partner's.

        >>> view.is_ours(0), view.is_ours(1)
        (True, False)
        """
        sides = self.variant.sides
        return seat % sides == self.known.seat % sides

    @property
    def partners(self) -> tuple[int, ...]:
        """The other seats of the bot's side; none in cutthroat.

        >>> view.partners
        (0,)
        """
        seat = self.known.seat
        return tuple(each for each in self.variant.seats_of(self.side) if each != seat)

    @property
    def partner(self) -> int | None:
        """The one partner; None where there is none, or more than one.

        >>> view.partner
        0
        """
        partners = self.partners
        return partners[0] if len(partners) == 1 else None

    @property
    def opponents(self) -> tuple[int, ...]:
        """The seats of all other sides.

        >>> view.opponents
        (1, 3)
        """
        return tuple(each for each in range(self.variant.players) if not self.is_ours(each))

    @property
    def dealer(self) -> int:
        """The seat that dealt this hand.

        >>> view.dealer
        0
        """
        return self.known.dealer

    @property
    def is_dealer(self) -> bool:
        """Whether the bot deals, and so calls last where the auction has one round.

        >>> view.is_dealer
        False
        """
        return self.known.dealer == self.known.seat

    # --- what it is for -----------------------------------------------------------------------

    @property
    def unit(self) -> Unit:
        """What counts: the points of one hand, or winning the game.

        >>> view.unit is Unit.GAME
        True
        """
        return self.table.unit

    @property
    def hand_number(self) -> int:
        """How many hands of this game were played before this one.

        >>> view.hand_number
        0
        """
        return self.known.hand_number

    @property
    def is_last_hand(self) -> bool:
        """Whether the game ends with this hand, whatever the score will be.

        >>> view.is_last_hand
        False
        """
        return self.known.hand_number + 1 == self.table.max_hands

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores before this hand, one a side.

        >>> view.scores
        (0, 0)
        """
        return self.known.scores

    @property
    def score(self) -> int:
        """The own side's score before this hand.

        >>> view.score
        0
        """
        return self.known.scores[self.side]

    @property
    def target(self) -> int:
        """The score that a side needs to win the game; the variant says who may.

        >>> view.target
        21
        """
        return self.variant.target

    @property
    def to_target(self) -> tuple[int, ...]:
        """How many points each side lacked before this hand; 0 or less: it stands there.

        >>> view.to_target
        (21, 21)
        """
        return tuple([self.variant.target - score for score in self.known.scores])
