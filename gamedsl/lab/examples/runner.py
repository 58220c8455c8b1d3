"""Runs the examples of a ruleset: positions, legal and refused moves, values, results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gamedsl.engine import Game, InterpretedGame, State, position_from
from gamedsl.lab.examples.checks import CHECKS, Problems
from gamedsl.lab.examples.example_reader import SUFFIX, Example, OptionValue, examples_path, read_examples
from gamedsl.lab.examples.positions import Broken, changed, played, played_at_random
from gamedsl.language.rules import ENDINGS, Lowered, Parsed, find_ruleset, load_lowered
from gamedsl.language.source import Diagnostic, GameDSLError, Span, UsageError, exists, lazy_dataclass


@lazy_dataclass(frozen=True)
class ExampleResult:
    """The outcome of one example: its problems, each in a sentence."""

    name: str
    span: Span
    clauses: tuple[str, ...]
    problems: tuple[str, ...]
    refused: tuple[Diagnostic, ...] = ()  # why the position cannot be set up, with the place in the file

    @property
    def passed(self) -> bool:
        return not self.problems

    def to_json(self) -> dict[str, Any]:
        """Returns the result as plain data."""
        return {
            "name": self.name,
            "place": str(self.span),
            "clauses": list(self.clauses),
            "passed": self.passed,
            "problems": list(self.problems),
        }


class Bench:
    """Loads a ruleset once for each choice of options. ``parsed``: trees that replace the files at these paths."""

    def __init__(self, ruleset: Path, parsed: Mapping[str, Parsed] | None = None) -> None:
        self.ruleset = ruleset
        self.parsed = dict(parsed or {})
        self._made: dict[tuple[tuple[str, OptionValue], ...], tuple[Lowered, Game]] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Other processes get the trees, since they may have another folder or no such files."""
        return {"ruleset": self.ruleset.resolve(), "parsed": self.parsed, "_made": {}}

    def game(self, options: Mapping[str, OptionValue]) -> tuple[Lowered, Game]:
        """Returns the lowered rules and the game. Raises ``GameDSLError`` if the ruleset or an option is wrong."""
        key = tuple(sorted(options.items()))
        if key not in self._made:
            rules = load_lowered(self.ruleset, options, self.parsed)
            self.parsed |= rules.builder.files.parsed
            self._made[key] = rules, InterpretedGame(rules.program)
        return self._made[key]


def run_examples(file: str | Path, options: Mapping[str, OptionValue] | None = None) -> list[ExampleResult]:
    """Runs all examples of a ruleset, in order.

    ``file``: the ruleset (a shipped name or a path) or its file of examples. ``options`` apply if an example does
    not set them itself. Raises ``GameDSLError`` if the ruleset or the examples are wrong, ``UsageError`` if one of
    the files is missing.
    """
    ruleset, examples = both_files(str(file))
    bench = Bench(ruleset)
    bench.game(options or {})
    return run_all(bench, read_examples(examples), options or {})


def run_all(bench: Bench, examples: list[Example], options: Mapping[str, OptionValue]) -> list[ExampleResult]:
    """Runs all these examples. Raises ``GameDSLError`` with every position that cannot be set up."""
    results = [run_example(bench, e, options) for e in examples]
    refused = tuple(d for r in results for d in r.refused)
    if refused:
        raise GameDSLError(*refused)
    return results


def both_files(name: str) -> tuple[Path, Path]:
    """Returns the paths of the ruleset and its examples, given the name of either. Raises ``UsageError`` if one is
    missing.
    """
    if name.endswith(SUFFIX):
        stem = name.removesuffix(SUFFIX)
        found = [p for p in (Path(stem + ending) for ending in ENDINGS) if exists(p)]
        ruleset = found[0] if found else find_ruleset(stem)
        examples = Path(name)
    else:
        ruleset = find_ruleset(name)
        examples = examples_path(ruleset)
    if not exists(examples):
        raise UsageError(f"{ruleset.name} has no examples", help=f"Put them into {examples.name}, beside the ruleset.")
    return ruleset, examples


def run_example(bench: Bench, example: Example, options: Mapping[str, OptionValue]) -> ExampleResult:
    """Runs one example."""
    refused: list[Diagnostic] = []
    found = tuple(problems(bench, example, options, refused))
    return ExampleResult(example.name, example.span, example.clauses, found, tuple(refused))


def problems(
    bench: Bench, example: Example, options: Mapping[str, OptionValue], refused: list[Diagnostic] | None = None
) -> Problems:
    """Yields an example's problems lazily; ``refused`` receives the errors in its ``set``."""
    try:
        rules, game = bench.game({**options, **example.options})
        state = position(rules, game, example)
        for check in CHECKS:
            yield from check(state, example, rules)
    except Broken as problem:
        if refused is not None:
            refused += problem.diagnostics
        yield str(problem)
    except GameDSLError as problem:
        yield from (f"{d.code} {d.message}" for d in problem.diagnostics)


def position(rules: Lowered, game: Game, example: Example) -> State:
    """Returns the position of an example. Raises ``Broken`` if it cannot be built."""
    state = played(_beginning(game, example), example.moves)
    if example.seed is not None:
        state = played_at_random(state, example.seed, example.plies)
    return played(changed(state, rules, example.values, example.set_at), example.then)


def _beginning(game: Game, example: Example) -> State:
    """Returns the state where the moves of an example begin."""
    if example.position is None:
        return game.initial_state()
    try:
        return position_from(game, example.position)
    except GameDSLError as problem:
        (found, *_) = problem.diagnostics
        raise Broken(f"{found.span}: {found.code} {found.message}", *problem.diagnostics) from None


# ------------------------------------------------------------------------------------------------------ the report


def report(file: str, results: list[ExampleResult], verbose: bool = False) -> str:
    """Formats the results: every failing example, with its place and problems; with ``verbose`` also the others."""
    lines: list[str] = []
    for r in results:
        if r.passed and not verbose:
            continue
        cited = f"  [{' '.join(r.clauses)}]" if r.clauses else ""
        lines.append(f"{'ok  ' if r.passed else 'FAIL'} {r.span}: {r.name}{cited}")
        lines += [f"       {p}" for p in r.problems]
    failed, examples = sum(not r.passed for r in results), f"{len(results)} example{'s' if len(results) != 1 else ''}"
    lines.append(f"{file}: {failed} of {examples} failed" if failed else f"{file}: {examples} passed")
    return "\n".join(lines)
