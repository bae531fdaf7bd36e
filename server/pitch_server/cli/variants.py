"""`pitch variants`: the named variants, one with all its fields, and overrides on trial."""

import dataclasses
import json
import re
import shutil
import sys

import click

from pitch.rules import VARIANTS, Variant, VariantError, all_fields, parse_variant
from pitch_server.cli.describe import describe, headline
from pitch_server.cli.group import BadInput

__all__ = ["variants"]

_EPILOG = """\b
Examples:
  pitch variants
  pitch variants ten-point
  pitch variants pitch-ac --set steal=true --set target=21
"""


@click.command(epilog=_EPILOG)
@click.argument("name", required=False)
@click.option("--set", "overrides", multiple=True, metavar="FIELD=VALUE", help="Try an override.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def variants(
    ctx: click.Context, name: str | None, overrides: tuple[str, ...], as_json: bool
) -> None:
    """List the named variants, or show one, NAME, with all its fields.

    With --set, any field can be tried with another value; a combination that cannot be
    played is refused with the reason.
    """
    if name is None:
        if overrides:
            raise click.UsageError("--set needs the NAME of the variant to change", ctx)
        click.echo(_list_json() if as_json else _list_text())
        return
    variant = _parse(name, overrides)
    click.echo(json.dumps(all_fields(variant), indent=2) if as_json else _full_text(variant))


def _parse(name: str, overrides: tuple[str, ...]) -> Variant:
    given: dict[str, object] = {"name": name}
    for override in overrides:
        field, equals, value = override.partition("=")
        if not equals or not field or field == "name":
            raise BadInput(f"--set needs FIELD=VALUE, as in target=21, got {override!r}")
        given[field] = _value(value)
    try:
        return parse_variant(given)
    except VariantError as error:
        raise BadInput(str(error)) from None


def _value(text: str) -> object:
    """The value that an override writes, in the words of JSON and TOML."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text, re.ASCII) else text


def _list_json() -> str:
    return json.dumps([all_fields(variant) for variant in VARIANTS.values()], indent=2)


def _list_text() -> str:
    width = max(map(len, VARIANTS))
    columns = max(_columns(), width + 30)
    return "\n".join(
        click.wrap_text(headline(each), columns, f"{name:{width}}  ", " " * (width + 2))
        for name, each in VARIANTS.items()
    )


def _columns() -> int:
    """Those of the terminal; elsewhere a line is never broken."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize


def _full_text(variant: Variant) -> str:
    return "\n".join(
        [
            click.style(variant.name, bold=True),
            *(click.wrap_text(each, 88, "  ", "    ") for each in describe(variant)),
            "",
            *_field_lines(variant),
        ]
    )


def _field_lines(variant: Variant) -> list[str]:
    """A line a field; those that differ from the defaults or from the named row are marked."""
    own, named = all_fields(variant), all_fields(VARIANTS[variant.name])
    defaults = {field.name: field.default for field in dataclasses.fields(Variant)}
    width = max(map(len, own))
    lines = []
    for field, value in own.items():
        remarks = []
        default = defaults[field]
        if default is not dataclasses.MISSING and value != default:
            remarks.append(f"default {_word(default)}")
        if value != named[field]:
            remarks.append(f"{variant.name} has {_word(named[field])}")
        mark = "*" if remarks else " "
        line = f"{mark} {field:{width}}  {_word(value):22}{', '.join(remarks)}".rstrip()
        lines.append(click.style(line, bold=True) if remarks else line)
    return lines


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
