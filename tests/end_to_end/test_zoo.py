"""Tournaments with bots that misbehave: they end, the table is just, the others are unharmed.

Each group of the zoo plays a tournament with two good bots. At the second fault a game is lost,
so a bot that does everything wrong has exactly two in each game against a good one.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from end_to_end.expected import expected_records
from end_to_end.running import FIRST, PATIENT, RANDOM, Arena, Ended, Section, faults_of, zoo
from pitch.table.faults import Fault
from pitch_server.launch import LOG_LIMIT
from pitch_server.scores.results import GameResult
from pitch_server.store.journal import Journal

GOOD = {"random": RANDOM, "first": FIRST}
BOARDS = 2
MAX_FAULTS = 2
AGAINST_GOOD = 2 * BOARDS * len(GOOD)  # games of a bad one against the good ones

# Long enough for a good bot on a busy machine; the slow ones of the zoo take three times as much.
QUICK = {"move_timeout": "0.5s", "start_timeout": "60s"}

Commands = Mapping[str, tuple[str, ...]]


def group(
    directory: Path,
    bad: Commands,
    *,
    clock: Section = PATIENT,
    isolation: str = "none",
    restarts: int = 3,
) -> tuple[Arena, Ended]:
    """A tournament of the good ones and a group of the zoo, after its end."""
    arena = Arena(
        directory,
        {**GOOD, **bad},
        format={"boards": BOARDS, "isolation": isolation},
        faults={"max_faults": MAX_FAULTS},
        clock=clock,
        restarts=restarts,
    )
    ended = arena.run()
    assert arena.standings()["complete"], ended.err
    assert arena.verified() == ""
    check_logs(arena, bad, ended)
    return arena, ended


def check_logs(arena: Arena, bad: Commands, ended: Ended) -> None:
    """Logs are bounded, whatever is written; a fault is told with the path of its bot's."""
    assert all(log.stat().st_size <= LOG_LIMIT for log in arena.logs.iterdir())
    for number, name in enumerate(bad, len(GOOD) + 1):
        logs = sorted(arena.logs.glob(f"{number:02}-*.log"))
        assert logs
        if faults_of(arena.standings(), name):
            assert any(
                name in line and all(str(log) in line for log in logs)
                for line in ended.err.splitlines()
            ), ended.err


def results(arena: Arena) -> Iterator[tuple[Sequence[str], GameResult]]:
    """The names by seat and the result of every game."""
    with Journal.open(arena.database) as journal:
        for stored, result in zip(journal.records(), journal.results(), strict=True):
            yield json.loads(stored.record)["seats"], result


def faults_in(seats: Sequence[str], result: GameResult) -> dict[str, dict[str, int]]:
    """The faults of a game by name and kind."""
    found: dict[str, dict[str, int]] = {name: {} for name in seats}
    for seat, kind, count in result.faults:
        kinds = found[seats[seat]]
        kinds[kind] = kinds.get(kind, 0) + count
    return found


def check_games_among(arena: Arena, names: set[str]) -> None:
    """The games among these are byte for byte those that they play alone with each other."""
    expected = expected_records(arena.config)
    mine = [(line, json.loads(line)) for line in arena.records()]
    among = [(line, game) for line, game in mine if set(game["seats"]) <= names]
    assert len(among) == BOARDS * len(names) * (len(names) - 1)
    assert [line for line, _ in among] == [expected[game["x_game"]] for _, game in among]


def check_always_at_fault(arena: Arena, kinds: Mapping[str, Fault]) -> None:
    """Each of these does nothing right: two faults a game, of its kind alone, and it is lost."""
    seen = dict.fromkeys(kinds, 0)
    for seats, result in results(arena):
        faults = faults_in(seats, result)
        bad = [name for name in faults if name in kinds]
        for name in bad:
            assert set(faults[name]) <= {str(kinds[name])}, (seats, result)
        if len(bad) == 1:
            seen[bad[0]] += 1
            assert faults[bad[0]] == {str(kinds[bad[0]]): MAX_FAULTS}, (seats, result)
            assert result.forfeits == ((seats.index(bad[0]), str(kinds[bad[0]])),)
        elif bad:  # whoever was asked for the second time first
            (loser, _cause), *others = result.forfeits
            assert not others
            assert faults[seats[loser]] == {str(kinds[seats[loser]]): MAX_FAULTS}
    assert seen == dict.fromkeys(kinds, AGAINST_GOOD)


def check_good(arena: Arena) -> None:
    """The good ones have no fault, and their games are what they would be alone."""
    standings = arena.standings()
    assert {name: faults_of(standings, name) for name in GOOD} == {name: {} for name in GOOD}
    check_games_among(arena, set(GOOD))


def test_bots_whose_answers_are_wrong(tmp_path: Path) -> None:
    bad = {"illegal": zoo("illegal"), "raising": zoo("raising"), "garbage": zoo("garbage")}
    arena, ended = group(tmp_path, bad, isolation="seats")
    check_good(arena)
    check_always_at_fault(
        arena,
        {"illegal": Fault.ILLEGAL, "raising": Fault.ERROR, "garbage": Fault.MALFORMED},
    )
    assert ended.status == 0
    assert "raising: the bot reported an exception in its own code (LookupError" in ended.err
    log = (arena.logs / "04-raising-1.log").read_text()
    assert "no idea" in log
    assert "choose returned None" in log
    log = (arena.logs / "03-illegal-1.log").read_text()
    assert "is not in the hand; legal: pass" in log


def test_bots_that_do_not_answer_in_time(tmp_path: Path) -> None:
    bad = {
        "slow": zoo("slow", 1.5),
        "silent": zoo("silent"),
        "dripping": zoo("dripping", "frames"),
        "flooding": zoo("flooding", "ever"),
    }
    arena, ended = group(tmp_path, bad, clock=QUICK)
    check_good(arena)
    check_always_at_fault(arena, dict.fromkeys(bad, Fault.TIMEOUT))
    assert ended.status == 0


def test_a_bot_that_takes_half_the_limit_is_in_time(tmp_path: Path) -> None:
    bots = {"half": zoo("slow", 0.75, 4)}
    arena, ended = group(tmp_path, bots, clock={"move_timeout": "1.5s"})
    assert ended.status == 0
    check_good(arena)
    check_games_among(arena, {*GOOD, *bots})


def test_a_bot_that_never_reads_is_cut_off(tmp_path: Path) -> None:
    """More waits for it than its connection holds, so that its questions are not even written."""
    bots = {"first": FIRST, "deaf": zoo("never_reading")}
    arena = Arena(
        tmp_path,
        bots,
        format={"boards": 300, "isolation": "none"},
        faults={"on_fault": "forfeit"},
        clock={**QUICK, "reconnect_grace": "0.5s"},
        tables=256,
    )
    ended = arena.run()
    assert ended.status == 1, ended.err
    standings = arena.standings()
    assert standings["complete"]
    faults = faults_of(standings, "deaf")
    assert faults.keys() == {"timeout", "disconnect", "absent"}
    assert sum(faults.values()) == 600
    assert faults_of(standings, "first") == {}
    assert "connection cut tournament=arena#1 entrant=deaf instance=0" in ended.err
    assert arena.verified() == ""


def test_bots_that_are_never_there(tmp_path: Path) -> None:
    (tmp_path / "unstartable").write_text("#!/no/such/interpreter\n")
    (tmp_path / "unstartable").chmod(0o700)
    bad = {
        "crashing": zoo("crashing", 0, "exit"),
        "missing": zoo("missing"),
        "unstartable": ("./unstartable",),
        "hasty": zoo("flooding", "first"),
        "forger": zoo("stranger", "wrong_token"),
        "newer": zoo("stranger", "protocol"),
        "mute": zoo("stranger", "nothing"),
        "dripping": zoo("dripping", "bytes"),
    }
    clock = {"move_timeout": "30s", "start_timeout": "10s"}
    arena, ended = group(tmp_path, bad, clock=clock, restarts=0)
    check_good(arena)
    assert ended.status == 1
    standings = arena.standings()
    games = AGAINST_GOOD + 2 * BOARDS * (len(bad) - 1)
    assert {name: faults_of(standings, name) for name in bad} == {
        name: {"absent": games} for name in bad
    }
    assert standings["games"]["void"] == BOARDS * len(bad) * (len(bad) - 1)
    assert standings["games"]["forfeited"] == AGAINST_GOOD * len(bad)
    for name, said in {
        "crashing": "its process ended with exit status 7",
        "missing": "No module named bots.missing",
        "unstartable": "could not be started",
        "hasty": "refused (bad_hello): a stream begins with a hello",
        "forger": "refused (credentials)",
        "newer": "refused (protocol): this server speaks protocol 1",
    }.items():
        place = ended.err.index(f"{name}: its process")
        assert said in ended.err[place : place + 800], name


def test_bots_that_go_in_the_middle(tmp_path: Path) -> None:
    bad = {
        "exiting": zoo("crashing", 3, "exit"),
        "killed": zoo("crashing", 3, "signal"),
        "leaving": zoo("leaving", 3, "away"),
        "huge": zoo("leaving", 3, "huge"),
    }
    arena = Arena(
        tmp_path,
        {**GOOD, **bad},
        tables=1,
        restarts=0,
        format={"boards": BOARDS, "isolation": "none"},
        clock={"move_timeout": "30s", "start_timeout": "500s", "reconnect_grace": "0.5s"},
    )
    ended = arena.run()
    assert ended.status == 1
    assert arena.standings()["complete"]
    assert arena.verified() == ""
    check_good(arena)
    check_logs(arena, bad, ended)
    assert "killed: its process was ended by signal 11 (SIGSEGV)" in ended.err
    assert "this is the end" in ended.err
    for name in bad:
        check_life(arena, name)


def test_a_bot_that_crashes_now_and_then_is_started_again_and_pays_for_nothing(
    tmp_path: Path,
) -> None:
    """Within the grace it is back, and its questions are asked again."""
    bad = {"exiting": zoo("crashing", 250, "exit"), "killed": zoo("crashing", 250, "signal")}
    arena = Arena(
        tmp_path,
        {**GOOD, **bad},
        restarts=1000,
        format={"boards": 8, "isolation": "none"},
        clock={"move_timeout": "60s", "start_timeout": "60s", "reconnect_grace": "60s"},
    )
    ended = arena.run()
    assert ended.status == 0, ended.err
    assert ended.err.count("is started again in") >= 2
    assert all(faults_of(arena.standings(), name) == {} for name in bad)
    assert arena.records() == expected_records(arena.config)


def check_life(arena: Arena, name: str) -> None:
    """It played well, was lost in the middle of one game, and was absent from then on.

    With one table the plan's order is the order of time, but for the games of those that are
    gone already, which come last.
    """
    seats, faults = [], []
    for each, result in results(arena):
        if name in each:
            seats.append(set(each))
            faults.append(faults_in(each, result)[name])
    lost = faults.index({"disconnect": 1})
    assert all(faults[lost + 1 :])
    assert all(each in ({}, {"absent": 1}) for each in faults[:lost] + faults[lost + 1 :])
    for number, opponents in enumerate(seats):
        if number != lost and opponents & set(GOOD):
            assert faults[number] == ({} if number < lost else {"absent": 1})


def test_bots_that_are_odd_but_play_well(tmp_path: Path) -> None:
    odd = {
        "printing": zoo("printing"),
        "stubborn": zoo("stubborn"),
        "twice": zoo("answering_twice"),
        "flooding": zoo("flooding", "once"),
        "late": zoo("late", 7),
        "back": zoo("leaving", 3, "back"),
        "back later": zoo("leaving", 30, "back"),
        "over": zoo("leaving", 9, "over"),
    }
    arena, ended = group(tmp_path, odd)
    assert ended.status == 0
    assert sorted(arena.logs.glob("03-printing-1.log*"))[1:]
    standings = arena.standings()
    everyone = {*GOOD, *odd}
    assert {name: faults_of(standings, name) for name in everyone} == {
        name: {} for name in everyone
    }, ended.err
    check_games_among(arena, everyone)
