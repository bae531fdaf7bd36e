"""Games as one file of arrays (`.npz`), written and read in pieces, so memory stays small.

Here belongs the file: which arrays, how they are written and read. What a row of it observes
is `encoding`'s; which decisions are rows is `decisions`'.
"""

import json
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, BinaryIO, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pitch.envs.actions import ACTION_COUNT
from pitch.envs.encoding import Encoding, Vector
from pitch.rules import variant_fields

__all__ = ["Row", "read_batches", "write_rows"]

_PIECE = 4096  # rows that are in memory at once
_Shape: TypeAlias = tuple[np.dtype[Any], tuple[int, ...]]  # type and shape of an array


class Row(NamedTuple):
    """One choice of a seat, and what came of it for its side."""

    observations: Vector
    masks: Vector
    actions: int  # an index of pitch.envs.actions
    outcomes: float  # of the game, as the environment rewards it
    margins: float  # of the hand: what it brought the side, less the mean of the others
    seats: int
    entrants: int  # an index of `names`
    games: int
    boards: int
    hands: int


def write_rows(
    target: BinaryIO, encoding: Encoding, names: Sequence[str], rows: Iterable[Row]
) -> int:
    """Writes the file, and gives the number of its rows; they are taken piece by piece.

    Temporary files hold the rows until their number is known.
    """
    columns = _columns(encoding)
    with ExitStack() as stack:
        parts = {name: stack.enter_context(TemporaryFile()) for name in columns}
        count = _spool(parts, columns, rows)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as whole:
            for name, (dtype, shape) in columns.items():
                parts[name].seek(0)
                with whole.open(f"{name}.npy", "w", force_zip64=True) as member:
                    _write_header(member, dtype, (count, *shape))
                    shutil.copyfileobj(parts[name], member, 1 << 20)
            for name, array in _facts(encoding, names).items():
                with whole.open(f"{name}.npy", "w") as member:
                    np.lib.format.write_array(member, array, allow_pickle=False)
    return count


def read_batches(path: Path | str, size: int) -> Iterator[dict[str, NDArray[Any]]]:
    """The rows in order, `size` at once (the last fewer), each batch a dict of arrays."""
    with zipfile.ZipFile(path) as source, ExitStack() as stack:
        members = {name: stack.enter_context(source.open(f"{name}.npy")) for name in Row._fields}
        shapes = {name: _read_header(member) for name, member in members.items()}
        total = shapes["actions"][1][0]
        for start in range(0, total, size):
            count = min(size, total - start)
            yield {
                name: _read(members[name], dtype, (count, *shape[1:]))
                for name, (dtype, shape) in shapes.items()
            }


def _columns(encoding: Encoding) -> dict[str, _Shape]:
    types: dict[str, tuple[str, tuple[int, ...]]] = {
        "observations": ("int8", (encoding.size,)),
        "masks": ("int8", (ACTION_COUNT,)),
        "actions": ("int16", ()),
        "outcomes": ("float32", ()),
        "margins": ("float32", ()),
        "seats": ("int8", ()),
        "entrants": ("int16", ()),
        "games": ("int64", ()),
        "boards": ("int64", ()),
        "hands": ("int32", ()),
    }
    return {name: (np.dtype(kind), shape) for name, (kind, shape) in types.items()}


def _facts(encoding: Encoding, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """What holds for all rows."""
    layout = encoding.layout
    return {
        "names": np.array(list(names), dtype=np.str_),
        "variant": np.array(json.dumps(variant_fields(encoding.variant))),
        "unit": np.array(str(encoding.unit)),
        "layout_names": np.array(list(layout)),
        "layout_starts": np.array([part.start for part in layout.values()]),
    }


def _spool(
    parts: Mapping[str, IO[bytes]],
    columns: dict[str, _Shape],
    rows: Iterable[Row],
) -> int:
    count, piece = 0, []
    for row in rows:
        piece.append(row)
        if len(piece) == _PIECE:
            _spool_piece(parts, columns, piece)
            count, piece = count + _PIECE, []
    _spool_piece(parts, columns, piece)
    return count + len(piece)


def _spool_piece(
    parts: Mapping[str, IO[bytes]],
    columns: dict[str, _Shape],
    piece: list[Row],
) -> None:
    for at, name in enumerate(Row._fields):
        dtype, _ = columns[name]
        parts[name].write(np.array([row[at] for row in piece], dtype).tobytes())


def _write_header(member: IO[bytes], dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
    header = {
        "descr": np.lib.format.dtype_to_descr(dtype),
        "fortran_order": False,
        "shape": shape,
    }
    np.lib.format.write_array_header_1_0(member, header)


def _read_header(member: IO[bytes]) -> _Shape:
    np.lib.format.read_magic(member)
    shape, _, dtype = np.lib.format.read_array_header_1_0(member)
    return dtype, shape


def _read(member: IO[bytes], dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    data = member.read(int(np.prod(shape)) * dtype.itemsize)
    return np.frombuffer(data, dtype).reshape(shape)
