import copy
import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pitch.records import canonical_json, replay
from pitch.table.faults import FaultPolicy
from pitch_server.against.documents import document_difference
from pitch_server.analysis.document import standings_part
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import Deals, FormatKind, Settings, Unit
from pitch_server.published import published_analysis, published_standings
from pitch_server.scores.digest import text_digest
from pitch_server.store.errors import Damaged
from pitch_server.store.journal import Journal
from pitch_server.store.rows import State
from pitch_server.verify import Verification, verify
from plan.making import make_settings
from verify.making import SEED, play, play_all, play_tournament

SWISS = {"kind": FormatKind.SWISS, "rounds": 3}
SETTINGS = make_settings(3, boards=6, faults=FaultPolicy(max_faults=2))


def verified(file: Path) -> Verification:
    with Journal.open(file) as journal:
        return verify(journal)


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(SETTINGS, id="hands"),
        pytest.param(
            make_settings(2, boards=2, unit=Unit.GAME, variant={"name": "ten-point"}), id="games"
        ),
        pytest.param(
            make_settings(
                4,
                boards=4,
                variant={"name": "partnership-six"},
                faults=FaultPolicy(max_faults=1),
            ),
            id="three sides, forfeits",
        ),
        pytest.param(make_settings(3, boards=5, deals=Deals.INDEPENDENT), id="independent"),
        pytest.param(
            make_settings(2, boards=4, variant={"name": "trump-only"}), id="discards and moons"
        ),
        pytest.param(make_settings(6, boards=2, form=SWISS), id="swiss"),
        pytest.param(
            make_settings(4, boards=9, form={"kind": FormatKind.LADDER, "batch": 3}), id="ladder"
        ),
        pytest.param(
            make_settings(3, boards=6, form={"until_separated": True, "batch": 2}),
            id="until separated",
        ),
        pytest.param(
            make_settings(
                5,
                boards=2,
                deals=Deals.INDEPENDENT,
                form={"kind": FormatKind.MIXED},
                faults=FaultPolicy(max_faults=1),
            ),
            id="mixed, independent",
        ),
        pytest.param(
            make_settings(5, boards=2, form={"kind": FormatKind.GAUNTLET, "challengers": ("c",)}),
            id="gauntlet",
        ),
    ],
)
def test_a_tournament_as_it_was_played_agrees(tmp_path: Path, settings: Settings) -> None:
    play_tournament(tmp_path / "a.db", settings)
    told: list[int] = []
    with Journal.open(tmp_path / "a.db") as journal:
        found = verify(journal, told.append)
        count = len(journal.played())
    assert found == Verification(games=count, difference=None)
    assert told == list(range(1, count + 1))


def test_a_round_that_does_not_follow_from_the_results_before_it_is_named(tmp_path: Path) -> None:
    settings = make_settings(6, boards=2, form=SWISS)
    entries, other = play_all(settings), Plan(settings)
    for at in range(0, 12, 2):  # other results of the first round make another second one
        worth = (-1) ** (at // 4)
        other.note(at, (worth * 9, -worth * 9))
    assert other[12].seats != Plan(settings)[0].seats
    with Journal.create(tmp_path / "a.db", settings, SEED) as journal:
        journal.append([*entries[:12], play(settings, other[12], plan=other)])
        found = verify(journal)
        assert found.games == 12
        assert found.difference is not None
        assert found.difference.startswith("game 12: seats is")


def test_a_game_of_a_later_round_needs_the_whole_of_the_one_before(tmp_path: Path) -> None:
    settings = make_settings(6, boards=2, form=SWISS)
    entries = play_all(settings)
    with Journal.create(tmp_path / "a.db", settings, SEED) as journal:
        journal.append([*entries[:11], *entries[12:14]])
        difference = verify(journal).difference
        assert difference == (
            "game 12 is not in the plan of 12 games that follows from the results before it"
        )
        with pytest.raises(Damaged, match="game 12 of 12 is there, which is not planned"):
            published_standings(journal)


def test_what_has_been_played_can_be_verified_before_the_end(tmp_path: Path) -> None:
    play_tournament(tmp_path / "a.db", SETTINGS, end=None)
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("delete from games where number = 7")
    connection.close()
    assert verified(tmp_path / "a.db").ok


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("finished") / "a.db"
    play_tournament(file, SETTINGS)
    return file


def change_row(column: str, change: Callable[[Any], Any], where: str) -> Callable[[Any], None]:
    def tamper(connection: sqlite3.Connection) -> None:
        number, value = connection.execute(
            f"select number, {column} from games where {where} order by number limit 1"
        ).fetchone()
        connection.execute(
            f"update games set {column} = ? where number = ?", (change(value), number)
        )

    return tamper


def change_record(
    change: Callable[[dict[str, Any]], None], where: str = "number = 2", *, digest: bool = True
) -> Callable[[Any], None]:
    """A record changed, and its row's digest with it if `digest`."""

    def tamper(connection: sqlite3.Connection) -> None:
        number, text = connection.execute(
            f"select number, record from games join records using (tournament, number) "
            f"where {where} order by number limit 1"
        ).fetchone()
        record = json.loads(text)
        change(record)
        text = canonical_json(record)
        connection.execute("update records set record = ? where number = ?", (text, number))
        if digest:
            connection.execute(
                "update games set digest = ? where number = ?", (text_digest(text), number)
            )

    return tamper


def statement(sql: str) -> Callable[[Any], None]:
    return lambda connection: connection.execute(sql)


def swap_cards(record: dict[str, Any]) -> None:
    """The same hands and play from another stock: only the deck differs."""
    hand = record["hands"][0]
    cards = hand["deck"].split(" ")
    cards[-1], cards[-2] = cards[-2], cards[-1]
    hand["deck"] = " ".join(cards)


def play_otherwise(record: dict[str, Any]) -> None:
    hand = record["hands"][0]
    hand["actions"][-1] = hand["actions"][-1][:-2] + "2C"


def has_other_order(record: dict[str, Any]) -> bool:
    """Exchanges two cards that a seat plays, if that changes no trick and no point."""
    actions = record["hands"][0]["actions"]
    last = len(actions)
    for one, other in product(range(last - 8, last - 4), range(last - 4, last)):
        if actions[one][0] != actions[other][0]:
            continue
        actions[one], actions[other] = actions[other], actions[one]
        if replay(record)["ok"]:
            return True
        actions[one], actions[other] = actions[other], actions[one]
    return False


def play_in_another_order(*, digest: bool) -> Callable[[Any], None]:
    """The first record that can be changed so, and its row's digest with it if `digest`."""

    def tamper(connection: sqlite3.Connection) -> None:
        rows = connection.execute(
            f"select number, record from games join records using (tournament, number) "
            f"where {CLEAN} order by number"
        )
        changed = ((number, json.loads(text)) for number, text in rows)
        number, record = next(each for each in changed if has_other_order(each[1]))
        change_record(lambda stored: stored.update(record), f"number = {number}", digest=digest)(
            connection
        )

    return tamper


def change_max_faults(to: int) -> Callable[[Any], None]:
    """The settings as if so many faults had been allowed."""
    limit = '"max_faults":'
    return statement(
        f"update tournaments set settings = replace(settings, '{limit}2', '{limit}{to}')"
    )


def forget_forfeits(connection: sqlite3.Connection) -> None:
    """Without the game that was forfeited: others should have been too, at the first fault."""
    connection.execute("delete from games where number = 4")
    connection.execute("delete from faults where number = 4")
    change_max_faults(1)(connection)


def note_less(record: dict[str, Any]) -> None:
    for hand in record["hands"]:
        hand.pop("x_substituted", None)


def note_more(record: dict[str, Any]) -> None:
    record["hands"][0]["x_substituted"] = [0]


def forfeit(number: int) -> Callable[[Any], None]:
    """A game that was over becomes one that a side forfeited, with all that tells of it."""
    note = {"side": 1, "cause": "error"}

    def tamper(connection: sqlite3.Connection) -> None:
        change_record(lambda record: record.update(x_forfeit=note), f"number = {number}")(
            connection
        )
        connection.execute(
            """update games set forfeits = '[[1, "error"]]', faults = '[[1, "error", 2]]'
            where number = ?""",
            (number,),
        )
        for position in range(2):
            connection.execute(
                "insert into faults (tournament, number, position, seat, kind)"
                " values (1, ?, ?, 1, 'error')",
                (number, position),
            )

    return tamper


def go_on_for_ever(connection: sqlite3.Connection) -> None:
    """The first game that was forfeited is as if it had not been."""
    change_record(lambda record: record.pop("x_forfeit"), FORFEITED)(connection)
    change_row("forfeits", lambda _: "[]", FORFEITED)(connection)


def make_void(connection: sqlite3.Connection) -> None:
    """The first game without a fault, whole as it is, is to count for nobody."""
    change_record(lambda record: record.update(x_void=True), CLEAN)(connection)
    change_row("void", lambda _: 1, CLEAN)(connection)


FAULTY = "faults <> '[]' and forfeits = '[]'"
CLEAN = "faults = '[]'"
MADE = "play like '%true%'"
FORFEITED = "forfeits <> '[]'"


@pytest.mark.parametrize(
    ("tamper", "difference"),
    [
        pytest.param(
            statement("update tournaments set seed = 'other'"),
            "the seed's commitment is",
            id="seed",
        ),
        pytest.param(change_record(lambda r: None, digest=False), None, id="nothing"),
        pytest.param(
            change_record(note_more, CLEAN, digest=False),
            r"game \d+: the record's digest",
            id="text",
        ),
        pytest.param(change_record(swap_cards), "game 2: the deck of hand 0 is", id="deck"),
        pytest.param(
            change_record(play_otherwise), r"game 2: hand 0, action \d+, .*legal", id="action"
        ),
        pytest.param(
            play_in_another_order(digest=False),
            r"game \d+: the record's digest",
            id="action, same result",
        ),
        pytest.param(
            play_in_another_order(digest=True),
            "the tournament's digest is",
            id="action, same result, digest with it",
        ),
        pytest.param(change_record(lambda r: r["seats"].reverse()), "game 2: seats is", id="seats"),
        pytest.param(
            change_record(lambda r: r["hands"][0]["result"]["scores"].reverse(), CLEAN),
            "stored result of hand 0 is wrong",
            id="stored result",
        ),
        pytest.param(
            change_record(lambda r: r.update(x_board=5)), "game 2: x_board is 5", id="x_board"
        ),
        pytest.param(
            change_record(lambda r: r.update(x_forfeit={"side": 0, "cause": "timeout"}), CLEAN),
            "x_forfeit is",
            id="x_forfeit",
        ),
        pytest.param(
            change_record(note_less, FAULTY),
            "number of substituted actions",
            id="hidden substitute",
        ),
        pytest.param(change_record(note_more, CLEAN), "substituted", id="invented substitute"),
        pytest.param(
            change_row("scores", lambda text: json.dumps(json.loads(text)[::-1]), "winner = 0"),
            "scores is",
            id="scores",
        ),
        pytest.param(
            change_row("winner", lambda winner: 1 - winner, "winner is not null"),
            "winner is",
            id="winner",
        ),
        pytest.param(
            change_row("faults", lambda _: "[]", FAULTY), "the evidence of faults", id="faults"
        ),
        pytest.param(
            change_row("forfeits", lambda _: "[]", FORFEITED), "x_forfeit is", id="forfeits"
        ),
        pytest.param(change_row("void", lambda _: 1, CLEAN), "x_void is False", id="void"),
        pytest.param(
            go_on_for_ever, "the game is neither over nor forfeited nor void", id="no end"
        ),
        pytest.param(
            change_row("play", lambda play: play.replace("true", "false", 1), MADE),
            r"play is '.*false.*', recomputed it is",
            id="play",
        ),
        pytest.param(
            change_row("play", lambda _: None, CLEAN), None, id="a game of former versions"
        ),
        pytest.param(make_void, "void, but not every side has forfeited", id="void with hands"),
        pytest.param(forfeit(0), "game 0: the game is over by its rules", id="forfeit at the end"),
        pytest.param(
            change_max_faults(3),
            r"side \d forfeited by '(timeout|illegal)', with 2 faults",
            id="a forfeit too early",
        ),
        pytest.param(
            change_max_faults(1), "side 0 forfeited by 'illegal', with 2", id="a forfeit too late"
        ),
        pytest.param(forget_forfeits, r"side \d did not forfeit, with 1 faults", id="no forfeit"),
        pytest.param(
            statement("update games set number = 1000 where number = 35"),
            "game 1000 is not in the plan of 36 games",
            id="number",
        ),
        pytest.param(
            statement("delete from games where number = 35"),
            "finished, but 1 of its 36 games are missing",
            id="a game less",
        ),
        pytest.param(
            statement("update tournaments set digest = 'd'"),
            "the tournament's digest is 'd'",
            id="digest",
        ),
        pytest.param(
            statement("update tournaments set standings_digest = 'd'"),
            "the standings' digest is 'd'",
            id="standings",
        ),
        pytest.param(
            statement(
                """update tournaments set settings = replace(settings, '"tau":0.0', '"tau":0.5')"""
            ),
            "the standings' digest is",
            id="settings",
        ),
        pytest.param(
            change_record(lambda r: r.update(x_note="a word more")),
            "the tournament's digest is",
            id="record and digest alike",
        ),
    ],
)
def test_whatever_is_changed_is_found(
    finished: Path, tmp_path: Path, tamper: Callable[[Any], None], difference: str | None
) -> None:
    file = tmp_path / "b.db"
    shutil.copy(finished, file)
    connection = sqlite3.connect(file)
    tamper(connection)
    connection.commit()
    connection.close()
    found = verified(file).difference
    if difference is None:
        assert found is None
    else:
        assert found is not None
        assert re.search(difference, found), found


def test_a_closed_tournament_may_lack_games(tmp_path: Path) -> None:
    play_tournament(tmp_path / "a.db", SETTINGS, end=State.CLOSED)
    assert verified(tmp_path / "a.db").ok


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A finished tournament and its document."""
    file = tmp_path_factory.mktemp("published") / "a.db"
    play_tournament(file, make_settings(3, boards=3))
    with Journal.open(file) as journal:
        return file, json.loads(json.dumps(published_analysis(journal)))


def against(document: dict[str, Any]) -> Callable[[dict[str, Any]], str | None]:
    return lambda recomputed: document_difference(document, recomputed)


def test_a_published_document_agrees_and_so_do_its_standings_alone(
    published: tuple[Path, dict[str, Any]],
) -> None:
    file, document = published
    with Journal.open(file) as journal:
        assert verify(journal, against=against(document)).ok
        assert verify(journal, against=against(standings_part(document))).ok
        document["measured"]["decision_seconds"][0]["p50"] = 1.0  # no run measures it again
        assert verify(journal, against=against(document)).ok


@pytest.mark.parametrize(
    ("change", "named"),
    [
        pytest.param(
            lambda it: it["analysis"]["pairings"][1].update(luck_removed=0.9),
            "analysis.pairings[1].luck_removed",
            id="luck",
        ),
        pytest.param(
            lambda it: it["analysis"]["ratings"][0].update(rating=1.0),
            "analysis.ratings[0].rating",
            id="a rating",
        ),
        pytest.param(
            lambda it: it["analysis"]["play"][0]["bids"].update({"9": 1}),
            "analysis.play[0].bids.9 is nothing",
            id="a bid",
        ),
        pytest.param(lambda it: it["pairings"].pop(), "length of the published pairings", id="row"),
        pytest.param(
            lambda it: it["entrants"][0].update(wins=True), "entrants[0].wins", id="another type"
        ),
    ],
)
def test_what_was_published_otherwise_is_named(
    published: tuple[Path, dict[str, Any]], change: Callable[[Any], object], named: str
) -> None:
    file, document = published
    other = copy.deepcopy(document)
    change(other)
    with Journal.open(file) as journal:
        found = verify(journal, against=against(other))
    assert found.difference is not None
    assert named in found.difference


def test_the_last_digits_of_another_machine_are_no_difference(
    published: tuple[Path, dict[str, Any]],
) -> None:
    file, document = published
    other = copy.deepcopy(document)
    other["entrants"][0]["trueskill"]["mu"] *= 1 + 1e-12
    with Journal.open(file) as journal:
        assert verify(journal, against=against(other)).ok
