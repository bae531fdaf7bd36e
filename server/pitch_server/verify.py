"""Verify: a tournament recomputed from its seed and its records, down to the published table.

Here belongs what must agree with what. The rules, decks, scores and digests are recomputed by
the rooms that own them. Nothing is repaired.

What is checked, game by game in plan order: the commitment; each record's digest, header,
seats, decks and replay; the result columns; substituted actions, forfeits and faults; at the end
the tournament's digest and its standings, its checkpoint, and whatever was published of its
document. The first difference is named.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pitch.records import (
    GameRecord,
    JsonObject,
    RecordError,
    Replayed,
    canonical_json,
    deck_text,
    parse_record,
    read_objects,
    replay_game,
)
from pitch.rules import Variant, action_text, apply_action, default_action, start_hand
from pitch.rules.catalog import variant_fields
from pitch.table.faults import Fault, FaultPolicy
from pitch_server.against.documents import differing
from pitch_server.analysis.document import document_of, following_of, standings_part
from pitch_server.analysis.following import Following
from pitch_server.analysis.habits import Habits
from pitch_server.counted import OtherVersion, UnusableCheckpoint, take_up
from pitch_server.plan.decks import commitment, deal_series, deck
from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.plan.settings import Settings
from pitch_server.scores.boards import board_results
from pitch_server.scores.checkpoint import checkpoint_json
from pitch_server.scores.digest import text_digest
from pitch_server.scores.hands import hands_of, hands_text
from pitch_server.scores.results import GameResult
from pitch_server.scores.tally import Tally
from pitch_server.store.errors import Damaged
from pitch_server.store.journal import Journal
from pitch_server.store.rows import JournalEntry, State

__all__ = ["Verification", "verify"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """How many games agree, and the first thing that differs; None if nothing does.

    `planned` counts the games of the plan as far as it could be recomputed, `digest` is the
    tournament's, recomputed, if nothing kept it from being.
    """

    games: int
    difference: str | None
    planned: int = field(default=0, compare=False)
    digest: str | None = field(default=None, compare=False)

    @property
    def ok(self) -> bool:
        """Whether everything agrees."""
        return self.difference is None


class _Difference(Exception):
    """Something that differs; the text is one sentence."""


def verify(
    journal: Journal,
    progress: Callable[[int], None] | None = None,
    *,
    against: Callable[[dict[str, Any]], str | None] | None = None,
) -> Verification:
    """Everything recomputed; `progress` is told the number of games that agree so far.

    `against` gives the first difference of whatever was published to the recomputed document.
    Raises JournalError where the database can't be read at all.
    """
    games, digest = _Games(journal, progress), None
    told: str | None
    try:
        _same("the seed's commitment", journal.commitment, commitment(journal.seed))
        followed = games.followed()
        digest = followed.tally.digest.hex()
        document = document_of(followed, games.habits, **_published(journal))
        _check_end(journal, games, standings_part(document))
        _check_checkpoint(journal, games)
        told = None if against is None else against(document)
    except (_Difference, Damaged) as difference:
        told = str(difference)
    return Verification(
        games=games.agreed, planned=games.plan.total, difference=told, digest=digest
    )


def _published(journal: Journal) -> dict[str, Any]:
    return {
        "commitment": journal.commitment,
        "seed": journal.published_seed(),
        "stopped": journal.stopped() is not None,
    }


def _check_end(journal: Journal, games: "_Games", table: Mapping[str, Any]) -> None:
    """The digests that were kept at the end, if it has come."""
    state = journal.state()
    if state is State.RUNNING:
        return
    missing = len(games.plan) - games.agreed
    if state is State.FINISHED and (missing or not games.plan.settled):
        raise _Difference(
            f"the tournament is finished, but {missing} of its {len(games.plan)} games are missing"
        )
    digest, standings_digest = journal.final_digests()
    _same("the tournament's digest", digest, table["digest"])
    _same("the standings' digest", standings_digest, text_digest(canonical_json(table)))


def _check_checkpoint(journal: Journal, games: "_Games") -> None:
    """A checkpoint says what was counted of the games that it covers, and these are there."""
    checkpoint = games.checkpoint
    if checkpoint is None:
        return
    what = f"the checkpoint after {checkpoint.games} games"
    try:
        take_up(journal, checkpoint)
    except OtherVersion:
        return
    except UnusableCheckpoint as error:
        raise _Difference(f"{what} is of no use: {error}") from None
    _same(what, checkpoint.state, games.checkpoint_state)


class _Games:
    """The games of a journal, each checked before it counts."""

    def __init__(self, journal: Journal, progress: Callable[[int], None] | None) -> None:
        self.journal = journal
        self.plan = Plan(journal.settings)
        self.agreed = 0
        self.habits = Habits(len(journal.settings.entrants), journal.settings.variant)
        self.checkpoint = journal.checkpoint()
        self.checkpoint_state: str | None = None
        self._progress = progress

    def followed(self) -> Following:
        """All boards, as far as they agree; raises _Difference at the first game that does not."""
        settings = self.journal.settings
        following = following_of(settings, self.plan, self.journal.commitment)
        results = self.checked_results()
        for board in board_results(self.plan, settings.variant, settings.format.unit, results):
            following.add(board)
            if self.checkpoint is not None and following.tally.due == self.checkpoint.games:
                self._note_state(following.tally)
        return following

    def _note_state(self, tally: Tally) -> None:
        """What a checkpoint made now would say, unless games after a gap are counted already."""
        if self.checkpoint_state is None:
            self.checkpoint_state = canonical_json(checkpoint_json(tally))

    def checked_results(self) -> Iterator[GameResult]:
        """The results in plan order; raises _Difference at the first that does not agree."""
        for entry in self.journal.entries():
            number = entry.result.number
            if not 0 <= number < len(self.plan):
                known = "" if self.plan.settled else " that follows from the results before it"
                raise _Difference(
                    f"game {number} is not in the plan of {len(self.plan)} games{known}"
                )
            try:
                self.habits.add(
                    self.plan[number].seats, _check_game(self.journal, self.plan, entry)
                )
            except _Difference as difference:
                raise _Difference(f"game {number}: {difference}") from None
            self.agreed += 1
            if self._progress is not None:
                self._progress(self.agreed)
            yield entry.result


def _same(
    what: str, stored: Any, recomputed: Any, shown: Callable[[Any], object] = lambda value: value
) -> None:
    if stored != recomputed or type(stored) is not type(recomputed):
        raise _Difference(differing(what, shown(stored), shown(recomputed)))


def _check_game(journal: Journal, plan: Plan, entry: JournalEntry) -> str:
    """The line of its hands (`scores.hands`), if all of it agrees."""
    result = entry.result
    game = plan[result.number]
    _same("the record's digest", result.digest, text_digest(entry.record))
    value = _read(entry.record)
    try:
        replayed = replay_game(value)
        record = parse_record(value)
    except RecordError as error:
        where = "" if error.hand is None else f"hand {error.hand}, "
        where += "" if error.action is None else f"action {error.action}, "
        raise _Difference(f"{where}{error.reason}") from None
    _check_header(journal.settings, game, record)
    _check_decks(journal, plan, game, record)
    _check_result(result, replayed)
    _check_notes(game, result, record)
    _check_end_of_game(result, record, replayed)
    _check_faults(record, entry)
    _check_policy(journal.settings.faults, record.variant, result)
    play = hands_text(hands_of(value, record.variant))
    if entry.play is not None:  # games of former versions have none
        _same("play", entry.play, play)
    return play


def _read(text: str) -> JsonObject:
    try:
        ((_, value),) = read_objects([text.encode()])
    except ValueError as error:
        raise _Difference(f"the record can't be read: {error}") from None
    if canonical_json(value) != text:
        raise _Difference("the record is not written as canonical JSON")
    return value


def _check_header(settings: Settings, game: PlannedGame, record: GameRecord) -> None:
    seats = tuple(settings.names[entrant] for entrant in game.seats)
    _same("the variant", record.variant, settings.variant, variant_fields)
    _same("seats", record.seats, seats)
    _same("first_dealer", record.first_dealer, game.first_dealer)
    _same("max_hands", record.max_hands, settings.format.hands_a_game)


def _check_decks(journal: Journal, plan: Plan, game: PlannedGame, record: GameRecord) -> None:
    settings = journal.settings
    series = deal_series(plan, game.pairing, settings.names)
    for at, hand in enumerate(record.hands):
        dealt = deck(journal.seed, series, game.board, at, settings.variant.deck)
        _same(f"the deck of hand {at}", hand.deck, dealt, deck_text)


def _check_result(result: GameResult, replayed: Replayed) -> None:
    game = replayed.game
    _same("scores", result.scores, game.scores)
    _same("winner", result.winner, game.winner)
    _same("ended", result.ended, None if game.ended is None else str(game.ended))
    _same("hands", result.hands, game.hands_played)


def _check_end_of_game(result: GameResult, record: GameRecord, replayed: Replayed) -> None:
    """A game ends by its rules, by a forfeit or void, and never by two of these."""
    sides = record.variant.sides
    deserted = len(result.forfeiting) == sides
    if result.void and not deserted and (result.forfeits or record.hands):
        raise _Difference("the game is void, but not every side has forfeited, and it has hands")
    if deserted and not result.void:
        raise _Difference("every side has forfeited, but the game is not void")
    if result.void or (result.forfeits and sides == 2):
        if replayed.game.over:
            raise _Difference("the game is over by its rules, so it is neither forfeited nor void")
    elif not replayed.game.over:
        raise _Difference("the game is neither over nor forfeited nor void")


def _check_notes(game: PlannedGame, result: GameResult, record: GameRecord) -> None:
    """The x_ keys that tell what replay can't (cli.md, `pitch export`)."""
    _same("x_game", record.extra.get("x_game"), game.number)
    _same("x_board", record.extra.get("x_board"), game.board)
    forfeits = [{"side": side, "cause": cause} for side, cause in result.forfeits]
    # one forfeit stands alone, several are a list
    expected = forfeits if len(forfeits) > 1 else next(iter(forfeits), None)
    _same("x_forfeit", record.extra.get("x_forfeit"), expected)
    _same("x_void", record.extra.get("x_void", False), result.void)


def _check_faults(record: GameRecord, entry: JournalEntry) -> None:
    """Faults, substituted actions, forfeits and evidence tell the same story."""
    result, variant = entry.result, record.variant
    charged = Counter({(seat, kind): count for seat, kind, count in result.faults})
    if charged or not result.void:  # the faults of a game that we broke off charge nobody
        evident = Counter((fault.seat, fault.kind) for fault in entry.evidence)
        _same("the evidence of faults", dict(evident), dict(charged))
    for side, cause in result.forfeits:
        if not any((seat, cause) in charged for seat in variant.seats_of(side)):
            raise _Difference(f"side {side} forfeited by {cause!r}, but has no such fault")
    substituted = Counter(_substituted_seats(record))
    for seat in range(variant.players):
        if variant.side_of(seat) in result.forfeiting:
            continue  # the fault that forfeits substitutes nothing, what follows is not charged
        faults = sum(count for (other, _), count in charged.items() if other == seat)
        _same(f"the number of substituted actions of seat {seat}", substituted[seat], faults)


def _check_policy(policy: FaultPolicy, variant: Variant, result: GameResult) -> None:
    """A side forfeits by the fault at which the settings have it forfeit, and by no other."""
    counts = Counter[int]()
    for seat, kind, count in result.faults:
        if kind not in (Fault.DISCONNECT, Fault.ABSENT):  # these forfeit whatever came before
            counts[variant.side_of(seat)] += count
    causes = dict(result.forfeits)
    for side in range(variant.sides):
        cause, count = causes.get(side), counts[side]
        by_faults = cause is not None and cause not in (Fault.DISCONNECT, Fault.ABSENT)
        before = count - 1 if by_faults else count
        if (by_faults and not policy.forfeits(count)) or (before > 0 and policy.forfeits(before)):
            told = "did not forfeit" if cause is None else f"forfeited by {cause!r}"
            raise _Difference(f"side {side} {told}, with {count} faults that cost")


def _substituted_seats(record: GameRecord) -> Iterator[int]:
    """The seat of every substituted action, each of which must be the default action."""
    dealer = record.first_dealer
    for at, stored in enumerate(record.hands):
        indexes = stored.extra.get("x_substituted", [])
        if not isinstance(indexes, list) or sorted(set(indexes)) != indexes:
            raise _Difference(f"hand {at}: x_substituted is not a list of ascending indexes")
        if not indexes:
            continue
        hand = start_hand(record.variant, (dealer + at) % record.variant.players, stored.deck)
        due = set(indexes)
        for index, (seat, action) in enumerate(stored.actions):
            if index in due:
                what = f"the substituted action {index} of hand {at}"
                _same(what, action, default_action(hand), action_text)
                due.discard(index)
                yield seat
            hand = apply_action(hand, action)
        if due:
            raise _Difference(f"hand {at}: x_substituted names actions that are not there: {due}")
