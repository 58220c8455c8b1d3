"""What the compiler's cut-offs are worth: `python benchmarks/cutoffs.py [--write] [--only NAME...] [--rounds N] [RULESET...]`.

Each number of `gamedsl/compiler/cutoffs.py` is halved and doubled. Where that changes the LLVM text of a ruleset, its lines
are counted; where it changes the text of playouts, playouts and compiling are measured as `passes.py` does it. Printed:
playouts a second with the number as it is, divided by those with the other number; below 1 the other is better.

Each ruleset is first compiled once with numbers that note how they are used. A number that is only compared, each time
with the same outcome as its half and its double, changes nothing and is not tried.

`python benchmarks/cutoffs.py --write` measures all shipped rulesets and writes the page `docs/reference/cutoffs.md`; with
`--only`, only the rows of these cut-offs are measured and replaced.
"""

from __future__ import annotations

import argparse
import operator
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from passes import Gain, compiled, gain
from passes import text as playouts_text

import gamedsl
from gamedsl.compiler import cutoffs
from gamedsl.compiler.compile.compiler import ProgramForms, Wanted, write
from gamedsl.compiler.playouts.generic import QUICK
from gamedsl.language.core.nodes import Program
from gamedsl.language.rules.files import shipped

MODULES = ("playouts", QUICK)
PAGE = Path(__file__).parents[1] / "docs" / "reference" / "cutoffs.md"
NAMES = [name for name in vars(cutoffs) if name.isupper()]
VALUES = {name: getattr(cutoffs, name) for name in NAMES}


@dataclass(frozen=True)
class Change:
    """A ruleset with another number. ``lines``: of the LLVM text, as it is and with the other number; None if the
    compiler stops. ``gain``: of the number as it is, None if playouts have the same code."""

    name: str
    value: float
    ruleset: str
    lines: tuple[int, int] | None
    gain: Gain | None
    seconds: float
    of: float

    def __str__(self) -> str:
        if self.lines is None:
            return f"{self.ruleset}: the compiler stops"
        lines = f"{self.ruleset}: {self.lines[0]:,} lines instead of {self.lines[1]:,}"
        return lines if self.gain is None else f"{lines}, {self.gain}, compiling {self.seconds:+.2f} of {self.of:.2f} s"


def text(program: Program) -> tuple[str, str]:
    """The LLVM text of playouts, and of the modules that answer for single states."""
    forms = ProgramForms(program)
    return playouts_text(program), "".join(write(forms, Wanted(name)).ir for name in ("rules", "successors"))


def put(name: str, value: float) -> None:
    """Sets a cut-off. Functions forget what they remember of the last one."""
    setattr(cutoffs, name, value)
    for module in [m for n, m in sys.modules.items() if n.startswith("gamedsl.compiler")]:
        for thing in list(vars(module).values()):
            if hasattr(thing, "cache_clear"):
                thing.cache_clear()


class Probe(int):
    """An integer cut-off that notes its name where another value could change the code."""

    name: str
    noted: ClassVar[set[str]] = set()

    def __hash__(self) -> int:
        return int.__hash__(self)


def _compared(how: Callable[[int, Any], bool]) -> Callable[[Probe, Any], bool]:
    def method(self: Probe, other: Any) -> bool:
        value = int(self)
        if len({how(v, other) for v in (value, *others(self.name))}) > 1:
            Probe.noted.add(self.name)
        return how(value, other)

    return method


def _used(name: str) -> Callable[..., Any]:
    def method(self: Probe, *rest: Any) -> Any:
        Probe.noted.add(self.name)
        return getattr(int, name)(self, *rest)

    return method


for _how in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
    setattr(Probe, f"__{_how.__name__}__", _compared(_how))
for _name in ("add", "sub", "mul", "floordiv", "mod", "lshift", "rshift", "neg", "str", "repr", "format"):
    for _form in (f"__{_name}__", f"__r{_name}__"):
        if hasattr(int, _form):
            setattr(Probe, _form, _used(_form))


def that_matter(program: Program) -> set[str]:
    """The cut-offs that may change the code of a program when they are halved or doubled."""
    Probe.noted.clear()
    for name in NAMES:
        if isinstance(VALUES[name], int):
            probe = Probe(VALUES[name])
            probe.name = name
            put(name, probe)
    text(program)
    for name in NAMES:
        put(name, VALUES[name])
    if any(write(ProgramForms(program), Wanted(m)).ir.count("\n") > VALUES["LARGE_MODULE"] // 2 for m in MODULES):
        Probe.noted.add("LARGE_MODULE")
        Probe.noted.add("LARGE_MODULE_INLINING")  # LLVM reads it
    return Probe.noted | {name for name in NAMES if not isinstance(VALUES[name], int)}


def others(name: str) -> tuple[float, float]:
    value = VALUES[name]
    return (value // 2, value * 2) if isinstance(value, int) else (value / 2, (1 + value) / 2)


def changes(rulesets: list[str], names: list[str], rounds: int) -> Iterator[Change]:
    for ruleset in rulesets:
        program = gamedsl.load(ruleset).program
        full, took = compiled(program)
        took, whole, matter = min(took, compiled(program)[1]), text(program), that_matter(program)
        for name in (n for n in names if n in matter):
            for value in others(name):
                put(name, value)
                try:
                    now = text(program)
                    lines = sum(t.count("\n") for t in whole), sum(t.count("\n") for t in now)
                    if now[0] != whole[0] or name.startswith("LARGE_MODULE"):
                        other, seconds = compiled(program)
                        found = gain(full, other, rounds, lockstep=False)
                        yield Change(name, value, ruleset, lines, found, took - seconds, took)
                    elif now != whole:
                        yield Change(name, value, ruleset, lines, None, 0.0, took)
                except Exception:  # any: this number is needed
                    yield Change(name, value, ruleset, None, None, 0.0, took)
                put(name, VALUES[name])


HEAD = """\
# What the cut-offs are worth

Written by `python benchmarks/cutoffs.py --write`, which explains the measurement. [cutoffs.py](../../gamedsl/compiler/cutoffs.py)
says what each limits, and [decision 023](../decisions/023-what-went.md) which ones went. A gain above 1 speaks for the number as it
is. Rulesets whose code stays the same are left out. Of the others, those are listed for which playouts change by 5 % or more,
compiling by a fifth, or the lines of code by a fifth.

| Cut-off | As it is | Instead | Changes code of | Lines of code; playouts as it is by playouts instead; seconds that it adds to compiling |
|---|---:|---:|---:|---|
"""


def is_listed(c: Change) -> bool:
    if c.lines is None or not 0.8 < c.lines[0] / c.lines[1] < 1.25:
        return True
    return c.gain is not None and (not 0.95 < c.gain.gain < 1.05 or abs(c.seconds) > 0.2 * c.of)


def rows(found: list[Change], names: list[str]) -> Iterator[str]:
    for name in names:
        for value in others(name):
            mine = [c for c in found if (c.name, c.value) == (name, value)]
            shown = "; ".join(str(c) for c in mine if is_listed(c)) or (
                "nothing measurable" if mine else "no code changes"
            )
            yield f"| {name} | {VALUES[name]} | {value} | {len(mine)} | {shown} |"


def page(lines: list[str]) -> str:
    """The page with these rows, and with those of the page as it is for all other cut-offs. What has not been measured yet
    says so."""
    old = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []
    by_place: dict[tuple[str, ...], str] = {}
    for line in (*(x for x in old if x.startswith("| ")), *lines):
        by_place[tuple(cell.strip() for cell in line.split("|")[1:4])] = line
    wanted = [(name, str(VALUES[name]), str(value)) for name in NAMES for value in others(name)]
    return HEAD + "".join(by_place.get(key, f"| {' | '.join(key)} | | not measured yet |") + "\n" for key in wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rulesets", nargs="*")
    parser.add_argument("--only", metavar="NAME", action="append")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--write", action="store_true", help=f"writes {PAGE.name}")
    options = parser.parse_args()
    if options.write and options.rulesets:
        parser.error("--write measures all rulesets")
    os.environ["GAMEDSL_CACHE"] = "off"
    names = options.only or NAMES
    found: list[Change] = []
    for c in changes(options.rulesets or list(shipped()), names, options.rounds):
        found.append(c)
        print(c.name, VALUES[c.name], c.value, c, flush=True)
    lines = list(rows(found, names))
    print("\n" + "\n".join(lines))
    if options.write:
        PAGE.write_text(page(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
