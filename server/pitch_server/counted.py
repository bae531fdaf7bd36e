"""Counted: the standings of a journal, carried on from what was counted before.

Here belong taking a tally up from its checkpoint, having it follow the games that come in, and
making the next checkpoint. A checkpoint is only quicker: one that does not belong to these games
is ignored, with a line in the log, and the standings are the same to the last byte.

A plan that grows by results has none: its rounds have to be learned from the results anyway.
"""

import json
import logging
from collections.abc import Iterator
from threading import Lock
from typing import Any

from pitch.records import canonical_json
from pitch_server.plan.formats import Fixed
from pitch_server.plan.games import Plan
from pitch_server.planned import within_plan
from pitch_server.scores.boards import BoardResult, board_results
from pitch_server.scores.checkpoint import FORMAT, checkpoint_json, resumed
from pitch_server.scores.digest import TournamentDigest, text_digest
from pitch_server.scores.results import GameResult
from pitch_server.scores.standings import standings_of
from pitch_server.scores.tally import Tally
from pitch_server.store.checkpoints import Checkpoint, Coverage
from pitch_server.store.journal import Journal

__all__ = ["Counted", "OtherVersion", "UnusableCheckpoint", "take_up"]

log = logging.getLogger(__name__)

# A checkpoint is made after so many games at least, and so many for each row that it has: what it
# costs is then little beside those games.
_GAMES, _GAMES_A_ROW = 10_000, 20
# Games that are counted in one go, while others may wait for the journal.
_STEP = 5_000


class Counted:
    """What is counted of a journal's games. Usable from any thread.

    Of each game it reads the result once, in plan order; those after a gap are read again each
    time, until it is closed.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = Lock()
        self._tally: Tally | None = None
        self._coverage = Coverage()
        self._kept = 0
        self._lines: list[str] = []

    def standings(self, *, seed: str | None) -> dict[str, Any]:
        """The standings of all games that are in; `seed` where it is revealed."""
        with self._lock, within_plan(self._journal):
            tally = self._begun()
            beyond: Tally | None = None
            for board in self._boards(tally):
                if beyond is None and tally.is_due(board):
                    self._add(tally, board)
                    continue
                if beyond is None:
                    beyond = _copy(tally)
                beyond.add(board)
                self._lines.clear()
            return standings_of(beyond or tally, commitment=self._journal.commitment, seed=seed)

    def follow(self) -> None:
        """Take games in that have come, some thousands at most: to be called now and then.

        That is for checkpoints; of a plan that has none, games wait until somebody asks.
        """
        with self._lock, within_plan(self._journal):
            tally = self._begun()
            if not isinstance(tally.plan.format, Fixed):
                return
            end = tally.due + _STEP
            for board in self._boards(tally):
                if not tally.is_due(board) or tally.due >= end:
                    return
                self._add(tally, board)

    def checkpoint(self, *, at_end: bool = False) -> Checkpoint | None:
        """What is to be kept now, if it is time for it; `at_end`: if there is anything new."""
        with self._lock:
            tally = self._tally
            if tally is None or not isinstance(tally.plan.format, Fixed):
                return None
            new = tally.due - self._kept
            rows = len(tally.entrants) + len(tally.pairings)
            if new < (1 if at_end else max(_GAMES, _GAMES_A_ROW * rows)):
                return None
            self._kept = tally.due
            state = canonical_json(checkpoint_json(tally))
            return Checkpoint(tally.due, self._coverage.hex(), state, text_digest(state))

    # --- inside -----------------------------------------------------------------------------

    def _begun(self) -> Tally:
        """The tally, taken up where a checkpoint left it; to be asked with the lock."""
        if self._tally is None:
            self._tally = self._taken_up()
            if self._tally is None:
                self._tally = Tally(self._journal.settings, Plan(self._journal.settings))
        return self._tally

    def _taken_up(self) -> Tally | None:
        checkpoint = self._journal.checkpoint()
        if checkpoint is None:
            return None
        try:
            tally, self._coverage = take_up(self._journal, checkpoint)
        except UnusableCheckpoint as error:
            log.warning(
                "%s: the checkpoint after %s games is ignored: %s",
                self._journal.place,
                checkpoint.games,
                error,
            )
            return None
        self._kept = tally.due
        return tally

    def _boards(self, tally: Tally) -> Iterator[BoardResult]:
        """The boards from the first one that is due."""
        settings = self._journal.settings
        self._lines.clear()
        return board_results(
            tally.plan, settings.variant, settings.format.unit, self._results(tally.due)
        )

    def _results(self, start: int) -> Iterator[GameResult]:
        for result, line in self._journal.covered_results(start):
            self._lines.append(line)
            yield result

    def _add(self, tally: Tally, board: BoardResult) -> None:
        """Takes a board into the finished prefix; its rows were the last ones to be read."""
        tally.add(board)
        self._coverage.add(self._lines)
        self._lines.clear()


class UnusableCheckpoint(Exception):
    """A checkpoint that is none of these games; the text says why."""


class OtherVersion(UnusableCheckpoint):
    """A checkpoint that may well be right, but not as we count."""


def take_up(journal: Journal, checkpoint: Checkpoint) -> tuple[Tally, Coverage]:
    """The tally of a checkpoint and the digest of what it covers, both to be carried on.

    Reads one line for each game that it covers, and no result. UnusableCheckpoint if it is not
    what was counted of these games, as far as that can be seen without counting again.
    """
    settings = journal.settings
    plan = Plan(settings)
    state = _state(checkpoint)
    if not isinstance(plan.format, Fixed):
        raise UnusableCheckpoint("this plan follows from results")
    try:
        tally = resumed(settings, plan, state)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise UnusableCheckpoint(f"its state is none of this tournament: {error!r:.200}") from error
    games = checkpoint.games
    if tally.due != games or games % plan.seatings or games > len(plan):
        raise UnusableCheckpoint(f"it can't be over {games} games of {len(plan)}")
    coverage, tally.digest = _covered(journal, checkpoint)
    return tally, coverage


def _state(checkpoint: Checkpoint) -> dict[str, Any]:
    if text_digest(str(checkpoint.state)) != checkpoint.digest:
        raise UnusableCheckpoint("its state was changed")
    try:
        state = json.loads(checkpoint.state)
    except (ValueError, RecursionError) as error:
        raise UnusableCheckpoint(f"its state is no JSON: {error}") from error
    if not isinstance(state, dict) or state.get("format") != FORMAT:
        raise OtherVersion("another version of Pitch Arena made it")
    return state


def _covered(journal: Journal, checkpoint: Checkpoint) -> tuple[Coverage, TournamentDigest]:
    """Both digests of the games that it covers, which are all there as they were."""
    coverage, digest, due = Coverage(), TournamentDigest(), 0
    for game in journal.covered_games():
        if due == checkpoint.games:
            break
        if game.number != due:
            raise UnusableCheckpoint(f"game {due} is not in")
        coverage.add((game.text,))
        digest.add(game.number, game.digest)
        due += 1
    if due != checkpoint.games or coverage.hex() != checkpoint.covered:
        raise UnusableCheckpoint("the games are not those that it was made of")
    return coverage, digest


def _copy(tally: Tally) -> Tally:
    """Another tally with the same games, to which others may be added."""
    other = resumed(tally.settings, tally.plan, checkpoint_json(tally))
    other.digest = tally.digest.copy()
    return other
