"""A good player that takes SECONDS to start."""

import sys
import time

from bots.first import First
from pitch import run

if __name__ == "__main__":
    time.sleep(float(sys.argv[1]))
    run(First, arguments=[])
