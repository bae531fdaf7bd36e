"""Simulation: deals that agree with what a seat knows, and hands played on from them.

    for hand in sample_hands(view, variant, random, 20):
        end = play_out(apply_action(hand, action), random_policy, random)
        total += score_hand(end)[side]

Built on the rules only; chance is a generator handed in.
"""

from pitch.simulation.deals import Deals, sample_hands
from pitch.simulation.playing import Policy, play_out, random_policy, score_hand

__all__ = ["Deals", "Policy", "play_out", "random_policy", "sample_hands", "score_hand"]
