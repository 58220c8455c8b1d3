"""The tools and resources of the server. Everything that reads rules runs in a process of its own with bounds; what it answers is
what the command line answers, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from gamedsl import __version__
from gamedsl.editor import MOST_CHARACTERS, FolderRefused, SharedFolder
from gamedsl.language.rules import MOST_BYTES, builtin_names, shipped, signature
from gamedsl.language.source import read_file, resource_path
from gamedsl.mcp_server.bounded_process import Ended, run_bounded
from gamedsl.mcp_server.fitting_arguments import ToolServer
from gamedsl.mcp_server.known_files import KnownFiles

MOST_SECONDS = 120.0
AT_ONCE = 2  # processes
MOST_PLAYOUTS = 100_000
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)
INSTRUCTIONS = """\
This is gamedsl, a language for the rules of abstract games. Read the resource gamedsl://language first: it is the whole language on one
page. Then write a ruleset, `check` it, apply the edits of its messages, `run_examples`, look at lines of moves with `play_line`, and
`verify` its claims. Every tool takes `game`: the text of a ruleset (with line ends), the name of a file in the folder of the server, or
the name of a shipped ruleset."""

Game = Annotated[
    str,
    Field(
        description="the text of a ruleset, a file name in the folder, or a shipped game", max_length=MOST_CHARACTERS
    ),
]
Options = Annotated[dict[str, str | int | bool] | None, Field(description="values of the ruleset's options")]
Seconds = Annotated[float, Field(ge=1, le=MOST_SECONDS, description="how long it may take")]
Moves = Annotated[list[str], Field(description="moves and outcomes of chance, as they are written", max_length=2000)]


def make_tool_server(root: Path | None) -> MCPServer:
    """The server, with the folder that it may read and write (None: no folder)."""
    server = ToolServer("gamedsl", version=__version__, instructions=INSTRUCTIONS)
    desk = Workbench(SharedFolder(root))
    _add_texts(server, desk)
    _add_facts(server, desk)
    _add_resources(server)
    return server


class Workbench:
    """Runs commands on rulesets, a few at a time."""

    def __init__(self, folder: SharedFolder) -> None:
        self.folder = folder
        self.files = KnownFiles(folder)
        self._places = asyncio.Semaphore(AT_ONCE)

    @asynccontextmanager
    async def file(self, game: str) -> AsyncIterator[Path]:
        """The file of a ruleset; a text is written into a folder of its own, so it can use shipped rulesets only."""
        if "\n" not in game:
            try:
                yield self.folder.ruleset(game)
            except FolderRefused as refused:
                raise ToolError(f"{refused}; the text of a ruleset has line ends") from None
            return
        with tempfile.TemporaryDirectory(prefix="gamedsl-") as folder:
            path = Path(folder, "rules.gdl")
            path.write_text(game, encoding="utf-8")
            yield path

    def copy(self, path: Path, folder: Path) -> Path:
        """Copies a ruleset into another folder, with the rulesets beside it that it may use. Returns its new path."""
        root = self.folder.root
        if root is None or not path.is_relative_to(root):
            root, names = path.parent, []
        else:
            names = [name for name in self.folder.files() if name.endswith(path.suffix)]
        own = str(path.relative_to(root))
        for name in dict.fromkeys([own, *names]):
            Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
            with suppress(OSError):  # what is needed and missing is a mistake of the ruleset
                Path(folder, name).write_bytes(read_file(root / name, MOST_BYTES))
        return folder / own

    async def run(self, words: list[str], seconds: float, given: str = "", folder: Path | None = None) -> Ended:
        async with self._places:
            return await run_bounded(words, seconds, given, folder)

    async def command(
        self, name: str, game: str, words: list[str], options: dict[str, Any] | None = None, seconds: float = 20.0
    ) -> str:
        """What a command prints about a ruleset."""
        async with self.file(game) as path:
            settings = [word for key, value in _settings(options) for word in ("--set", f"{key}={value}")]
            line = ["command", name, str(path), *words, *settings]
            return _answer(await self.run(line, seconds), path)


def _settings(options: dict[str, Any] | None) -> list[tuple[str, str]]:
    found = []
    for key, value in (options or {}).items():
        text = {True: "yes", False: "no"}.get(value) if isinstance(value, bool) else str(value)
        if not re.fullmatch(r"[A-Za-z_]\w{0,80}", key) or text is None or len(text) > 200 or "\n" in text:
            raise ToolError('options have names and short values, such as {"n": 4}')
        found.append((key, text))
    return found


def _answer(ended: Ended, path: Path) -> str:
    """The output, without the place of a text that has no file. A command that printed nothing failed before its work."""
    if ended.code is None:
        raise ToolError(f"{ended.messages}; give it more time, or ask for less")
    if ended.code < 0:
        raise ToolError("the process reached its bound of memory or processor time")
    text = ended.out if ended.out.strip() else ended.messages
    if ended.is_cut:
        text += "\n(cut here: the answer is too long)"
    return text.replace(f"{path.parent}/", "").strip() or "done"


def _add_texts(server: MCPServer, desk: Workbench) -> None:
    """Tools about texts: their mistakes, their form, files."""

    @server.tool(annotations=READS)
    async def check(game: Game, options: Options = None) -> str:
        """Report all mistakes in a ruleset: code, place, cure, and edits (`fixes`) that cure it, with offsets into the text."""
        return await desk.command("check", game, ["--format", "json"], options)

    @server.tool(annotations=READS)
    async def explain(topic: Annotated[str, Field(max_length=80, pattern=r"^\w[\w -]*$")]) -> str:
        """Explain an error code (E0201), a word of the language (turns), or search for any word (scoring)."""
        return _answer(await desk.run(["command", "explain", topic], 20.0), Path())

    @server.tool(annotations=READS)
    async def format_ruleset(game: Game) -> str:
        """Return a ruleset in its canonical form."""
        async with desk.file(game) as path:
            words = ["command", "export", str(path), "--to", "gdl"]
            return _answer(await desk.run(words, 20.0), path)

    @server.tool(annotations=READS)
    async def list_rulesets() -> str:
        """List the files in the folder of the server, and the shipped rulesets."""
        files = await asyncio.to_thread(desk.folder.files)
        return json.dumps({"folder": files, "shipped": sorted(shipped())})

    @server.tool(annotations=READS)
    async def read_file(name: Annotated[str, Field(max_length=200)]) -> str:
        """Return the text of a ruleset or of a file of examples in the folder, or of a shipped ruleset."""
        try:
            return await asyncio.to_thread(desk.files.read, name)
        except (FolderRefused, OSError, UnicodeDecodeError) as error:
            raise ToolError(str(error) if isinstance(error, FolderRefused) else f"`{name}` cannot be read") from None

    @server.tool(annotations=WRITES)
    async def write_file(
        name: Annotated[str, Field(max_length=200)], text: Annotated[str, Field(max_length=MOST_CHARACTERS)]
    ) -> str:
        """Write a ruleset (NAME.gdl) or its examples (NAME.examples.yaml) into the folder of the server. A file that is there is replaced
        only if it holds what `read_file` last returned, or what you last wrote.
        """
        try:
            await asyncio.to_thread(desk.files.write, name, text)
        except (FolderRefused, OSError) as error:
            raise ToolError(str(error) if isinstance(error, FolderRefused) else f"`{name}` cannot be written") from None
        return f"written: {name}"


def _add_facts(server: MCPServer, desk: Workbench) -> None:
    """Tools about games: lines of moves, examples, claims, statistics, the rulebook."""

    async def line(game: str, options: dict[str, Any] | None, **wanted: Any) -> str:
        async with desk.file(game) as path:
            request = {"file": str(path), "options": dict(_settings(options)), **wanted}
            return _answer(await desk.run(["line"], 30.0, json.dumps(request)), path)

    @server.tool(annotations=READS)
    async def play_line(game: Game, moves: Moves, options: Options = None) -> str:
        """Play moves from the first position, and return the board, who is to act, the legal moves, and the result. A move that is
        refused ends the line, with its reasons.
        """
        return await line(game, options, moves=moves)

    @server.tool(annotations=READS)
    async def legal_moves(
        game: Game,
        moves: Moves,
        why: Annotated[list[str], Field(max_length=20, description="moves to ask about")] = [],  # noqa: B006
        options: Options = None,
    ) -> str:
        """List what is legal after some moves, and the reasons why the moves in `why` are not, with the lines of the rules."""
        return await line(game, options, moves=moves, why=why)

    @server.tool(annotations=READS)
    async def draw_position(
        game: Game,
        moves: Moves,
        seat: Annotated[str | None, Field(max_length=80, description="what this player may see")] = None,
        options: Options = None,
    ) -> str:
        """Draw the board after some moves as text, as one player sees it or with everything hidden."""
        answer = json.loads(await line(game, options, moves=moves, seat=seat))
        return json.dumps(answer, ensure_ascii=False) if "problems" in answer else answer["board"]

    @server.tool(annotations=READS)
    async def run_examples(
        game: Game,
        examples: Annotated[str | None, Field(max_length=MOST_CHARACTERS, description="the examples as YAML")] = None,
    ) -> str:
        """Run the examples of a ruleset: those given, else those beside its file."""
        if examples is None:
            return await desk.command("test", game, ["--format", "json"], None, 60.0)
        async with desk.file(game) as path:
            with tempfile.TemporaryDirectory(prefix="gamedsl-") as folder:
                copied = await asyncio.to_thread(desk.copy, path, Path(folder))
                copied.with_suffix(".examples.yaml").write_text(examples, encoding="utf-8")
                words = ["command", "test", str(copied), "--format", "json"]
                return _answer(await desk.run(words, 60.0), copied)

    @server.tool(annotations=READS)
    async def verify(game: Game, options: Options = None, seconds: Seconds = 20.0) -> str:
        """Judge the claims of a ruleset and those made of every ruleset: proved, violated with the shortest game that shows it, or
        unknown.
        """
        words = ["--time", str(seconds * 0.7), "--games-time", str(seconds * 0.3), "--no-save", "--format", "json"]
        return await desk.command("verify", game, words, options, seconds + 10.0)

    @server.tool(annotations=READS)
    async def simulate(
        game: Game, games: Annotated[int, Field(ge=1, le=MOST_PLAYOUTS)] = 1000, options: Options = None
    ) -> str:
        """Play random games and return statistics: who wins how often (with intervals), lengths, how often each kind of move occurs."""
        words = ["-n", str(games), "-j", "1", "--format", "json"]
        return await desk.command("simulate", game, words, options, 60.0)

    @server.tool(annotations=READS)
    async def rulebook(game: Game, options: Options = None) -> str:
        """Print the rulebook that follows from a ruleset, in words."""
        return await desk.command("rules", game, [], options)


def _add_resources(server: MCPServer) -> None:
    def text(*parts: str) -> str:
        return resource_path(*parts).read_text(encoding="utf-8")

    @server.resource("gamedsl://language", mime_type="text/markdown", description="the language on one page")
    def language() -> str:
        return text("grammar", "card.md")

    @server.resource("gamedsl://grammar", mime_type="text/plain", description="the grammar (Lark)")
    def grammar() -> str:
        return text("grammar", "gamedsl.lark")

    @server.resource("gamedsl://builtins", mime_type="text/markdown", description="all builtin functions")
    def builtins() -> str:
        found = ((name, signature(name)) for name in builtin_names())
        return "\n".join(f"- `{one[0]}`: {one[1]}" for _, one in found if one is not None) + "\n"

    for kind in text("templates", "kinds.txt").split():
        _add_template(server, kind, text("templates", kind, "rules.gdl"))

    @server.resource("gamedsl://rulesets/{name}", mime_type="text/plain", description="a shipped ruleset")
    def ruleset(name: str) -> str:
        if name not in shipped():
            raise ValueError("there is no shipped ruleset of this name")
        return shipped()[name].read_text(encoding="utf-8")


def _add_template(server: MCPServer, kind: str, text: str) -> None:
    @server.resource(
        f"gamedsl://templates/{kind}", mime_type="text/plain", description=f"a small game to start from: {kind}"
    )
    def template() -> str:
        return text
