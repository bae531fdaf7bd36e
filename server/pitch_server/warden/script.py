"""The script that runs a warden: it only finds the package, as an isolated Python does not."""

import sys
from os.path import dirname

sys.path.append(dirname(dirname(dirname(__file__))))  # noqa: PTH120 (pathlib is slow to import)

from pitch_server.warden.watch import main

if __name__ == "__main__":
    main(sys.argv[1:])
