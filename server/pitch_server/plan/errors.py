"""What can be wrong with settings and plans.

ValueError
└── SettingsError    a setting that can't be: its key, what came and what can
LookupError
└── NotPlanned       a game that is not planned, or not yet
"""

__all__ = ["NotPlanned", "SettingsError", "require"]


class SettingsError(ValueError):
    """A setting that can't be: `key` is its dotted path, `reason` what came and what can."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}")
        self.key = key
        self.reason = reason


class NotPlanned(IndexError):
    """A game that the plan does not have; one of a later round may come to be in it."""


def require(ok: bool, key: str, came: object, possible: str) -> None:
    """SettingsError unless it is ok."""
    if not ok:
        raise SettingsError(key, f"{came!r} is not possible; expected {possible}")
