"""What the operating system offers to a warden, by its numbers."""

import sys
from collections.abc import Callable

LINUX = sys.platform == "linux"

# linux/prctl.h
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

Prctl = Callable[..., int]
