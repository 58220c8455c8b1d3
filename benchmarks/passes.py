"""What each pass brings: `python benchmarks/passes.py [--seconds S] [--rounds N] [--json FILE] [--markdown FILE] [RULESET...]`.

Each pass of the pipeline is switched off in turn. Where that changes the LLVM text of a ruleset, both forms are compiled,
and their random plays take turns on one thread. Printed per ruleset and pass: plays per CPU second with all passes as a
multiple of those without the pass (above 1: the pass makes plays faster), and the seconds of CPU that it adds to compiling.
A pass without which the compiler stops is ``needed``.

The last table sums up: for how many rulesets a pass brings 5 % or more, and its best and its worst.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import gamedsl
from gamedsl.core.nodes import Program
from gamedsl.native.compile.compiler import write
from gamedsl.native.emit.state_layout import Frame
from gamedsl.native.host.binding import Native
from gamedsl.native.transform import pipeline
from gamedsl.rules.files import shipped

WORTH = 1.05  # plays with a pass by plays without it
PASSES = pipeline.PIPELINE


@dataclass(frozen=True)
class Gain:
    """``speed``: plays a second with the pass by those without; None when the compiler stops without it. ``seconds``: of
    CPU that the pass adds to compiling."""

    ruleset: str
    step: str
    speed: float | None
    seconds: float


def without(step: str | None) -> None:
    """Switches one pass off, or all on."""
    pipeline.PIPELINE = tuple(p for p in PASSES if p.name != step)


def compiled(program: Program) -> tuple[Native, str, float]:
    """The machine code, its LLVM text, and the seconds of CPU that both took."""
    start = time.process_time()
    native = Native(program)
    seconds = time.process_time() - start
    return native, write(program, Frame(program)).ir, seconds


def rate(native: Native, seconds: float, seed: int) -> float:
    """Plays per CPU second."""
    plays, chunk, start = 0, 1, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        native.playouts(chunk, seed, first=plays)
        plays += chunk
        if spent < seconds / 10:
            chunk *= 2
    return plays / (time.process_time() - start)


def gains(name: str, seconds: float, rounds: int) -> Iterator[Gain]:
    program = gamedsl.load(name).program
    without(None)
    if pipeline.why_not_specialized(program) is not None:
        return
    full, text, took = compiled(program)
    for step in PASSES[1:]:  # without the first, a program is not specialized
        without(step.name)
        try:
            other, changed, others = compiled(program)
        except Exception:  # any: the passes after it rely on it
            yield Gain(name, step.name, None, 0.0)
            continue
        if changed == text:
            continue
        pairs = [(rate(full, seconds, r), rate(other, seconds, r)) for r in range(rounds)]
        yield Gain(name, step.name, statistics.median(a / b for a, b in pairs), took - others)
    without(None)


def summary(found: list[Gain]) -> Iterator[str]:
    yield "| Pass | Changes the code of | 5 % or more for | Best | Worst | Adds to compiling, at most |"
    yield "|---|---:|---:|---|---|---:|"
    for step in PASSES[1:]:
        rows = [g for g in found if g.step == step.name]
        speeds = sorted((g.speed, g.ruleset) for g in rows if g.speed is not None)
        needed = len(rows) - len(speeds)
        worth = sum(speed >= WORTH for speed, _ in speeds)
        best, worst = (f"{s[0]:.2f} {s[1]}" for s in (speeds[-1], speeds[0])) if speeds else ("-", "-")
        more = max((g.seconds for g in rows), default=0.0)
        told = f"{worth}" + (f", needed by {needed}" if needed else "")
        yield f"| {step.name} | {len(rows)} | {told} | {best} | {worst} | {more:.2f} s |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*")
    parser.add_argument("--seconds", type=float, default=0.3, help="of plays, for each form and round (0.3)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--markdown", metavar="FILE")
    options = parser.parse_args()
    os.environ["GAMEDSL_CACHE"] = "off"
    found: list[Gain] = []
    for name in options.rulesets or shipped():
        for gain in gains(name, options.seconds, options.rounds):
            found.append(gain)
            speed = "needed" if gain.speed is None else f"{gain.speed:.2f}"
            print(f"{gain.ruleset:26} {gain.step:14} {speed:>7} {gain.seconds:+7.2f} s", flush=True)
    lines = list(summary(found))
    print("\n" + "\n".join(lines))
    if options.json:
        Path(options.json).write_text(json.dumps([vars(g) for g in found], indent=1) + "\n", encoding="utf-8")
    if options.markdown:
        Path(options.markdown).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
