"""The folder for a user's data: games, and the locks on them."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path


def data_folder() -> Path:
    """The folder ``GAMEDSL_DATA`` if it is set, else the system's folder for a user's data."""
    given = os.environ.get("GAMEDSL_DATA")
    return Path(given) if given else user_data_path("gamedsl", appauthor=False)
