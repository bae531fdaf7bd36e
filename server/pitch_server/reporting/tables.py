"""The tables of a report as values: what stands in which row, before it is drawn anywhere.

Here belong which tables there are and what they show. A cell with a number knows its place in
the document, so whoever draws it can say where it comes from.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from pitch_server.reporting.names import label, printable
from pitch_server.reporting.numbers import Form, Node, Number
from pitch_server.reporting.ranking import by_rank

__all__ = ["MOST_IN_MATRIX", "Cell", "Heat", "Interval", "Name", "Table", "Words", "tables"]

MOST_IN_MATRIX = 40  # entrants in a table of all against all: nobody reads more
MOST_FAULTS = 40  # kinds of fault that are explained


class Name(NamedTuple):
    """A cell with names of entrants, each a piece of its own."""

    names: tuple[str, ...]

    @property
    def text(self) -> str:
        """In one line."""
        return ", ".join(self.names)


class Words(NamedTuple):
    """A cell with words of ours or of a bot."""

    text: str


class Interval(NamedTuple):
    """A cell with two ends."""

    low: Number
    high: Number

    @property
    def text(self) -> str:
        """As it is shown."""
        if self.low.value is None or self.high.value is None:
            return self.low._replace(value=None).text
        return f"{self.low.text} to {self.high.text}"


class Heat(NamedTuple):
    """A cell of a heat map: the number, its shade from -1 to 1, what else is to be said."""

    number: Number
    shade: float
    marked: bool = False
    interval: Interval | None = None

    @property
    def text(self) -> str:
        """As it is shown."""
        return self.number.text + ("*" if self.marked else "")


Cell: TypeAlias = Name | Words | Number | Interval | Heat


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table: `key` names it for programs, `note` says how to read it."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


def tables(document: dict[str, Any]) -> dict[str, Table]:
    """The tables that the document has something for, by key, in the order of the report."""
    root = Node(document)
    made = (build(root) for build in _BUILDERS)
    return {table.key: table for table in made if table is not None and table.rows}


def _name(node: Node) -> Name:
    return Name((label(node.value),))


def _standings(root: Node) -> Table:
    entrants = list(root["entrants"])
    strengths = {_key(node["name"].value): node for node in root["analysis"]["ratings"]}
    firsts = {
        _key(node["name"].value): node["chances"][0]
        for node in root["analysis"]["ranks"]["chances"]
    }
    columns = ["#", "entrant", "TrueSkill", "μ", "σ", "per board"]
    columns += ["strength", "± s.e."] if strengths else []
    columns += ["first in"] if firsts else []
    columns += ["games", "W", "D", "L"]
    rows = []
    for entrant in entrants:
        skill, name = entrant["trueskill"], _key(entrant["name"].value)
        row: list[Cell] = [entrant["rank"].number(Form.COUNT), _name(entrant["name"])]
        row += [skill[key].number(Form.PLAIN) for key in ("conservative", "mu", "sigma")]
        row.append(entrant["points_per_board"].number(Form.SIGNED))
        if strengths:
            strength = strengths.get(name, Node(None))
            row.append(strength["rating"].number(Form.SIGNED))
            row.append(strength["standard_error"].number(Form.PLAIN))
        if firsts:
            row.append(firsts.get(name, Node(None)).number(Form.SHARE))
        row += [entrant[key].number(Form.COUNT) for key in ("games", "wins", "draws", "losses")]
        rows.append(tuple(row))
    return Table(
        key="standings",
        title="Standings",
        columns=tuple(columns),
        rows=tuple(rows),
        note=_standings_note(bool(strengths), bool(firsts)),
    )


def _standings_note(strengths: bool, firsts: bool) -> str:
    note = "Ranked by TrueSkill's conservative rating, μ − 3σ."
    if strengths:
        note += (
            " Strength is the rating by least squares of all margins: it does not depend on the "
            "order of games; zero is the field's mean."
        )
    if firsts:
        note += " First in: the share of resamples of the boards in which the entrant comes first."
    return note


def _crosstable(root: Node) -> Table | None:
    names = [node["name"].value for node in root["entrants"]]
    pairings = list(root["pairings"])
    cells = _cross_cells(root)
    if not 2 <= len(names) <= MOST_IN_MATRIX or not cells or len(pairings) < len(cells) // 2:
        return None
    return Table(
        key="crosstable",
        title="All against all",
        columns=("#", "entrant", *(f"vs {rank}" for rank in range(1, len(names) + 1))),
        rows=tuple(
            (
                root["entrants"][index]["rank"].number(Form.COUNT),
                Name((label(name),)),
                *(cells.get((name, other), Words("" if other == name else "–")) for other in names),
            )
            for index, name in enumerate(names)
        ),
        note="Margin a board of the entrant in the row against that in the column, with its 95 % "
        "interval; above 0 the row is better."
        + (" * holds after Holm's correction for all pairings." if root["analysis"] else ""),
    )


def _cross_cells(root: Node) -> dict[tuple[Any, Any], Heat]:
    """By (row, column); only of pairings of two single entrants."""
    marks = {
        _key(node["entrants"].value): node["holm"]["significant"].value is True
        for node in root["analysis"]["pairings"]
    }
    two = [node for node in root["pairings"] if len(node["margins"].value or ()) == 2]
    margins = [margin for node in two for margin in node["margins"]]
    largest = max((abs(margin["mean"].value or 0.0) for margin in margins), default=0.0)
    cells: dict[tuple[Any, Any], Heat] = {}
    for node in two:
        one, other = node["margins"]
        if not all(isinstance(margin["name"].value, str) for margin in (one, other)):
            continue
        marked = marks.get(_key(node["entrants"].value), False)
        for mine, its in ((one, other), (other, one)):
            mean = mine["mean"].number(Form.SIGNED)
            shade = (mean.value or 0.0) / largest if largest else 0.0
            heat = Heat(mean, shade, marked, _interval(mine["ci95"]))
            cells[mine["name"].value, its["name"].value] = heat
    return cells


def _key(entrants: Any) -> str:
    return repr(entrants)


def _interval(ends: Node) -> Interval:
    return Interval(ends[0].number(Form.SIGNED), ends[1].number(Form.SIGNED))


def _pairings(root: Node) -> Table:
    analysed = {
        (_key(node["entrants"].value), _key(node["point_of_view"].value)): node
        for node in root["analysis"]["pairings"]
    }
    rows = []
    for pairing in root["pairings"]:
        margins = list(pairing["margins"])
        chosen = [
            each
            for each in margins
            if (_key(pairing["entrants"].value), _key(each["name"].value)) in analysed
        ]
        for margin in chosen or margins[: 1 if len(margins) == 2 else None]:
            key = _key(pairing["entrants"].value), _key(margin["name"].value)
            rows.append(_pairing_row(pairing, margin, analysed.get(key), bool(analysed)))
    more = ("any time", "effect", "p (Holm)", "luck removed", "worth") if analysed else ()
    return Table(
        key="pairings",
        title="Pairings",
        columns=("entrant", "against", "mean", "95 % interval", *more, *_BOARD_COLUMNS),
        rows=tuple(rows),
        note="Margin a board of the first named."
        + (
            " The 95 % interval holds for a number of boards fixed beforehand; that for any "
            "time holds whenever one looks, and so is wider. Effect: mean / standard deviation. "
            "Luck removed: the share of the variance that duplicate deals took away, and how "
            "many independent deals each deal is worth."
            if analysed
            else ""
        ),
    )


_BOARD_COLUMNS = ("boards", "void", "W", "D", "L")


def _pairing_row(
    pairing: Node, margin: Node, analysed: Node | None, wide: bool
) -> tuple[Cell, ...]:
    others = tuple(
        label(each["name"].value)
        for each in pairing["margins"]
        if each["name"].value != margin["name"].value
    )
    row: list[Cell] = [_name(margin["name"]), Name(others)]
    row += [margin["mean"].number(Form.SIGNED), _interval(margin["ci95"])]
    if wide:
        found = analysed or Node(None)
        p_value = found["holm"]["adjusted"].number(Form.P_VALUE)
        row += [_interval(found["running"]), found["effect"].number(Form.SIGNED), p_value]
        row += [
            found["luck_removed"].number(Form.SHARE),
            found["deals_worth"].number(Form.PLAIN),
        ]
    row += [pairing[key].number(Form.COUNT) for key in ("boards", "void")]
    row += [margin[key].number(Form.COUNT) for key in ("wins", "draws", "losses")]
    return tuple(row)


def _ranks(root: Node) -> Table | None:
    chances = by_rank(root, root["analysis"]["ranks"]["chances"])
    told = all(list(node["chances"]) for node in chances)  # not where too little is known
    if not told or not 0 < len(chances) <= MOST_IN_MATRIX:
        return None
    return Table(
        key="ranks",
        title="Chances of ranks",
        columns=("entrant", *(f"#{rank}" for rank in range(1, len(chances) + 1))),
        rows=tuple(
            (_name(node["name"]), *(_shade_of_share(chance) for chance in node["chances"]))
            for node in chances
        ),
        note="How often each entrant came where when the boards were drawn anew.",
    )


def _better(root: Node) -> Table | None:
    unranked = list(root["analysis"]["ratings"])
    rows = list(root["analysis"]["better"])
    if not 2 <= len(unranked) <= MOST_IN_MATRIX or len(rows) != len(unranked):
        return None
    ranked = by_rank(root, unranked)
    places = [next(at for at, node in enumerate(unranked) if node is each) for each in ranked]
    return Table(
        key="better",
        title="Who is better",
        columns=("#", "entrant", *(f"than {rank}" for rank in range(1, len(ranked) + 1))),
        rows=tuple(
            (
                root["entrants"][rank]["rank"].number(Form.COUNT),
                _name(node["name"]),
                *(
                    Words("") if other == place else _about_half(rows[place][other])
                    for other in places
                ),
            )
            for rank, (place, node) in enumerate(zip(places, ranked, strict=True))
        ),
        note="How sure the strengths are that the entrant in the row is better than that in the "
        "column.",
    )


def _shade_of_share(node: Node) -> Heat:
    number = node.number(Form.SHARE)
    return Heat(number, number.value or 0.0)


def _about_half(node: Node) -> Heat:
    number = node.number(Form.SHARE)
    return Heat(number, 0.0 if number.value is None else 2 * number.value - 1)


def _play(root: Node) -> Table | None:
    players = by_rank(root, root["analysis"]["play"])
    if not players:
        return None
    kinds = _keys(players, "points")
    times = any(player["decision_seconds"] for player in players)
    columns = ["entrant", "hands pitched", "set", "set rate"]
    columns += [f"{kind.replace('_', ' ')}" for kind in kinds]
    columns += ["median time", "99 %", "longest"] if times else []
    rows = []
    for player in players:
        row: list[Cell] = [_name(player["name"])]
        row += [player[key].number(Form.COUNT) for key in ("hands_pitched", "set")]
        row.append(player["set_rate"].number(Form.SHARE))
        row += [player["points"][kind].number(Form.COUNT) for kind in kinds]
        if times:
            spans = player["decision_seconds"]
            row += [spans[key].number(Form.SPAN) for key in ("p50", "p99", "max")]
        rows.append(tuple(row))
    return Table(
        key="play",
        title="How they play",
        columns=tuple(columns),
        rows=tuple(rows),
        note="Hands in which the entrant was the pitcher, how many of them were set, and the "
        "points it took in all its hands.",
    )


def _bids(root: Node) -> Table | None:
    players = by_rank(root, root["analysis"]["play"])
    bids = sorted(_keys(players, "bids"), key=lambda bid: (not bid.isdecimal(), len(bid), bid))
    return Table(
        key="bids",
        title="Bids that won the auction",
        columns=("entrant", *bids),
        rows=tuple(
            (_name(player["name"]), *(player["bids"][bid].number(Form.COUNT) for bid in bids))
            for player in players
        )
        if bids
        else (),
    )


def _keys(players: Sequence[Node], of: str) -> list[str]:
    """The keys that any player has, as they first come."""
    return list(dict.fromkeys(key for player in players for key, _ in player[of].items()))


def _faults(root: Node) -> Table:
    entrants = [each for each in root["entrants"] if any((each["faults"].value or {}).values())]
    kinds = list(dict.fromkeys(key for each in entrants for key, _ in each["faults"].items()))
    return Table(
        key="faults",
        title="Faults",
        columns=("entrant", *kinds),
        rows=tuple(
            (
                _name(each["name"]),
                *(each["faults"][kind].number(Form.COUNT) for kind in kinds),
            )
            for each in entrants
        ),
    )


def _verdicts(root: Node) -> Table:
    groups = list(root["fault_groups"])[:MOST_FAULTS]
    return Table(
        key="verdicts",
        title="Faults explained",
        columns=("entrant", "fault", "whose", "count", "what happened, first in game"),
        rows=tuple(
            (
                _name(group["entrant"]),
                Words(printable(group["kind"].value)),
                Words(printable(group["verdict"].value)),
                group["count"].number(Form.COUNT),
                Words(
                    f"{printable(group['explanation'].value)}; "
                    f"{printable(group['reason'].value)} (game {printable(group['game'].value)})"
                ),
            )
            for group in groups
        ),
        note="Whose a fault was is what can be known from here; it changes no result.",
    )


def _setup(root: Node) -> Table:
    return Table(
        key="setup",
        title="Set-up",
        columns=("setting", "value"),
        rows=tuple((Words(key), Words(value)) for key, value in (*_settings(root), *_proofs(root))),
    )


def _settings(root: Node) -> Iterator[tuple[str, str]]:
    for key, node in root["variant"].items():
        yield "variant" if key == "name" else f"variant.{key}", _plain(node.value)
    yield "isolation", _plain(root["isolation"].value)
    for key, node in root["format"].items():
        if isinstance(node.value, dict):
            for inner, below in node.items():
                yield f"{key}.{inner}", _setting(inner, below.value)
        else:
            yield f"format.{key}", _plain(node.value)


def _proofs(root: Node) -> Iterator[tuple[str, str]]:
    seed = root["seed"].value
    yield "seed", "secret until the end" if seed is None else printable(seed)
    yield "commitment (SHA-256 of the seed)", printable(root["commitment"].value)
    yield "digest of all games", printable(root["digest"].value)


def _setting(key: str, value: object) -> str:
    """A setting; the clock's times are in seconds."""
    spans = ("move_timeout", "time_bank", "start_timeout", "reconnect_grace")
    return f"{_plain(value)} s" if key in spans else _plain(value)


def _plain(value: object) -> str:
    if value is None:
        return "by default"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list):
        return ", ".join(map(_plain, value)) or "none"
    return printable(value)


_BUILDERS: tuple[Callable[[Node], Table | None], ...] = (
    _standings,
    _crosstable,
    _pairings,
    _ranks,
    _better,
    _play,
    _bids,
    _faults,
    _verdicts,
    _setup,
)
