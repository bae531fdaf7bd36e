"""Generates sdk/pitch/wire/v1 from the protos; `--check` fails where it is not fresh."""

import argparse
import filecmp
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc

PROTO = Path(__file__).resolve().parent
TARGET = PROTO.parent / "sdk"
PACKAGE = Path("pitch/wire/v1")


def generate(target: Path) -> None:
    """Writes the Python modules and their type stubs below `target`."""
    (target / PACKAGE).mkdir(parents=True, exist_ok=True)
    sources = sorted(str(path) for path in (PROTO / PACKAGE).glob("*.proto"))
    arguments = [
        "protoc",
        f"--proto_path={PROTO}",
        f"--proto_path={files('grpc_tools') / '_proto'}",
        f"--python_out={target}",
        f"--plugin=protoc-gen-mypy={Path(sys.executable).with_name('protoc-gen-mypy')}",
        f"--mypy_out=quiet:{target}",
        *sources,
    ]
    if protoc.main(arguments) != 0:
        sys.exit("proto/generate.py: protoc failed")
    init = target / PACKAGE / "__init__.py"
    init.write_text('"""Generated messages; only pitch.wire.convert uses them."""\n')


def stale(target: Path) -> list[str]:
    """Names of files that differ from a fresh generation, or that it would not make."""
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        fresh = {path.name for path in (Path(folder) / PACKAGE).iterdir()}
        present = {p.name for p in (target / PACKAGE).iterdir() if p.is_file()}
        _, differ, missing = filecmp.cmpfiles(
            Path(folder) / PACKAGE, target / PACKAGE, sorted(fresh), shallow=False
        )
        return sorted({*differ, *missing, *(present - fresh)})


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, fail if stale")
    if not parser.parse_args().check:
        generate(TARGET)
    elif names := stale(TARGET):
        sys.exit(f"generated code is stale: {', '.join(names)}; run: poe protos")


if __name__ == "__main__":
    main()
