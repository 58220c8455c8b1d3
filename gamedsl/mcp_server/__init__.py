"""A server of the Model Context Protocol: tools for programs that write rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = ["make_tool_server"]

if TYPE_CHECKING:
    from gamedsl.mcp_server.tool_server import make_tool_server
else:
    __getattr__, __dir__ = offered(__name__, {"tool_server": "make_tool_server"})
