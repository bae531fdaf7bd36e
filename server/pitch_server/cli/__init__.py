"""The command `pitch`: one module a command, imported only when the command runs.

The group and what all commands share is in group.py; a new command is a module here and a
line in its table. Commands are thin: they read arguments and files, call pure code, print.
"""

from pitch_server.cli.group import cli, main

__all__ = ["cli", "main"]
