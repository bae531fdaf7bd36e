"""Settings of every test: no test measures time, so hypothesis has no deadline either."""

from hypothesis import settings

settings.register_profile("arena", deadline=None)
settings.load_profile("arena")
