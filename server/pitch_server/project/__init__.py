"""A new bot's project: the files that `pitch new` writes, made of the templates beside this file.

Here belongs which files there are and how the bot is called. Writing them is the command's.
"""

import keyword
import re
from importlib.resources import files
from string import Template

__all__ = ["NameProblem", "project_files"]

_LONGEST = 50
_OPPONENTS = ("rule", "random")  # who plays in the trial beside it
# By the file that is written: `NAME` is the bot's module, as in alice_bot.
_TEMPLATES = {
    "NAME.py": "bot.template",
    "test_NAME.py": "test.template",
    "pytest.ini": "pytest.template",
    "trial.toml": "trial.template",
    "README.md": "readme.template",
    ".gitignore": "ignore.template",
}


class NameProblem(ValueError):
    """A folder's name that no bot can be called after; the message says what was expected."""


def project_files(folder: str) -> dict[str, str]:
    """The text of each file of a project, by its name, for a folder of that name."""
    module = _module_name(folder)
    name = module.removesuffix("_bot")
    words = {
        "module": module,
        "bot_class": "".join(word.title() for word in module.split("_")),
        "name": name if name not in _OPPONENTS else module,
    }
    templates = files(__name__)
    return {
        name.replace("NAME", module): Template(
            (templates / template).read_text(encoding="utf-8")
        ).substitute(words)
        for name, template in _TEMPLATES.items()
    }


def _module_name(folder: str) -> str:
    """The bot's module, `alice_bot` for a folder `alice`: so it hides no module of another's."""
    plain = re.sub(r"\W+", "_", folder.lower()).strip("_")
    name = plain if plain.endswith("_bot") else f"{plain}_bot"
    good = plain and name.isidentifier() and not keyword.iskeyword(name)
    if not good or not folder.isprintable() or len(name) > _LONGEST:
        raise NameProblem(
            f"got the name {folder!r}; expected one to call a bot after: a letter, then letters, "
            f"digits, - and _, {_LONGEST - len('_bot')} characters at most, as in alice"
        )
    return name
