"""Plays and states as text: records of plays, saved states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.source.lazy import offered

if TYPE_CHECKING:
    from gamedsl.engine.records.record import Record

__all__ = ["Record"]

__getattr__, __dir__ = offered(__name__, {"Record": "gamedsl.engine.records.record"})
