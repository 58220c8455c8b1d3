"""Judges claims and default claims; home of `verify`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.source import offered

__all__ = [
    "HiddenAnnouncement",
    "Verification",
    "explored",
    "extent",
    "hidden_announcements",
    "play_lines",
    "summary",
    "verdict_line",
    "verify",
]

if TYPE_CHECKING:
    from gamedsl.check.claims.announced_as_hidden import HiddenAnnouncement, hidden_announcements
    from gamedsl.check.claims.hashed import extent
    from gamedsl.check.claims.verdict_text import explored, play_lines, summary, verdict_line
    from gamedsl.check.claims.verification import Verification, verify
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "hashed": "extent",
            "announced_as_hidden": "HiddenAnnouncement hidden_announcements",
            "verdict_text": "explored play_lines summary verdict_line",
            "verification": "Verification verify",
        },
    )
