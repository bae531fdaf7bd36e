"""The number of legal sequences from fixed deals, of every variant and in every phase."""

import json

import pytest

from rules.counting import COUNTS, counts_from, start_of

CASES = json.loads(COUNTS.read_text()) if COUNTS.exists() else []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["variant"]["name"])
def test_the_number_of_legal_sequences_stays(case: dict[str, object]) -> None:
    counts = case["counts"]
    assert isinstance(counts, list)
    assert counts_from(start_of(case), len(counts)) == counts


def test_every_variant_is_counted() -> None:
    assert len({case["variant"]["name"] for case in CASES}) == 13
