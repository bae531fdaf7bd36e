"""A checkpoint is only quicker: with it, without it and with a wrong one standings are the same."""

import asyncio
import json
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from sqlalchemy import URL

from pitch.records import canonical_json
from pitch_server import counted
from pitch_server.counted import Counted
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import Deals, FormatKind, Settings, Unit
from pitch_server.scores.digest import text_digest
from pitch_server.scores.results import GameResult
from pitch_server.scores.standings import standings
from pitch_server.store import checkpoints
from pitch_server.store.checkpoints import Checkpoint
from pitch_server.store.committer import Committer
from pitch_server.store.errors import ServerGone
from pitch_server.store.journal import Journal
from pitch_server.store.rows import JournalEntry
from pitch_server.verify import verify
from plan.making import make_settings
from store.making import execute
from verify.making import SEED, play_all

SETTINGS = make_settings(3, boards=5)  # 30 games
KEPT = 12


def from_the_beginning(journal: Journal) -> str:
    """The standings, counted from the first game."""
    settings, plan = journal.settings, Plan(journal.settings)
    results = journal.results()
    return json.dumps(standings(settings, plan, results, commitment=journal.commitment, seed=None))


def now(journal: Journal) -> str:
    """The standings as they are told: by the checkpoint, if there is one that is right."""
    return json.dumps(Counted(journal).standings(seed=None))


def keep(journal: Journal) -> Checkpoint:
    """A checkpoint of what is in."""
    counting = Counted(journal)
    counting.follow()
    checkpoint = counting.checkpoint(at_end=True)
    assert checkpoint is not None
    journal.keep_checkpoint(checkpoint)
    return checkpoint


@pytest.fixture(name="entries", scope="module")
def all_entries() -> Sequence[JournalEntry]:
    return play_all(SETTINGS)


@pytest.fixture(name="journal")
def journal_with_checkpoint(place: URL, entries: Sequence[JournalEntry]) -> Iterator[Journal]:
    """Games 0 to 11 with a checkpoint of them, then 12 to 19, and 24 after a gap."""
    with Journal.create(place, SETTINGS, SEED) as journal:
        journal.append(entries[:KEPT])
        assert keep(journal).games == KEPT
        journal.append([*entries[KEPT:20], entries[24]])
        yield journal


@pytest.fixture(name="starts")
def noted_starts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the results that are counted, as they are read."""
    numbers: list[int] = []
    read = Journal.covered_results

    def noted(self: Journal, start: int) -> Iterator[tuple[GameResult, str]]:
        for result, text in read(self, start):
            numbers.append(result.number)
            yield result, text

    monkeypatch.setattr(Journal, "covered_results", noted)
    return numbers


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(SETTINGS, id="hands"),
        pytest.param(make_settings(2, boards=6, unit=Unit.GAME), id="games"),
        pytest.param(make_settings(3, boards=8, deals=Deals.INDEPENDENT), id="independent"),
        pytest.param(make_settings(4, variant={"name": "cutthroat"}, boards=4), id="four sides"),
        pytest.param(
            make_settings(5, boards=2, form={"kind": FormatKind.GAUNTLET, "challengers": ("c",)}),
            id="gauntlet",
        ),
    ],
)
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_standings_are_the_same_to_the_byte_from_a_checkpoint_on(
    place: URL, settings: Settings, share: float, starts: list[int]
) -> None:
    entries = play_all(settings)
    first = int(len(entries) * share)
    with Journal.create(place, settings, SEED) as journal:
        journal.append(entries[:first])
        checkpoint = keep(journal)
        journal.append([entry for entry in entries[first:] if entry.result.number % 7])
        starts.clear()
        assert now(journal) == from_the_beginning(journal)
        assert starts == sorted(starts)
        assert min(starts, default=first) >= checkpoint.games > 0


def test_a_checkpoint_that_is_carried_on_is_that_of_all_games(
    place: URL, entries: Sequence[JournalEntry]
) -> None:
    with Journal.create(place, SETTINGS, SEED) as journal:
        journal.append(entries[:KEPT])
        keep(journal)
        journal.append(entries[KEPT:])
        carried_on = keep(journal)
        execute(place, "delete from checkpoints")
        assert keep(journal) == carried_on
        assert verify(journal).difference is None


def damaged(checkpoint: Checkpoint, change: Callable[[dict[str, Any]], object]) -> Checkpoint:
    """A checkpoint with another state, whose digest is right."""
    state = json.loads(checkpoint.state)
    change(state)
    text = canonical_json(state)
    return checkpoint._replace(state=text, digest=text_digest(text))


WRONG = [
    pytest.param("update checkpoints set state = '{}'", "its state was changed", id="state"),
    pytest.param("update checkpoints set digest = 'x'", "its state was changed", id="digest"),
    pytest.param("update checkpoints set games = 18", "it can't be over 18 games", id="games"),
    pytest.param(
        "update checkpoints set covered = 'x'", "not those that it was made of", id="covered"
    ),
    pytest.param(
        "update games set scores = '[4, 0]' where number = 5",
        "not those that it was made of",
        id="a result",
    ),
    pytest.param(
        "update games set digest = 'x' where number = 5",
        "not those that it was made of",
        id="a record",
    ),
    pytest.param("delete from games where number = 5", "game 5 is not in", id="no game"),
    pytest.param(
        "delete from games where number >= 5", "not those that it was made of", id="fewer games"
    ),
]


@pytest.mark.parametrize(("change", "why"), WRONG)
def test_a_wrong_or_stale_checkpoint_is_ignored_with_a_line_in_the_log(
    journal: Journal, place: URL, caplog: pytest.LogCaptureFixture, change: str, why: str
) -> None:
    execute(place, change)
    assert now(journal) == from_the_beginning(journal)
    (line,) = [each.getMessage() for each in caplog.records]
    assert "the checkpoint after" in line
    assert why in line


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda it: it.pop("entrants"), id="no entrants"),
        pytest.param(lambda it: it["entrants"].pop(), id="fewer entrants"),
        pytest.param(lambda it: it["pairings"].append([99, 1, 0, []]), id="a pairing"),
        pytest.param(lambda it: it["entrants"][0].update(games=[1, -1, 1]), id="less than none"),
        pytest.param(lambda it: it.update(played="many"), id="no number"),
        pytest.param(lambda it: it.update(format="pitch-checkpoint/0"), id="another version"),
    ],
)
def test_a_checkpoint_of_something_else_is_ignored(
    journal: Journal, caplog: pytest.LogCaptureFixture, change: Callable[[Any], object]
) -> None:
    checkpoint = journal.checkpoint()
    assert checkpoint is not None
    journal.keep_checkpoint(damaged(checkpoint, change))
    assert now(journal) == from_the_beginning(journal)
    assert "is ignored" in caplog.text


@pytest.mark.parametrize(("change", "why"), WRONG[:4])
def test_verify_names_a_checkpoint_that_is_of_no_use(
    journal: Journal, place: URL, change: str, why: str
) -> None:
    assert verify(journal).difference is None
    execute(place, change)
    found = verify(journal).difference
    assert found is not None
    assert why in found


def test_verify_names_a_checkpoint_that_says_something_else(journal: Journal) -> None:
    checkpoint = journal.checkpoint()
    assert checkpoint is not None
    forged = damaged(checkpoint, lambda it: it["entrants"][1]["skill"].reverse())
    journal.keep_checkpoint(forged)
    found = verify(journal).difference
    assert found is not None
    assert found.startswith("the checkpoint after 12 games is '")
    older = damaged(checkpoint, lambda it: it.update(format="pitch-checkpoint/0"))
    journal.keep_checkpoint(older)  # as others count: nothing is known of it
    assert verify(journal).difference is None


def test_games_and_the_checkpoint_that_comes_with_them_are_in_together_or_not_at_all(
    place: URL, entries: Sequence[JournalEntry], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal.create(place, SETTINGS, SEED) as journal:
        journal.append(entries[:6])
        first = keep(journal)
        counting = Counted(journal)
        journal.append(entries[6:KEPT])
        counting.follow()
        second = counting.checkpoint(at_end=True)
        write = checkpoints.write

        def killed(*arguments: Any) -> None:
            write(*arguments)
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(checkpoints, "write", killed)
            with pytest.raises(KeyboardInterrupt):
                journal.append(entries[KEPT:20], second)
        assert journal.checkpoint() == first
        assert len(journal.played()) == KEPT
        assert now(journal) == from_the_beginning(journal)
        journal.append(entries[KEPT:20], second)
        assert journal.checkpoint() == second
        assert now(journal) == from_the_beginning(journal)


def test_each_game_is_counted_once_while_a_tournament_goes_on(
    place: URL, entries: Sequence[JournalEntry], starts: list[int]
) -> None:
    with Journal.create(place, SETTINGS, SEED) as journal:
        counting = Counted(journal)
        for at in range(0, len(entries), 6):
            journal.append(entries[at : at + 6])
            starts.clear()
            told = json.dumps(counting.standings(seed=None))
            assert starts == list(range(at, at + 6))
            assert told == from_the_beginning(journal)


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(
            make_settings(6, boards=2, form={"kind": FormatKind.SWISS, "rounds": 3}), id="swiss"
        ),
        pytest.param(
            make_settings(3, boards=6, form={"kind": FormatKind.LADDER, "batch": 2}), id="ladder"
        ),
    ],
)
def test_a_plan_that_follows_from_results_is_counted_on_without_a_checkpoint(
    place: URL, settings: Settings, starts: list[int]
) -> None:
    entries = play_all(settings)
    with Journal.create(place, settings, SEED) as journal:
        counting = Counted(journal)
        for at in range(0, len(entries), 4):
            journal.append(entries[at : at + 4])
            starts.clear()
            counting.follow()
            assert not starts
            assert json.dumps(counting.standings(seed=None)) == from_the_beginning(journal)
            assert starts[:1] == [at]
        assert counting.checkpoint(at_end=True) is None


class Noted(Counted):
    """Counts as ever, and notes in which thread."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal)
        self.threads: set[str] = set()

    def follow(self) -> None:
        """Notes the thread."""
        self.threads.add(threading.current_thread().name)
        super().follow()


async def commit(journal: Journal, entries: Sequence[JournalEntry], follower: Counted) -> None:
    """Has a committer take the entries in, in several transactions, and end."""
    committed, failures, news = set[int](), list[Exception](), asyncio.Event()

    def done(items: Sequence[JournalEntry]) -> None:
        committed.update(item.result.number for item in items)
        news.set()

    committer: Committer[JournalEntry] = Committer(
        journal, lambda item: item, done, failures.append, follower=follower
    )
    for at in range(0, len(entries), 5):
        group = entries[at : at + 5]
        for entry in group:
            committer.put(entry)
        while not committed.issuperset(entry.result.number for entry in group):
            news.clear()
            await news.wait()
    await committer.close()
    assert not failures


async def test_checkpoints_are_made_in_the_thread_of_the_commits_and_go_in_with_the_games_after(
    place: URL, entries: Sequence[JournalEntry], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitch_server.store.committer._FOLLOWED", 5)
    monkeypatch.setattr(counted, "_GAMES", 10)
    monkeypatch.setattr(counted, "_GAMES_A_ROW", 0)
    kept: list[tuple[int, int]] = []
    append = Journal.append

    def noted(
        self: Journal, entries: Sequence[JournalEntry], checkpoint: Checkpoint | None = None
    ) -> tuple[int, ...]:
        if checkpoint is not None:
            kept.append((entries[0].result.number, checkpoint.games))
        return append(self, entries, checkpoint)

    monkeypatch.setattr(Journal, "append", noted)
    with Journal.create(place, SETTINGS, SEED) as journal:
        follower = Noted(journal)
        await commit(journal, entries, follower)
        assert follower.threads == {"journal"}
        assert kept
        assert all(10 <= games <= first for first, games in kept)
        checkpoint = journal.checkpoint()
        assert checkpoint is not None
        assert checkpoint.games == len(entries)
        assert now(journal) == from_the_beginning(journal)


async def test_what_goes_wrong_in_counting_stops_no_game(
    place: URL,
    entries: Sequence[JournalEntry],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("pitch_server.store.committer._FOLLOWED", 5)
    troubles: list[Exception] = [ServerGone("away for a moment"), ValueError("odd")]

    class Broken(Counted):
        """Fails as often as there are troubles."""

        def follow(self) -> None:
            """Fails first."""
            if troubles:
                raise troubles.pop(0)

    with Journal.create(place, SETTINGS, SEED) as journal, caplog.at_level(logging.WARNING):
        await commit(journal, entries, Broken(journal))
        assert len(journal.played()) == len(entries)
        assert not troubles
        assert [each.getMessage() for each in caplog.records] == [
            "no more checkpoints are made: odd"
        ]
