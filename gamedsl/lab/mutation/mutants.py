"""All mutants of a ruleset: each differs from it by one small change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from gamedsl.lab.mutation.mutation_operators import OPERATORS, New, Vocabulary, changes
from gamedsl.lab.mutation.tree_places import Place, Step, places, with_change
from gamedsl.language.boards import Board
from gamedsl.language.rules import Lowered
from gamedsl.language.source import Span, lazy_dataclass
from gamedsl.language.syntax import Page, ast, format_expression, level_of, print_stmt

MOST_SHOWN, CONTEXT = 110, 40  # characters of a displayed piece of the ruleset, and of its context


@lazy_dataclass(frozen=True)
class Mutant:
    """One change: its operator, its place, and the source there before and after (None: deleted)."""

    number: int
    operator: str
    span: Span
    before: str
    after: str | None
    path: tuple[Step, ...] = field(repr=False)
    new: New = field(repr=False)

    @property
    def line(self) -> int:
        return self.span.line

    @property
    def text(self) -> str:
        """The change in one line: the new line, or what was deleted."""
        return f"without `{self.before}`" if self.after is None else f"`{_changed_line(self.span, self.after)}`"

    def tree(self, original: ast.Ruleset) -> ast.Ruleset:
        changed: ast.Ruleset = with_change(original, self.path, self.new)
        return changed


def list_mutants(tree: ast.Ruleset, words: Vocabulary) -> list[Mutant]:
    """Returns all mutants of a tree in text order. Operators that make the same change yield one mutant."""
    found: list[Mutant] = []
    for place in places(tree):
        seen: list[New] = []
        for operator, new in changes(place, words):
            assert operator in OPERATORS
            if new not in seen and new != place.node:
                seen.append(new)
                before = _shortened(_code(place.node.span.text.strip().partition("\n")[0]))
                found.append(Mutant(len(found), operator, place.node.span, before, _after(place, new), place.path, new))
    return found


def _after(place: Place, new: New) -> str | None:
    """Returns the replacement as source text; None for a deletion."""
    match new:
        case None | ():
            return None
        case ast.StrokeCondition(_, degrees):
            return f"within {degrees} degrees"
        case ast.PlayersRange(low, high, default):
            return f"players {low} to {high} = {default}"
        case tuple():
            return "; ".join(_first_line(s) for s in new if isinstance(s, ast.Stmt))
        case _ if isinstance(new, ast.Stmt):
            return _first_line(new)
        case _:
            assert isinstance(new, ast.Expr)
            inner = isinstance(place.parent, ast.Expr) and isinstance(place.node, ast.Expr)
            looser = inner and level_of(new) < level_of(place.node)  # type: ignore[arg-type]
            return f"({format_expression(new)})" if looser else format_expression(new)


def _first_line(statement: ast.Stmt) -> str:
    page = Page()
    print_stmt(page, 0, replace(statement, notes=ast.Notes()))
    return page.text().partition("\n")[0]


def _code(line: str) -> str:
    """Returns a line without its trailing citations and comment."""
    return line.partition("  @")[0].partition("  #")[0].strip()


def _changed_line(span: Span, new: str) -> str:
    """Returns the line that contains a span, with the span's text replaced."""
    text = span.source.text
    begin = text.rfind("\n", 0, span.start) + 1
    head = " ".join(text[begin : span.start].split(" ")).lstrip()
    behind = "" if "\n" in span.text else _code(f"{new}{text[span.end :].partition(chr(10))[0]}")[len(new) :]
    if len(head) + len(new) + len(behind) > MOST_SHOWN:
        head = f"...{head[-CONTEXT:]}" if len(head) > CONTEXT else head
        behind = f"{behind[:CONTEXT]}..." if len(behind) > CONTEXT else behind
    return head + _shortened(new) + behind


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."


# ------------------------------------------------------------------------------------------------------------- names


def vocabulary(rules: Lowered, path: str) -> Vocabulary:
    """Returns the interchangeable names in the file at a path: those of its players, types and boards."""
    players: dict[str, str] = {"me": "rival", "rival": "me"}
    elements: dict[str, tuple[str, ...]] = {}
    relations: dict[tuple[str, int], str] = {}
    for env in rules.builder.envs:
        if env.path != path:
            continue
        players |= {name: others[0] for name, others in _neighbours(env.players.names).items()}
        for candidates in env.elements.values():
            for domain, _ in candidates:
                elements |= _neighbours(domain.names)
        if env.board is not None:
            elements |= _constants(env.board)
            relations |= _relations(env.board)
    return Vocabulary(players, {n: others for n, others in elements.items() if n not in players}, relations)


def _neighbours(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Returns for each name its cyclic successor and predecessor."""
    rings = {n: (names[(i + 1) % len(names)], names[i - 1]) for i, n in enumerate(names)}
    return {n: tuple(dict.fromkeys(others)) for n, others in rings.items() if len(names) > 1}


def _constants(board: Board) -> dict[str, tuple[str, ...]]:
    """Returns the named elements and sets of a board, with others of the same kind."""
    groups: dict[tuple[str, bool], list[str]] = {}
    for name, (domain, _, is_set) in board.constants.items():
        groups.setdefault((domain.name, is_set), []).append(name)
    return {n: others for names in groups.values() for n, others in _neighbours(names).items()}


def _relations(board: Board) -> dict[tuple[str, int], str]:
    """Returns for each relation of a board the next one with the same signature."""
    groups: dict[object, list[tuple[str, int]]] = {}
    for known, relation in board.relations.items():
        result = relation.result
        alike = [d.name for d in relation.params], result.kind, result.domain and result.domain.name
        groups.setdefault(repr(alike), []).append(known)
    return {
        (name, count): others[0]
        for group in groups.values()
        for count in {count for _, count in group}
        for name, others in _neighbours([n for n, _ in group]).items()
    }
