"""The commands of the lenses: their arguments → tasks. A client may send anything, so all arguments are checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from gamedsl.editor.data_cursor import cursor
from gamedsl.editor.desk import EXAMPLES
from gamedsl.editor.example_completions import question_about
from gamedsl.editor.example_lenses import example_places
from gamedsl.editor.lenses import GAME, TEST, VERIFY
from gamedsl.editor.outline import outline
from gamedsl.editor.protocol import path_of, uri_of
from gamedsl.editor.server import RulesetServer
from gamedsl.editor.task_process import MOST_SECONDS, SECONDS
from gamedsl.language.source import Source


def register(server: RulesetServer) -> None:
    """Gives a server the commands of its lenses."""

    @server.command(TEST)
    async def test(ls: RulesetServer, *arguments: Any) -> None:
        path = _file_named(arguments)
        line = arguments[1] if len(arguments) > 1 else None
        await ls.run_task("test", path, None if line is None else _example_at(ls.source(uri_of(path)), line))

    @server.command(GAME)
    async def game(ls: RulesetServer, *arguments: Any) -> dict[str, Any] | None:
        return await _game_at(ls, _file_named(arguments), arguments[1] if len(arguments) > 1 else None)

    @server.command(VERIFY)
    async def verify(ls: RulesetServer, *arguments: Any) -> None:
        path = _file_named(arguments)
        line, seconds = (*arguments[1:3], None, None)[:2]
        if seconds is None:
            seconds = SECONDS
        if not isinstance(seconds, int | float) or not 0 < seconds <= MOST_SECONDS:
            raise JsonRpcInvalidParams(f"the third argument is a number of seconds, at most {MOST_SECONDS:.0f}")
        extent = None if line is None else _claim_at(ls.source(uri_of(path)), line)
        await ls.run_task("verify", path, extent, seconds)


async def _game_at(ls: RulesetServer, path: str, line: Any) -> dict[str, Any] | None:
    """The game that leads to the position of the example at a line, or that shows the verdict on the claim there."""
    source = ls.source(uri_of(path))
    if path.endswith(EXAMPLES):
        start, _ = _example_at(source, line)
        place = cursor(source, start + 1)
        ruleset = ls.desk.ruleset_of(path)
        if ruleset is None or place is None or not place.is_key:
            return None
        return await _asked(ls, ruleset, question_about(place.inside, place.document))
    start, end = _claim_at(source, line)
    plies = next((plies for at, plies in ls.runner.games(path).items() if start <= at <= end), None)
    return None if plies is None else await _asked(ls, path, {"plies": plies})


async def _asked(ls: RulesetServer, ruleset: str, asked: dict[str, Any]) -> dict[str, Any] | None:
    found, is_known = await ls.asker.ask(ruleset, asked, "game")
    if not is_known:
        late = "the game takes long to play; ask again, and it gets more time"
        ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, late))
    return None if found is None else found | {"ruleset": ruleset}


def _example_at(source: Source, line: Any) -> tuple[int, int]:
    """The extent of the example, or of the table of examples, at a line, counted from 0."""
    for one in example_places(source):
        if source.position(one.start)[0] - 1 == line:
            return one.start, one.end
    raise JsonRpcInvalidParams(f"there is no example at line {line} of {Path(source.path).name}, counted from 0")


def _claim_at(source: Source, line: Any) -> tuple[int, int]:
    """The extent of the claim at a line, counted from 0."""
    for outer in outline(source):
        for one in outer.walk():
            if one.kind == "claim" and source.position(one.full_start)[0] - 1 == line:
                return one.full_start, one.full_end
    raise JsonRpcInvalidParams(f"there is no claim at line {line} of {Path(source.path).name}, counted from 0")


def _file_named(arguments: tuple[Any, ...]) -> str:
    """The path of the file that a command is about, which a client may give as an address too."""
    if not arguments or not isinstance(arguments[0], str):
        raise JsonRpcInvalidParams("the first argument is the path or the address of a file")
    return path_of(arguments[0] if arguments[0].startswith("file:") else uri_of(arguments[0]))
