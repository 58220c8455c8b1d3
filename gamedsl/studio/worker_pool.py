"""The processes of a studio, one for each kind of work. One that breaks, or does not answer in time, is ended and started anew."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

from gamedsl.language.source import child_environment, kill_session, module_command

Json: TypeAlias = dict[str, Any]
ROLES = ("board", "figures", "slow")  # what answers a hand; what runs on while a person types; what may take its time
PATIENCE = {"board": 20.0, "figures": 60.0, "slow": 120.0}  # seconds for an answer, or for its next part
FLEETING = {"preview": 5.0, "hover": 5.0, "refused_at": 5.0}  # of what only a pointer asked for
OVERTAKEN = (
    3.0  # seconds after a change of the text, in which what was asked about the one before still has to be answered
)
LASTING = frozenset({"export"})  # what an author waits for, whatever is typed meanwhile
GIVEN_UP = 2.0  # seconds in which work that is not wanted any more has to end by itself
MOST_LINE = 32 << 20  # bytes of an answer
CHANGED = "the rules were changed before there was an answer"
ENDED = "the process that plays the rules ended: they may need too much memory"


class WorkFailed(Exception):
    """A process that gave no answer. The message says why."""


class Refused(Exception):
    """A request that was answered by diagnostics."""

    def __init__(self, diagnostics: list[Json]) -> None:
        super().__init__("; ".join(d["message"] for d in diagnostics))
        self.diagnostics = diagnostics


class WorkerProcess:
    """A worker process, which answers one request at a time."""

    def __init__(self, role: str) -> None:
        self.role = role
        self.process: asyncio.subprocess.Process | None = None
        self.turn = asyncio.Lock()
        self.number = 0
        self._running: Json | None = None
        self._asked = 0
        self._given_up: tuple[int, Any] = (
            0,
            None,
        )  # requests up to this one, about these texts, are not answered any more

    async def ask(self, request: Json, on_part: Callable[[Json], None] = lambda part: None) -> Any:
        """The answer to a request. Raises ``Refused``, ``WorkFailed``."""
        self._asked += 1
        asked = self._asked
        async with self.turn:
            until, texts = self._given_up
            if asked <= until and request.get("texts") == texts:
                raise WorkFailed(CHANGED)
            self._running = request
            try:
                return await self._answer(request, on_part)
            finally:
                self._running = None

    async def overtake(self) -> None:
        """End the process if it is busy for a while yet with what it is doing now, as that is about a text of before."""
        running = self._running
        if running is None or running["do"] in LASTING:
            return
        await asyncio.sleep(OVERTAKEN)
        if running is self._running:
            self._given_up = (self._asked, running.get("texts"))
            await self.end()

    async def _answer(self, request: Json, on_part: Callable[[Json], None]) -> Any:
        patience = FLEETING.get(request["do"], PATIENCE[self.role])
        self.number += 1
        number = self.number
        try:
            await self._send(request | {"id": number})
            while True:
                line = await self._line(patience)
                if line["id"] != number:
                    continue  # of a request that was withdrawn
                if "part" in line:
                    on_part(line["part"])
                    continue
                if "refused" in line:
                    raise Refused(line["refused"])
                return line["done"]
        except (OSError, EOFError, ValueError) as error:
            await self.end()
            is_old = request.get("texts") is not None and self._given_up[1] is request.get("texts")
            raise WorkFailed(CHANGED if is_old else ENDED) from error
        except TimeoutError:
            await self.end()
            raise WorkFailed(f"no answer within {patience:.0f} seconds") from None

    async def _send(self, request: Json) -> None:
        if self.process is None or self.process.returncode is not None:
            self.process = await asyncio.create_subprocess_exec(
                *module_command("gamedsl.studio.studio_process"), env=child_environment(), limit=MOST_LINE, start_new_session=True,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        await self.process.stdin.drain()

    async def _line(self, patience: float) -> Json:
        assert self.process is not None and self.process.stdout is not None
        async with asyncio.timeout(patience):
            line = await self.process.stdout.readline()
        if not line:
            raise EOFError
        found: Json = json.loads(line)
        return found

    async def withdraw(self) -> None:
        """Have the process end what it is doing; end the process if it does not listen."""
        if self.process is None:
            return
        try:
            async with asyncio.timeout(GIVEN_UP):
                await self.ask({"do": "stop"})
        except (TimeoutError, WorkFailed):
            await self.end()

    async def end(self) -> None:
        """End the process, whatever it is doing."""
        process, self.process = self.process, None
        if process is not None:
            with suppress(ProcessLookupError):
                kill_session(process)
            await process.wait()


class WorkerPool:
    """The processes of one studio. They start when they are first needed."""

    def __init__(self) -> None:
        self.workers = {role: WorkerProcess(role) for role in ROLES}
        self._running: asyncio.Task[Any] | None = None  # the figures

    async def ask(self, role: str, request: Json) -> Any:
        return await self.workers[role].ask(request)

    async def follow(self, request: Json, on_part: Callable[[Json], None]) -> None:
        """Give the parts of a request for figures, until it ends or another one takes its place."""
        await self.stop_following()
        self._running = task = asyncio.ensure_future(self.workers["figures"].ask(request, on_part))
        await asyncio.wait([task])
        if not task.cancelled():
            task.result()

    async def warm(self) -> None:
        """Start what is needed at once, so that it has loaded its libraries when it is asked."""
        with suppress(WorkFailed, Refused):
            await asyncio.gather(
                *(self.workers[role].ask({"do": "warm", "role": role}) for role in ("board", "figures"))
            )

    async def text_changed(self) -> None:
        """End what is about the text of before: figures at once, answers if they do not come soon."""
        await asyncio.gather(self.stop_following(), self.workers["board"].overtake(), self.workers["slow"].overtake())

    async def stop_following(self) -> None:
        """Withdraw the request for figures."""
        task, self._running = self._running, None
        if task is not None and not task.done():
            task.cancel()
            await self.workers["figures"].withdraw()

    async def end(self) -> None:
        for worker in self.workers.values():
            await worker.end()
