"""The command line where its script is not on the PATH: `python -m gamedsl`."""

from __future__ import annotations

import sys

from gamedsl.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
