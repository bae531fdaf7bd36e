"""The hand that belongs to a view and to one choice of the hidden cards.

Here belongs what every seat knows, put back into a state that play can go on from. What the
rules would make of the actions they make here too: the trick that goes on is played again.
"""

from pitch.rules.play import begin_play, play_card
from pitch.rules.state import Exchanged, Hand, Phase, hand_before_play
from pitch.rules.variant import Variant
from pitch.rules.view import View
from pitch.simulation.voids import tricks_of

__all__ = ["hand_at"]


def hand_at(variant: Variant, view: View, hands: tuple[int, ...], exchanged: Exchanged) -> Hand:
    """The hand that `view` is of, if `hands` (masks by seat) and `exchanged` are the cards."""
    # fmt: off
    hand = hand_before_play(
        variant, view.dealer, view.phase, view.to_act, hands, view.trump, view.pitcher, view.bid,
        view.auction, exchanged,
    )
    # fmt: on
    if view.phase < Phase.PLAY:
        return hand
    return _replay_trick(view, hand) if view.played else begin_play(hand)


def _replay_trick(view: View, hand: Hand) -> Hand:
    """The hand at the view's last card: the trick that it belongs to is played again."""
    *before, trick = [trick for trick in tricks_of(view) if trick]
    hands = list(hand.hands)
    for seat, card in trick:
        hands[seat] |= 1 << card
    leader = trick[0][0]
    count = len(before)
    hand = hand._replace(
        phase=Phase.PLAY,
        to_act=leader,
        hands=tuple(hands),
        leader=leader,
        played=view.played[: sum(view.trick_sizes[:count])],
        trick_sizes=view.trick_sizes[:count],
        trick_winners=view.trick_winners[:count],
    )
    for _, card in trick:
        hand = play_card(hand, card)
    return hand
