"""Shards: the same answers for any workers, files and interruptions; other files are refused."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable
from concurrent.futures import wait
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.lab.shards import LocalProcesses, Question, ShardRunner, ShardStore
from gamedsl.lab.shards.question import Shard, answer_shard
from gamedsl.language.source import FileError, GameDSLError, UsageError
from tests.lab.shards.stand_ins import Sleep, Squares, Threads, helped


def answers(runner: ShardRunner, items: int, question: Question[list[int]] | None = None) -> list[int]:
    return list(runner.items(question or Squares(), items))


@settings(max_examples=8, deadline=None)
@given(st.lists(st.integers(0, 9), max_size=3), st.integers(0, 9), st.booleans())
def test_any_interruptions_and_workers(tmp_path_factory: Any, stops: list[int], items: int, has_help: bool) -> None:
    """Runs that are stopped after some of their answers, and one that is not, give the squares."""
    path = tmp_path_factory.mktemp("shards") / "file"
    for stop in stops:
        runner = ShardRunner(Threads(2) if has_help else None, ShardStore(path), least=0.0, alone=0.0)
        run = runner.items(Squares(), 9)
        assert [next(run) for _ in range(stop)] == [k * k for k in range(stop)]
        run.close()
        runner.close()
    assert answers(ShardRunner(store=ShardStore(path)), items) == [k * k for k in range(items)]


def test_nothing_is_answered_twice(tmp_path: Path) -> None:
    """One known shard is answered again as a check; the others are read. More items need only the new ones."""
    first = ShardRunner(store=ShardStore(tmp_path / "file"), least=0.0)
    answers(first, 20)
    first.close()
    asked: list[tuple[int, int]] = []

    class Counting(Squares):
        def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[int]:
            asked.append((first, count))
            return super().answer(first, count, stopped)

    again = ShardRunner(store=ShardStore(tmp_path / "file"), least=0.0)
    assert answers(again, 25, Counting()) == [k * k for k in range(25)]
    assert len([a for a in asked if a[0] < 20]) == 1
    assert sorted(a for a in asked if a[0] >= 20) == [(k, 1) for k in range(20, 25)]


def test_the_last_shards_are_smaller(tmp_path: Path) -> None:
    """A quarter of what is left for two workers with two shards each, but at least an eighth of the others."""
    path, workers = tmp_path / "file", Threads(2)
    assert len(list(ShardRunner(store=ShardStore(path)).run(Squares(), 16, first_size=16))) == 1
    runner = ShardRunner(workers, ShardStore(path), least=0.0, alone=0.0)
    assert answers(runner, 117) == [k * k for k in range(117)]
    assert [count for _, count in workers.asked] == [16, 16, 16, 14, 10, 8, 6, 4, 3, 2, 2, 2, 2]


def test_shards_grow_until_they_take_long_enough() -> None:
    workers = Threads(2)
    answers(ShardRunner(workers, alone=0.0), 1000)
    counts = [count for _, count in workers.asked]
    assert counts[0] == 1 and max(counts) >= 64 and sum(counts) == 1000


def test_the_work_before_others_help_is_that_of_all_questions() -> None:
    """A search asks a question for every generation: its workers do not wait for a second of each."""
    workers = Threads(2)
    runner = ShardRunner(workers, alone=1e-9)
    answers(runner, 5)
    asked = len(workers.asked)
    assert workers.asked[0][0] > 0
    answers(runner, 5, Squares(named="others"))
    assert workers.asked[asked][0] == 0


def test_a_stop_keeps_a_prefix() -> None:
    stops = iter([False, False, True])
    found = list(helped().run(Squares(), 1000, lambda: next(stops, True)))
    assert [x for part in found for x in part] == [k * k for k in range(len(found))]


def test_the_first_mistake_is_raised() -> None:
    class Failing(Squares):
        def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[int]:
            if first >= 5:
                raise UsageError(f"item {first}")
            return super().answer(first, count, stopped)

    for runner in (ShardRunner(least=0.0), helped()):
        with pytest.raises(GameDSLError, match="item 5"):
            answers(runner, 9, Failing())


# ------------------------------------------------------------------------------------------- questions with one item


def offsets(runner: ShardRunner, many: int, least: int = 0) -> list[int]:
    """Asks for the square of 0 plus each of these offsets."""
    return list(runner.each(Squares(k, f"offset {k}") for k in range(least, many)))


@settings(max_examples=8, deadline=None)
@given(st.lists(st.integers(0, 9), max_size=3), st.booleans())
def test_questions_with_one_item(tmp_path_factory: Any, stops: list[int], has_help: bool) -> None:
    """Runs that are stopped after some of their answers, and one that is not, give them in order."""
    path = tmp_path_factory.mktemp("shards") / "file"
    for stop in stops:
        runner = ShardRunner(Threads(2) if has_help else None, ShardStore(path), alone=0.0)
        run = runner.each(Squares(k, f"offset {k}") for k in range(9))
        assert [next(run) for _ in range(stop)] == list(range(stop))
        run.close()
        runner.close()
    assert offsets(ShardRunner(store=ShardStore(path)), 9) == list(range(9))


def test_one_of_the_known_answers_is_compared(tmp_path: Path) -> None:
    """Others are not computed again, whatever order they are asked in; another answer is refused."""
    first = ShardRunner(store=ShardStore(tmp_path / "file"))
    offsets(first, 9, 3)
    first.close()
    asked: list[int] = []

    class Counting(Squares):
        def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[int]:
            asked.append(self.offset)
            return super().answer(first, count, stopped)

    again = ShardRunner(store=ShardStore(tmp_path / "file"))
    assert list(again.each(Counting(k, f"offset {k}") for k in range(12))) == list(range(12))
    assert sorted(a for a in asked if not 3 <= a < 9) == [0, 1, 2, 9, 10, 11]
    assert len(asked) == 7
    again.is_checked = False
    with pytest.raises(FileError, match="not the one that these rules give"):
        list(again.each(Squares(k + 1, f"offset {k}") for k in range(9)))


def test_questions_with_one_item_stop_and_fail() -> None:
    for runner in (ShardRunner(), helped()):
        stops = iter([False] * 4)
        found = list(runner.each((Squares(k) for k in range(99)), lambda: next(stops, True)))  # noqa: B023
        assert found == list(range(len(found))) and len(found) <= 4
        with pytest.raises(GameDSLError, match="nobody sleeps"):
            list(runner.each([Squares(1), Sleep(99.0), Squares(2)]))


# ---------------------------------------------------------------------------------------------------- other processes


def test_a_killed_process_costs_only_its_shard() -> None:
    """One of two processes is killed in the middle of a shard that takes a second. The other one's shard is not repeated,
    and all answers are as they should be."""
    workers = LocalProcesses(2)
    try:
        wait([workers.submit(Sleep(0.0), 0, 1), workers.submit(Sleep(0.0), 1, 1)])
        futures = [workers.submit(Sleep(1.0), k, 1) for k in range(2)]
        os.kill(workers.pids[0], signal.SIGKILL)
        shards: list[Shard] = [future.result(60) for future in futures]
        assert [Sleep(1.0).decode(s.data, 1) for s in shards] == [[0], [1]]
        assert workers.deaths == 1 and len(workers.pids) == 2
    finally:
        workers.close()


def test_a_killed_process_costs_only_its_question() -> None:
    """The process is killed in the middle of the first of four questions; all answers come, in order."""
    workers = LocalProcesses(1)
    runner = ShardRunner(workers, alone=0.0)
    try:
        wait([workers.submit(Sleep(0.0), 0, 1)])
        pid = workers.pids[0]
        kill = Timer(0.2, os.kill, (pid, signal.SIGKILL))
        kill.start()
        assert list(runner.each(Sleep(0.4 + k / 100) for k in range(4))) == [0] * 4
        assert workers.deaths == 1
    finally:
        runner.close()


def test_an_item_that_kills_every_process_is_a_message() -> None:
    workers = LocalProcesses(1)
    try:
        with pytest.raises(GameDSLError, match="processes ended while they answered items 3 to 3"):
            workers.submit(Sleep(-1.0), 3, 1).result(60)
    finally:
        workers.close()


def test_mistakes_cross_processes() -> None:
    runner = ShardRunner(LocalProcesses(1), alone=0.0)
    try:
        with pytest.raises(GameDSLError, match="nobody sleeps for 99"):
            list(runner.items(Sleep(99.0), 2))
    finally:
        runner.close()


# --------------------------------------------------------------------------------------------------------------- files


def kept(path: Path) -> None:
    runner = ShardRunner(store=ShardStore(path), least=0.0)
    answers(runner, 5)
    runner.close()


def change(path: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(path) as file:
        file.execute(statement, values)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda path: path.write_text("not a database, but long enough to be one " * 50), "file is not a database"),
        (lambda path: path.write_bytes(path.read_bytes()[:5000]), "malformed|damaged|not a database"),
        (lambda path: change(path, "PRAGMA application_id = 5"), "database of another program"),
        (lambda path: change(path, "CREATE TABLE more (x)"), "database of another program"),
        (
            lambda path: change(path, "CREATE TRIGGER t AFTER INSERT ON shards BEGIN SELECT 1; END"),
            "of another program",
        ),
        (lambda path: path.write_bytes(path.read_bytes().replace(b"shards", b"sh\xcerds")), "damaged|another program"),
        (lambda path: path.write_bytes(path.read_bytes().replace(b"REAL", b"\xceEAL")), "damaged|another program"),
        (lambda path: change(path, "UPDATE shards SET digest = CAST(x'ff' AS TEXT)"), "damaged"),
        (lambda path: change(path, "UPDATE shards SET answer = x'9105'"), "not the one that these rules give"),
        (
            lambda path: change(path, "UPDATE shards SET count = 2, key = question || ' 0 2' WHERE first = 0"),
            "damaged|rules",
        ),
    ],
)
def test_other_files_are_refused(damage: Callable[[Path], object], message: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    kept(path)
    damage(path)
    before = path.read_bytes()
    with pytest.raises(FileError, match=message) as caught:
        answers(ShardRunner(store=ShardStore(path), least=0.0), 5)
    assert caught.value.diagnostics[0].code == "E0523"
    assert path.read_bytes() == before


def test_answers_of_another_form_are_refused(tmp_path: Path) -> None:
    """They have the right seal, so somebody meant it."""
    path = tmp_path / "file"

    class Words(Squares):
        def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[int]:
            return [str(k) for k in range(first, first + count)]  # type: ignore[misc]

    store = ShardStore(path)
    for k in range(3):
        store.keep(Squares(), answer_shard(Words(), k, 1))
    with pytest.raises(FileError, match="Expected `int`, got `str`"):
        runner = ShardRunner(store=store, is_checked=True)
        answers(runner, 3)


def test_rules_that_changed_are_noticed(tmp_path: Path) -> None:
    """The same question with other answers: those of another version, say."""
    kept(tmp_path / "file")
    with pytest.raises(FileError, match="not the one that these rules give"):
        answers(ShardRunner(store=ShardStore(tmp_path / "file")), 5, Squares(offset=1))


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FileError) as caught:
        ShardStore(tmp_path / "absent" / "file")
    assert caught.value.diagnostics[0].code == "E0008"


def test_a_process_that_is_killed_leaves_what_it_has_kept(tmp_path: Path) -> None:
    """A child keeps one shard after the other and is killed after the third; a fourth answer is all that is missing."""
    path = tmp_path / "file"
    child = os.fork()
    if child == 0:  # pragma: no cover
        try:
            run = ShardRunner(store=ShardStore(path), least=0.0).items(Squares(), 10)
            for _ in range(3):
                next(run)
        finally:
            os.kill(os.getpid(), signal.SIGKILL)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
    assert [first for first, _ in ShardStore(path).known(Squares())] == [0, 1, 2]
    assert answers(ShardRunner(store=ShardStore(path)), 10) == [k * k for k in range(10)]
