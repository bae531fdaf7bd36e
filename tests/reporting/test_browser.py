"""The page with its charts in a real browser: what a reader sees, on a phone and on paper too.

The browser is that of PITCH_TEST_BROWSER, which .ci/browser sets; one that is named and does not
start is a failure, never a skip. Where none is named, all of this is one skip.
"""

import json
import os
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self
from xml.etree import ElementTree as ET

import pytest

from cli.running import pitch
from cli.tournaments import finished
from pitch_server.plan.settings import Settings
from pitch_server.reporting.charts import charts
from pitch_server.reporting.numbers import Form, shown
from pitch_server.reporting.page import embedded_document, page
from plan.making import make_settings
from reporting.making import NASTY, document_of, running_document
from reporting.test_formats import ALONE, COMPARED, MIXED, SEPARATED, SWISS
from reporting.test_page import at
from verify.making import play_tournament

BROWSER = os.environ.get("PITCH_TEST_BROWSER")
if BROWSER is None:
    pytest.skip(
        "no browser is named in PITCH_TEST_BROWSER; .ci/browser brings one",
        allow_module_level=True,
    )

from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402

from pitch_server.reporting.drawing import draw  # noqa: E402

OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    "--no-first-run",
]
SIZES = [
    pytest.param(360, id="phone"),
    pytest.param(800, id="tablet"),
    pytest.param(1280, id="wide"),
]
SCHEMES = ("light", "dark")
FORMATS = [
    pytest.param(SWISS, id="swiss"),
    pytest.param(MIXED, id="mixed"),
    pytest.param(ALONE, id="four sides"),
    pytest.param(SEPARATED, id="until separated"),
    pytest.param(COMPARED, id="a question"),
]
BRIGHT = 128


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=BROWSER, args=OPTIONS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def file(nasty: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the tournament with every part."""
    written = tmp_path_factory.mktemp("page") / "index.html"
    written.write_text(page(nasty, draw(charts(nasty))), encoding="utf-8")
    return written


class Opened:
    """A page as it was opened: what it asked for and what it complained of."""

    def __init__(self, browser: Browser, file: Path, width: int, scheme: Any = "light") -> None:
        self.context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme
        )
        self.complaints: list[str] = []
        self.asked_for: list[str] = []
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        self.page.on("request", lambda request: self.asked_for.append(request.url))
        self.page.goto(file.as_uri())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", SIZES)
def test_it_is_shown_whole_in_silence_and_asks_for_nothing(
    browser: Browser, file: Path, width: int, scheme: str
) -> None:
    with Opened(browser, file, width, scheme) as opened:
        assert opened.complaints == []
        assert [url for url in opened.asked_for if not url.startswith("data:")] == [file.as_uri()]
        assert beyond(opened.page, width) == []
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width


def beyond(opened: Page, width: int) -> Any:
    """Elements that stick out of the screen, but for those that their own box scrolls."""
    return opened.evaluate(
        """width => [...document.querySelectorAll("main *, header *")]
          .filter(each => !each.closest(".scroll, svg") && each.getBoundingClientRect().width)
          .filter(each => each.getBoundingClientRect().right > width + 1)
          .map(each => each.outerHTML.slice(0, 80))""",
        width,
    )


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_picture_of_it_is_not_blank(browser: Browser, file: Path, scheme: str) -> None:
    with Opened(browser, file, 1280, scheme) as opened:
        colours = colours_of(opened.page, opened.page.screenshot())
    assert len(colours) > 50
    most = max(colours, key=lambda colour: colours[colour])
    assert (sum(map(int, most.split(","))) / 3 > BRIGHT) == (scheme == "light")


def colours_of(opened: Page, png: bytes) -> dict[str, int]:
    """How many pixels have which colour; the browser itself reads its picture."""
    blank = opened.context.new_page()
    found: dict[str, int] = blank.evaluate(
        """async text => {
          const bytes = Uint8Array.from(atob(text), char => char.charCodeAt(0));
          const image = await createImageBitmap(new Blob([bytes]));
          const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
          canvas.drawImage(image, 0, 0);
          const {data} = canvas.getImageData(0, 0, image.width, image.height);
          const counts = {};
          for (let i = 0; i < data.length; i += 4) {
            const colour = data.slice(i, i + 3).join();
            counts[colour] = (counts[colour] ?? 0) + 1;
          }
          return counts;
        }""",
        b64encode(png).decode(),
    )
    return found


def test_the_numbers_that_are_shown_are_those_of_the_document(
    browser: Browser, file: Path, nasty: dict[str, Any]
) -> None:
    with Opened(browser, file, 1280) as opened:
        numbers = opened.page.evaluate(
            """[...document.querySelectorAll("data")].map(
              each => [each.dataset.at, each.dataset.form, each.textContent])"""
        )
        text = opened.page.evaluate('document.getElementById("document").textContent')
    document = embedded_document(file.read_text(encoding="utf-8"))
    assert document == json.loads(text) == json.loads(json.dumps(nasty))
    assert len(numbers) > 300
    assert [row for row in numbers if row[2] != shown(at(document, row[0]), Form(row[1]))] == []


def test_names_of_strangers_are_shown_as_they_are(browser: Browser, file: Path) -> None:
    with Opened(browser, file, 1280) as opened:
        shown_names = opened.page.evaluate(
            """[...document.querySelectorAll("#table-standings tbody th bdi")].map(
              each => each.innerText)"""
        )
        assert opened.page.title() == '<img src=x onerror="alert(1)">'
    assert sorted(shown_names) == sorted(NASTY)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_all_text_stands_out_from_its_ground(browser: Browser, file: Path, scheme: str) -> None:
    with Opened(browser, file, 1280, scheme) as opened:
        assert opened.page.evaluate(CONTRAST) == []


CONTRAST = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const over = (colours) => {
    canvas.fillStyle = "white"; canvas.fillRect(0, 0, 1, 1);
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => rgb.map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const faint = [];
  for (const each of document.querySelectorAll("body *")) {
    const own = [...each.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || each.closest("svg, script, details:not([open])") || !each.offsetWidth) continue;
    const grounds = [];
    for (let up = each; up; up = up.parentElement)
      grounds.unshift(getComputedStyle(up).backgroundColor);
    const ground = light(over(grounds));
    const ink = light(over([...grounds, getComputedStyle(each).color]));
    const ratio = (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05);
    if (ratio < 4.5) faint.push(`${ratio.toFixed(2)} ${each.outerHTML.slice(0, 90)}`);
  }
  return faint;
}"""


def test_on_paper_it_is_light_and_all_of_it_is_there(browser: Browser, file: Path) -> None:
    with Opened(browser, file, 1280, "dark") as opened:
        opened.page.emulate_media(media="print", color_scheme="dark")
        ground = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
        hidden = opened.page.evaluate('getComputedStyle(document.querySelector("nav")).display')
        trick = opened.page.evaluate('document.querySelector(".tricks").checkVisibility()')
        paper = opened.page.pdf(format="A4")
    assert (ground, hidden, trick) == ("rgb(255, 255, 255)", "none", True)
    assert paper.startswith(b"%PDF")


@pytest.mark.parametrize("games", [0, 1, 40])
def test_a_tournament_that_goes_on_has_a_page_too(
    browser: Browser, tmp_path: Path, games: int
) -> None:
    document = running_document(tmp_path / "a.db", make_settings(3, boards=30), games)
    written = tmp_path / "index.html"
    written.write_text(page(document, draw(charts(document))), encoding="utf-8")
    with Opened(browser, written, 360) as opened:
        assert opened.complaints == []
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= 360
        assert opened.page.inner_text("h1") == "test"


def test_a_field_of_many_is_readable_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    document = document_of(tmp_path / "a.db", make_settings(12, boards=2))
    written = tmp_path / "index.html"
    written.write_text(page(document, draw(charts(document))), encoding="utf-8")
    with Opened(browser, written, 360) as opened:
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= 360
        assert beyond(opened.page, 360) == []
        assert len(opened.page.query_selector_all("#table-crosstable td.heat")) == 12 * 11


def test_the_command_writes_the_page_whole(tmp_path: Path) -> None:
    database = finished(tmp_path / "a.db")
    result = pitch("report", str(database), "--html", str(tmp_path / "public"))
    assert (result.exit_code, result.stdout) == (0, "")
    assert [each.name for each in (tmp_path / "public").iterdir()] == ["index.html"]
    text = (tmp_path / "public" / "index.html").read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert text.endswith("</html>\n")
    assert embedded_document(text)["tournament"] == "test"


@pytest.mark.parametrize("settings", FORMATS)
def test_what_a_format_alone_tells_is_shown_whole_in_silence(
    browser: Browser, tmp_path: Path, settings: Settings
) -> None:
    play_tournament(tmp_path / "a.db", settings)
    assert pitch("report", str(tmp_path / "a.db"), "--html", str(tmp_path)).exit_code == 0
    for width in (360, 1280):
        with Opened(browser, tmp_path / "index.html", width) as opened:
            assert opened.complaints == []
            assert beyond(opened.page, width) == []
            assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
            assert opened.page.evaluate(CONTRAST) == []


def test_a_published_page_is_verified_charts_and_all(tmp_path: Path) -> None:
    database, public = finished(tmp_path / "a.db"), tmp_path / "public"
    directory = ("--html", str(public), "--csv", str(public), "--markdown", str(public / "a.md"))
    assert pitch("report", str(database), *directory).exit_code == 0
    result = pitch("verify", str(database), "--against", str(public))
    assert result.exit_code == 0, result.output
    file = public / "index.html"
    text = file.read_text(encoding="utf-8")
    start = text.index('<svg class="chart"')
    bar = text.index(' d="M', start) + len(' d="M')
    file.write_text(f"{text[:bar]}1{text[bar:]}", encoding="utf-8")
    result = pitch("verify", str(database), "--against", str(file))
    assert result.exit_code == 1
    assert "chart 1 is not as it is drawn of the numbers" in result.stdout
    assert text.count("; complete.") == 1
    file.write_text(text.replace("; complete.", "; open.", 1), encoding="utf-8")
    result = pitch("verify", str(database), "--against", str(file))
    assert "recomputed it is" in result.stdout
    assert "open" in result.stdout


def test_charts_are_drawn_the_same_each_time_with_words_for_who_cannot_see(
    nasty: dict[str, Any],
) -> None:
    pictures = draw(charts(nasty))
    assert pictures == draw(charts(json.loads(json.dumps(nasty))))
    for chart in charts(nasty):
        root = ET.fromstring(pictures[chart.key])
        assert root.get("role") == "img"
        assert root.get("aria-label") == chart.words
        assert not any(element.tag.endswith("script") for element in root.iter())
        assert "http" not in pictures[chart.key].replace("http://www.w3.org/", "").replace(
            "http://x.example", ""
        )
