"""The service: bots' connections over gRPC, and who may take which place."""

import os

# grpc would tell of every bot that goes away, among our messages; it looks here when it is
# imported, which is below.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
