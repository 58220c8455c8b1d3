"""What each pass brings and costs: `python benchmarks/passes.py [--write] [--json FILE] [--rounds N] [--only PASS] [RULESET...]`.

Each pass of the pipeline is switched off in turn. Where that does not change the LLVM text of a ruleset there is nothing to
measure. Elsewhere both forms are compiled, and their random plays take turns on one thread, in slices of a few
milliseconds: the same ``BLOCKS`` blocks of plays, round after round. A block's time is the shortest of all rounds, in
CPU seconds, so that other work on the machine counts little. Compiling is timed two or three times.

- *gain*: time of all blocks without the pass by their time with it. Above 1: the pass makes plays faster.
- *spread*: the gains of the middle half of the blocks. A gain whose spread contains 1 is none.
- *compiling*: CPU seconds that the pass adds (below 0: it saves them).

Plays are measured in the scalar form and, where the rules allow it with the pass, in the lockstep form. A pass may also
decide whether plays in lockstep are possible at all: then the form without it is the scalar one, and the table says so. A
pass without which the compiler stops is *needed*.

`python benchmarks/passes.py --write` measures all shipped rulesets and writes the page `docs/reference/passes.md`. One form
of one ruleset is measured for at most about ``MOST`` seconds, so that the whole takes an hour or two of one processor.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import gamedsl
from gamedsl.compiler.compile.compiler import ProgramForms, Wanted, write
from gamedsl.compiler.host.binding import Native
from gamedsl.compiler.playouts.generic import QUICK
from gamedsl.compiler.playouts.results import tally_size
from gamedsl.compiler.transform import pipeline
from gamedsl.language.core.nodes import Program
from gamedsl.language.rules.files import shipped

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "passes.md"
WORTH = 1.05  # a gain from here on counts
BLOCKS = 8
SLICE = 0.006  # CPU seconds that a block is to take, about
MOST = 20.0  # CPU seconds after which no further round of a form begins (at least two rounds)
SEED = 1
PASSES = pipeline.PIPELINE


@dataclass(frozen=True)
class Gain:
    """What a pass brings to plays of one form: the gain, and the quartiles of the blocks' gains."""

    gain: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.gain:.2f} ({self.low:.2f}..{self.high:.2f})"


@dataclass(frozen=True)
class Effect:
    """What a pass does for one ruleset. ``scalar``, ``lockstep``: None where there is no such form, or where the compiler
    stops without the pass (``needed``). ``seconds``: that the pass adds to compiling, of ``of`` in all."""

    ruleset: str
    step: str
    scalar: Gain | None
    lockstep: Gain | None
    seconds: float
    of: float
    needed: bool = False
    lockstep_with: bool = False
    lockstep_without: bool = False

    @property
    def turn(self) -> str:
        """What the pass decides about plays in lockstep."""
        if self.needed or self.lockstep_with == self.lockstep_without:
            return ""
        return "makes lockstep possible" if self.lockstep_with else "makes lockstep impossible"


def without(step: str | None) -> None:
    """Switches one pass off, or all on."""
    pipeline.PIPELINE = tuple(p for p in PASSES if p.name != step)


def text(program: Program) -> str:
    return "".join(write(ProgramForms(program), Wanted(name)).ir for name in ("playouts", QUICK))


def compiled(program: Program) -> tuple[Native, float]:
    """The machine code, and the CPU seconds that it took."""
    start = time.process_time()
    native = Native(program, keep=False)
    for name in ("initial", "batch", QUICK):
        native.entry(name)
    return native, time.process_time() - start


class Plays:
    """Random plays of one form, in memory that is kept."""

    def __init__(self, native: Native, lockstep: bool) -> None:
        self.entry = native.entry(QUICK if lockstep else "batch")
        self.context, self.out = native.context(), (ctypes.c_int64 * tally_size(native.num_players))()
        self.start = native.initial(self.context)

    def time(self, plays: int, first: int) -> float:
        """CPU seconds of a block of plays."""
        start, out = ctypes.addressof(self.start), ctypes.addressof(self.out)
        began = time.process_time()
        if self.entry(self.context.pointer, start, plays, SEED, first, out) < 0:
            raise ValueError("a rules error")
        return time.process_time() - began

    def block_size(self) -> int:
        """As many plays as take about ``SLICE`` seconds."""
        plays = 1
        while min(self.time(plays, 0) for _ in range(2)) < SLICE / 2:
            plays *= 2
        return plays


def gain(with_pass: Native, without_pass: Native, rounds: int, lockstep: bool) -> Gain:
    """Both forms in turn, the first in the one round and the other in the next. For ``lockstep`` a program that can't be
    played in lockstep is played in the scalar form."""
    began = time.process_time()
    forms = Plays(with_pass, lockstep), Plays(without_pass, lockstep)
    plays = forms[0].block_size()
    best = [[float("inf")] * BLOCKS, [float("inf")] * BLOCKS]
    for r in range(rounds):
        if r > 1 and time.process_time() - began > MOST:
            break
        for block in range(BLOCKS):
            for form in (0, 1) if (r + block) % 2 else (1, 0):
                best[form][block] = min(best[form][block], forms[form].time(plays, block * plays))
    low, _, high = statistics.quantiles((b / a for a, b in zip(*best, strict=True)), n=4)
    return Gain(sum(best[1]) / sum(best[0]), low, high)


def effects(name: str, steps: Sequence[str], rounds: int, seen: set[str]) -> Iterator[Effect]:
    """``seen``: LLVM texts of rulesets measured before; a ruleset with one of them plays as that one does."""
    program = gamedsl.load(name).program
    without(None)
    if pipeline.why_not_specialized(program) is not None or (whole := text(program)) in seen:
        return
    seen.add(whole)
    full, took = compiled(program)
    _ = full.lockstep  # found now, with all passes
    took = min(took, *(compiled(program)[1] for _ in range(2)))
    for step in steps:
        without(step)
        try:
            changed = text(program) != whole
        except Exception:  # any: the passes after it rely on it
            yield Effect(name, step, None, None, 0.0, took, needed=True)
            continue
        if changed:
            scalar, lockstep, seconds, other = measured(program, full, rounds)
            able = full.lockstep is None, other.lockstep is None
            yield Effect(name, step, scalar, lockstep, took - seconds, took, False, *able)
    without(None)


def measured(program: Program, full: Native, rounds: int) -> tuple[Gain, Gain | None, float, Native]:
    """The gains in scalar and lockstep plays, the seconds that compiling takes without the pass, and its code."""
    other, seconds = compiled(program)
    _ = other.lockstep  # found now, without the pass
    if seconds < 1:
        seconds = min(seconds, compiled(program)[1])
    either = full.lockstep is None or other.lockstep is None
    lockstep = gain(full, other, rounds, lockstep=True) if either else None
    return gain(full, other, rounds, lockstep=False), lockstep, seconds, other


def summary(found: list[Effect], steps: Sequence[str]) -> Iterator[str]:
    yield (
        "| Pass | Fires for | 5 % or more for | Lockstep only with it | only without it | Best | Worst "
        "| Adds to compiling, at most | at least |"
    )
    yield "|---|---:|---:|---:|---:|---|---|---:|---:|"
    for step in steps:
        rows = [e for e in found if e.step == step]
        forms = [
            (g, f"{e.ruleset}{told}") for e in rows for g, told in ((e.scalar, ""), (e.lockstep, ", lockstep")) if g
        ]
        forms.sort(key=lambda f: f[0].gain)
        needed = sum(e.needed for e in rows)
        worth = len({e.ruleset for e in rows if brings(e)})
        best, worst = (f"{f[0].gain:.2f} {f[1]}" for f in (forms[-1], forms[0])) if forms else ("", "")
        more, less = (f"{pick((e.seconds for e in rows), default=0.0):+.2f} s" for pick in (max, min))
        told = f"{worth}" + (f", needed by {needed}" if needed else "")
        only = (
            sum(e.turn == "makes lockstep possible" for e in rows),
            sum(e.turn == "makes lockstep impossible" for e in rows),
        )
        yield f"| {step} | {len(rows)} | {told} | {only[0]} | {only[1]} | {best} | {worst} | {more} | {less} |"


def brings(e: Effect) -> bool:
    return any(g is not None and g.gain >= WORTH for g in (e.scalar, e.lockstep))


def details(found: list[Effect], steps: Sequence[str]) -> Iterator[str]:
    yield "| Pass | Ruleset | Gain | Gain in lockstep | Adds to compiling | of |"
    yield "|---|---|---|---|---:|---:|"
    for step in steps:
        for e in sorted((e for e in found if e.step == step), key=lambda e: -(e.scalar.gain if e.scalar else 0)):
            scalar = "needed" if e.needed else str(e.scalar)
            lockstep = "; ".join(filter(None, (str(e.lockstep or ""), e.turn)))
            yield f"| {step} | {e.ruleset} | {scalar} | {lockstep} | {e.seconds:+.2f} s | {e.of:.2f} s |"


HEAD = """\
# What the passes bring

Written by `python benchmarks/passes.py --write`, which explains the measurement; not tested, as times differ from machine to
machine. [Compiled rules](../guide/native.md) tells what each pass does, [the architecture](../architecture.md) how to add one.

"""


def page(found: list[Effect], steps: Sequence[str]) -> str:
    lines = [*summary(found, steps), "", "## By ruleset", "", *details(found, steps)]
    return HEAD + "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rulesets", nargs="*")
    parser.add_argument("--only", metavar="PASS", action="append", help="these passes only")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--write", action="store_true", help=f"writes {PAGE.name}")
    options = parser.parse_args()
    os.environ["GAMEDSL_CACHE"] = "off"
    steps = options.only or [p.name for p in PASSES[1:]]  # without the first, a program is not specialized
    found: list[Effect] = []
    seen: set[str] = set()
    for name in options.rulesets or shipped():
        for e in effects(name, steps, options.rounds, seen):
            found.append(e)
            told = "needed" if e.needed else f"{e.scalar} {e.lockstep or ''} {e.turn}"
            print(f"{e.ruleset:26} {e.step:24} {told:40} {e.seconds:+7.2f} of {e.of:.2f} s", flush=True)
        if options.json:
            Path(options.json).write_text(json.dumps([asdict(e) for e in found], indent=1) + "\n", encoding="utf-8")
    print("\n" + "\n".join(summary(found, steps)))
    if options.write:
        PAGE.write_text(page(found, steps), encoding="utf-8")


if __name__ == "__main__":
    main()
