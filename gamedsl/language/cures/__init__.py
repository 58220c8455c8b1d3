"""Cures: messages → edits that correct the mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = ["cured", "mend_file"]

if TYPE_CHECKING:
    from gamedsl.language.cures.cured_messages import cured
    from gamedsl.language.cures.mending import mend_file
else:
    __getattr__, __dir__ = offered(__name__, {"cured_messages": "cured", "mending": "mend_file"})
