"""A file and its options → the program, or all its errors."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from gamedsl.language.core import clear_dead
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import clauses, files, unused
from gamedsl.language.rules import cost_limits as costs
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.declarations.claims import outcome_words
from gamedsl.language.rules.declarations.declare import build_env, lower_rest
from gamedsl.language.rules.error_report import Bail, Report, near_names
from gamedsl.language.rules.expressions.lower_node import lower_node
from gamedsl.language.rules.expressions.lowering import lower as lower_expression
from gamedsl.language.rules.flow import endings, lower_moves
from gamedsl.language.rules.flow.control_flow import ControlFlow
from gamedsl.language.rules.flow.flow_builder import FlowBuilder
from gamedsl.language.rules.scope import Ctx, Env, Lowering
from gamedsl.language.rules.subgames import play_part
from gamedsl.language.rules.symbols import GameSym
from gamedsl.language.rules.variant_messages import point_into_variant
from gamedsl.language.source import Diagnostic, FileError, GameDSLError, Span, UsageError, lazy_dataclass
from gamedsl.language.syntax import ast, parse_expression, walk

OptionValue = str | int | bool
# The frames that any pass needs for a program as deep as `definitions.MOST_DEEP` allows.
FRAMES = 5000
OUTCOME_WORDS = {"over", "drawn", "winners"}
# The codes that may be mere consequences of a declaration that could not be parsed.
CASCADES = {
    "E0201", "E0206", "E0207", "E0208", "E0209", "E0210", "E0341", "E0342", "E0365",
    "E0332", "E0367", "E0439", "E0421", "E0422", "E0441", "E0443",
}  # fmt: skip


def check_file(
    name: str | Path,
    options: Mapping[str, OptionValue] | None = None,
    parsed: Mapping[str, files.Parsed] | None = None,
) -> tuple[n.Program | None, list[Diagnostic]]:
    """Returns the program (None if there are errors) and all diagnostics, in the order of the file. ``parsed``:
    sources with their trees by resolved path, which replace the contents of the files. Raises ``UsageError`` or
    ``FileError`` if the file cannot be found or read, or an option is wrong.
    """
    return _checked(name, options, [], parsed)


@lazy_dataclass(frozen=True)
class Examined:
    """The results of a check: the program with its dead writes (None if there are errors), the messages, and, as far as the check got,
    the names of the ruleset itself and the files that it read.
    """

    program: n.Program | None
    found: list[Diagnostic]
    env: Env | None
    files: Mapping[str, files.Parsed]


def examine(
    name: str | Path, options: Mapping[str, OptionValue] | None, parsed: Mapping[str, files.Parsed]
) -> Examined:
    """Checks a file for editors: like ``check_file``, but returns the known names too, even if there are errors."""
    builders: list[Lowering] = []
    program, found = _checked(name, options, builders, parsed, finish=lambda made: made)
    if not builders:
        return Examined(program, found, None, parsed)
    builder = builders[0]
    env = builder.envs[0] if builder.envs else None
    builder.envs.clear()  # they point back at it: without a circle, all of it goes with the next answer, uncollected
    return Examined(program, found, env, builder.files.parsed)


def _checked(
    name: str | Path,
    options: Mapping[str, OptionValue] | None,
    builders: list[Lowering],
    parsed: Mapping[str, files.Parsed] | None,
    finish: Callable[[n.Program], n.Program] = clear_dead,
) -> tuple[n.Program | None, list[Diagnostic]]:
    """Does the same as ``check_file``, and adds the builder to ``builders``. ``finish``: the last step, about which there are no
    messages.
    """
    report = Report()
    store = files.Files(report, parsed)
    program: n.Program | None = None
    try:
        path = Path(name)  # an editor can check text that has not been saved
        if not parsed or str(path.resolve()) not in parsed:
            path = files.find_ruleset(str(name))
        program = finish(_lower(path, dict(options or {}), report, builders, store))
    except Bail:
        pass
    except GameDSLError as problem:
        if isinstance(problem, UsageError | FileError):
            raise
        report.extend(problem.diagnostics)
    except RecursionError:
        report.add("E0460", Span(report.somewhere(), 0, 0))
    found = point_into_variant(_without_cascades(report), store.first)
    if any(d.is_error for d in found):
        return None, found
    assert program is not None, "a ruleset without errors has a program"
    return program, found


def _without_cascades(report: Report) -> list[Diagnostic]:
    """Returns the findings to report: after a syntax error, without warnings and those that may be its consequences."""
    found = report.sorted()
    if any(d.code.startswith(("E01", "E06")) for d in found):
        return [d for d in found if d.is_error and d.code not in CASCADES]
    return found


def load_program(name: str | Path, options: Mapping[str, OptionValue] | None = None) -> n.Program:
    """Returns the program of a ruleset. ``name``: a path (.gdl, .json, .yaml) or a shipped ruleset's name; ``options``
    as the ruleset declares them. Raises ``GameDSLError`` with all errors, and ``UsageError`` for a missing file or a
    wrong option.
    """
    program, found = check_file(name, options)
    if program is None:
        raise GameDSLError(*(d for d in found if d.is_error))
    return program


@lazy_dataclass(frozen=True)
class Lowered:
    """A program with its symbol tables, so that further expressions can be evaluated in its states."""

    program: n.Program
    builder: Lowering

    def expression(self, text: str, part: int = 0, mover: int | None = None) -> n.Expr:
        """Returns an expression of the language, read with the names of one part. Raises ``GameDSLError`` if it is
        wrong. ``mover``: the player who is ``me`` (None: nobody is).
        """
        tree = parse_expression(text)
        report = self.builder.report
        report.found.clear()
        env = self.builder.envs[part]
        try:
            me = None if mover is None else n.Const(mover, n.ElemT(env.players), span=tree.span)
            return lower_expression(env, Ctx("claim", scope=dict(outcome_words(env)), me=me), tree)
        except Bail:
            raise GameDSLError(*report.sorted()) from None


def load_lowered(
    name: str | Path,
    options: Mapping[str, OptionValue] | None = None,
    parsed: Mapping[str, files.Parsed] | None = None,
) -> Lowered:
    """Does the same as ``load_program``, but the result can also read expressions about the program's states.
    ``parsed``: trees by resolved path, which replace the contents of the files.
    """
    builders: list[Lowering] = []
    program, found = _checked(name, options, builders, parsed)
    if program is None:
        raise GameDSLError(*(d for d in found if d.is_error))
    return Lowered(program, builders[0])


def _lower(
    path: Path,
    options: dict[str, OptionValue],
    report: Report,
    builders: list[Lowering],
    store: files.Files,
) -> n.Program:
    sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
    loaded = store.load_first(path)
    report.source = loaded.source
    builder = Lowering(report, store, lower_node=lower_node, lower_part=play_part)
    builders.append(builder)
    builder.open_files.append(f"{loaded.path}#")
    builder.cite(loaded.tree, loaded.path)
    game = GameSym(path.stem, loaded.tree, loaded.path, False, Span(loaded.source, 0, 0))
    taken: set[str] = set()
    env = build_env(builder, game, None, _from_words(options, taken))
    unknown = [o for o in options if o not in taken]
    if unknown and not env.failed:
        known = [node for node, _ in env.options]
        raise UsageError(
            f"this ruleset has no option `{unknown[0]}`",
            code="E0005",
            near=near_names(unknown[0], known),
            help=f"Its options: {', '.join(known) or 'none'}.",
        )
    builder.winners = builder.variable(env.index, "winners", n.SetT(env.players))
    if any(
        isinstance(node, ast.Ref) and node.name in OUTCOME_WORDS
        for d in env.decls
        if isinstance(d, ast.ClaimDecl)
        for node in walk(d)
    ):
        builder.over = builder.variable(env.index, "over", ty.BOOL)
    flow = ControlFlow(env, _finish)
    entry = flow.new()
    flow.begin(entry)
    lower_rest(env, flow)
    index = clauses.index_of(builder)
    if not report.broken:
        unused.report_unused(env)
    report.raise_if_errors()
    blocks, first = builder.finished_blocks(entry)
    schemas = tuple(lower_moves.planned(m, builder.functions) for m in builder.moves)  # type: ignore[arg-type]
    program = n.Program(
        path.stem,
        builder.parts[0].title if builder.parts[0] else path.stem,
        tuple(env.options),
        env.players,
        tuple(builder.variables),
        tuple(builder.functions),
        schemas,
        blocks,
        first,
        tuple(p for p in builder.parts if isinstance(p, n.Part)),
        tuple(builder.claims),
        builder.citations,
        index,
    )
    costs.report_costs(report, program)
    report.raise_if_errors()
    return program


def _finish(at: FlowBuilder, ending: endings.Ending) -> None:
    env, program = at.env, at.env.program
    winners = program.winners
    assert winners is not None
    t = n.SetT(env.players)
    at.emit(n.Assign(winners, (), ending.winners, span=ending.span))
    if program.over is not None:
        at.emit(n.Assign(program.over, (), ty.YES))
    payoff = endings.payoffs(env, ending, winners)
    at.close(n.End(payoff, n.Get(winners, (), t), ending.scores, span=ending.span), ending.clauses)


# -------------------------------------------------------------------------------------------- options from outside


def _from_words(options: Mapping[str, OptionValue], taken: set[str]) -> Callable[[Env, str, n.ValueT], n.Expr | None]:
    def give(env: Env, name: str, want: n.ValueT) -> n.Expr | None:
        if name not in options:
            return None
        taken.add(name)
        return option_value(name, options[name], want)

    return give


def option_value(name: str, word: OptionValue, want: n.ValueT) -> n.Const:
    """Converts a value from the command line or Python to the option's type. Raises ``UsageError`` if it does not fit."""
    text = {True: "yes", False: "no"}[word] if isinstance(word, bool) else str(word).strip()
    match want:
        case n.IntT(low, high):
            value = int(text) if re.fullmatch(r"-?[0-9]{1,10}", text) else None
            if value is None or not low <= value <= high:
                raise UsageError(f"option `{name}` takes a number from {low} to {high}, not `{text}`", code="E0006")
            return n.Const(value, want)
        case n.ElemT(domain):
            plain = {one.replace("-", "_"): i for i, one in enumerate(domain.names)}
            index = plain.get(text.replace("-", "_").replace(" ", "_"))
            if index is None:
                raise UsageError(
                    f"option `{name}` takes one of {', '.join(domain.names)}, not `{text}`",
                    code="E0006",
                    near=near_names(text, domain.names),
                )
            return n.Const(index, want)
        case _:
            if text.lower() not in ("yes", "no", "true", "false", "on", "off"):
                raise UsageError(f"option `{name}` takes yes or no, not `{text}`", code="E0006")
            return n.Const(int(text.lower() in ("yes", "true", "on")), ty.BOOL)
