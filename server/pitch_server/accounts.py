"""The users of this machine, as far as bots can be run as one of them.

Here belong looking them up and saying why a guest can't be had. Becoming a user is the warden's.
"""

import os
import pwd
from typing import NamedTuple

from pitch_server.guest import GuestSettings

__all__ = ["Account", "find_account", "guest_problem"]


class Account(NamedTuple):
    """A user: its numbers, and what its programs find in their environment."""

    name: str
    uid: int
    gid: int
    groups: tuple[int, ...]
    home: str


def find_account(name: str) -> Account:
    """Return the user of that name; raises LookupError with a sentence if there is none."""
    try:
        found = pwd.getpwnam(name)
    except (KeyError, ValueError):
        raise LookupError(f"there is no user {name!r} on this machine") from None
    groups = tuple(os.getgrouplist(name, found.pw_gid))
    return Account(name, found.pw_uid, found.pw_gid, groups, found.pw_dir)


def guest_problem(guest: GuestSettings) -> str | None:
    """Say why this machine can't hold a bot to these limits, as far as can be known before."""
    if guest.user is None:
        return None
    if (own := os.geteuid()) != 0:
        return (
            f"user = {guest.user!r} needs a server that is run by root, this one is run by user "
            f"{_name(own)}; start it as root, or leave user out"
        )
    try:
        account = find_account(guest.user)
    except LookupError as error:
        return f"{error}; expected one of its users"
    if account.uid == 0:
        return f"user = {guest.user!r} is root itself; expected a user with fewer rights"
    return None


def _name(uid: int) -> str:
    try:
        return repr(pwd.getpwuid(uid).pw_name)
    except KeyError:
        return str(uid)
