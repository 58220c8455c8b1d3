"""What the compiler's cut-offs are worth: `python benchmarks/cutoffs.py [--write] [--only NAME...] [--rounds N] [RULESET...]`.

Each number of `gamedsl/compiler/cutoffs.py` is halved and doubled. Where that changes the LLVM text of a ruleset, plays and
compiling are measured as `passes.py` does it. Printed: plays a second with the number as it is, by those with the other;
below 1 the other is better.

Each ruleset is first compiled once with numbers that note how they are used. A number that is only compared, each time
with the same outcome as its half and its double, changes nothing and is not tried.

`python benchmarks/cutoffs.py --write` measures all shipped rulesets and writes the page `docs/reference/cutoffs.md`.
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

from passes import Gain, compiled, gain, text

import gamedsl
from gamedsl.compiler import cutoffs
from gamedsl.language.core.nodes import Program
from gamedsl.language.rules.files import shipped

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "cutoffs.md"
NAMES = [name for name in vars(cutoffs) if name.isupper()]
VALUES = {name: getattr(cutoffs, name) for name in NAMES}


@dataclass(frozen=True)
class Change:
    """A ruleset with another number: None where the compiler stops, else the gain of the number as it is."""

    name: str
    value: float
    ruleset: str
    gain: Gain | None
    seconds: float
    of: float

    def __str__(self) -> str:
        told = "the compiler stops" if self.gain is None else str(self.gain)
        return f"{self.ruleset}: {told}, compiling {self.seconds:+.2f} of {self.of:.2f} s"


def put(name: str, value: float) -> None:
    """Sets a cut-off; what functions remember of the last one is forgotten."""
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
    compiled(program)
    for name in NAMES:
        put(name, VALUES[name])
    if text(program).count("\n") > VALUES["LARGE_MODULE"]:
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
                    if text(program) != whole or name.startswith("LARGE_MODULE"):
                        other, seconds = compiled(program)
                        found = gain(full, other, rounds, lockstep=False)
                        yield Change(name, value, ruleset, found, took - seconds, took)
                except Exception:  # any: this number is needed
                    yield Change(name, value, ruleset, None, 0.0, took)
                put(name, VALUES[name])


HEAD = """\
# What the cut-offs are worth

Written by `python benchmarks/cutoffs.py --write`, which explains the measurement. [cutoffs.py](../../gamedsl/compiler/cutoffs.py) says
what each limits. A gain above 1 speaks for the number as it is. Rulesets whose code stays the same are left out; of the
others those are told for which plays change by 5 % or more, or compiling by a fifth, and else how many there are.

| Cut-off | As it is | Instead | Fires for | Plays as it is by plays instead; seconds that it adds to compiling |
|---|---:|---:|---:|---|
"""


def telling(c: Change) -> bool:
    return c.gain is None or not 0.95 < c.gain.gain < 1.05 or abs(c.seconds) > 0.2 * c.of


def rows(found: list[Change], names: list[str]) -> Iterator[str]:
    for name in names:
        for value in others(name):
            mine = [c for c in found if (c.name, c.value) == (name, value)]
            told = "; ".join(str(c) for c in mine if telling(c)) or (
                "nothing measurable" if mine else "no code changes"
            )
            yield f"| {name} | {VALUES[name]} | {value} | {len(mine)} | {told} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rulesets", nargs="*")
    parser.add_argument("--only", metavar="NAME", action="append")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--write", action="store_true", help=f"writes {PAGE.name}")
    options = parser.parse_args()
    os.environ["GAMEDSL_CACHE"] = "off"
    names = options.only or NAMES
    found: list[Change] = []
    for c in changes(options.rulesets or list(shipped()), names, options.rounds):
        found.append(c)
        print(c.name, VALUES[c.name], c.value, c, flush=True)
    lines = list(rows(found, names))
    print("\n" + "\n".join(lines))
    if options.write:
        PAGE.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
