"""The tricks: those that are over, and the one that goes on.

Here belongs who played what to which trick, and who takes it as it stands.
"""

from functools import cached_property
from typing import NamedTuple

from pitch.bot.seen.cards import CardsSeen
from pitch.rules import Phase
from pitch.rules.variant import Follow

__all__ = ["Trick", "TricksSeen"]


class Trick(NamedTuple):
    """A trick that is over: the seat that took it, and its plays as (seat, card) in order."""

    winner: int
    plays: tuple[tuple[int, int], ...]

    @property
    def leader(self) -> int:
        """The seat that led."""
        return self.plays[0][0]

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards, in the order of play."""
        return tuple([card for _, card in self.plays])


class TricksSeen(CardsSeen):
    """The tricks: those that are over, and the one that goes on."""

    # --- the trick that goes on ---------------------------------------------------------------

    @property
    def trick(self) -> tuple[tuple[int, int], ...]:
        """The cards of the trick that goes on, as (seat, card), in order.

        >>> [(seat, card_text(card)) for seat, card in view.trick]
        [(0, '4D'), (1, '7C')]
        """
        return self.known.played[sum(self.known.trick_sizes) :]

    @property
    def is_leading(self) -> bool:
        """Whether the bot is to lead to a trick.

        >>> view.is_leading
        False
        """
        known = self.known
        return known.phase is Phase.PLAY and known.to_act == known.seat and not self.trick

    @property
    def leader(self) -> int | None:
        """The seat that led to this trick, or is about to; None outside the play.

        >>> view.leader
        0
        """
        if self.known.phase is not Phase.PLAY:
            return None
        trick = self.trick
        return trick[0][0] if trick else self.known.to_act

    @cached_property
    def _best(self) -> tuple[int, int] | None:
        trick, table = self.trick, self._trump_table
        if not trick or table is None:
            return None
        power = table.power[table.suit_of[trick[0][1]]]
        return max(trick, key=lambda play: power[play[1]])

    @property
    def winning_seat(self) -> int | None:
        """The seat that takes this trick as it stands; None before the lead.

        >>> view.winning_seat
        0
        """
        return self._best[0] if self._best else None

    @property
    def winning_card(self) -> int | None:
        """The card that takes this trick as it stands; None before the lead.

        >>> card_text(view.winning_card)
        '4D'
        """
        return self._best[1] if self._best else None

    @property
    def partner_winning(self) -> bool:
        """Whether this trick goes to a partner as it stands.

        >>> view.partner_winning
        True
        """
        best = self._best
        return best is not None and best[0] != self.known.seat and self.is_ours(best[0])

    def takes(self, card: int) -> bool:
        """Whether a card of the bot's would be the highest of this trick so far.

        >>> view.takes(parse_card("8D")), view.takes(parse_card("KC"))
        (True, False)
        """
        best = self._best
        return best is None or self.beats(card, best[1])

    @property
    def to_play(self) -> tuple[int, ...]:
        """The seats that play to this trick after the bot, in order; none outside the play.

        Where only trumps are played, seats that have shown to have none are left out.

        >>> view.to_play
        (3,)
        """
        leader = self.leader
        if leader is None:
            return ()
        players, seat = self.variant.players, self.known.seat
        after = [(seat + step) % players for step in range(1, (leader - seat - 1) % players + 1)]
        if self.variant.follow is Follow.TRUMP_ONLY and self._trump_table is not None:
            trumps = self._trump_table.trumps
            after = [each for each in after if self._holdable[each] & trumps]
        return tuple(after)

    @property
    def is_last(self) -> bool:
        """Whether nobody plays to this trick after the bot.

        >>> view.is_last
        False
        """
        return self.known.phase is Phase.PLAY and not self.to_play

    # --- all of them --------------------------------------------------------------------------

    @property
    def played(self) -> tuple[tuple[int, int], ...]:
        """Every card played in this hand, as (seat, card), in order.

        >>> len(view.played)
        6
        """
        return self.known.played

    @cached_property
    def tricks(self) -> tuple[Trick, ...]:
        """The tricks of this hand that are over.

        >>> [(trick.winner, cards_text(trick.cards)) for trick in view.tricks]
        [(0, 'AD 6D LJ 2D')]
        """
        known = self.known
        tricks, start = [], 0
        for size, winner in zip(known.trick_sizes, known.trick_winners, strict=True):
            tricks.append(Trick(winner, known.played[start : start + size]))
            start += size
        return tuple(tricks)

    @property
    def tricks_taken(self) -> tuple[int, ...]:
        """How many tricks each side has taken.

        >>> view.tricks_taken
        (1, 0)
        """
        counts = [0] * self.variant.sides
        for winner in self.known.trick_winners:
            counts[winner % self.variant.sides] += 1
        return tuple(counts)
