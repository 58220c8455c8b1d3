"""What takes long, in a process of its own: the examples of a ruleset, verdicts on its claims, figures of random games.

Before: a task as JSON on standard input, with the texts as the editor holds them. After: its outcome as JSON on standard output.
The server ends the process when the texts change; see ``task_runner.py``.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamedsl.editor.desk import EXAMPLES
from gamedsl.language.rules import ENDINGS, Parsed, parse_source
from gamedsl.language.source import GameDSLError, Source, Span, lazy_dataclass, missing_library

if TYPE_CHECKING:
    from gamedsl.lab.base import Verdict
    from gamedsl.lab.examples import Example, ExampleResult

SECONDS, MOST_SECONDS = 10.0, 600.0  # for a verdict; a quarter of it goes to playouts
STATES, MEMORY, PLAYOUTS = 1_000_000, 2_000_000_000, 500
LINES = "lines"  # the argument with which a process does one task after the other
NICENESS = 10  # of what nobody asked for
PASSED, FAILED = "example-passed", "example-failed"  # codes of marks; the first one is no message
LEVELS = {"violated": "error", "unknown": "warning", "holds": "information", "noted": "information", "proved": "hint"}


@lazy_dataclass(frozen=True, slots=True)
class Task:
    """``kind``: test, verify, figures, position or game. ``texts``: what is open, by path. ``extent``: of the claim to verify or the
    example to run (None: all), for so many seconds after the start. ``asked``: about a position or game, see ``position_facts.py``."""

    kind: str
    path: str
    texts: Mapping[str, str]
    extent: tuple[int, int] | None = None
    seconds: float = SECONDS
    asked: Mapping[str, Any] | None = None

    def text(self) -> str:
        return json.dumps(asdict(self))


@lazy_dataclass(frozen=True, slots=True)
class Mark:
    """A result at its place. ``level``: error, warning, information or hint."""

    path: str
    start: int
    end: int
    code: str
    level: str
    message: str


@lazy_dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a task: the message to show, its level (not hint), results at their places, and what was asked for as data."""

    message: str
    level: str = "information"
    marks: tuple[Mark, ...] = ()
    data: Any = None

    def text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, text: bytes) -> Outcome:
        """Raises ``ValueError`` if a process did not come as far as to write its outcome."""
        data = json.loads(text)
        return cls(data["message"], data["level"], tuple(Mark(**mark) for mark in data["marks"]), data["data"])


def run_task(task: Task) -> Outcome:
    """Carries out a task. What the user can mend is in the message of the outcome."""
    try:
        return _WORK[task.kind](task)
    except GameDSLError as mistake:
        return _mistaken(mistake)
    except ImportError as error:
        missing = missing_library(error)
        if missing is None:
            raise
        return _mistaken(missing)


def _mistaken(mistake: GameDSLError) -> Outcome:
    first, *others = mistake.diagnostics
    place = "" if first.span.source.path.startswith("<") or not first.span.source.path else f"{first.span}: "
    lines = [f"{place}{first.message}", *([first.help] if first.help else [])]
    if others:
        lines.append(f"({len(others)} more)")
    return Outcome("\n".join(lines), "error")


def _trees(task: Task) -> dict[str, Parsed]:
    texts = task.texts.items()
    return {p: parse_source(Source(p, text)) for p, text in texts if p.endswith(ENDINGS) and not p.endswith(EXAMPLES)}


def _mark(span: Span, code: str, level: str, lines: list[str]) -> Mark:
    """A mark on the first line of a place."""
    text = span.source.text
    end = min(max(span.start, span.end), text.find("\n", span.start) if "\n" in text[span.start :] else len(text))
    return Mark(span.source.path, span.start, end, code, level, "\n".join(lines))


# ------------------------------------------------------------------------------------------------------------ examples


def _run_examples(task: Task) -> Outcome:
    from gamedsl.lab.examples import Bench, run_example

    ruleset, examples = _examples_of(task)
    bench = Bench(Path(ruleset), _trees(task))
    bench.game({})
    extent = task.extent
    chosen = [e for e in examples if extent is None or extent[0] <= e.span.start <= extent[1]]
    results = [run_example(bench, example, {}) for example in chosen]
    failed = [r for r in results if not r.passed]
    marks = tuple(_judged(r) for r in results)
    name, number = Path(ruleset).name, f"{len(results)} example{'s' if len(results) != 1 else ''}"
    if not failed:
        return Outcome(f"{name}: {number} passed", marks=marks)
    names = "; ".join(r.name for r in failed[:3]) + ("; ..." if len(failed) > 3 else "")
    return Outcome(f"{name}: {len(failed)} of {number} failed: {names}", "error", marks)


def _judged(result: ExampleResult) -> Mark:
    if result.passed:
        return _mark(result.span, PASSED, "hint", [result.name])
    return _mark(result.span, FAILED, "error", [result.name, *result.problems])


def _examples_of(task: Task) -> tuple[str, list[Example]]:
    """A ruleset and its examples, as they are open, else from the disk."""
    from gamedsl.lab.examples import both_files, examples_in, read_examples

    ruleset, path = task.path, Path(task.path)
    if ruleset.endswith(EXAMPLES):
        stem = ruleset.removesuffix(EXAMPLES)
        ruleset = next((p for p in (stem + ending for ending in ENDINGS) if p in task.texts), "")
        ruleset = ruleset or str(both_files(task.path)[0])
    else:
        path = path.with_name(path.stem + EXAMPLES)
    text = task.texts.get(str(path))
    if text is not None:
        return ruleset, examples_in(Source(str(path), text))
    if not path.exists():
        both_files(ruleset)  # raises the error that says where examples are expected
    return ruleset, read_examples(path)


# -------------------------------------------------------------------------------------------------------------- claims


def _verify(task: Task) -> Outcome:
    from gamedsl.lab.claims import VerifyConfig, summary, verify
    from gamedsl.lab.explore import Limits
    from gamedsl.lab.search import Budget

    extent = task.extent
    config = VerifyConfig(
        chosen=None if extent is None else lambda place: place.source.path == task.path and _is_in(place, extent),
        defaults=extent is None,
        limits=Limits(STATES, seconds=task.seconds * 0.75, memory=MEMORY),
        budget=Budget(PLAYOUTS, task.seconds * 0.25),
    )
    found = verify(task.path, config=config, parsed=_trees(task))
    here = [v for v in found.verdicts if v.place.source.path == task.path]
    marks = tuple(_mark(v.place, f"claim-{v.status}", LEVELS[v.status], _verdict_lines(v)) for v in here)
    games = {str(v.place.start): plies for v in here if (plies := _plies(v))}
    worst = min((LEVELS[v.status] for v in found.verdicts), key=list(LEVELS.values()).index, default="warning")
    level = "information" if worst == "hint" else worst
    if not found.verdicts:
        return Outcome("there is no claim here that was judged", level)
    if extent is not None:
        return Outcome("\n".join(line for v in found.verdicts for line in _verdict_lines(v)), level, marks, games)
    bad = [line for v in found.verdicts if v.status == "violated" for line in _verdict_lines(v)]
    return Outcome("\n".join([f"{Path(task.path).name}: {summary(found.verdicts)}", *bad]), level, marks, games)


def _figures(task: Task) -> Outcome:
    from gamedsl.editor.line_figures import figures  # start-up: needs the lab

    found = figures(task.path, _trees(task), task.seconds)
    return Outcome("", marks=tuple(Mark(task.path, f.start, f.start, f.code, "hint", f.text) for f in found))


def _position(task: Task) -> Outcome:
    from gamedsl.editor.position_facts import position_facts  # start-up: needs the lab

    return Outcome("", data=position_facts(task.path, _trees(task), task.asked or {}))


def _game(task: Task) -> Outcome:
    from gamedsl.editor.position_facts import game_asked  # start-up: needs the lab

    return Outcome("", data=game_asked(task.path, _trees(task), task.asked or {}))


_WORK = {"test": _run_examples, "verify": _verify, "figures": _figures, "position": _position, "game": _game}


def _is_in(place: Span, extent: tuple[int, int]) -> bool:
    return extent[0] <= place.start <= extent[1]


def _plies(verdict: Verdict) -> list[tuple[int | None, str]]:
    """The game that shows a verdict: the seat and the notation of each move. Empty if there is none."""
    shown = verdict.evidence or verdict.witness
    if shown is None:
        return []
    return [(m.player, m.text) for m in (*shown.moves, *([] if shown.failing is None else [shown.failing]))]


def _verdict_lines(verdict: Verdict) -> list[str]:
    """The verdict, and the game that shows it."""
    from gamedsl.lab.claims import play_lines

    shown = [] if verdict.evidence is None else list(play_lines(verdict.evidence))
    return [f"{verdict.status}: {verdict.claim}: {verdict.detail}", *shown]


def main() -> None:
    """Reads a task and writes its outcome; as many as come, a line each, if the argument is ``lines``. Nothing else that is printed
    reaches standard output.
    """
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin if sys.argv[1:] == [LINES] else [sys.stdin.read()]:
        data: dict[str, Any] = json.loads(line)
        task = Task(**data)
        if task.kind == "figures" and hasattr(os, "nice"):
            os.nice(NICENESS)
        out.write(run_task(task).text() + "\n")
        out.flush()


if __name__ == "__main__":
    main()
