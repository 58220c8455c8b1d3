"""The strategies of tests/core serve the tests of the translation as well."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "core"))
