"""Questions about positions, with a process of the test's own: what waits for what, and what is remembered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from gamedsl.editor import position_asking
from gamedsl.editor.desk import Desk
from gamedsl.editor.position_asking import PositionAsker
from gamedsl.editor.task_process import Task

Answers = Callable[[str], Awaitable[Any]]


class Asker(PositionAsker):
    """Answers by a function of what is asked, and notes the questions that came to their turn."""

    def __init__(self, answers: Answers) -> None:
        super().__init__(Desk())
        self.answers, self.begun = answers, list[str]()

    async def _answer(self, task: Task) -> Any:
        asked = str((task.asked or {})["move"])
        self.begun.append(asked)
        return await self.answers(asked)

    async def of(self, asked: str, kind: str = "position", patience: float = 600.0) -> tuple[Any, bool]:
        return await self.ask("/nowhere/small.gdl", {"move": asked}, kind, patience)


def run(work: Awaitable[None]) -> None:
    async def whole() -> None:
        await work

    asyncio.run(whole())


def test_an_answer_that_comes_later_is_known_to_the_next_question() -> None:
    async def work() -> None:
        ready = asyncio.Event()

        async def answers(asked: str) -> Any:
            await ready.wait()
            return {"moves": asked}

        asker = Asker(answers)
        assert await asker.of("a1", patience=0.0) == (None, False)
        assert await asker.of("a1", patience=0.0) == (None, False)
        ready.set()
        assert await asker.of("a1") == ({"moves": "a1"}, True)
        assert asker.begun == ["a1"], "the work of the first question went on"

    run(work())


def test_newer_questions_take_the_turn_of_positions_but_not_of_games() -> None:
    async def work() -> None:
        ready = asyncio.Event()

        async def answers(asked: str) -> Any:
            await ready.wait()
            return asked

        asker = Asker(answers)
        first, game, stale, newest = (
            asyncio.ensure_future(asker.of(asked, kind))
            for asked, kind in (("first", "game"), ("game", "game"), ("stale", "position"), ("newest", "position"))
        )
        await asyncio.sleep(0)
        ready.set()
        assert [await one for one in (first, game, newest)] == [("first", True), ("game", True), ("newest", True)]
        assert await stale == (None, False) and "stale" not in asker.begun
        assert await asker.of("stale") == ("stale", True), "it was not remembered as one without an answer"

    run(work())


def test_what_took_too_long_is_asked_again_with_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []
    timeout = asyncio.timeout

    def patient(seconds: float) -> asyncio.Timeout:
        given.append(seconds)
        return timeout(600.0)

    monkeypatch.setattr(asyncio, "timeout", patient)

    async def work() -> None:
        async def answers(asked: str) -> Any:
            if len(given) < 3:
                raise TimeoutError
            return asked

        asker = Asker(answers)
        assert [await asker.of("slow") for _ in range(3)] == [(None, False), (None, False), ("slow", True)]
        assert await asker.of("slow") == ("slow", True) and given == [8.0, 16.0, 32.0]

    run(work())


def test_a_long_question_about_a_position_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position_asking, "GIVE_WAY", 0.0)

    async def work() -> None:
        async def answers(asked: str) -> Any:
            return await asyncio.Event().wait() if asked == "endless" else asked

        asker = Asker(answers)
        endless = asyncio.ensure_future(asker.of("endless"))
        while not asker.begun:
            await asyncio.sleep(0)
        assert await asker.of("short") == ("short", True)
        assert await endless == (None, False)

    run(work())


def test_a_question_that_is_the_newest_again_does_not_give_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a cursor goes to the next line and comes back."""
    monkeypatch.setattr(position_asking, "GIVE_WAY", 300.0)
    later: list[Callable[[], object]] = []

    async def work() -> None:
        loop, ready = asyncio.get_running_loop(), asyncio.Event()
        call_later = loop.call_later

        def note(delay: float, callback: Callable[..., object], *words: Any) -> asyncio.TimerHandle:
            if delay <= 300.0:
                later.append(callback)
            return call_later(delay, callback, *words)

        monkeypatch.setattr(loop, "call_later", note)

        async def answers(asked: str) -> Any:
            await ready.wait()
            return asked

        asker = Asker(answers)
        asking = []
        for asked in ("long", "other", "long"):
            asking.append(asyncio.ensure_future(asker.of(asked)))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert asker.begun == ["long"] and later
        monkeypatch.setattr(position_asking, "GIVE_WAY", 0.0)  # the time is over
        for callback in later:
            callback()
        ready.set()
        assert [await one for one in asking] == [("long", True), (None, False), ("long", True)]

    run(work())


def test_questions_that_took_too_long_are_forgotten_one_day() -> None:
    async def work() -> None:
        async def answers(asked: str) -> Any:
            raise TimeoutError

        asker = Asker(answers)
        for i in range(100):
            assert await asker.of(str(i)) == (None, False)
        assert len(asker._late) == 64

    run(work())


def test_the_process_is_ended_with_a_question_that_gives_way(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The answer of the process to the older question would be taken for that to the newer one."""
    monkeypatch.setattr(position_asking, "GIVE_WAY", 0.0)
    rules = tmp_path / "take.gdl"
    rules.write_text(
        'game "Take"\nplayers one, two\nstate\n  left: 0..9 = 9\nmove take\n  take 1 from left\n'
        "play\n  turns from one until left = 0\n    me plays take\n  draw\n",
        encoding="utf-8",
    )

    async def work() -> None:
        asker = PositionAsker(Desk())
        older = asyncio.ensure_future(asker.ask(str(rules), {"example": {"moves": ["take"]}}))
        while asker._process is None:
            await asyncio.sleep(0.01)
        first = asker._process
        newer, is_known = await asker.ask(str(rules), {"example": {"moves": ["take"] * 9}})
        assert is_known and newer is not None and newer["to_move"] == ["end"]
        last = asker._process
        assert (await older)[1] is (last is first)
        asker._end()
        assert last is not None and await last.wait() and await first.wait()

    run(work())
