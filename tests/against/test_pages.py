"""Pages: a change of anything that is seen is found and named, wherever it was made."""

import copy
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from pitch_server.against.pages import page_difference
from pitch_server.reporting.page import embedded_document, page

PICTURES = {
    f"strengths-{size}": f'<svg class="chart" role="img" aria-label="b" width="{width}" '
    'height="90" '
    f'viewBox="0 0 {width} 90"><g fill="none" stroke-miterlimit="10" transform="translate(39,3)">'
    '<g class="mark-text role-axis-title" pointer-events="none"><text text-anchor="middle" '
    f'transform="translate(240,31)">points</text></g><path d="M0,0L{width},1"/>'
    '<path transform="translate(5,6)" d="M4,0"/><text transform="translate(3,4)">b</text></g></svg>'
    for size, width in (("wide", 640), ("narrow", 290))
}


def drawn(document: Mapping[str, Any]) -> str:
    return page(document, PICTURES)


def test_a_page_as_it_was_made_agrees(whole: dict[str, Any]) -> None:
    text = drawn(whole)
    assert page_difference(text, whole, drawn) is None
    assert page_difference(text.replace("\n", "\r\n"), whole, drawn) is None


def test_the_last_digits_of_another_machine_are_no_difference(whole: dict[str, Any]) -> None:
    other = copy.deepcopy(whole)
    other["entrants"][0]["trueskill"]["mu"] *= 1 + 1e-13
    assert page_difference(drawn(other), whole, drawn) is None


def test_a_number_that_is_seen_is_compared_though_the_document_in_it_is_right(
    whole: dict[str, Any],
) -> None:
    text = drawn(whole)
    shown = re.search(r'data-at="/entrants/0/trueskill/mu" data-form="plain">([^<]+)<', text)
    assert shown is not None
    forged = text[: shown.start(1)] + "99.99" + text[shown.end(1) :]
    found = page_difference(forged, whole, drawn)
    assert found is not None
    assert re.match(r"line \d+, in table-standings: it is …'.*>99\.99<", found)
    assert f">{shown[1]}<" in found
    assert found.endswith("(/entrants/0/trueskill/mu)")


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        pytest.param("Cards as dealt", "Cards as drawn", "in boards", id="words"),
        pytest.param("</main>", "<p>c is first</p></main>", "in table-setup", id="more"),
        pytest.param("--paper:", "--papier:", "in its head", id="style"),
        pytest.param("M0,0L640,1", "M0,0L640,9", "chart 1 is not as it is drawn", id="a chart"),
        pytest.param(">b</text>", ">c</text>", "chart 1 is not as it is drawn", id="a label"),
        pytest.param("(5,6)", "(9,6)", "chart 1 is not as it is drawn", id="a point elsewhere"),
        pytest.param("(3,4)", "(3,9)", "chart 1 is not as it is drawn", id="a label elsewhere"),
        pytest.param("(39,3)", "(199,3)", "chart 1 is not", id="the frame far away"),
        pytest.param('viewBox="0 0 640 90"', 'viewBox="0 0 1 1"', "chart 1 is", id="blank"),
        pytest.param(">b</text>", '>b width="9"</text>', "chart 1 is", id="words as of fonts"),
        pytest.param(">b</text>", "> b</text>", "chart 1 is", id="a space"),
    ],
)
def test_whatever_is_seen_is_compared(
    whole: dict[str, Any], old: str, new: str, named: str
) -> None:
    text = drawn(whole)
    assert old in text
    found = page_difference(text.replace(old, new, 1), whole, drawn)
    assert found is not None
    assert named in found


def test_letters_may_take_other_room(whole: dict[str, Any]) -> None:
    text = drawn(whole)
    for old, new in (
        ('width="640"', 'width="655"'),
        ('viewBox="0 0 640 90"', 'viewBox="0 0 655 90"'),
        ("translate(39,3)", "translate(54,3)"),
        ("translate(240,31)", "translate(240,33.5)"),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    assert page_difference(text, whole, drawn) is None


def test_a_page_that_was_made_of_another_document_is_found_by_its_key(
    whole: dict[str, Any],
) -> None:
    other = copy.deepcopy(whole)
    other["pairings"][0]["margins"][0]["wins"] += 1
    found = page_difference(drawn(other), whole, drawn)
    assert found is not None
    assert "in the document of the page the published pairings[0].margins[0].wins is" in found


def test_a_key_that_was_taken_out_is_found(whole: dict[str, Any]) -> None:
    other = {key: value for key, value in whole.items() if key != "fault_groups"}
    found = page_difference(drawn(other), whole, drawn)
    assert found is not None
    assert "fault_groups is not there" in found


def test_a_page_without_a_document_is_none_of_ours(whole: dict[str, Any]) -> None:
    found = page_difference("<html></html>", whole, drawn)
    assert found == "expected a page of pitch report, with a document in it"
    broken = drawn(whole).replace('id="document">{', 'id="document">{,')
    assert page_difference(broken, whole, drawn) is not None
    nothing = re.sub(r'id="document">.*?</script>', 'id="document">[]</script>', drawn(whole))
    assert page_difference(nothing, whole, drawn) == "the document in the page is no JSON object"


def test_the_document_is_written_in_one_way(whole: dict[str, Any]) -> None:
    text = drawn(whole)
    assert embedded_document(text) == whole
    loose = json.dumps(whole, indent=1).replace("<", "\\u003c")
    other = re.sub(
        r'(id="document">).*?(</script>)', lambda found: found[1] + loose + found[2], text
    )
    assert page_difference(other, whole, drawn) is not None
