"""A server for people far apart: tables with a log on the disk, sockets that carry what a seat may know, a lobby."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.source import offered

__all__ = ["Limits", "serve"]

if TYPE_CHECKING:
    from gamedsl.web.server.limits import Limits
    from gamedsl.web.server.run import serve
else:
    __getattr__, __dir__ = offered(__name__, {"limits": "Limits", "run": "serve"})
