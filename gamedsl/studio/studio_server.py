"""The language server of a studio, with what the studio asks besides: files, the board, figures.

A page asks by the command ``gamedsl.studio`` with one object, whose ``do`` says what for. An answer has ``ok``; without it a
``message`` says why not. Questions about rules are answered from the texts as they are open at that moment.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from gamedsl.editor import MOST_CHARACTERS, RulesetServer, make_server, path_of, uri_of
from gamedsl.language.rules import COLOURS, SHAPES
from gamedsl.language.source import GameDSLError, reason
from gamedsl.studio.author_files import AuthorFiles, Changed, FileRefused, examples_of, stamp_of
from gamedsl.studio.new_game import template_files, template_kinds
from gamedsl.studio.shared_link import files_of_link, link_of
from gamedsl.studio.text_merge import merged
from gamedsl.studio.worker_pool import Refused, WorkerPool, WorkFailed

Json: TypeAlias = dict[str, Any]
Begin: TypeAlias = Callable[[str, Mapping[str, str]], AuthorFiles]
COMMAND = "gamedsl.studio"
LOOK_SECONDS = 0.5  # between two looks at the files of the folder
SETTLED = 3_000_000_000  # nanoseconds after which another change has another time, in every file system
MOST_PLIES, MOST_OPTIONS = 2_000, 50
MOST_PENDING = 200  # requests of a page without an answer
ROLE_OF = {"choose": "slow", "export": "slow", "example": "slow"}  # all others: board
PASSED_ON = frozenset(
    {
        "position",
        "play",
        "why",
        "hover",
        "refused_at",
        "preview",
        "judge",
        "record",
        "load",
        "choose",
        "export",
        "example",
    }
)
AGENTS = ("random", "mcts:200ms", "mcts:1s", "mcts:4s")


class Malformed(Exception):
    """A request without the form that it needs."""


class StudioServer(RulesetServer):
    """A language server that answers a page."""

    def __init__(self, files: AuthorFiles | None, begin: Begin) -> None:
        """``begin``: makes the folder of a new game with its files, where there is no folder yet."""
        super().__init__()
        self.files, self._begin = files, begin
        self.shows_board = True
        self.pool = WorkerPool()
        self.seen: dict[str, str] = {}  # the stamps of open files, as the page knows them
        # Of those files when they were read and had not changed for a while, each with the stamp of what was read.
        self._traces: dict[str, Any] = {}
        self._number = self._pending = 0
        self._answers: dict[str, Callable[[Json], Awaitable[Json]]] = {
            "files": self._files, "open": self._open, "save": self._save, "keep": self._keep, "forget": self._forget,
            "saves": self._saves, "saved": self._saved, "merge": self._merge, "new": self._new, "gallery": self._gallery,
            "figures": self._figures, "link": self._link,
        }  # fmt: skip

        @self.command(COMMAND)
        async def ask(ls: StudioServer, *arguments: Any) -> Json:
            return await ls.answer(arguments[0] if arguments else None)

    def take_text(self, uri: str, version: int, text: str) -> None:
        super().take_text(uri, version, text)
        self._later(self.pool.text_changed())

    async def answer(self, request: Any) -> Json:
        """The answer to a request of the page."""
        self._pending += 1
        try:
            if self._pending > MOST_PENDING:
                raise Malformed("too many requests wait for an answer")
            if not isinstance(request, dict):
                raise Malformed("a request is an object")
            do = _text(request, "do")
            if do in self._answers:
                return {"ok": True} | await self._answers[do](request)
            if do in PASSED_ON:
                found: Json = await self.pool.ask(ROLE_OF.get(do, "board"), await self._about_rules(request))
                return {"ok": True} | found
            raise Malformed(f"there is no request `{do[:40]}`")
        except Refused as refused:
            return {"ok": False, "message": str(refused), "diagnostics": refused.diagnostics}
        except Changed as changed:
            return {"ok": False, "message": str(changed), "changed": changed.text, "stamp": stamp_of(changed.text)}
        except (FileRefused, WorkFailed, Malformed) as error:
            return {"ok": False, "message": str(error)}
        except GameDSLError as mistake:
            said = [d.message if not d.help else f"{d.message}. {d.help}" for d in mistake.diagnostics]
            return {"ok": False, "message": " ".join(said)}
        except OSError as error:
            return {"ok": False, "message": f"a file or folder cannot be used: {reason(error)}"}
        finally:
            self._pending -= 1

    # ------------------------------------------------------------------------------------------------- the rules

    async def _about_rules(self, request: Json) -> Json:
        """A request for a process: checked, with the texts as they are open."""
        path = str(self._folder.path(_text(request, "file")))
        plies, options = request.get("plies", []), request.get("options", [])
        if not isinstance(plies, list) or len(plies) > MOST_PLIES or not all(map(_is_ply, plies)):
            raise Malformed(f"`plies` is a list of at most {MOST_PLIES} pairs of a seat and a move")
        if not isinstance(options, list) or len(options) > MOST_OPTIONS or not all(map(_is_option, options)):
            raise Malformed("`options` is a list of pairs of a name and a value")
        if not isinstance(request.get("actions", []), list) or not isinstance(request.get("refused", []), list):
            raise Malformed("`actions` and `refused` are lists")
        for field in ("action", "seat", "seed", "at", "seen_by", "line"):
            value = request.get(field)
            if value is not None and (type(value) is not int or not 0 <= value < 2**62):
                raise Malformed(f"`{field}` is a whole number")
        if request["do"] in ("play", "why", "hover", "preview", "judge", "choose") and request.get("seat") is None:
            raise Malformed("`seat` is missing")
        if not isinstance(request.get("saved", ""), str):
            raise Malformed("`saved` is a string")
        if request.get("agent", "random") not in AGENTS:
            raise Malformed(f"`agent` is one of {', '.join(AGENTS)}")
        texts = {p: source.text for p, source in self.desk.snapshot().items()}
        for name in (request["file"], examples_of(request["file"])):
            if str(self._folder.path(name)) not in texts and (text := await self._disk("read", name)) is not None:
                texts[str(self._folder.path(name))] = text
        return request | {"path": path, "texts": texts, "seed": request.get("seed") or 0, "options": options}

    async def _figures(self, request: Json) -> Json:
        """Figures come by and by, as notifications ``gamedsl/figures`` with the ``number`` of this answer."""
        self._number += 1
        number, wanted = self._number, await self._about_rules(request)

        def show(part: Json) -> None:
            if number == self._number:
                self.protocol.notify("gamedsl/figures", {"number": number} | part)

        async def follow() -> None:
            try:
                await self.pool.follow(wanted, show)
            except (Refused, WorkFailed) as error:
                show({"failed": str(error)})

        self._later(follow())
        return {"number": number}

    # ------------------------------------------------------------------------------------------------- the files

    @property
    def _folder(self) -> AuthorFiles:
        if self.files is None:
            raise FileRefused("there is no folder yet: begin with a template")
        return self.files

    async def _disk(self, do: str, *words: Any) -> Any:
        """What a method of the folder returns. A disk that is slow keeps nobody waiting who does not need it."""
        folder = self._folder
        return await asyncio.get_running_loop().run_in_executor(folder.disk, getattr(folder, do), *words)

    async def _files(self, request: Json) -> Json:
        return {"files": [] if self.files is None else await self._disk("names")} | self.about()

    def about(self) -> Json:
        """The folder, for the page."""
        root = None if self.files is None else self.files.root
        words = {"colors": list(COLOURS), "shapes": list(SHAPES)}
        return {
            "folder": None if root is None else root.name,
            "root": None if root is None else uri_of(str(root)),
            "words": words,
            "most": MOST_CHARACTERS,
        }

    async def _open(self, request: Json) -> Json:
        """The text of a file with its ``stamp``, and what was typed and not saved: ``kept``, or why it is not used, ``lost``."""
        name = _text(request, "file")
        text, kept, lost = await self._disk("read", name), None, ""
        try:
            kept = await self._disk("kept", name)
        except FileRefused as refused:
            lost = str(refused)
        self.seen[name] = stamp_of(text)
        found = None if kept is None or kept.text == text else asdict(kept)
        uri = uri_of(str(self._folder.path(name)))
        return {"text": text, "stamp": stamp_of(text), "kept": found, "lost": lost, "uri": uri}

    async def _save(self, request: Json) -> Json:
        name = _text(request, "file")
        stamp = await self._disk("save", name, _text(request, "text"), _text(request, "stamp"), _kept(request))
        self.seen[name] = stamp
        return {"stamp": stamp}

    async def _keep(self, request: Json) -> Json:
        base = _text(request, "base") if "base" in request else ""
        await self._disk("keep", _text(request, "file"), _text(request, "text"), _text(request, "stamp"), base)
        return {}

    async def _forget(self, request: Json) -> Json:
        await self._disk("forget", _text(request, "file"), _kept(request))
        return {}

    async def _saves(self, request: Json) -> Json:
        return {"saves": await self._disk("saves", _text(request, "file"))}

    async def _saved(self, request: Json) -> Json:
        when = request.get("when")
        if type(when) is not int:
            raise Malformed("`when` is a whole number")
        return {"text": await self._disk("saved", _text(request, "file"), when)}

    async def _merge(self, request: Json) -> Json:
        texts = [_text(request, field) for field in ("base", "mine", "theirs")]
        return {"text": None if max(map(len, texts)) > MOST_CHARACTERS else merged(*texts)}

    async def _new(self, request: Json) -> Json:
        """Begins a game from a template or a link, in the folder or in one of its own."""
        if "link" in request:
            name, texts = files_of_link(_text(request, "link"))
        else:
            name, kind = _text(request, "name"), _text(request, "like")
            if kind not in template_kinds():
                raise Malformed("there is no such template")
            texts = template_files(name, kind)
        if self.files is None:
            self.files = self._begin(name, texts)
        else:
            files = [file for file in texts if file != "README.md"]
            for file in files:
                if await self._disk("read", file) is not None:
                    raise FileRefused(f"a file `{file}` already exists; choose another name")
            for file in files:
                await self._disk("save", file, texts[file], "")
        return {"file": f"{name}.gdl"} | self.about()

    async def _link(self, request: Json) -> Json:
        """A link that holds a ruleset with its examples, as they are open, and what it uses of the folder."""
        name, root = _text(request, "file"), self._folder.root
        waiting, texts = [str(self._folder.path(name)), str(self._folder.path(examples_of(name)))], dict[str, str]()
        while waiting:
            path = Path(waiting.pop())
            if not path.is_relative_to(root) or (file := path.relative_to(root).as_posix()) in texts:
                continue
            if (source := await asyncio.to_thread(self.desk.source, str(path))) is not None:
                texts[file] = source.text
                waiting += [other for *_, other in self.desk.links(source) if path.suffix == ".gdl"]
        return {"link": link_of(name.removesuffix(".gdl"), texts), "files": sorted(texts)}

    async def _gallery(self, request: Json) -> Json:
        """The templates with their first positions."""
        shown = []
        for kind in template_kinds():
            text = template_files("preview", kind)["preview.gdl"]
            path = str(Path("/preview") / f"{kind}.gdl")
            asked = {"do": "position", "path": path, "texts": {path: text}, "options": [], "plies": [], "seed": 0}
            shown.append({"name": kind} | await self.pool.ask("board", asked))
        return {"templates": shown}

    # ------------------------------------------------------------------------------------------- changes elsewhere

    async def watch_files(self) -> None:
        """Tells the page of files that somebody else changed, as notifications ``gamedsl/outside``."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for name, stamp in list(self.seen.items()):
                try:
                    now = time.time_ns()
                    trace = await self._disk("trace", name)
                    if self._traces.get(name) == (trace, stamp):
                        continue
                    text = await self._disk("read", name)
                    if trace is not None and trace[0] < now - SETTLED:
                        self._traces[name] = (trace, stamp_of(text))
                except (FileRefused, OSError):
                    continue  # an editor is just replacing it
                if stamp_of(text) != stamp and self.seen.get(name) == stamp:
                    self.seen[name] = stamp_of(text)
                    self.protocol.notify("gamedsl/outside", {"file": name, "text": text, "stamp": stamp_of(text)})

    def may_read(self, uri: str) -> bool:
        """Whether a request may name this file: one of the folder, or a text that is nowhere on the disk."""
        if self.files is None or not uri.startswith("file:"):
            return False
        path = Path(path_of(uri))
        return path == self.files.root or path.is_relative_to(self.files.root)


def make_studio_server(files: AuthorFiles | None, begin: Begin) -> StudioServer:
    """A server with all features."""
    server = StudioServer(files, begin)
    make_server(server)
    return server


def _text(request: Json, field: str) -> str:
    value = request.get(field)
    if not isinstance(value, str):
        raise Malformed(f"`{field}` is a string")
    return value


def _kept(request: Json) -> str | None:
    """The text that the page knows to be kept, if any."""
    return None if request.get("kept") is None else _text(request, "kept")


def _is_ply(value: Any) -> bool:
    match value:
        case [None | int(), str(text)]:
            return len(text) <= 10_000
        case _:
            return False


def _is_option(value: Any) -> bool:
    match value:
        case [str(name), str(text)]:
            return len(name) + len(text) <= 400
        case _:
            return False
