"""`pitch new`: writes the project of a new bot.

Here belongs where it is written to. What is in it is for `pitch_server.project`.
"""

import shlex
from pathlib import Path

import click

from pitch_server.cli.group import BadInput

__all__ = ["new"]

_EPILOG = """\b
Example:
  pitch new alice
"""


@click.command(epilog=_EPILOG)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def new(folder: Path) -> int:
    """Write a bot's project to the folder DIR: a bot that plays, its tests, a tournament.

    The folder is made, or is there and empty. The bot is called after it.
    """
    from pitch_server.project import NameProblem, project_files

    try:
        texts = project_files(folder.resolve().name)
    except NameProblem as error:
        raise BadInput(str(error)) from error
    try:
        _check_empty(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{folder} can't be made: {error.strerror}") from error
    click.echo(f"{folder}: {', '.join(texts)}\n\nGo on with:")
    if folder.resolve() != Path.cwd():
        click.echo(f"  cd {shlex.quote(str(folder))}")
    click.echo(f"  pitch try {next(iter(texts))}\n  pitch run trial.toml")
    return 0


def _check_empty(folder: Path) -> None:
    """BadInput if something is there that is not to be mixed with a new project."""
    if folder.is_dir():
        there = sorted(each.name for each in folder.iterdir())
        if there:
            few = ", ".join(there[:3]) + (" …" if len(there) > 3 else "")
            raise BadInput(f"{folder} is not empty ({few}); expected a new folder or an empty one")
    elif folder.exists():
        raise BadInput(f"{folder} is a file; expected a new folder or an empty one")
