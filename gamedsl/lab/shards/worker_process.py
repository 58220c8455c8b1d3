"""A process that answers shards: reads them from standard input, and writes their answers to standard output."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys

from gamedsl.lab.shards.question import Question, answer_shard

YOUNG = 20_000  # objects after which garbage is looked for


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints must not come between the answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks decides when to stop
    gc.set_threshold(YOUNG)
    question: Question[object] | None = None
    is_frozen = False
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
        if not is_frozen:
            gc.freeze()  # what is loaded by now stays, and to look through it takes a tenth of a second each time
            is_frozen = True


if __name__ == "__main__":
    main()
