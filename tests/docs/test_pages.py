"""Every block of code in docs/ runs as it stands, in the order of its page."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from docs.pages import DOCS, OTHER_LANGUAGES, blocks_of, pages, run_page

RUN = {"sh", "python"}
SHOWN = {"text", "mermaid", "http"}  # output and pictures
READ = {"json": json.loads, "toml": tomllib.loads}
TUTORIAL = DOCS / "tutorial.md"
TABLE = "pitch-ac, for the points of one hand, hand"  # as `print(view)` begins; shown to the blank
WITH_CODE = [
    page
    for page in pages()
    if page != OTHER_LANGUAGES and any(block.language in RUN for block in blocks_of(page))
]


def name_of(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
def test_a_page_runs_from_its_first_block_to_its_last(page: Path, tmp_path: Path) -> None:
    folder = tmp_path / "reader"
    folder.mkdir()
    done = run_page(page, folder)
    assert done.status == 0, done.output[-4000:]
    for block in blocks_of(page):
        if block.text.startswith(TABLE):
            assert block.text in done.output, f"{name_of(page)}:{block.line}"


def test_the_tutorial_shows_a_table() -> None:
    shown = [block.language for block in blocks_of(TUTORIAL) if block.text.startswith(TABLE)]
    assert shown == ["text"]


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_every_block_of_a_page_says_what_it_is(page: Path) -> None:
    for block in blocks_of(page):
        known = RUN | SHOWN | set(READ) | {"jsonl"}
        assert block.title or block.language in known, f"{name_of(page)}:{block.line}"
        if block.language in READ:
            assert READ[block.language](block.text), f"{name_of(page)}:{block.line}"


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_files_to_write_are_named_where_every_reader_sees_it(page: Path) -> None:
    """Titles of blocks are shown on the site alone."""
    text = page.read_text(encoding="utf-8")
    prose = re.sub(r"^( *)```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)
    for block in blocks_of(page):
        assert block.title is None or f"`{block.title}`" in prose, f"{name_of(page)}:{block.line}"


def test_a_page_with_a_block_that_fails_is_found(tmp_path: Path) -> None:
    broken = tmp_path / "page.md"
    broken.write_text(
        '```python title="a.py"\nraise SystemExit(3)\n```\n\n```sh\npython a.py\n```\n'
    )
    folder = tmp_path / "reader"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("docs.pages.CHECKOUT", tmp_path)
        assert run_page(broken, folder).status == 3
