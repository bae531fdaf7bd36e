import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pitch.wire.frames import Hello, Refusal
from pitch_server.entrants import Entrants
from pitch_server.launch import BotLaunch
from pitch_server.live import Presence
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import Deals, FormatKind, Isolation, Settings
from pitch_server.service.lobby import Lobby, Place, token_hash
from pitch_server.table.clock import Moment
from plan.making import make_settings


def nothing() -> None:
    """Wakes nobody."""


class Process:
    """A launched process that ends when the test says so."""

    log_path = Path("bot.log")
    pid = 4711

    def __init__(self) -> None:
        self.exited: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def end(self, *, started: bool = True, code: int = 1) -> None:
        """Lets it end, by a crash if nothing is said."""
        sentence = f"ended with status {code}" if started else "could not be started"
        report = SimpleNamespace(sentence=sentence, started=started, code=code, own=True)
        self.exited.set_result(report)

    def last_lines(self, _count: int = 20) -> list[str]:
        """The end of its log."""
        return ["Traceback", "KeyError"]

    async def last_words(self, count: int = 20) -> list[str]:
        """The same, off the loop."""
        return self.last_lines(count)

    async def stop(self) -> None:
        """Ends it, as it was asked to."""
        self.end()


@dataclass
class Desk:
    """Entrants with a launcher that only writes down what it was to start."""

    settings: Settings
    launches: list[BotLaunch] = field(default_factory=list)
    processes: list[Process] = field(default_factory=list)
    news: list[str] = field(default_factory=list)
    changes: int = 0

    def __post_init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.plan = Plan(self.settings)
        self.lobby = Lobby()
        self.entrants = Entrants(
            self.settings,
            self.plan,
            self.lobby,
            lambda: Moment(loop.time(), 0.0),
            self._changed,
            self.news.append,
        )

    def _changed(self) -> None:
        self.changes += 1

    async def launch_all(self, launches: list[BotLaunch]) -> list[Process]:
        """Stands in for the launcher."""
        self.launches += launches
        self.processes += [Process() for _ in launches]
        return self.processes[-len(launches) :]

    async def launch(self, launch: BotLaunch) -> Process:
        """Stands in for the launcher, one process at a time."""
        return (await self.launch_all([launch]))[0]

    async def start(self, *indexes: int) -> None:
        """Starts entrants, all if none is named."""
        await self.entrants.start(indexes or range(len(self.entrants.all)), self)  # type: ignore[arg-type]

    def retire(self) -> None:
        """Ends the part for everyone."""
        self.entrants.retire(range(len(self.entrants.all)))

    def connect(self, index: int) -> None:
        """Lets every instance of an entrant come."""
        for instance in self.entrants.all[index].instances:
            instance.connect(nothing, 64, notices=False)


def desk_of(isolation: Isolation = Isolation.SEATS, *, entrants: int = 3, **settings: Any) -> Desk:
    made = make_settings(entrants, isolation=isolation, **settings)
    commands = tuple(replace(each, command=("bot", each.name)) for each in made.entrants)
    return Desk(replace(made, entrants=commands))


def late(desk: Desk, index: int) -> None:
    """Lets an entrant's time to come be long over."""
    entrant = desk.entrants.all[index]
    entrant.invited = entrant.invited._replace(time=entrant.invited.time - 1000.0)


@pytest.mark.parametrize(
    ("isolation", "deals", "each"),
    [
        pytest.param(Isolation.NONE, Deals.DUPLICATE, 1, id="none"),
        pytest.param(Isolation.SEATS, Deals.DUPLICATE, 2, id="seats"),
        pytest.param(Isolation.BOARDS, Deals.DUPLICATE, 4, id="boards"),
        pytest.param(Isolation.BOARDS, Deals.INDEPENDENT, 2, id="boards, each its own"),
    ],
)
async def test_an_entrant_has_as_many_processes_as_its_isolation_needs(
    isolation: Isolation, deals: Deals, each: int
) -> None:
    desk = desk_of(isolation, deals=deals)
    await desk.start()
    assert [(launch.entrant, launch.instance) for launch in desk.launches] == [
        (entrant, instance) for entrant in range(3) for instance in range(each)
    ]
    assert len({launch.token for launch in desk.launches}) == 3 * each
    desk.retire()


@pytest.mark.parametrize("deals", Deals)
async def test_partners_are_separate_instances(deals: Deals) -> None:
    desk = desk_of(Isolation.SEATS, deals=deals)
    await desk.start()
    for game in desk.plan:
        assert len(set(map(id, desk.entrants.instances_of(game)))) == 4
    desk.retire()


async def test_no_instance_meets_a_board_of_a_pairing_twice_under_isolation_by_boards() -> None:
    desk = desk_of(Isolation.BOARDS)
    await desk.start()
    met: set[tuple[int, int, int]] = set()
    for game in desk.plan:
        for instance in desk.entrants.instances_of(game):
            key = (game.pairing, game.board, id(instance))
            assert key not in met
            met.add(key)
    desk.retire()


async def test_one_instance_plays_all_seats_without_isolation() -> None:
    desk = desk_of(Isolation.NONE)
    await desk.start()
    for game in desk.plan:
        instances = desk.entrants.instances_of(game)
        assert instances[0] is instances[2]
        assert instances[1] is instances[3]
    desk.retire()


@pytest.mark.parametrize(
    ("isolation", "each"), [(Isolation.NONE, 1), (Isolation.SEATS, 1), (Isolation.BOARDS, 2)]
)
async def test_partners_of_different_entrants_need_an_instance_for_one_seat(
    isolation: Isolation, each: int
) -> None:
    desk = desk_of(isolation, entrants=5, form={"kind": FormatKind.MIXED})
    await desk.start()
    assert all(len(entrant.instances) == each for entrant in desk.entrants.all)
    met: set[tuple[int, int, int]] = set()
    for game in desk.plan:
        instances = desk.entrants.instances_of(game)
        assert len(set(map(id, instances))) == 4
        for entrant, instance in zip(game.seats, instances, strict=True):
            assert instance in desk.entrants.all[entrant].instances
            key = (game.pairing, game.board, id(instance))
            assert isolation is not Isolation.BOARDS or key not in met
            met.add(key)
    desk.retire()


async def test_an_entrant_is_starting_then_present_when_all_of_its_instances_are() -> None:
    desk = desk_of()
    await desk.start()
    assert desk.entrants.presence(0) is Presence.STARTING
    first, second = desk.entrants.all[0].instances
    first.connect(nothing, 64, notices=False)
    assert desk.entrants.presence(0) is Presence.STARTING
    second.connect(nothing, 64, notices=False)
    assert desk.entrants.presence(0) is Presence.PRESENT
    assert desk.entrants.presence(1) is Presence.STARTING
    desk.retire()


async def test_an_entrant_that_does_not_come_in_its_time_is_absent() -> None:
    desk = desk_of()
    await desk.start()
    late(desk, 1)
    assert desk.entrants.presence(1) is Presence.ABSENT
    desk.connect(1)
    assert desk.entrants.presence(1) is Presence.PRESENT
    desk.retire()


async def test_an_entrant_that_lost_a_connection_may_come_back_whatever_its_start() -> None:
    desk = desk_of()
    await desk.start()
    desk.connect(0)
    entrant = desk.entrants.all[0]
    late(desk, 0)
    entrant.instances[0].disconnect()
    assert desk.entrants.presence(0) is Presence.STARTING
    entrant.instances[0].end()
    assert desk.entrants.presence(0) is Presence.ABSENT
    desk.retire()


async def turns(until: Callable[[], bool]) -> None:
    """Lets the loop turn until something holds; it must."""
    for _ in range(100):
        if until():
            return
        await asyncio.sleep(0)
    raise AssertionError("it never came to hold")


async def test_a_process_that_ended_is_gone_and_said_so_with_its_last_words() -> None:
    desk = desk_of()
    await desk.start()
    desk.connect(0)
    before = desk.changes
    desk.processes[1].end(started=False)
    await turns(lambda: bool(desk.news))
    assert desk.entrants.presence(0) is Presence.ABSENT
    assert desk.entrants.all[0].instances[1].gone
    assert desk.changes == before + 1
    (news,) = desk.news
    assert news.startswith("a: its process could not be started; see bot.log")
    assert news.endswith("KeyError")
    desk.retire()


async def test_nothing_is_said_of_processes_that_end_after_their_part() -> None:
    desk = desk_of()
    await desk.start()
    desk.retire()
    for process in desk.processes:
        process.end()
    for _ in range(10):
        await asyncio.sleep(0)
    assert desk.news == []
    assert isinstance(
        desk.lobby.find(Hello(name="a", token=desk.launches[0].token, sdk="")), Refusal
    )


async def test_a_new_start_makes_fresh_instances_and_tokens() -> None:
    desk = desk_of(Isolation.BOARDS)
    await desk.start(0, 1)
    old = list(desk.entrants.all[0].instances)
    desk.retire()
    await desk.start(0, 2)
    assert not set(map(id, old)) & set(map(id, desk.entrants.all[0].instances))
    assert len({launch.token for launch in desk.launches}) == len(desk.launches)
    desk.retire()


async def test_a_crashed_process_is_started_again_at_its_own_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pitch_server.restarts.FIRST_WAIT", 0.0)
    desk = desk_of()
    await desk.start()
    desk.connect(0)
    first = desk.launches[1]
    desk.processes[1].end()
    await turns(lambda: len(desk.launches) == 7)
    assert desk.launches[-1] == first
    assert "ended with status 1 and is started again in 0 s" in desk.news[0]
    instance = desk.entrants.all[0].instances[1]
    assert not instance.gone
    assert desk.entrants.presence(0) is Presence.STARTING
    instance.connect(nothing, 64, notices=False)
    assert desk.entrants.presence(0) is Presence.PRESENT
    desk.retire()


async def test_one_that_crashes_too_often_in_a_row_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitch_server.restarts.FIRST_WAIT", 0.0)
    desk = desk_of()
    await desk.start()
    for crash in range(4):
        desk.processes[0 if crash == 0 else -1].end()
        await turns(lambda crash=crash: len(desk.news) == crash + 1)  # type: ignore[misc]
        await turns(lambda crash=crash: len(desk.launches) == 6 + min(crash + 1, 3))  # type: ignore[misc]
    await turns(lambda: desk.entrants.all[0].instances[0].gone)
    assert desk.entrants.presence(0) is Presence.ABSENT
    desk.retire()


async def test_one_that_ends_in_peace_before_its_hello_forgot_to_run_and_is_not_tried_again() -> (
    None
):
    desk = desk_of()
    await desk.start()
    desk.processes[1].end(code=0)
    await turns(lambda: bool(desk.news))
    assert desk.entrants.all[0].instances[1].gone
    (news,) = desk.news
    assert (
        "its process ended with status 0 (bot): it ended without saying hello; a bot's file" in news
    )
    assert 'if __name__ == "__main__": run(MyBot)' in news
    desk.retire()


async def test_one_that_ends_in_peace_after_its_hello_is_started_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pitch_server.restarts.FIRST_WAIT", 0.0)
    desk = desk_of()
    await desk.start()
    desk.connect(0)
    desk.processes[1].end(code=0)
    await turns(lambda: bool(desk.news))
    assert "ended with status 0 and is started again" in desk.news[0]
    desk.retire()


async def test_each_process_more_sits_at_tables_of_its_own() -> None:
    desk = desk_of()
    entrants = tuple(replace(each, processes=2) for each in desk.settings.entrants)
    desk = Desk(replace(desk.settings, entrants=entrants))
    await desk.start()
    entrant = desk.entrants.all[0]
    assert len(entrant.instances) == 4
    one, other = entrant.team(0), entrant.team(1)
    for instance in (*one, other[0]):
        instance.connect(nothing, 64, notices=False)
    assert desk.entrants.presence(0) is Presence.PRESENT
    assert entrant.best_team() == one
    other[1].connect(nothing, 64, notices=False)
    one[0]._places[1] = one[0]._places[2] = None  # type: ignore[assignment]
    assert entrant.best_team() == other
    other[0].disconnect()
    assert entrant.best_team() == one
    desk.retire()


async def test_who_connects_by_itself_has_places_before_it_is_invited() -> None:
    made = make_settings(3)
    desk = Desk(made)
    desk.entrants.admit_remote({"a": token_hash("secret").hex(), "b": None})
    assert desk.entrants.presence(0) is Presence.ABSENT  # its time has not begun
    place = desk.lobby.find(Hello(name="a", token="secret", sdk=""))
    assert isinstance(place, Place)
    assert isinstance(desk.lobby.find(Hello(name="b", token="", sdk="")), Place)
    assert isinstance(desk.lobby.find(Hello(name="a", token="", sdk="")), Refusal)
    place.instance.connect(nothing, 64, notices=False)
    sitting = place.instance
    await desk.start()
    assert desk.launches == []
    assert place.instance is sitting
    assert desk.entrants.presence(0) is Presence.STARTING
    desk.retire()
    assert isinstance(desk.lobby.find(Hello(name="a", token="secret", sdk="")), Place)


async def test_who_was_withdrawn_is_so_whatever_connects() -> None:
    desk = desk_of()
    await desk.start()
    desk.connect(0)
    places = desk.entrants.withdraw(0)
    await desk.entrants.end_processes(0)
    assert [place.name for place in places] == ["a", "a"]
    assert desk.entrants.presence(0) is Presence.WITHDRAWN
    assert all(process.exited.done() for process in desk.processes[:2])
    for _ in range(10):
        await asyncio.sleep(0)
    assert desk.news == []
    desk.retire()
