"""The example of learning is a folder of scripts, which import one another by their names."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "sample_bots" / "training"))
