"""Where plan and journal meet: what is known of a plan by the results on disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pitch_server.plan.settings import FormatKind
from pitch_server.planned import catch_up, known_plan
from pitch_server.published import published_standings
from pitch_server.scores.results import GameResult
from pitch_server.store.journal import Journal
from plan.making import make_settings
from verify.making import SEED, play_all

SETTINGS = make_settings(6, boards=2, form={"kind": FormatKind.SWISS, "rounds": 3})
ROUND = 12  # games


@pytest.fixture(name="journal")
def new_journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.create(tmp_path / "a.db", SETTINGS, SEED) as journal:
        yield journal


@pytest.mark.parametrize(
    ("played", "known"),
    [(0, ROUND), (ROUND - 1, ROUND), (ROUND, 2 * ROUND), (3 * ROUND, 3 * ROUND)],
)
def test_a_round_is_known_when_the_one_before_is_on_disk_whole(
    journal: Journal, played: int, known: int
) -> None:
    journal.append(play_all(SETTINGS)[:played])
    plan = known_plan(journal)
    assert len(plan) == known
    assert plan.total == 3 * ROUND


def test_games_may_come_in_any_order(journal: Journal) -> None:
    entries = play_all(SETTINGS)
    journal.append(entries[5:ROUND])
    assert len(known_plan(journal)) == ROUND
    journal.append(entries[:5])
    assert len(known_plan(journal)) == 2 * ROUND


def test_each_result_is_read_once_while_a_tournament_is_played(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    results = journal.results

    def noted(start: int = 0) -> Iterator[GameResult]:
        for result in results(start):
            read.append(result.number)
            yield result

    monkeypatch.setattr(journal, "results", noted)
    plan, entries = known_plan(journal), play_all(SETTINGS)
    for at in range(0, 3 * ROUND, ROUND):
        assert len(plan) == at + ROUND
        journal.append(entries[at : at + ROUND])
        catch_up(plan, journal)
    assert plan.settled
    # the last round changes nothing any more
    assert read == list(range(2 * ROUND))


def test_the_standings_and_the_plan_know_the_same(journal: Journal) -> None:
    journal.append(play_all(SETTINGS))
    table = published_standings(journal)
    assert table["complete"] is True
    plan, names = known_plan(journal), SETTINGS.names
    assert [row["entrants"] for row in table["pairings"]] == [  # type: ignore[attr-defined]
        [names[entrant] for entrant in pairing] for pairing in plan.pairings
    ]
