"""Every example in View's documentation is run, and every property has one."""

import doctest
import inspect
from pathlib import Path

import pytest

import pitch
from bot.example_hand import ACTIONS, example_view

CLASSES = inspect.getmro(pitch.View)[-2::-1]  # the seats first, View last
NAMES = {
    **{name: getattr(pitch, name) for name in pitch.__all__ if name != "run"},
    "view": example_view(len(ACTIONS)),
    "calling": example_view(1),
    "naming": example_view(4, seat=0),
}


def _documented(owner: type) -> list[doctest.DocTest]:
    """What doctest's own finder gives, with the cached properties that it passes over."""
    texts = {name: inspect.getdoc(member) for name, member in vars(owner).items()}
    parser = doctest.DocTestParser()
    tests = [
        parser.get_doctest(text, dict(NAMES), name, owner.__module__, 0)
        for name, text in texts.items()
        if text and not name.startswith("_")
    ]
    return [test for test in tests if test.examples]


@pytest.mark.parametrize("owner", CLASSES, ids=lambda owner: owner.__name__)
def test_the_examples_are_true(
    owner: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # one of them saves a view
    output: list[str] = []
    runner = doctest.DocTestRunner()
    for test in _documented(owner):
        runner.run(test, out=output.append)
    assert runner.tries > 0
    assert not runner.failures, "".join(output)


def test_whatever_a_view_has_is_documented_with_an_example() -> None:
    documented = {test.name for owner in CLASSES for test in _documented(owner)}
    public = {name for owner in CLASSES for name in vars(owner) if not name.startswith("_")}
    assert public == documented
