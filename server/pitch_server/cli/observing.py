"""The options of logs and metrics, of every command that plays.

Here belongs reading them; setting up what they ask for is `pitch_server.observing`'s.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pitch_server.observing import Observing

__all__ = ["observing", "observing_options"]

Decorated = Callable[..., Any]


def _address(
    _context: click.Context, _parameter: click.Parameter, text: str | None
) -> tuple[str, int] | None:
    if text is None:
        return None
    from pitch_server.scraping import parse_address

    try:
        return parse_address(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


_OPTIONS = (
    click.option(
        "--log",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write a log, of bounded size; warnings come to the terminal too.",
    ),
    click.option(
        "--log-format", type=click.Choice(("text", "json")), help="Of the log; text by default."
    ),
    click.option(
        "--log-level",
        type=click.Choice(("debug", "info", "warning", "error")),
        help="How much is logged; info in a file, warning on the terminal by default.",
    ),
    click.option(
        "--metrics",
        metavar="HOST:PORT",
        callback=_address,
        help="Serve metrics for Prometheus there; a port alone is on loopback.",
    ),
)


def observing_options(function: Decorated) -> Decorated:
    """The options, as keyword arguments for `observing`."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def observing(given: dict[str, Any], configured: "Observing | None" = None) -> "Observing":
    """What was chosen, in the place of what is configured; its options are taken out of `given`."""
    from pitch_server.observing import Observing

    chosen = {key: given.pop(key) for key in ("log", "log_format", "log_level", "metrics")}
    known = {key: value for key, value in chosen.items() if value is not None}
    return replace(configured or Observing(), **known)
