"""The processes of a studio: one that ends is started anew, one that is not wanted stops, and none outlives its studio."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Coroutine
from typing import Any

import pytest

from gamedsl.studio.worker_pool import Refused, WorkerPool, WorkFailed
from tests.patience import PATIENCE

from .running import RULES

PATH = "/nowhere/row.gdl"


def request(do: str, text: str = RULES, **more: Any) -> dict[str, Any]:
    return {"do": do, "path": PATH, "texts": {PATH: text}, "options": [], "plies": [], "seed": 0, **more}


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, PATIENCE))


def test_a_process_that_ends_is_started_anew_for_the_next_request() -> None:
    async def work() -> None:
        pool = WorkerPool()
        try:
            assert (await pool.ask("board", request("position")))["plies"] == []
            process = pool.workers["board"].process
            assert process is not None
            asking = asyncio.ensure_future(pool.ask("board", request("choose", agent="mcts:4s", seat=0)))
            await asyncio.sleep(0)
            os.kill(process.pid, signal.SIGKILL)
            with pytest.raises(WorkFailed):
                await asking
            assert (await pool.ask("board", request("position")))["plies"] == []
        finally:
            await pool.end()

    run(work())


def test_rules_with_mistakes_and_requests_that_cannot_be_answered_leave_the_process_as_it_is() -> None:
    async def work() -> None:
        pool = WorkerPool()
        try:
            with pytest.raises(Refused, match="no move called"):
                await pool.ask("board", request("position", RULES.replace("me plays place", "me plays plase")))
            process = pool.workers["board"].process
            with pytest.raises(Refused, match="could not be answered"):
                await pool.ask("board", request("why", actions=["x"], seat=0))
            assert (await pool.ask("board", request("position")))["plies"] == []
            assert pool.workers["board"].process is process
        finally:
            await pool.end()

    run(work())


HANGS = RULES.replace(
    "when c in empty",
    "when count a in cell, b in cell, d in cell, e in cell, f in cell: a = b or d = e or f = c > 0 and c in empty",
).replace("n: 3..5 = 3", "n: 3..25 = 25")


def test_rules_that_hang_keep_nobody_waiting_once_they_are_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """25 to the power of 10 tuples are counted for every square."""
    monkeypatch.setattr("gamedsl.studio.worker_pool.OVERTAKEN", 0.05)

    async def work() -> None:
        pool = WorkerPool()
        try:
            hanging = [asyncio.ensure_future(pool.ask("board", request("position", HANGS))) for _ in range(2)]
            await asyncio.sleep(0)
            asking = asyncio.ensure_future(pool.ask("board", request("position")))
            await asyncio.sleep(0)
            await pool.text_changed()
            for one in hanging:
                with pytest.raises(WorkFailed, match="the rules were changed"):
                    await one
            assert (await asking)["plies"] == []
        finally:
            await pool.end()

    run(work())


def test_a_change_of_the_text_ends_nothing_that_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        pool = WorkerPool()
        try:
            await pool.ask("board", request("position"))
            process = pool.workers["board"].process
            asking = asyncio.ensure_future(pool.ask("board", request("position", RULES + "# more\n")))
            await asyncio.sleep(0)
            await pool.text_changed()
            assert (await asking)["plies"] == []
            assert pool.workers["board"].process is process
        finally:
            await pool.end()

    run(work())


def test_figures_end_with_the_next_key_and_the_process_stays() -> None:
    async def work() -> None:
        pool = WorkerPool()
        parts: list[Any] = []
        try:
            following = asyncio.ensure_future(pool.follow(request("figures"), parts.append))
            while not parts:
                await asyncio.sleep(0.01)
            process = pool.workers["figures"].process
            await pool.stop_following()
            await following
            assert pool.workers["figures"].process is process
            assert not any(part.get("is_done") for part in parts)
        finally:
            await pool.end()

    run(work())


def test_a_process_ends_with_its_studio() -> None:
    async def work() -> None:
        pool = WorkerPool()
        await pool.ask("board", request("position"))
        process = pool.workers["board"].process
        assert process is not None and process.stdin is not None
        process.stdin.close()  # as when the studio was killed
        await process.wait()

    run(work())


@pytest.mark.parametrize(("role", "module"), [("board", "board_line"), ("figures", "figures_run")])
def test_a_process_that_is_warmed_has_loaded_what_it_needs(role: str, module: str) -> None:
    code = (
        "import sys; from gamedsl.studio.studio_process import HANDLERS, Worker; "
        f"HANDLERS['warm'](Worker(), {{'role': '{role}'}}); print('gamedsl.studio.{module}' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "True\n"
