"""A bot's file loaded into this process, as a module that clashes with no other.

Here belong importing the file and picking its bot. Which file is meant is `bot_source`'s.
"""

import ast
import hashlib
import inspect
import io
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from difflib import get_close_matches
from functools import partial
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TypeVar, cast

from pitch.bot.base import Bot, overrides
from pitch.testing.containment import Containment

__all__ = [
    "BotSourceError",
    "bot_in",
    "import_trouble",
    "imported",
    "load_bot_file",
    "starts_something",
]

Outcome = TypeVar("Outcome")
_PREFIX = "pitch_bot_"
_folders: set[str] = set()
"""Folders of the bots that were loaded; what stands there may clash by name."""


class BotSourceError(ValueError):
    """A text names no bot that can be used; the message says why and what to do."""


def load_bot_file(path: Path) -> ModuleType:
    """The file as a module, run anew without its `if __name__ == "__main__"` part.

    It may import its neighbours, also where another bot's folder has some of the same names.
    Raises BotSourceError if the file can't be imported, naming the line.
    """
    path = path.resolve()
    name = f"{_PREFIX}{hashlib.sha256(str(path).encode()).hexdigest()[:12]}_{path.stem}"
    loader = SourceFileLoader(name, str(path))
    spec = spec_from_file_location(name, path, loader=loader)
    assert spec is not None  # noqa: S101 - a loader was given
    module = module_from_spec(spec)
    sys.modules[name] = module
    with _neighbours(str(path.parent)):
        try:
            _execute(loader, module, path)
        except BaseException:
            del sys.modules[name]
            raise
    return module


def starts_something(path: Path) -> bool:
    """Whether the file, run as a script, does more than it does when it is imported."""
    for node in ast.parse(path.read_bytes()).body:
        names = ast.walk(node.test) if isinstance(node, ast.If) else ()
        if any(isinstance(each, ast.Name) and each.id == "__name__" for each in names):
            return any(isinstance(each, ast.Call) for each in ast.walk(node))
    return False


def _execute(loader: SourceFileLoader, module: ModuleType, path: Path) -> None:
    said = io.StringIO()  # a run() outside of the main part explains options that nobody gave
    try:
        with redirect_stderr(said):
            imported(partial(loader.exec_module, module), path.name, path.parent)
    except BotSourceError:
        raise
    except Exception as error:
        sys.stderr.write(said.getvalue())
        raise BotSourceError(import_trouble(error, path.name, path.parent)) from error
    sys.stderr.write(said.getvalue())


def imported(how: Callable[[], Outcome], what: str, folder: Path) -> Outcome:
    """What an import gives; BotSourceError where it would have ended the program."""
    contained = Containment(None)
    with contained.held():
        ran = contained.call(how)
    if ran.ended is not None:
        raise BotSourceError(
            f"{what} ended the program while it was imported{_line_of(ran.ended, folder)}\n"
            '  put run(...) and whatever else is to happen under if __name__ == "__main__":'
        ) from ran.ended
    return cast("Outcome", ran.outcome)


def import_trouble(error: BaseException, what: str, folder: Path) -> str:
    """Why something in a folder can't be imported, with the line that it came from."""
    if isinstance(error, SyntaxError):
        line = "" if error.lineno is None else f", line {error.lineno},"
        where = f"{Path(error.filename or what).name}{line}"
        return f"{where} is not Python: {error.msg}\n  {(error.text or '').strip()}"
    reason = traceback.format_exception_only(error)[-1].strip()
    return f"{what} can't be imported{_line_of(error, folder)}\n  {reason}"


def _line_of(error: BaseException, folder: Path) -> str:
    """The last line of the folder's files that an exception passed, or nothing."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename).is_relative_to(folder):
            return f": {Path(frame.filename).name}, line {frame.lineno}: {frame.line}"
    return ""


@contextmanager
def _neighbours(folder: str) -> Iterator[None]:
    """The folder first on the path, with modules of other bots' folders out of its way.

    Afterwards it stays on the path, last, for imports inside of functions.
    """
    others = [
        name
        for name, module in sys.modules.items()
        if not name.startswith(_PREFIX)
        and (found := _folder_of(module, name)) in _folders
        and found != folder
    ]
    for name in others:
        del sys.modules[name]  # whoever imported it keeps it
    if folder in sys.path:
        sys.path.remove(folder)
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
        sys.path.append(folder)
        _folders.add(folder)


def _folder_of(module: ModuleType | None, name: str) -> str:
    """The folder that a module's top package was found in."""
    file = getattr(module, "__file__", None)
    if not file:
        return ""
    place = Path(file).parent
    up = name.count(".") + (Path(file).name == "__init__.py")
    return str(place.parents[up - 1] if up else place)


def bot_in(module: ModuleType, wanted: str, where: str) -> type[Bot]:
    """The bot class of a module: the wanted one, or the only one that is defined there.

    `where` is how messages name the module.
    """
    if wanted:
        return _checked(_named(module, wanted, where), where)
    there = [each for each in _bots_of(module) if each.__module__ == module.__name__]
    found = there or _bots_of(module)
    if not found:
        raise BotSourceError(f"there is no bot in {where}: {_instead(module)}")
    if len(found) > 1:
        names = [each.__name__ for each in found]
        raise BotSourceError(
            f"{where} has {len(found)} bots ({', '.join(names)}); say which, as in "
            f"{where}:{names[-1]}"
        )
    return _checked(found[0], where)


def _bots_of(module: ModuleType) -> list[type[Bot]]:
    """The bots that a module can name, each once: classes that decide something."""
    classes = [each for each in vars(module).values() if isinstance(each, type)]
    return [each for each in dict.fromkeys(classes) if issubclass(each, Bot) and _decides(each)]


def _decides(bot: type[Bot]) -> bool:
    return overrides(bot, "choose") or overrides(bot, "choose_many")


def _instead(module: ModuleType) -> str:
    """What a module without a bot has, and what was expected."""
    own = [
        each
        for each in vars(module).values()
        if isinstance(each, type) and each.__module__ == module.__name__
    ]
    for each in own:
        if issubclass(each, Bot):
            return f"its class {each.__name__} has no method choose(self, view)"
        if hasattr(each, "choose"):
            return f"its class {each.__name__} is no Bot; write class {each.__name__}(Bot):"
    return "expected a class that inherits from pitch.Bot and has a method choose(self, view)"


def _named(module: ModuleType, wanted: str, where: str) -> type[Bot]:
    found = getattr(module, wanted, None)
    if isinstance(found, type) and issubclass(found, Bot):
        return found
    if found is not None:
        raise BotSourceError(f"{where}:{wanted} is no Bot class but {found!r}")
    names = [each.__name__ for each in _bots_of(module)]
    near = get_close_matches(wanted, names, 1)
    hint = f"did you mean {near[0]}?" if near else f"its bots are {', '.join(names) or 'none'}"
    raise BotSourceError(f"there is no class {wanted} in {where}; {hint}")


def _checked(bot: type[Bot], where: str) -> type[Bot]:
    """The class, if it decides something and can be made without arguments."""
    if not _decides(bot):
        raise BotSourceError(f"{where}: {bot.__name__} has no method choose(self, view)")
    try:
        inspect.signature(bot).bind()
    except TypeError as error:
        raise BotSourceError(
            f"{where}: {bot.__name__}() can't be made without arguments ({error}); give the "
            "parameters of __init__ defaults"
        ) from None
    return bot
