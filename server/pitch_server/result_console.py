"""The console for results on standard output.

Here belongs what happens when whoever reads them goes away (`pitch standings DB | head -1`):
the command ends as any program does then. Messages on standard error are `messages`'.
"""

from rich.console import Console

__all__ = ["ResultConsole"]


class ResultConsole(Console):
    """Standard output; rich itself would end the process with status 1 when its reader goes."""

    def __init__(self, *, width: int | None = None, markup: bool = True) -> None:
        """`width` in columns where it isn't to be the terminal's."""
        super().__init__(highlight=False, width=width, markup=markup)

    def on_broken_pipe(self) -> None:
        """Leaves it to the command's end, which knows the status for it."""
        raise BrokenPipeError("nobody reads standard output any more")
