"""Where the sample bots are: beside the package in a checkout, inside it in an installation.

Here belongs finding them. What they do is told in each.
"""

from pathlib import Path

import pitch

__all__ = ["sample_bots", "sample_directory"]

_SUFFIX = "_bot"


def sample_directory() -> Path:
    """The folder of the sample bots and of `demo.toml`."""
    package = Path(pitch.__file__).parent
    installed = package / "sample_bots"
    return installed if installed.is_dir() else package.parent.parent / "sample_bots"


def sample_bots() -> dict[str, Path]:
    """The file of each sample bot by its name: `rule` is `rule_bot.py`."""
    files = sorted(sample_directory().glob(f"*{_SUFFIX}.py"))
    return {path.stem.removesuffix(_SUFFIX): path for path in files}
