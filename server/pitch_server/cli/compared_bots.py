"""The two bots of `pitch compare`, as they are typed: `[NAME=]BOT`.

Here belongs making entrants of them whose commands can be kept: with {python} where it is meant, so
that a resume finds the Python of its own day. What a text may be is `pitch.testing.find_bot`'s.
"""

import re
import shlex
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pitch_server.cli.group import BadInput

if TYPE_CHECKING:
    from pitch_server.plan.settings import EntrantSettings

__all__ = ["compared_bots"]

_PYTHON = "{python}"
_NAMED = re.compile(r"([^=/{\s][^=/{]*)=")
_CLASS = re.compile(r"(.+\.py|[^\W\d]\w*(?:\.[^\W\d]\w*)*):([^\W\d]\w*)")


def compared_bots(texts: Sequence[str], directory: Path) -> "tuple[EntrantSettings, ...]":
    """The bots that the texts name, with two names; BadInput where one can't be started."""
    bots = tuple(_entrant(text, directory) for text in texts)
    names = [unicodedata.normalize("NFC", bot.name) for bot in bots]
    if names[0] == names[1]:
        raise BadInput(
            f"both are named {bots[0].name!r}; expected two names, as in "
            f"{_named_anew('old', texts[0])} {_named_anew('new', texts[1])}"
        )
    return bots


def _named_anew(name: str, text: str) -> str:
    """The text with another name, as one may type it."""
    named = _NAMED.match(text)
    return shlex.quote(f"{name}={text[named.end() :] if named else text}")


def _entrant(text: str, directory: Path) -> "EntrantSettings":
    from pitch_server.bot_command import command_problem
    from pitch_server.entrant_tables import name_problem
    from pitch_server.plan.settings import MAX_NAME, EntrantSettings

    named = _NAMED.match(text)
    source = text[named.end() :] if named else text
    try:
        words = shlex.split(source)
    except ValueError as error:
        raise BadInput(f"{text!r} is no command: {error}") from error
    if not words:
        raise BadInput(f"{text!r} is no command; expected [NAME=]PROGRAM ARGUMENT...")
    own_name, command = _command(words, directory)
    name = named[1] if named else own_name
    if problem := name_problem(name, MAX_NAME):
        raise BadInput(f"got the name {name!r}; expected {problem}")
    if problem := command_problem(command, directory):
        raise BadInput(f"{name}: {problem}{_samples(command)}")
    return EntrantSettings(name=name, command=tuple(command))


def _command(words: list[str], directory: Path) -> tuple[str, list[str]]:
    """The name that a bot has by itself, and the command that starts it."""
    from pitch.testing.samples import sample_bots

    program = words[0]
    if program.endswith(".py"):
        return Path(program).stem, [_PYTHON, *words]
    if (sample := sample_bots().get(program)) and not (directory / program).exists():
        return program, [_PYTHON, str(sample), *words[1:]]
    if len(words) == 1 and (found := _CLASS.fullmatch(program)):
        _check_class(program)
        return found[2], [_PYTHON, "-m", "pitch", program]
    scripts = [word for word in words if word.endswith(".py")]
    return Path(scripts[0] if scripts else program).stem, words


def _check_class(source: str) -> None:
    """Else it would be found out once everything has been made."""
    from pitch.testing import BotSourceError, find_bot

    try:
        find_bot(source)
    except BotSourceError as error:
        raise BadInput(str(error)) from error


def _samples(command: Sequence[str]) -> str:
    """Of a single word that is nothing: it was perhaps meant as a sample's name."""
    from pitch.testing.samples import sample_bots

    return f"; sample bots are {', '.join(sample_bots())}" if len(command) == 1 else ""
