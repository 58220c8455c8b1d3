"""The sections of a rulebook: their headings, and which of them are lists."""

from __future__ import annotations

HEADINGS = {
    "about": "About", "goal": "Goal", "equipment": "Equipment", "setup": "Setup", "turn": "A turn", "rule": "Rules",
    "ending": "End of the game", "example": "Examples", "note": "Notes", "presentation": "At the table",
}  # fmt: skip
NO_NAMES = ("traditional", "Traditional", "after", "After", "by", "By")  # beginnings of a line that is complete
LISTED = frozenset(HEADINGS) - {"about", "goal"}  # set as lists if there are several paragraphs


def byline(by: str) -> str:
    """Returns the line below the title of a rulebook: "By Ada Lovelace", but "Traditional" and "After Piet Hein"."""
    return by[:1].upper() + by[1:] if by.split(" ")[0].rstrip(",;") in NO_NAMES else f"By {by}"
