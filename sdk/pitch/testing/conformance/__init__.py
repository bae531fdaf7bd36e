"""What a bot is asked when it is checked up: rare decisions, and tables that keep score of faults.

Pure but for the generator handed in. Asking a real process, and timing it, is the server's.
"""

from pitch.testing.conformance.kinds import KINDS, DecisionKind
from pitch.testing.conformance.search import Situation, find_situations

__all__ = ["KINDS", "DecisionKind", "Situation", "find_situations"]
