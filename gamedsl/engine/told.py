"""The former home of ``told_plies``, for programs that import it from here; use ``gamedsl.engine``."""

from __future__ import annotations

from gamedsl.engine.information.announcements import Told, told_at, told_plies, whole

__all__ = ["Told", "told_at", "told_plies", "whole"]
