"""Files that were published of a tournament: which form each has, and whether it agrees.

Here belongs bringing the forms together, over files that have been read.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from pitch_server.against.documents import document_difference
from pitch_server.against.pages import page_difference
from pitch_server.against.sheets import sheet_difference
from pitch_server.against.texts import text_difference
from pitch_server.reporting.csv_files import csv_files
from pitch_server.reporting.markdown import markdown

__all__ = ["Form", "Published", "Report", "form_of"]

Json = Mapping[str, Any]


class Form(StrEnum):
    """In which form something is published."""

    JSON = "json"
    PAGE = "html"
    MARKDOWN = "md"
    CSV = "csv"


_BEGINNINGS = {"{": Form.JSON, "<": Form.PAGE, "#": Form.MARKDOWN}
_ENDINGS = {str(form): form for form in Form} | {"htm": Form.PAGE, "markdown": Form.MARKDOWN}


def form_of(name: str, text: str | None = None) -> Form | None:
    """The form by the ending of a file's name, else by how its text begins; None for neither."""
    ending = name.rpartition(".")[2].lower()
    if ending in _ENDINGS or text is None:
        return _ENDINGS.get(ending)
    return _BEGINNINGS.get(text.lstrip()[:1], Form.CSV)


class Published(NamedTuple):
    """A file: its name, and what is in it; of a JSON file the document."""

    name: str
    form: Form
    text: str
    document: Json | None = None


class Report:
    """What is recomputed, in all forms; each is made when it is first asked for."""

    def __init__(
        self,
        document: Json,
        whole: Callable[[], Json],
        drawn: Callable[[Json], str] | None = None,
    ) -> None:
        """`whole` gives the document of a report, `drawn` makes a page of one."""
        self._document = document
        self._whole = whole
        self._drawn = drawn

    @cached_property
    def whole(self) -> Json:
        """The document of the report."""
        return self._whole()

    @cached_property
    def _sheets(self) -> Mapping[str, str]:
        return csv_files(self.whole)

    def difference(self, files: Sequence[Published]) -> str | None:
        """The first difference of these files, which is named with the file."""
        for file in files:
            if found := self._of(file):
                return f"{file.name}: {found}"
        return None

    def _of(self, file: Published) -> str | None:
        if file.document is not None:
            return document_difference(file.document, self._document)
        if file.form is Form.PAGE:
            assert self._drawn is not None  # noqa: S101 - who has a page to check can make one
            return page_difference(file.text, self.whole, self._drawn)
        if file.form is Form.MARKDOWN:
            return text_difference(file.text, self.whole, markdown)
        return sheet_difference(file.name.rpartition("/")[2], file.text, self._sheets)
