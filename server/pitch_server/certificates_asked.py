"""`[checks]` of CONFIG.toml, and the certificates that entrants name.

Here belongs what a tournament asks for before it starts. What a certificate holds is
`checkup.certificate`'s.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from pitch.rules.variant import Variant
from pitch_server.toml_table import Table, shown

__all__ = ["CertificateRule", "read_checks"]

DEFAULT_AGE, MAX_AGE = 90, 3650  # days
_MAKE = "made by: pitch check BOT --certificate FILE"


class _Wanted(StrEnum):
    """Whether every entrant needs a certificate."""

    OPTIONAL = "optional"
    REQUIRED = "required"


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificateRule:
    """What an entrant's certificate must be good for; `move_timeout` in seconds."""

    required: bool
    max_age_days: int
    variant: Variant | None
    move_timeout: float
    directory: Path

    def judge(self, entrant: Table, command: tuple[str, ...] | None) -> None:
        """Reads the key of an entrant's table, noting why its certificate is not taken."""
        named = entrant.text("certificate")
        if named is None:
            if self.required and not entrant.has("certificate"):
                entrant.refuse(
                    "certificate", f"missing; [checks] asks each entrant for one, {_MAKE}"
                )
            return
        if problem := self._problem(named, command):
            entrant.refuse("certificate", f"got {shown(named)}; {problem}")

    def _problem(self, named: str, command: tuple[str, ...] | None) -> str | None:
        from pitch_server.checkup.certificate import Asked, certificate_problem, read_certificate
        from pitch_server.fingerprint import portable_fingerprint

        try:
            document = read_certificate(self.directory / named)
        except ValueError as error:
            return str(error)
        if self.variant is None:  # which is told by itself
            return None
        asked = Asked(
            fingerprint=portable_fingerprint(command, self.directory) if command else None,
            variant=self.variant.name,
            move_timeout=self.move_timeout,
            max_age_days=self.max_age_days,
        )
        return certificate_problem(document, asked, datetime.now(UTC))


def read_checks(
    root: Table, directory: Path, variant: Variant | None, move_timeout: float
) -> CertificateRule:
    """The table [checks]; without it a certificate is judged only where one is named."""
    table = root.table("checks")
    return CertificateRule(
        required=table.word("certificate", _Wanted) is _Wanted.REQUIRED,
        max_age_days=table.whole("max_age_days", 1, MAX_AGE) or DEFAULT_AGE,
        variant=variant,
        move_timeout=move_timeout,
        directory=directory,
    )
