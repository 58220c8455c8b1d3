"""A server whose tools say which of their arguments do not fit."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import ValidationError


class ToolServer(MCPServer):
    """A server that says of arguments which are wrong and which there are; unknown ones would otherwise be passed over."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        known = {tool.name: list(tool.input_schema["properties"]) for tool in await self.list_tools()}.get(name)
        if known is None:
            return await super().call_tool(name, arguments, context)
        wrong = [f"`{argument}` is none of them" for argument in arguments if argument not in known]
        if not wrong:
            try:
                return await super().call_tool(name, arguments, context)
            except ToolError as failed:
                if not isinstance(failed.__cause__, ValidationError):
                    raise
                wrong = [_misfit(one["loc"], one["type"], one["msg"]) for one in failed.__cause__.errors()]
        raise ToolError(f"the arguments of {name} are {', '.join(known)}: {'; '.join(wrong)}")


def _misfit(place: tuple[int | str, ...], kind: str, message: str) -> str:
    where = f"`{'.'.join(map(str, place))}`"
    if kind == "missing":
        return f"{where} is missing"
    return f"{where} {message.removeprefix('Input ')[0].lower()}{message.removeprefix('Input ')[1:]}"
