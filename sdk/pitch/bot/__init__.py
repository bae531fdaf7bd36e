"""What a bot is made of: the base class, its views, its session and the runner."""

import os

# grpc would print its own words beside ours where a connection fails; it looks here when it is
# imported, which is later.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
