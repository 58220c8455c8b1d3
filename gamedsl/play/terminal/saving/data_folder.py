"""Where the program keeps what belongs to a user: plays, and the locks on them."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path


def data_folder() -> Path:
    """The folder ``GAMEDSL_DATA`` if it is set, else where the system keeps the data of a user."""
    given = os.environ.get("GAMEDSL_DATA")
    return Path(given) if given else user_data_path("gamedsl", appauthor=False)
