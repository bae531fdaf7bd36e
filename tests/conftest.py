"""Settings of every test: no test measures time, so hypothesis has no deadline either.

In CI the examples are the same each time, so that a change is judged by what it changes; at
home they are new each time, so that something is found.
"""

import os

from hypothesis import settings

settings.register_profile("arena", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("arena")
