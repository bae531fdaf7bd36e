"""What was published, read from files for `pitch verify --against`.

Here belong files and directories, and the words for what is none. Comparing is for
pitch_server.against.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitch_server.cli.group import BadInput

if TYPE_CHECKING:
    from pitch_server.against.files import Published
    from pitch_server.store.journal import Journal

__all__ = ["checking", "page_drawing", "read_published"]

Drawing = Callable[[Mapping[str, Any]], str]


def read_published(paths: Sequence[Path]) -> list["Published"]:
    """All files, those of a directory by their endings; BadInput for what can't be read."""
    if not paths:
        return []
    return [_read(file, name) for path in paths for file, name in _files(path)]


def _files(path: Path) -> Iterator[tuple[Path, str]]:
    """The files with the names that they are told by."""
    if not path.is_dir():
        yield path, str(path)
        return
    from pitch_server.against.files import form_of

    found = sorted(each for each in path.iterdir() if each.is_file() and form_of(each.name))
    if not found:
        raise BadInput(f"{path}: holds no .html, .md, .csv or .json file to compare with")
    for file in found:
        yield file, file.name


def _read(file: Path, name: str) -> "Published":
    from pitch_server.against.files import Form, Published, form_of

    try:
        data = file.read_bytes()
    except OSError as error:
        raise BadInput(f"{file}: cannot be read: {error.strerror}") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{file}: is not UTF-8: {error}") from None
    form = form_of(file.name, text) or Form.JSON
    document = _json(file, data) if form is Form.JSON or not text.strip() else None
    return Published(name, form, text, document)


def _json(file: Path, data: bytes) -> dict[str, Any]:
    """The published document; BadInput if it is none."""
    from pitch.records import RecordSyntaxError, read_objects

    try:
        ((_, value),) = read_objects([data])
    except RecordSyntaxError as error:
        raise BadInput(f"{file}: {error}") from None
    except ValueError:
        raise BadInput(f"{file}: holds nothing; expected what pitch published") from None
    return value


def page_drawing(files: Sequence["Published"]) -> Drawing | None:
    """How a page is made of its document, if there is a page among them."""
    if not any(file.form == "html" for file in files):
        return None
    from pitch_server.reporting.charts import charts
    from pitch_server.reporting.drawing import draw
    from pitch_server.reporting.page import page

    return lambda document: page(document, draw(charts(document)))


def checking(
    journal: "Journal", files: Sequence["Published"], drawn: Drawing | None
) -> Callable[[dict[str, Any]], str | None]:
    """What `pitch_server.verify` compares its document with: the files, made again of it."""
    from pitch_server.against.files import Report
    from pitch_server.published import with_measured
    from pitch_server.reporting.document import report_document

    def difference(document: dict[str, Any]) -> str | None:
        def whole() -> dict[str, Any]:
            return report_document(journal, lambda _: with_measured(journal, document))

        return Report(document, whole, drawn).difference(files)

    return difference
