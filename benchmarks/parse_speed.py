"""How long parsing takes: `python benchmarks/parse_speed.py [FILE...]` (without files: every shipped ruleset).

Prints the time to build the parser once, then for every file the lines and the best and the median time of a parse;
last a file of 200 lines, made of the longest ruleset, which should take well under 100 ms.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

from gamedsl.language.source.resources import resource_path
from gamedsl.language.source.text import Source
from gamedsl.language.syntax.parse.language import language
from gamedsl.language.syntax.parser import parse_ruleset

ROUNDS = 15
LINES = 200


def timed(source: Source) -> list[float]:
    """Milliseconds of every round."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        _, problems = parse_ruleset(source)
        times.append((time.perf_counter() - start) * 1000)
        assert not problems, problems[0]
    return times


def of_200_lines(text: str) -> str:
    """The text, repeated and cut to whole declarations of about 200 lines."""
    lines = (text + "\n") * (1 + LINES // max(1, text.count("\n")))
    cut = lines.splitlines()
    end = next(n for n in range(min(LINES, len(cut) - 1), 0, -1) if cut[n][:1].isalpha())
    return "\n".join(cut[:end]) + "\n"


def report(name: str, text: str) -> None:
    times = timed(Source(name, text))
    lines = text.count("\n")
    print(f"{name:32} {lines:5} lines   best {min(times):6.1f} ms   median {statistics.median(times):6.1f} ms")


def main(arguments: list[str]) -> None:
    start = time.perf_counter()
    language()
    print(f"building the parser, once a process: {(time.perf_counter() - start) * 1000:.0f} ms")
    paths = [Path(a) for a in arguments] or sorted(resource_path("rulesets").glob("*.gdl"))
    texts = {path.name: path.read_text(encoding="utf-8") for path in paths}
    for name, text in texts.items():
        report(name, text)
    report("200 lines", of_200_lines(max(texts.values(), key=len)))


if __name__ == "__main__":
    main(sys.argv[1:])
