"""From a text to a bot: a file, `module:Class`, a sample's name or a command.

Here belongs what the text means. Loading a file is `bot_file`'s, playing nobody's here.
"""

import importlib
import re
import shlex
import shutil
import sys
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path

from pitch.bot.base import Bot
from pitch.bot.mistakes import never_runs
from pitch.testing.bot_file import (
    BotSourceError,
    bot_in,
    import_trouble,
    imported,
    load_bot_file,
    starts_something,
)
from pitch.testing.samples import sample_bots

__all__ = ["BotSourceError", "FoundBot", "find_bot"]

_PYTHON = "{python}"
_NAMED = re.compile(r"([^=/{\s][^=/{]*)=")
_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundBot:
    """A bot that a text names.

    `bot_class` can be made in this process; a bot that is given as a command has none.
    `command` starts it as a process of its own in the current folder, as a tournament does;
    `warning` says why that would be in vain, where it can be seen beforehand.
    """

    name: str
    bot_class: type[Bot] | None
    command: tuple[str, ...]
    warning: str = ""


def find_bot(text: str) -> FoundBot:
    """The bot that a text names: `[NAME=]BOT`.

    BOT is a file (`my_bot.py`, or `my_bot.py:Class` where it has several bots), a class of a
    module (`module:Class`), a sample's name (`rule`) or a command (`node bot.js`,
    `{python} my_bot.py --option`, `rule --caution 1`). Raises BotSourceError, which says what
    is wrong and what to do.
    """
    named = None if Path(text).is_file() else _NAMED.match(text)  # a file may be called so
    name, source = (named[1].strip(), text[named.end() :]) if named else ("", text)
    found = _find(source.strip())
    return replace(found, name=name or found.name)


def _find(source: str) -> FoundBot:
    if not source:
        raise BotSourceError(f"got an empty text, expected {_expected()}")
    file, _, wanted = source.partition(":") if ".py:" in source else (source, "", "")
    if file.endswith(".py") and (Path(file).is_file() or len(_words(source)) == 1):
        return _of_file(Path(file), wanted)
    samples = sample_bots()
    if source in samples:
        return _of_file(samples[source], "", source)
    if _MODULE.fullmatch(source):
        return _of_module(source)
    return _of_command(source, samples)


def _expected() -> str:
    return (
        "a file (my_bot.py), module:Class, a command ('node my_bot.js') or a sample bot "
        f"({', '.join(sample_bots())})"
    )


# --- classes ----------------------------------------------------------------------------------


def _of_file(path: Path, wanted: str, name: str = "") -> FoundBot:
    if not path.is_file():
        raise BotSourceError(_no_such_file(path))
    place = path.resolve()
    bot = bot_in(load_bot_file(place), wanted, str(path))
    # the script itself, as in a tournament, unless it has several bots
    command = _process_of(f"{place}:{wanted}") if wanted else (sys.executable, str(place))
    warnings = [f"{name} hides Python's own module; rename it" for name in _hiding(place.parent)]
    if not (wanted or starts_something(place)):
        warnings.append(never_runs(path.name, bot))
    return FoundBot(
        name=name or wanted or path.stem,
        bot_class=bot,
        command=command,
        warning="; ".join(warnings),
    )


def _hiding(folder: Path) -> list[str]:
    """Files beside a script that its imports would find in the place of Python's own modules."""
    return sorted(file.name for file in folder.glob("*.py") if file.stem in sys.stdlib_module_names)


def _of_module(source: str) -> FoundBot:
    name, _, wanted = source.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = imported(partial(importlib.import_module, name), name, Path.cwd())
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise BotSourceError(import_trouble(error, name, Path.cwd())) from error
        raise BotSourceError(
            f"there is no module {error.name!r} to take {source} from (looked for in {here} and "
            "among what is installed)"
        ) from error
    except BotSourceError:
        raise
    except Exception as error:
        raise BotSourceError(import_trouble(error, name, Path.cwd())) from error
    return FoundBot(
        name=wanted, bot_class=bot_in(module, wanted, name), command=_process_of(source)
    )


def _process_of(source: str) -> tuple[str, ...]:
    """The command of a class that no script runs by itself."""
    return (sys.executable, "-m", "pitch", source)


# --- commands ---------------------------------------------------------------------------------


def _of_command(source: str, samples: dict[str, Path]) -> FoundBot:
    words = [word.replace(_PYTHON, sys.executable) for word in _words(source)]
    program = words[0]
    if program in samples:
        words[:1] = [sys.executable, str(samples[program])]
    elif program.endswith(".py") and Path(program).is_file():
        words.insert(0, sys.executable)
    elif (place := _program(program)) is None:
        raise BotSourceError(_no_such_program(source, program, samples))
    else:
        words[0] = place
    script = next((word for word in words[1:] if word.endswith((".py", ".js", ".mjs"))), None)
    if script is not None and "-c" not in words and not Path(script).is_file():
        raise BotSourceError(_no_such_file(Path(script)))
    named = program if program in samples else Path(script or words[0]).stem
    return FoundBot(name=named, bot_class=None, command=tuple(words))


def _words(source: str) -> list[str]:
    try:
        return shlex.split(source)
    except ValueError as error:
        raise BotSourceError(f"{source!r} is no command: {error}") from error


def _program(word: str) -> str | None:
    """The program as an absolute path, from PATH or from the current folder."""
    found = shutil.which(word) or shutil.which(f"./{word}")
    return None if found is None else str(Path(found).absolute())


# --- messages ---------------------------------------------------------------------------------


def _no_such_file(path: Path) -> str:
    if path.is_dir():
        return f"{path} is a folder; expected a file with a bot, as in {path / 'my_bot.py'}"
    folder = path.parent
    if not folder.is_dir():
        return f"there is no folder {folder}, so there is no {path.name} in it"
    near = get_close_matches(path.name, [each.name for each in folder.glob("*.py")], 1)
    hint = f"; did you mean {folder / near[0]}?" if near else ""
    return f"there is no file {path} (looked for in {folder.resolve()}){hint}"


def _no_such_program(source: str, program: str, samples: dict[str, Path]) -> str:
    path = Path(program)
    if path.is_file():
        return (
            f"{program} is a file that can't be run by itself; give the command that runs it, "
            f"as in 'node {source}', or make it executable"
        )
    if path.is_dir():
        return _no_such_file(path)
    files = {each.name for each in Path().glob("*.py")}
    near = get_close_matches(program, [*samples, *files, *(f[:-3] for f in files)], 1)
    meant = "" if not near else f"{near[0]}.py" if f"{near[0]}.py" in files else near[0]
    hint = f"; did you mean {meant}?" if meant else ""
    return f"{source!r} names no bot, expected {_expected()}{hint}"
