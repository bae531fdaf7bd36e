"""A quick check-up of a bot of the zoo."""

from pathlib import Path

from pitch.rules import VARIANTS
from pitch_server.checkup.checkup import Result, check_up
from pitch_server.checkup.exam import Exam, Wishes
from pitch_server.checkup.findings import Outcome

TESTS = Path(__file__).parents[1]
QUICK = Wishes(
    variants=(VARIANTS["pitch-ac"], VARIANTS["trump-only"]),
    move_timeout=0.6,
    start_timeout=20.0,
    end_timeout=3.0,
    decisions=1_200,
    span=20.0,
    load_span=1.0,
)


async def examine(bot: str, logs: Path, wishes: Wishes = QUICK) -> list[Result]:
    """What a bot of the zoo comes to, check by check."""
    exam = Exam(
        bot,
        ("{python}", "-m", *f"bots.{bot}".split()),
        directory=TESTS,
        log_directory=logs,
        wishes=wishes,
        tell=lambda _text: None,
    )
    async with exam:
        return [result async for result in check_up(exam, lambda _number, _check: None)]


def of(results: list[Result], outcome: Outcome) -> list[str]:
    """The names of the checks that ended so."""
    return [result.check.name for result in results if result.finding.outcome is outcome]
