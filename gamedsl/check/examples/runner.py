"""Examples of a ruleset, run: positions, moves that are legal or refused, values, results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from gamedsl.check.base.board_text import board_rows
from gamedsl.check.base.values import same, shown
from gamedsl.check.examples.positions import Broken, changed, played, played_at_random, read_move
from gamedsl.check.examples.reader import SUFFIX, Example, OptionValue, Refused, examples_path, read_examples
from gamedsl.engine.game import Game
from gamedsl.engine.perft import perft
from gamedsl.engine.state import State
from gamedsl.rules import Lowered, load_lowered
from gamedsl.rules.files import ENDINGS, Parsed, find
from gamedsl.source.bounded_read import exists
from gamedsl.source.diagnostic import Diagnostic, GameDSLError, UsageError
from gamedsl.source.text import Span

Problems: TypeAlias = Iterator[str]

NO_MOVE = "E0501"  # a text that stands for no move, legal or not


@dataclass(frozen=True)
class ExampleResult:
    """What became of one example: no problems, or each in a sentence."""

    name: str
    span: Span
    clauses: tuple[str, ...]
    problems: tuple[str, ...]
    refused: tuple[Diagnostic, ...] = ()  # why the position can't be set, with the place in the file

    @property
    def passed(self) -> bool:
        return not self.problems

    def to_json(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "name": self.name,
            "place": str(self.span),
            "clauses": list(self.clauses),
            "passed": self.passed,
            "problems": list(self.problems),
        }


class Bench:
    """Loads a ruleset once for every choice of options. ``parsed``: trees that stand for the files at these paths."""

    def __init__(self, ruleset: Path, parsed: Mapping[str, Parsed] | None = None) -> None:
        self.ruleset = ruleset
        self.parsed = dict(parsed or {})
        self._made: dict[tuple[tuple[str, OptionValue], ...], tuple[Lowered, Game]] = {}

    def game(self, options: Mapping[str, OptionValue]) -> tuple[Lowered, Game]:
        """The lowered rules and the game. GameDSLError when the ruleset or an option is wrong."""
        key = tuple(sorted(options.items()))
        if key not in self._made:
            rules = load_lowered(self.ruleset, options, self.parsed)
            self.parsed |= rules.builder.files.parsed
            self._made[key] = rules, Game(rules.program)
        return self._made[key]


def run_examples(file: str | Path, options: Mapping[str, OptionValue] | None = None) -> list[ExampleResult]:
    """All examples of a ruleset, in order.

    ``file``: the ruleset (a shipped name or a path) or its file of examples. ``options`` stand where an example gives
    none itself. GameDSLError when the ruleset or the examples are wrong, UsageError when one of the files is missing.
    """
    ruleset, examples = both_files(str(file))
    bench = Bench(ruleset)
    bench.game(options or {})
    return run_all(bench, read_examples(examples), options or {})


def run_all(bench: Bench, examples: list[Example], options: Mapping[str, OptionValue]) -> list[ExampleResult]:
    """All these examples. GameDSLError with every position that can't be set."""
    results = [run_example(bench, e, options) for e in examples]
    refused = tuple(d for r in results for d in r.refused)
    if refused:
        raise GameDSLError(*refused)
    return results


def both_files(name: str) -> tuple[Path, Path]:
    """The ruleset and its examples, whichever of the two is named. UsageError when one is missing."""
    if name.endswith(SUFFIX):
        stem = name.removesuffix(SUFFIX)
        found = [p for p in (Path(stem + ending) for ending in ENDINGS) if exists(p)]
        ruleset = found[0] if found else find(stem)
        examples = Path(name)
    else:
        ruleset = find(name)
        examples = examples_path(ruleset)
    if not exists(examples):
        raise UsageError(
            f"{ruleset.name} has no examples", help=f"They would stand in {examples.name}, beside the ruleset."
        )
    return ruleset, examples


def run_example(bench: Bench, example: Example, options: Mapping[str, OptionValue]) -> ExampleResult:
    """One example, tried."""
    refused: list[Diagnostic] = []
    found = tuple(problems(bench, example, options, refused))
    return ExampleResult(example.name, example.span, example.clauses, found, tuple(refused))


def problems(
    bench: Bench, example: Example, options: Mapping[str, OptionValue], refused: list[Diagnostic] | None = None
) -> Problems:
    """What is wrong with an example, found as it is asked for; ``refused`` gets what is wrong with its ``set``."""
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
    """The position of an example. Broken when it can't be made."""
    state = played(game.initial_state(), example.moves)
    if example.seed is not None:
        state = played_at_random(state, example.seed, example.plies)
    return played(changed(state, rules, example.values, example.set_at), example.then)


# ------------------------------------------------------------------------------------------------------ the checks


def _legal(state: State, example: Example, rules: Lowered) -> Problems:
    for text in example.legal:
        try:
            reasons = [r.message for r in state.why_not(read_move(state, text))]
        except GameDSLError as problem:
            reasons = [d.message for d in problem.diagnostics]
        if reasons:
            yield f"{text} should be legal, but: {'; '.join(reasons)}"


def _only(state: State, example: Example, rules: Lowered) -> Problems:
    if example.only is None:
        return
    found = {str(m) for m in state.legal_moves()}
    wanted = {str(read_move(state, text)) for text in example.only}
    if found - wanted:
        yield f"legal beyond those listed: {_some(found - wanted)}"
    if wanted - found:
        yield f"listed but not legal: {_some(wanted - found)}"


def _illegal(state: State, example: Example, rules: Lowered) -> Problems:
    for refused in example.illegal:
        try:
            reasons = [(r.message, r.clauses) for r in state.why_not(read_move(state, refused.move))]
        except GameDSLError as problem:
            (found, *_) = problem.diagnostics
            if found.code == NO_MOVE and refused.says is None:
                yield _no_move(refused.move, found.near)
                continue
            reasons = [(d.message, ()) for d in problem.diagnostics]
        yield from _refusal(refused, reasons)


def _no_move(move: str, near: tuple[str, ...]) -> str:
    """What no rule knows is more likely a slip than a move that is refused."""
    nearest = f" (near it: {', '.join(near)})" if near else ""
    return f"{move} is not a move of this game{nearest}; if that is what should be said, add `says: not a move`"


def _refusal(refused: Refused, reasons: list[tuple[str, tuple[str, ...]]]) -> Problems:
    if not reasons:
        yield f"{refused.move} should be refused, but is legal"
        return
    told = "; ".join(f"{message} [{' '.join(clauses)}]" for message, clauses in reasons)
    if refused.clause is not None and all(refused.clause not in clauses for _, clauses in reasons):
        yield f"{refused.move} should be refused by {refused.clause}, but the reason is: {told}"
    if refused.says is not None and all(refused.says not in message for message, _ in reasons):
        yield f"{refused.move} should be refused with {refused.says!r}, but the reason is: {told}"


def _legal_count(state: State, example: Example, rules: Lowered) -> Problems:
    found = len(state.legal_moves())
    if example.legal_count is not None and found != example.legal_count:
        yield f"{found} moves are legal, not {example.legal_count}"


def _to_move(state: State, example: Example, rules: Lowered) -> Problems:
    acting = tuple(state.game.players[p] for p in state.to_act)
    found = {"chance": ("chance",), "end": ("end",)}.get(state.kind, acting)
    if example.to_move is not None and set(found) != set(example.to_move):
        yield f"to move: {', '.join(found)}, not {', '.join(example.to_move)}"


def _result(state: State, example: Example, rules: Lowered) -> Problems:
    if example.winners is None and example.scores is None:
        return
    if not state.is_terminal:
        yield "the play is not over"
        return
    names = state.game.players
    winners = {names[p] for p in state.winners}
    if example.winners is not None and winners != set(example.winners):
        yield f"winners: {_some(winners)}, not {_some(set(example.winners))}"
    scores = dict(zip(names, state.scores, strict=False))
    if example.scores is not None and scores != dict(example.scores):
        yield f"scores: {scores}, not {dict(example.scores)}"


def _value(state: State, example: Example, rules: Lowered) -> Problems:
    for text, wanted in example.value.items():
        found = value_of(state, rules, text)
        if not same(found, wanted):
            yield f"{text} is {_shown(found)}, not {_shown(wanted)}"


def value_of(state: State, rules: Lowered, text: str) -> Any:
    """What an expression comes to: read with the names of the part being played, else with those of the whole."""
    try:
        expr = rules.expression(text, state.part)
    except GameDSLError:
        if state.part == 0:
            raise
        expr = rules.expression(text, 0)
    return shown(expr.type, state.evaluate(expr))


def _perft(state: State, example: Example, rules: Lowered) -> Problems:
    for depth, wanted in enumerate(example.perft, 1):
        found = perft(state, depth)
        if found != wanted:
            yield f"{found} sequences of length {depth}, not {wanted}"


def _board(state: State, example: Example, rules: Lowered) -> Problems:
    wanted = [row.split() for row in example.board]
    if not wanted:
        return
    found = board_rows(state)
    if found != wanted:
        yield "the board is\n" + "\n".join("    " + " ".join(row) for row in found)


CHECKS: tuple[Callable[[State, Example, Lowered], Problems], ...] = (
    _to_move, _legal, _only, _illegal, _legal_count, _result, _value, _board, _perft,
)  # fmt: skip


def _some(names: set[str], most: int = 12) -> str:
    listed = sorted(names)
    return (", ".join(listed[:most]) + (", ..." if len(listed) > most else "")) or "nobody"


def _shown(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return "{" + ", ".join(map(str, value)) + "}"
        case _:
            return str(value)


# ------------------------------------------------------------------------------------------------------ the report


def report(file: str, results: list[ExampleResult], verbose: bool = False) -> str:
    """The results as text: every example that fails, with its place and problems; with ``verbose`` also the others."""
    lines: list[str] = []
    for r in results:
        if r.passed and not verbose:
            continue
        cited = f"  [{' '.join(r.clauses)}]" if r.clauses else ""
        lines.append(f"{'ok  ' if r.passed else 'FAIL'} {r.span}: {r.name}{cited}")
        lines += [f"       {p}" for p in r.problems]
    failed = sum(not r.passed for r in results)
    lines.append(
        f"{file}: {len(results)} example{'s' if len(results) != 1 else ''}, "
        + (f"{failed} failed" if failed else "all as they should be")
    )
    return "\n".join(lines)
