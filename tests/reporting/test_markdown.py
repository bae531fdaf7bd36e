from itertools import pairwise
from typing import Any

import pytest
from markdown_it import MarkdownIt

from pitch_server.reporting.markdown import markdown
from pitch_server.reporting.numbers import Form, shown
from reporting.making import NASTY


def rendered(document: dict[str, Any]) -> str:
    return str(MarkdownIt("commonmark").enable("table").render(markdown(document)))


def test_tables_are_tables_and_hold_the_numbers_of_the_document(nasty: dict[str, Any]) -> None:
    html = rendered(nasty)
    assert html.count("<table>") >= 10
    for row in nasty["entrants"]:
        assert f">{shown(row['trueskill']['conservative'], Form.PLAIN)}</td>" in html
    for pairing in nasty["analysis"]["pairings"]:
        assert f">{shown(pairing['mean'], Form.SIGNED)}</td>" in html


@pytest.mark.parametrize("name", NASTY)
def test_names_of_strangers_stay_text(nasty: dict[str, Any], name: str) -> None:
    html = rendered(nasty)
    escaped = name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert escaped.replace('"', "&quot;") in html
    assert not {"<script", "<img", "<em>", "<a "} & {
        html[at : at + 7][:n] for at in range(len(html)) for n in (3, 4, 7)
    }


def test_a_row_has_as_many_cells_as_its_table(nasty: dict[str, Any]) -> None:
    lines = markdown(nasty).replace(r"\|", "").splitlines()
    for above, below in pairwise(lines):
        if above.startswith("|") and below.startswith("|"):
            assert above.count("|") == below.count("|")
