"""Asks a process what is legal in a position, and remembers the answers: the same list of moves is completed letter by letter."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from gamedsl.editor.desk import EXAMPLES, Desk
from gamedsl.editor.task_process import LINES, Outcome, Task
from gamedsl.editor.task_runner import start_process

PATIENCE = (
    8.0  # seconds that a question may take when it is asked first; each time that it was not enough, twice as much
)
MOST_PATIENCE = 64.0
GIVE_WAY = 2.0  # seconds after which a question about a position ends for a newer one
_MOST_KEPT = 64


@dataclass
class _Question:
    """A question that is asked, or that waits for its turn. ``begun``: when its turn came, by the clock of the loop."""

    kind: str
    work: asyncio.Future[Any]
    begun: float | None = None


class PositionAsker:
    """Answers about positions of rulesets as they are open. One process gives them, one after the other; it starts when it is needed
    first, and ends with a question that took too long or gave way.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._known: OrderedDict[str, Any] = OrderedDict()
        self._late: dict[str, float] = {}  # how many seconds were not enough
        self._asked: dict[str, _Question] = {}
        self._turn = asyncio.Lock()
        self._newest = ""  # of the questions about positions
        self._process: asyncio.subprocess.Process | None = None

    async def ask(
        self, ruleset: str, asked: Mapping[str, Any], kind: str = "position", patience: float = MOST_PATIENCE
    ) -> tuple[dict[str, Any] | None, bool]:
        """What ``position_facts.py`` says about a position or a game (None: it cannot be reached), and whether that is known. After so
        many seconds of patience it is not, but the work goes on, and whoever asks again may find it done.
        """
        rules = [p for p in self.desk.involved(ruleset) if not p.endswith(EXAMPLES)]
        texts = {path: source.text for path in rules if (source := self.desk.source(path)) is not None}
        key = json.dumps([kind, ruleset, asked, sorted(texts.items())], sort_keys=True, default=str)
        if kind == "position":
            self._newest = key
        if key not in self._known:
            if key not in self._asked:
                task = Task(kind, ruleset, texts, asked=asked)
                self._asked[key] = question = _Question(kind, asyncio.get_running_loop().create_future())
                question.work = asyncio.ensure_future(self._find(key, task, question))
            self._make_way()
            await asyncio.wait([self._asked[key].work], timeout=patience)
        found: dict[str, Any] | None = self._known.get(key)
        return found, key in self._known

    async def _find(self, key: str, task: Task, question: _Question) -> None:
        """Asks when it is a question's turn, unless it is about a position of before."""
        try:
            async with self._turn:
                if task.kind == "position" and key != self._newest:
                    return
                question.begun = asyncio.get_running_loop().time()
                seconds = min(2 * self._late[key], MOST_PATIENCE) if key in self._late else PATIENCE
                try:
                    async with asyncio.timeout(seconds):
                        self._known[key] = await self._answer(task)
                except TimeoutError:
                    self._late[key] = seconds
                    return
                self._late.pop(key, None)
                while len(self._known) > _MOST_KEPT:
                    self._known.popitem(last=False)
        finally:
            del self._asked[key]
            self._make_way()

    def _make_way(self) -> None:
        """Ends what has been asked for long about a position of before."""
        now = asyncio.get_running_loop().time()
        for key, question in self._asked.items():
            if question.kind == "position" and key != self._newest and question.begun is not None:
                wait = question.begun + GIVE_WAY - now
                asyncio.get_running_loop().call_later(max(0.0, wait), question.work.cancel)

    async def _answer(self, task: Task) -> Any:
        is_answered = False
        try:
            process = await self._start()
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(task.text().encode("utf-8", "surrogatepass") + b"\n")
            await process.stdin.drain()
            outcome = Outcome.read(await process.stdout.readline())
            is_answered = True
            return outcome.data
        except (OSError, ValueError):
            return None
        finally:
            if not is_answered:
                self._end()

    async def _start(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await start_process(LINES)
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
