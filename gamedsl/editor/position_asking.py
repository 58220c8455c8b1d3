"""Asks a process what is legal in a position, and remembers the answers: the same list of moves is completed letter by letter."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from gamedsl.editor.desk import EXAMPLES, Desk
from gamedsl.editor.task_process import LINES, Outcome, Task
from gamedsl.editor.task_runner import start_process
from gamedsl.language.source import lazy_dataclass

PATIENCE = (
    8.0  # seconds that a question may take when it is asked first; twice as many each time that it was not enough
)
MOST_PATIENCE = 64.0
GIVE_WAY = 2.0  # seconds after which a question about a position ends for a newer one
_MOST_KEPT = 64


@lazy_dataclass()
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
        self._known: dict[str, Any] = {}
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
                self._asked[key] = _Question(kind, asyncio.ensure_future(self._find(key, task)))
            self._make_way()
            await asyncio.wait([self._asked[key].work], timeout=patience)
        found: dict[str, Any] | None = self._known.get(key)
        return found, key in self._known

    async def _find(self, key: str, task: Task) -> None:
        """Asks when it is a question's turn, unless it is about a position of before."""
        try:
            async with self._turn:
                if task.kind == "position" and key != self._newest:
                    return
                self._asked[key].begun = asyncio.get_running_loop().time()
                seconds = min(2 * self._late[key], MOST_PATIENCE) if key in self._late else PATIENCE
                try:
                    async with asyncio.timeout(seconds):
                        self._known[key] = await self._answer(task)
                except TimeoutError:
                    self._late[key] = seconds
                    _forget_oldest(self._late)
                    return
                self._late.pop(key, None)
                _forget_oldest(self._known)
        finally:
            del self._asked[key]

    def _make_way(self) -> None:
        """Ends what has been asked for long about a position of before, now or as soon as it has been."""
        loop = asyncio.get_running_loop()
        for key, question in self._asked.items():
            if question.kind == "position" and key != self._newest and question.begun is not None:
                left = question.begun + GIVE_WAY - loop.time()
                if left <= 0:
                    question.work.cancel()
                else:
                    loop.call_later(left, self._make_way)

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


def _forget_oldest(kept: dict[str, Any]) -> None:
    while len(kept) > _MOST_KEPT:
        del kept[next(iter(kept))]
