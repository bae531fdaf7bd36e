"""How long entrants took is summed up with the games it is of, and never twice."""

import pytest
from sqlalchemy import URL

from pitch_server.store.errors import Damaged
from pitch_server.store.journal import Journal
from plan.making import make_settings
from store.making import entry, execute


def test_times_are_summed_up_by_entrant_over_commits(place: URL) -> None:
    with Journal.create(place, make_settings(3), "s") as journal:
        assert journal.answer_times() == {}
        journal.append([entry(0)._replace(times=((0, 0.25), (2, 0.5), (0, 1.0))), entry(1)])
        journal.append([entry(2)._replace(times=((0, 0.125),))])
    with Journal.open(place) as journal:
        times = journal.answer_times()
        assert {entrant: (it.count, it.worst) for entrant, it in times.items()} == {
            0: (3, 1.0),
            2: (1, 0.5),
        }
        assert 0.25 <= times[0].p50 <= 0.3


def test_a_game_that_is_in_already_adds_no_times(place: URL) -> None:
    again = entry(0)._replace(times=((1, 0.5),))
    with Journal.create(place, make_settings(2), "s") as journal:
        journal.append([again, again])
        journal.append([again])
        assert {entrant: it.count for entrant, it in journal.answer_times().items()} == {1: 1}


def test_times_are_of_one_tournament(place: URL) -> None:
    timed = [entry(0)._replace(times=((1, 0.5),))]
    with Journal.create(place, make_settings(2), "s") as journal:
        journal.append(timed)
    with Journal.create(place, make_settings(2), "s") as journal:
        assert journal.answer_times() == {}


@pytest.mark.parametrize("change", ["counts = 'x'", "counts = '[-1]'", "longest = -1"])
def test_times_that_cannot_be_are_damage(place: URL, change: str) -> None:
    with Journal.create(place, make_settings(2), "s") as journal:
        journal.append([entry(0)._replace(times=((1, 0.5),))])
        execute(place, f"update answer_times set {change}")
        with pytest.raises(Damaged, match="the answer times of entrant 1 can't be read"):
            journal.answer_times()
