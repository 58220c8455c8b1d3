"""Tasks in processes of their own, of which one runs at a time. A text that changes ends those that depend on it, and takes back
their results.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from gamedsl.editor.desk import Desk
from gamedsl.editor.task_process import Mark, Outcome, Task
from gamedsl.language.source import child_environment, lazy_dataclass, module_command

PATIENCE = 60.0  # seconds for all of a task but its search: then its process is ended
_MOST_LINE = 32 << 20  # bytes of an outcome in a line

CHANGED = Outcome("the text changed before the result was known")


@lazy_dataclass(frozen=True)
class _Ground:
    """The files on which a task depends, with their texts as the task sees them (None: no file)."""

    texts: dict[str, str | None]

    @classmethod
    def of(cls, desk: Desk, path: str) -> _Ground:
        return cls({one: _text(desk, one) for one in desk.involved(path)})

    def is_same(self, desk: Desk) -> bool:
        return all(_text(desk, path) == text for path, text in self.texts.items())


def _text(desk: Desk, path: str) -> str | None:
    source = desk.source(path)
    return None if source is None else source.text


class TaskRunner:
    """Runs tasks on the texts of a desk. ``show`` is called with every path whose results change."""

    def __init__(self, desk: Desk, show: Callable[[str], None]) -> None:
        self.desk, self.show = desk, show
        self._running: dict[tuple[str, str, int], tuple[_Ground, asyncio.Task[Outcome]]] = {}
        self._results: dict[tuple[str, str, int], tuple[_Ground, Outcome]] = {}
        self._turn = asyncio.Lock()

    async def run(self, task: Task) -> Outcome | None:
        """The outcome of a task; None if the same task is running already."""
        key = (task.kind, task.path, -1 if task.extent is None else task.extent[0])
        if key in self._running:
            return None
        ground = _Ground.of(self.desk, task.path)
        work = asyncio.ensure_future(self._in_turn(task))
        self._running[key] = ground, work
        try:
            await asyncio.wait([work])
        finally:  # the editor may have withdrawn its request
            work.cancel()
            del self._running[key]
        if work.cancelled() or not ground.is_same(self.desk):
            return CHANGED
        outcome = work.result()
        self._replace(key, (ground, outcome))
        return outcome

    def marks(self, path: str) -> list[Mark]:
        """The results that stand in a file, each once: an example may have been run alone and with all others."""
        return list(dict.fromkeys(m for _, outcome in self._results.values() for m in outcome.marks if m.path == path))

    def games(self, path: str) -> dict[int, list[Any]]:
        """The games that verdicts on claims of a file have found, by the place of the claim, as plies."""
        found: dict[int, list[Any]] = {}
        for (kind, of, _), (_, outcome) in self._results.items():
            if kind == "verify" and of == path:
                found |= {int(start): plies for start, plies in (outcome.data or {}).items()}
        return found

    def take_change(self) -> None:
        """Ends and takes back everything that depends on a text that is another now."""
        for ground, work in self._running.values():
            if not ground.is_same(self.desk):
                work.cancel()
        for key in [k for k, (ground, _) in self._results.items() if not ground.is_same(self.desk)]:
            self._replace(key, None)

    def _replace(self, key: tuple[str, str, int], result: tuple[_Ground, Outcome] | None) -> None:
        before = self._results.pop(key, None)
        if result is not None:
            self._results[key] = result
        for path in sorted({m.path for one in (before, result) if one is not None for m in one[1].marks}):
            self.show(path)

    async def _in_turn(self, task: Task) -> Outcome:
        async with self._turn:
            return await in_process(task.text(), PATIENCE + task.seconds)


async def start_process(*words: str) -> asyncio.subprocess.Process:
    """Starts a process that carries out tasks, see ``task_process.py``. ``words``: its arguments."""
    return await asyncio.create_subprocess_exec(
        *module_command("gamedsl.editor.task_process"), *words, env=child_environment(), limit=_MOST_LINE,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip


async def in_process(text: str, patience: float) -> Outcome:
    """Runs a task in a process of its own, which ends with this call however it ends."""
    process = await start_process()
    try:
        out, _ = await asyncio.wait_for(process.communicate(text.encode("utf-8", "surrogatepass")), patience)
        return Outcome.read(out)
    except TimeoutError:
        return Outcome(f"no answer within {patience:.0f} seconds", "warning")
    except ValueError:
        return Outcome(f"the process ended with exit code {process.returncode} and without a result", "error")
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
