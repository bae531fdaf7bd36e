"""The page without its pictures: what is in it, and that names of strangers stay text."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from pitch_server.reporting.charts import charts
from pitch_server.reporting.numbers import Form, shown
from pitch_server.reporting.page import embedded_document, page
from plan.making import make_settings
from reporting.making import NASTY, document_of


class Elements(HTMLParser):
    """The page's elements with their attributes, and the numbers in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.numbers: list[tuple[dict[str, str | None], str]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if self.found[-1:] and self.found[-1][0] == "data":
            self.numbers.append((self.found[-1][1], data))
            self.found.append(("", {}))


def at(document: Any, pointer: str) -> Any:
    """What stands at a JSON pointer, None if nothing does."""
    for key in pointer.split("/")[1:]:
        name = key.replace("~1", "/").replace("~0", "~")
        try:
            document = document[int(name) if isinstance(document, list) else name]
        except (KeyError, IndexError, TypeError):
            return None
    return document


def test_every_number_is_that_of_the_document_in_the_page(nasty: dict[str, Any]) -> None:
    text = page(nasty, {})
    document = embedded_document(text)
    assert document == json.loads(json.dumps(nasty))
    numbers = Elements(text).numbers
    assert len(numbers) > 300
    for attributes, drawn in numbers:
        value = at(document, attributes["data-at"] or "")
        assert drawn == shown(value, Form(attributes["data-form"] or "")), attributes
        assert attributes["value"] == ("" if value is None else str(value))


def test_names_of_strangers_stay_text(nasty: dict[str, Any]) -> None:
    page_of = Elements(page(nasty, {}))
    words = "".join(page_of.words)
    for name in (*NASTY, nasty["tournament"]):
        assert name in words
    tags = [tag for tag, _ in page_of.found]
    assert "img" not in tags
    assert [attributes for tag, attributes in page_of.found if tag == "script"] == [
        {"type": "application/json", "id": "document"}
    ]
    assert not any(name.startswith("on") for _, attributes in page_of.found for name in attributes)


def test_every_name_is_isolated_from_the_direction_of_others(nasty: dict[str, Any]) -> None:
    rtl = re.escape(NASTY[2])
    body = page(nasty, {}).partition("<main>")[2].partition("<script")[0]
    assert re.findall(rtl, body)
    assert len(re.findall(rtl, body)) == len(re.findall(f"<bdi>[^<]*{rtl}", body))


def test_it_asks_for_nothing_and_forbids_scripts(nasty: dict[str, Any]) -> None:
    page_of = Elements(page(nasty, {}))
    links = [value for _, each in page_of.found for key, value in each.items() if key in _LINKS]
    assert links
    assert all(link and link.startswith(("#", "data:,")) for link in links)
    (policy,) = [each["content"] for _, each in page_of.found if "http-equiv" in each]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


_LINKS = ("src", "href", "srcset", "action")


def test_each_id_is_there_once_and_each_link_leads_to_one(nasty: dict[str, Any]) -> None:
    found = Elements(page(nasty, {})).found
    ids = [each["id"] for _, each in found if "id" in each]
    assert len(ids) == len(set(ids))
    targets = {each["href"] for tag, each in found if tag == "a"}
    assert {f"#{name}" for name in ids} >= targets


def test_without_an_analysis_its_sections_are_absent(tmp_path: Path) -> None:
    document = document_of(tmp_path / "a.db", make_settings(3), analysis=False)
    ids = {each.get("id") for _, each in Elements(page(document, {})).found}
    assert {"standings", "pairings", "faults", "boards", "setup"} <= ids
    assert not {"certainty", "time", "play"} & ids
    assert charts(document) == []


def test_a_cycle_is_told_before_all_tables(nasty: dict[str, Any]) -> None:
    cycles = {"warning": "no order fits these pairings", "cycle": ["a", "b", "c"]}
    document = {**nasty, "analysis": {**nasty["analysis"], "cycles": cycles}}
    text = page(document, {})
    sentence = "Cycles: no order fits these pairings (a beats b beats c beats a)"
    assert 0 < text.index(sentence) < text.index("<table")


def test_times_of_decisions_are_told_where_they_are_known(nasty: dict[str, Any]) -> None:
    unknown = {"decisions": None, "p50": None, "p99": None, "max": None}
    rows: list[dict[str, Any]] = [{"name": row["name"], **unknown} for row in nasty["entrants"]]
    text = page({**nasty, "measured": {"decision_seconds": rows}}, {})
    assert 'id="times"' not in text
    rows[0] |= {"decisions": 12_345, "p50": 0.0004, "p99": 0.0121, "max": 1.204}
    text = page({**nasty, "measured": {"decision_seconds": rows}}, {})
    for told in ('id="times"', ">12,345<", ">0.4 ms<", ">12.1 ms<", ">1.204 s<", "Measured while"):
        assert told in text


def test_partners_are_named_together(nasty: dict[str, Any]) -> None:
    pairing = {**nasty["pairings"][0], "entrants": [["a", "b"], ["c", "d"]]}
    pairing["margins"] = [
        {**margin, "name": names}
        for margin, names in zip(pairing["margins"], pairing["entrants"], strict=True)
    ]
    text = page({**nasty, "pairings": [pairing], "analysis": {}}, {})
    assert "<bdi>a + b</bdi>" in text
    assert 'id="table-crosstable"' not in text


@pytest.mark.parametrize("text", ["", "<html></html>", '<script type="application/json">{}'])
def test_a_page_that_is_not_ours_holds_no_document(text: str) -> None:
    with pytest.raises(ValueError, match="expected a page of pitch report"):
        embedded_document(text)
