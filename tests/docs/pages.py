"""The pages of docs/ as a reader works through them: files to write, commands, Python.

Here belongs reading a page and running it in an empty folder as its words say. What has to
come of it stands in the tests.

A block with `title="FILE"` is written to that file. The `sh` blocks of a page are one shell,
in order, with its files written where they stand. Then its Python blocks without a title run
in one interpreter, in order. Of the set-up line that begins with `python3 -m venv` only the
effect is given: an environment in `.venv`, as the README's commands set it up by themselves.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

__all__ = ["CHECKOUT", "DOCS", "OTHER_LANGUAGES", "Block", "Done", "blocks_of", "pages", "run_page"]

CHECKOUT = Path(__file__).parents[2]
DOCS = CHECKOUT / "docs"
OTHER_LANGUAGES = DOCS / "any-language.md"  # runs where its language is: tests/other_languages
_TITLE = re.compile(r'title="([^"]+)"')
_LINKED = ("sample_bots", "proto", "tests", "benchmarks")  # what a page may use of a checkout


class Block(NamedTuple):
    """A block of code: its language, the file that it is, if any, its text, its first line."""

    language: str
    title: str | None
    text: str
    line: int


class Done(NamedTuple):
    """How a page ended: its status, None where its time was up, and what was to be read."""

    status: int | None
    output: str


def pages() -> list[Path]:
    """Every page, in order of its path."""
    return sorted(DOCS.rglob("*.md"))


def blocks_of(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, those within lists and notes included."""
    text = _without_tabs_of_notes(page.read_text(encoding="utf-8"))
    for token in MarkdownIt().parse(text):
        if token.type == "fence":
            assert token.map is not None
            words = token.info.split(maxsplit=1)
            title = _TITLE.search(token.info)
            yield Block(
                words[0] if words else "",
                title.group(1) if title else None,
                token.content,
                token.map[0] + 2,
            )


def _without_tabs_of_notes(text: str) -> str:
    """Notes (`!!! note`, `=== "tab"`) indent what they hold, which Markdown takes for code."""
    lines, inside = [], False
    for line in text.splitlines():
        if re.match(r"(!!!|\?\?\?\+?|===) ", line):
            inside = True
            lines.append("")
        elif inside and (line.startswith("    ") or not line.strip()):
            lines.append(line[4:])
        else:
            inside = False
            lines.append(line)
    return "\n".join(lines)


def run_page(
    page: Path, folder: Path, timeout: float = 100, *, installed: Path | None = None
) -> Done:
    """Works through a page in an empty folder; its status is that of the first failure.

    With `installed`, an environment of its own, the folder has nothing of the checkout.
    """
    environment = installed or Path(sys.prefix)
    for name in () if installed else _LINKED:
        (folder / name).symlink_to(CHECKOUT / name)
    (folder / ".venv").symlink_to(environment)
    script = folder.parent / f"{folder.name}.sh"
    script.write_text(_script(page), encoding="utf-8")
    path = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
    output = folder.parent / f"{folder.name}.output"
    with output.open("w", encoding="utf-8") as told:
        reader = subprocess.Popen(
            ["bash", "-eu", "-o", "pipefail", str(script)],
            cwd=folder,
            env={**os.environ, "PATH": path, "COLUMNS": "100"},
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status: int | None = reader.wait(timeout)
        except subprocess.TimeoutExpired:
            status = None
        finally:  # what the page left in the background goes with it
            with suppress(ProcessLookupError):
                os.killpg(reader.pid, signal.SIGKILL)
            reader.wait()
    return Done(status, output.read_text(encoding="utf-8", errors="replace"))


def _script(page: Path) -> str:
    name = page.relative_to(CHECKOUT).as_posix()
    steps, python = ["shopt -s expand_aliases"], []
    for block in blocks_of(page):
        place = f"{name}:{block.line}"
        if block.title:
            steps += [f"# {place}", _written(block.title, block.text)]
        elif block.language == "sh":
            steps += [f"echo '== {place}'", _without_set_up(block.text)]
        elif block.language == "python":
            code = "\n" * (block.line - 1) + block.text  # so that a traceback names the line
            python.append(f"exec(compile({code!r}, {name!r}, 'exec'), page)")
    if python:
        steps.append(f"echo '== the Python of {name}'; python -W error - <<'END_OF_PYTHON'")
        steps += ["page = {'__name__': 'docs'}", *python, "END_OF_PYTHON"]
    return "\n".join(steps) + "\n"


def _written(title: str, text: str) -> str:
    file = shlex.quote(title)
    return f"mkdir -p \"$(dirname {file})\"; cat > {file} <<'END_OF_FILE'\n{text}END_OF_FILE"


def _without_set_up(text: str) -> str:
    return "".join(
        line for line in text.splitlines(keepends=True) if not line.startswith("python3 -m venv")
    )
