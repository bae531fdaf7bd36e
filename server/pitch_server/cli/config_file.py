"""The argument CONFIG: the file that a tournament is described in.

Here belongs that it is there. What stands in it is for `pitch_server.config`.
"""

from pathlib import Path
from typing import Any

import click

from pitch_server.cli.database import near_by
from pitch_server.cli.group import BadInput

__all__ = ["ConfigFile"]


class ConfigFile(click.ParamType["Path"]):
    """The path of a file that is there; BadInput says what may have been meant."""

    name = "file"

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,  # noqa: ARG002 - click's
        ctx: click.Context | None,  # noqa: ARG002
    ) -> Path:
        """The path."""
        path = Path(value)
        try:
            if path.exists() and not path.is_dir():
                return path
            what = "a folder" if path.is_dir() else "not there"
        except (OSError, ValueError) as error:
            raise BadInput(f"{value}: can't be looked at: {error}") from None
        raise BadInput(
            f"{value} is {what}; expected a file that describes a tournament{near_by(path)}"
        )
