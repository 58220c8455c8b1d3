"""The sections of a rulebook: their headings, and which of them are lists."""

from __future__ import annotations

HEADINGS = {
    "about": "About", "goal": "Goal", "equipment": "Equipment", "setup": "Setup", "turn": "A turn", "rule": "Rules",
    "ending": "End of the game", "example": "Examples", "note": "Notes", "presentation": "At the table",
}  # fmt: skip
LISTED = frozenset(HEADINGS) - {"about", "goal"}  # in lists, where there are several paragraphs


def byline(by: str) -> str:
    """The line below the title of a rulebook: who made the game."""
    return by[:1].upper() + by[1:]
