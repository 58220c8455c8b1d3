"""Processes on this machine that answer shards. One that dies costs only its shard."""

from __future__ import annotations

import pickle
import subprocess
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import IO, Any

from gamedsl.lab.shards.question import Question, Shard
from gamedsl.lab.shards.workers import StickyWorkers
from gamedsl.language.source import GameDSLError, UsageError, child_environment, module_command

MOST_DEATHS = 3  # of processes that answer the same shard, before it is given up


class LocalProcesses:
    """Processes that are started when they are needed."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.deaths = 0  # of processes that had to be replaced
        self._threads = ThreadPoolExecutor(size)  # one for each process
        self._local = threading.local()
        self._lock = threading.Lock()
        self._processes: list[_Process] = []
        self._is_closing = False

    def submit(self, question: Question[Any], first: int, count: int) -> Future[Shard]:
        return self._threads.submit(self._answer, question, first, count)

    def sticky(self) -> StickyWorkers:
        return StickyWorkers([LocalProcesses(1) for _ in range(self.size)])

    def close(self) -> None:
        with self._lock:
            self._is_closing = True
            for process in self._processes:
                process.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that run now."""
        return [process.pid for process in self._processes]

    def _answer(self, question: Question[Any], first: int, count: int) -> Shard:
        for _ in range(MOST_DEATHS):
            process = self._process()
            try:
                return process.answer(question, first, count)
            except (EOFError, OSError, pickle.UnpicklingError):
                self._bury(process)
        raise UsageError(
            f"{MOST_DEATHS} processes ended while they answered items {first:,} to {first + count - 1:,}",
            help="Memory may be short: use fewer processes (`-j`).",
        )

    def _process(self) -> _Process:
        """Returns this thread's process."""
        process: _Process | None = getattr(self._local, "process", None)
        if process is None:
            with self._lock:
                if self._is_closing:
                    raise UsageError("the work was ended")
                process = _Process()
                self._processes.append(process)
            self._local.process = process
        return process

    def _bury(self, process: _Process) -> None:
        process.kill()
        self._local.process = None
        with self._lock:
            self.deaths += 1
            self._processes.remove(process)


class _Process:
    """A process that answers one shard after the other. Both ends exchange pickles."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            module_command("gamedsl.lab.shards.worker_process"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=child_environment(), start_new_session=True,
        )  # fmt: skip
        self._sent: Question[Any] | None = None
        self.pid = self._process.pid

    def answer(self, question: Question[Any], first: int, count: int) -> Shard:
        """Raises ``EOFError`` or ``OSError`` if the process ends before it has answered."""
        assert self._process.stdin is not None and self._process.stdout is not None
        _send(self._process.stdin, (None if question is self._sent else question, first, count))
        self._sent = question
        found: Shard | GameDSLError | Exception = pickle.load(self._process.stdout)
        if isinstance(found, Exception):
            raise found
        return found

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with suppress(OSError):  # what was not written yet goes nowhere
                stream.close()


def _send(stream: IO[bytes], what: Any) -> None:
    pickle.dump(pickle.dumps(what), stream)  # what the process cannot read is then an error, not the end of the process
    stream.flush()
