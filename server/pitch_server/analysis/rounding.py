"""Rounding: numbers as they stand in the document.

Here belongs what makes the document of two machines the same: nine decimals are kept, which no
order of adding changes, and what is no number is null.
"""

import math
from typing import Any

__all__ = ["rounded"]

_DECIMALS = 9


def rounded(value: Any) -> Any:
    """A document with each of its fractions to nine decimals; null for what is not finite."""
    if isinstance(value, float):  # NumPy's too
        return round(float(value), _DECIMALS) + 0.0 if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(inner) for inner in value]
    return value
