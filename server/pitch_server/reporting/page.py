"""The page: one self-contained HTML file with everything in it and no script.

Here belong what the template is given and the embedding of the document. A policy in the page
itself forbids scripts and every request, so that no name of a stranger can do anything.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from pitch_server.reporting.cells import Heat, Interval, Name, Table, Words
from pitch_server.reporting.charts import COLOURS, MOST_HISTOGRAMS, curve_names
from pitch_server.reporting.hands import boards
from pitch_server.reporting.names import label, printable
from pitch_server.reporting.notes import remarks, verdict, warnings
from pitch_server.reporting.numbers import NOTHING, Form, Node, Number
from pitch_server.reporting.tables.every import tables

__all__ = ["embedded_document", "page"]

_EMBEDDED = re.compile(r'<script type="application/json" id="document">(.*?)</script>', re.DOTALL)
_HARMLESS = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"}


def page(document: Mapping[str, Any], pictures: Mapping[str, str]) -> str:
    """The page of a document, with the SVG of its charts by their keys."""
    root = Node(dict(document))
    html = _template().render(
        root=root,
        title=printable(root["tournament"].value),
        tables=tables(root.value),
        verdict=verdict(root.value),
        warnings=warnings(root.value),
        remarks=remarks(root.value),
        boards=boards(root),
        pictures={key: Markup(svg) for key, svg in pictures.items()},  # noqa: S704 - ours
        curves=[(index % COLOURS, label(name)) for index, name in enumerate(curve_names(document))],
        histograms=list(enumerate(root["analysis"]["pairings"]))[:MOST_HISTOGRAMS],
        embedded=Markup(_embedded(document)),  # noqa: S704 - escaped there
        style=Markup(_style()),  # noqa: S704 - ours
        **_KINDS,
    )
    return html + "\n"


def _column(table: Table, at: int) -> str:
    """How a column's cells stand, as the first one has it that holds something."""
    kinds = {Heat: "heat", Name: "name", Words: "words"}
    found = (row[at] for row in table.rows if row[at].text not in ("", NOTHING))
    return kinds.get(type(next(found, None)), "number")


_KINDS = {
    "Form": Form,
    "column": _column,
    "is_number": lambda cell: isinstance(cell, Number),
    "is_interval": lambda cell: isinstance(cell, Interval),
    "is_heat": lambda cell: isinstance(cell, Heat),
    "is_name": lambda cell: isinstance(cell, Name),
    "is_words": lambda cell: isinstance(cell, Words),
    "label": label,
}


def embedded_document(html: str) -> Any:
    """The document that a page holds; ValueError if it holds none."""
    found = _EMBEDDED.search(html)
    if found is None:
        raise ValueError("expected a page of pitch report, with a document in it")
    return json.loads(found[1])


def _embedded(document: Mapping[str, Any]) -> str:
    """JSON that cannot end the element it stands in."""
    return json.dumps(document, allow_nan=False, separators=(",", ":")).translate(_HARMLESS)


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("pitch_server.reporting", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html")


@cache
def _style() -> str:
    return files("pitch_server.reporting").joinpath("page.css").read_text(encoding="utf-8")
