"""Judges the claims of a ruleset and the default claims; ``verify`` is the entry point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "HiddenAnnouncement",
    "Verification",
    "VerifyConfig",
    "explored",
    "extent",
    "hidden_announcements",
    "play_lines",
    "summary",
    "verdict_line",
    "verify",
]

if TYPE_CHECKING:
    from gamedsl.lab.claims.announced_as_hidden import HiddenAnnouncement, hidden_announcements
    from gamedsl.lab.claims.hashed_claims import extent
    from gamedsl.lab.claims.verdict_text import explored, play_lines, summary, verdict_line
    from gamedsl.lab.claims.verification import Verification, VerifyConfig, verify
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "hashed_claims": "extent",
            "announced_as_hidden": "HiddenAnnouncement hidden_announcements",
            "verdict_text": "explored play_lines summary verdict_line",
            "verification": "Verification VerifyConfig verify",
        },
    )
