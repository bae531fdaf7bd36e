"""The sample bots, and the example of learning, are scripts that import one another by name."""

import sys
from pathlib import Path

_SAMPLES = Path(__file__).resolve().parents[2] / "sample_bots"
sys.path += [str(_SAMPLES), str(_SAMPLES / "training")]
