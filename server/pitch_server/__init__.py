"""Pitch Arena's server: the referee service and everything a tournament needs."""

import os

# grpc looks at these when it is imported, which happens below. It would tell of every bot that
# goes away, and of every odd byte that a stranger sends, as often as it likes; and its handlers
# for forks abort a process that is forked to start a bot while a channel of ours is open.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
