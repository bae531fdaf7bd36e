import subprocess
import sys

import pitch
import pitch.testing


def test_promised_names_exist_are_sorted_as_ruff_sorts_them_and_are_told_by_dir() -> None:
    constants = [name for name in pitch.__all__ if name.isupper()]
    classes = [name for name in pitch.__all__ if name[0].isupper() and not name.isupper()]
    functions = [name for name in pitch.__all__ if name.islower()]
    assert pitch.__all__ == sorted(constants) + sorted(classes) + sorted(functions)
    assert all(getattr(pitch, name) is not None for name in pitch.__all__)
    assert pitch.testing.__all__ == sorted(pitch.testing.__all__)


def test_an_unknown_name_is_an_attribute_error_like_anywhere() -> None:
    assert not hasattr(pitch, "runn")


def test_importing_pitch_does_not_bring_grpc() -> None:
    code = "import sys, pitch, pitch.testing; sys.exit('grpc' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
