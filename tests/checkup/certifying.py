"""A certificate as a check-up would make it, without the check-up."""

import sys
from pathlib import Path
from typing import Any

from pitch.rules import VARIANTS
from pitch_server.checkup.certificate import certificate
from pitch_server.checkup.checkup import CHECKS, Result
from pitch_server.checkup.findings import failed, passed


def certified(
    words: tuple[str, ...], directory: Path, *, name: str = "bot", fails: str = ""
) -> dict[str, Any]:
    """That of `python WORDS`, which fails the check of that name."""
    results = [
        Result(number, check, failed("no", "mend it") if check.name == fails else passed("yes"))
        for number, check in enumerate(CHECKS, 1)
    ]
    return certificate(
        name,
        (sys.executable, *words),
        directory,
        results,
        sdk="sdk 1",
        variants=list(VARIANTS),
        move_timeout=1.0,
        quick=False,
    )
