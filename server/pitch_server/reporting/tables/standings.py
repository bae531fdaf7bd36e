"""The standings: who is where, by which numbers."""

from pitch_server.reporting.cells import Cell, Table, Words, key_of, name_cell
from pitch_server.reporting.numbers import Form, Node

__all__ = ["standings"]


def standings(root: Node) -> Table:
    """Everybody by rank."""
    entrants = list(root["entrants"])
    strengths = {key_of(node["name"].value): node for node in root["analysis"]["ratings"]}
    firsts = {
        key_of(node["name"].value): node["chances"][0]
        for node in root["analysis"]["ranks"]["chances"]
    }
    challengers = {node.value for node in root["format"]["challengers"]}
    columns = [
        "#",
        "entrant",
        *(["of the"] if challengers else []),
        "TrueSkill",
        "μ",
        "σ",
        "per board",
    ]
    columns += ["strength", "± s.e."] if strengths else []
    columns += ["first in"] if firsts else []
    columns += ["games", "W", "D", "L"]
    rows = []
    for entrant in entrants:
        skill, name = entrant["trueskill"], key_of(entrant["name"].value)
        row: list[Cell] = [entrant["rank"].number(Form.COUNT), name_cell(entrant["name"])]
        if challengers:
            mine = entrant["name"].value in challengers
            row.append(Words("challengers" if mine else "field"))
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
