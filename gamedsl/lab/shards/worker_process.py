"""A process that answers shards: reads them from standard input, and writes their answers to standard output."""

from __future__ import annotations

import os
import pickle
import signal
import sys

from gamedsl.lab.shards.question import Question, answer_shard


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints must not come between the answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks decides when to stop
    question: Question[object] | None = None
    while True:
        try:
            message: bytes = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        found: object
        try:
            asked, first, count = pickle.loads(message)
            question = asked or question
            assert question is not None
            found = answer_shard(question, first, count)
        except Exception as error:
            found = error
        pickle.dump(found, answers)
        answers.flush()


if __name__ == "__main__":
    main()
