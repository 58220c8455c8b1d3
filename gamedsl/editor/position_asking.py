"""Asks a process what is legal in a position, and remembers the answers: the same list of moves is completed letter by letter."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from gamedsl.editor.desk import EXAMPLES, Desk
from gamedsl.editor.task_process import LINES, Outcome, Task
from gamedsl.editor.task_runner import start_process

PATIENCE = 8.0  # seconds for an answer; one that takes longer is not given
_MOST_KEPT = 64


class PositionAsker:
    """Answers about positions of rulesets as they are open. One process gives them, one after the other; it starts when it is needed
    first, and ends with a question that was withdrawn or took too long.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._known: OrderedDict[str, Any] = OrderedDict()
        self._turn = asyncio.Lock()
        self._newest = 0
        self._process: asyncio.subprocess.Process | None = None

    async def ask(self, ruleset: str, asked: Mapping[str, Any], kind: str = "position") -> dict[str, Any] | None:
        """What ``position_facts.py`` says about a position or a game; None if it cannot be reached, or not in time."""
        rules = [p for p in self.desk.involved(ruleset) if not p.endswith(EXAMPLES)]
        texts = {path: source.text for path in rules if (source := self.desk.source(path)) is not None}
        key = json.dumps([kind, ruleset, asked, sorted(texts.items())], sort_keys=True, default=str)
        self._newest += 1
        number = self._newest
        async with self._turn:
            if key not in self._known:
                if number != self._newest:
                    return None  # asked about a text of before
                self._known[key] = await self._answer(Task(kind, ruleset, texts, asked=asked))
                while len(self._known) > _MOST_KEPT:
                    self._known.popitem(last=False)
        found: dict[str, Any] | None = self._known[key]
        return found

    async def _answer(self, task: Task) -> Any:
        is_answered = False
        try:
            async with asyncio.timeout(PATIENCE):
                process = await self._start()
                assert process.stdin is not None and process.stdout is not None
                process.stdin.write(task.text().encode("utf-8", "surrogatepass") + b"\n")
                await process.stdin.drain()
                outcome = Outcome.read(await process.stdout.readline())
                is_answered = True
                return outcome.data
        except (OSError, ValueError, TimeoutError):
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
