"""The small games of tests/engine serve the tests of the Core as well."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "engine"))
