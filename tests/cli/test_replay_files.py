"""`pitch replay` on files of any content and of any length."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli.running import pitch, write_lines
from pitch_server.cli import inputs
from records.making import a_record

LINE = json.dumps(a_record()).encode()


@st.composite
def damaged_files(draw: st.DrawFn) -> bytes:
    """Some good lines of which a part is replaced by other bytes."""
    lines = b"\n".join([LINE] * draw(st.integers(1, 3)))
    start = draw(st.integers(0, len(lines)))
    end = draw(st.integers(start, min(len(lines), start + 40)))
    return lines[:start] + draw(st.binary(max_size=20)) + lines[end:]


@pytest.mark.parametrize("option", [(), ("--show",), ("--summary",)], ids=["lines", "show", "sum"])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(content=damaged_files() | st.binary(max_size=80))
def test_whatever_a_file_holds_it_ends_with_a_status(
    option: tuple[str, ...], content: bytes
) -> None:
    with TemporaryDirectory() as directory:
        file = Path(directory) / "games.jsonl"
        file.write_bytes(content)
        result = pitch("replay", str(file), *option)
    assert result.exit_code in (0, 1, 2)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    assert (result.exit_code == 2) == ("games.jsonl: " in result.stderr)


def test_a_long_file_tells_how_far_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    totals: list[int] = []

    @contextmanager
    def bar(
        _what: str, total: Callable[[], int], *, beside_results: bool, least: int
    ) -> Iterator[Callable[[int], None]]:
        totals.append(total())
        yield told.append

    monkeypatch.setattr(inputs, "bar", bar)
    files = [write_lines(tmp_path / name, *[a_record(hands=[])] * 600) for name in ("a", "b")]
    assert pitch("replay", *files, "--summary").exit_code == 0
    size = sum(Path(file).stat().st_size for file in files)
    assert totals == [size]
    assert told == sorted(set(told))
    assert len(told) == 4
    assert size // 2 < told[-1] < size
