import io
import random
import re
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from pitch_server.report import write_report
from pitch_server.report_tables import interval

Standings = dict[str, Any]


def standings(*names: str, sides: int = 2, **changes: Any) -> Standings:
    """Standings in which each beats all that come after it."""
    fields: Standings = {
        "tournament": "demo",
        "variant": {"name": "pitch-ac", "steal": True},
        "seed": "any text",
        "commitment": "c0" * 32,
        "digest": "d1" * 32,
        "complete": True,
        "isolation": "seats",
        "games": {"planned": 1200, "played": 1200, "rated": 1200, "forfeited": 0, "void": 0},
        "entrants": [entrant(rank, name) for rank, name in enumerate(names, 1)],
        "pairings": [
            {
                "entrants": [first, *rest],
                "boards": 100,
                "void": 0,
                "margins": [margin(first, 2.9)] + [margin(name, -2.9) for name in rest],
            }
            for place, first in enumerate(names)
            for rest in ([[n] for n in names[place + 1 :]] if sides == 2 else [names[place + 1 :]])
            if len(rest) == sides - 1
        ],
    }
    return {**fields, **changes}


def entrant(rank: int, name: str, **faults: int) -> Standings:
    return {
        "rank": rank,
        "name": name,
        "games": 1600,
        "wins": 400,
        "draws": 50,
        "losses": 1150,
        "points_per_board": 0.714,
        "trueskill": {"mu": 29.14, "sigma": 0.93, "conservative": 26.4},
        "faults": {
            **dict.fromkeys(("timeout", "illegal", "malformed", "disconnect", "absent"), 0),
            **faults,
        },
    }


def margin(name: str, mean: float | None) -> Standings:
    return {
        "name": name,
        "mean": mean,
        "sd": 2.4,
        "standard_error": 0.24,
        "ci95": None if mean is None else [mean - 0.5, mean + 0.5],
        "wins": 80,
        "draws": 5,
        "losses": 15,
    }


def drawn(report: Standings, width: int = 0, **logs: list[str]) -> str:
    """The report as a terminal of that width gets it, or a file for 0."""
    terminal = bool(width)
    file = io.StringIO()
    console = Console(
        file=file,
        width=width or 80,
        force_terminal=terminal,
        color_system="truecolor" if terminal else None,
        _environ={},
    )
    write_report(report, console, logs=logs)
    return file.getvalue()


def test_a_file_gets_plain_text() -> None:
    assert (
        drawn(standings("rule", "random", seed=None))
        == """\
demo
variant pitch-ac, steal = true; isolation seats
1,200 of 1,200 games played; complete

Standings, by rating (μ − 3σ)
#  entrant       rating       μ ± σ  per board  games    W   D      L
1  rule           26.40  29.1 ± 0.9      +0.71  1,600  400  50  1,150
2  random         26.40  29.1 ± 0.9      +0.71  1,600  400  50  1,150

Margin per board of the entrant in the row against that in the column
#  entrant              vs 1         vs 2
1  rule                       +2.90 ±0.50
2  random        -2.90 ±0.50
mean ± half of the 95 % interval; above 0 the row is better

Pairings: margin per board of the first named
entrant       against        mean   95 % interval  boards   W  D   L
rule          random        +2.90  +2.40 to +3.40     100  80  5  15

No faults.

seed       secret until the end
commitment c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0
digest     d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1
"""
    )


NAMES = (
    "rule",
    "x" * 64,
    "\u6a4b" * 64,
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "[bold]:smile:[/]",
    "two  words",
    "Zoe\u0308",
)


def test_names_stand_as_they_are() -> None:
    text = drawn(standings(*NAMES))
    for name in NAMES:
        assert name in text
    assert "\x1b" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize("width", [0, 80, 200])
def test_columns_stand_under_each_other(width: int) -> None:
    text = drawn(standings("rule", "\u6a4b\u672c", "\U0001f0cf \uac00", "e\u0301"), width)
    ends = {cell_len(line) for line in text.splitlines() if " 1,150" in line}
    assert len(ends) == 1


@pytest.mark.parametrize("width", [80, 200])
@pytest.mark.parametrize("count", [2, 5, 12])
def test_nothing_runs_over_the_edge_of_a_terminal(width: int, count: int) -> None:
    names = [f"{NAMES[number % len(NAMES)][:60]} {number}" for number in range(count)]
    for line in plain(drawn(standings(*names), width)).splitlines():
        assert cell_len(line) <= width


def plain(text: str) -> str:
    """The text without the commands to a terminal that rich wrote."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_no_digit_is_cut_off_where_a_terminal_is_too_narrow() -> None:
    text = plain(drawn(standings("rule", "random"), 40))
    for number in ("1,150", "29.1 ± 0.9", "+2.40 to +3.40", "c0" * 32):
        assert number in text


def test_the_crosstable_gives_way_where_it_does_not_fit() -> None:
    names = [f"bot {number}" for number in range(12)]
    assert "vs 12" not in drawn(standings(*names), 80)
    assert "vs 12" in drawn(standings(*names), 200)
    assert "vs 12" in drawn(standings(*names))
    assert drawn(standings(*names), 80).count("+2.40 to +3.40") == 66
    assert "vs 1" not in drawn(standings(*(f"bot {number}" for number in range(41))))


def test_more_than_two_sides_have_a_line_for_each_entrant() -> None:
    text = drawn(standings("a", "b", "c", sides=3))
    assert "vs 1" not in text
    rows = [line.split()[:5] for line in text.splitlines() if " to " in line]
    assert rows == [
        ["a", "b,", "c", "+2.90", "+2.40"],
        ["b", "a,", "c", "-2.90", "-3.40"],
        ["c", "a,", "b", "-2.90", "-3.40"],
    ]


def test_nothing_played_yet_is_told_without_numbers() -> None:
    report = standings("rule", "random", complete=False, seed=None)
    report["games"] = dict.fromkeys(("planned", "played", "rated", "forfeited", "void"), 0)
    report["games"]["planned"] = 400
    for row in report["entrants"]:
        row["points_per_board"] = None
    for pairing in report["pairings"]:
        pairing["margins"] = [margin(name, None) for name in pairing["entrants"]]
    text = drawn(report)
    assert "0 of 400 games played; not complete" in text
    assert "Not complete: 0 of 400 games are played." in text
    assert text.count("–") == 6


def test_what_is_missing_is_said() -> None:
    games = {"planned": 1200, "played": 900, "rated": 880, "forfeited": 2, "void": 1}
    report = standings("rule", "random", complete=False, games=games)
    report["pairings"][0]["void"] = 1
    text = drawn(report)
    assert "Not complete: 900 of 1,200 games are played. The 95 % intervals hold for" in text
    assert "\n20 games played but not rated:" in text
    assert "\n1 game void: every side had forfeited, or the server failed.\n" in text
    assert "\n1 board void, left out: rule against random.\n" in text
    assert "\n2 games forfeited, counted like any other.\n" in text


def test_faults_are_shown_with_the_logs_of_who_had_them() -> None:
    report = standings("rule", "slow")
    report["entrants"][1] = entrant(2, "slow", timeout=3, disconnect=1)
    path = "/a/very/long/way/to/the/directory/of/the/tournament/demo.db.logs/02-slow-1.log"
    text = drawn(report, slow=[path], rule=["01-rule-1.log"])
    assert "\nentrant       timeout  disconnect\nslow                3           1\n" in text
    assert f"\nlog of slow: {path}\n" in text
    assert "01-rule-1.log" not in text
    assert f"log of slow: {path}\n" in drawn(report, 80, slow=[path])


def test_a_rounded_nothing_has_no_minus() -> None:
    report = standings("rule", "random")
    report["pairings"][0]["margins"][0]["mean"] = -0.001
    assert "-0.00" not in drawn(report)


def test_a_seed_cannot_command_the_terminal() -> None:
    text = drawn(standings("rule", "random", seed="\x1b[2J\nfoo"))
    assert 'seed       "\\u001b[2J\\nfoo"\n' in text


def test_the_same_standings_give_the_same_bytes_whatever_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report = standings(*NAMES)
    texts = set()
    for columns in ("20", "80", "300"):
        monkeypatch.setenv("COLUMNS", columns)
        monkeypatch.setenv("FORCE_COLOR", random.choice(["", "0"]))
        file = io.StringIO()
        write_report(report, Console(file=file, force_terminal=False))
        texts.add(file.getvalue())
    assert len(texts) == 1


def test_partners_are_named_together() -> None:
    sides = [["a", "b\nc"], ["d", "e"]]
    table = standings("a", "b\nc", "d", "e")
    table["pairings"] = [
        {
            "entrants": sides,
            "boards": 3,
            "void": 1,
            "margins": [{**margin("", 1.0), "name": side} for side in sides],
        }
    ]
    text = drawn(table)
    assert re.search(r'^a \+ "b\\nc" +d \+ e +\+1.00', text, re.MULTILINE)
    assert "1 board void, left out: a + b\N{REPLACEMENT CHARACTER}c against d + e." in text
    assert "against that in the column" not in text


def test_a_swiss_has_its_own_order_and_byes() -> None:
    table = standings("a", "b", "c")
    table["swiss"] = [
        {"place": place, "name": name, "points": points, "margin": points - 1.25, "byes": byes}
        for place, name, points, byes in ((1, "a", 1.5, 0), (2, "c", 1.0, 1), (3, "b", 0.5, 0))
    ]
    table["rounds"] = [
        {"pairings": [["a", "b"]], "byes": ["c"], "complete": True},
        {"pairings": [["a", "c"]], "byes": ["b"], "complete": False},
    ]
    text = drawn(table)
    assert "Order after 1 round\n" in text
    assert re.search(r"^1 +a +1.5 +\+0.25 +0$", text, re.MULTILINE)
    assert "byes (a point each): round 1: c; round 2: b" in text


def test_pairings_that_are_played_until_separated_say_who_is_better() -> None:
    table = standings("a", "b", "c", complete=False)
    table["games"]["at_most"] = True
    for pairing, better in zip(table["pairings"], ("a", None, "c"), strict=True):
        pairing["separation"] = {"better": better, "p_value": 0.01}
    text = drawn(table)
    assert "1,200 of at most 1,200 games played" in text
    assert "Not complete: 1,200 of at most 1,200 games are played." in text
    assert [line.split()[-1] for line in text.splitlines() if re.match(r"[ab] +[bc] ", line)] == [
        "a",
        "undecided",
        "c",
    ]
    assert "so the 95 % intervals for a fixed number of boards do not hold" in text


def test_an_interval_of_boards_without_spread_says_nothing() -> None:
    assert interval([8.0, 8.0]) == interval(None) == "–"
    assert interval([-1.0, 2.5]) == "-1.00 to +2.50"
