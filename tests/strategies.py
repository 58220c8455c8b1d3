"""Hypothesis strategies for syntax trees that have a text form: expressions, types, statements, whole rulesets.

``rulesets()`` draws whole files with comments, citations and empty lines; the smaller ones are there for other tests.
Names are mixed with words of the language that may be names where they stand.
"""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import strategies as st

from gamedsl.language.source.control_characters import first_unfit
from gamedsl.language.syntax import ast

PLAIN_NAMES = ("a", "b", "c", "n", "p", "X", "Long_Name_2", "_q", "d6", "me", "blank")
SOFT_NAMES = (
    "draw", "count", "sum", "max", "union", "moves", "to", "from", "on", "of", "for", "by", "path", "move", "put",
    "play", "times", "turns", "state", "at", "as", "with", "until", "each", "look", "nodes", "all", "always", "ends",
    "note", "stuck", "pass", "position", "number", "top", "info", "game", "when", "except",
)  # fmt: skip
# Words with which a statement begins: no action can be called so.
OPENING = frozenset({"draw", "move", "put", "play", "turns", "for", "until", "note", "when"})

NAMES = st.sampled_from(PLAIN_NAMES * 3 + SOFT_NAMES)
SAFE_NAMES = st.sampled_from(PLAIN_NAMES)
ACTION_NAMES = NAMES.filter(lambda name: name not in OPENING)
CALL_NAMES = NAMES.filter(lambda name: name not in ("moves", "attempts"))
TEXTS = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), max_codepoint=0x2FFF) | st.sampled_from('"\\#@{} '),
    max_size=10,
).filter(lambda text: first_unfit(text) is None)
COMMENTS = TEXTS.map(lambda text: text.rstrip(" "))
CLAUSES = st.sampled_from(["4.05", "4.05c", "TT-1", "5.2.02", "1", "x_(b)", "AB-12"])
NUMBERS = st.integers(0, 20) | st.just(10**9)

names = st.builds(ast.Name, NAMES)
safe_names = st.builds(ast.Name, SAFE_NAMES)


def tuples(items: st.SearchStrategy[Any], least: int = 0, most: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, min_size=least, max_size=most).map(tuple)


def notes() -> st.SearchStrategy[ast.Notes]:
    """What may stand around a line; most lines have nothing."""
    full = st.builds(
        ast.Notes,
        tuples(st.builds(ast.Cite, CLAUSES), most=2),
        tuples(COMMENTS, most=2),
        st.none() | COMMENTS,
        st.booleans(),
    )
    return st.just(ast.Notes()) | st.just(ast.Notes()) | full


# --------------------------------------------------------------------------------------------------- expressions

_COMPARISONS = ("=", "!=", "<", "<=", ">", ">=", "in", "not in", "within", "disjoint", "meets")
_OPERATORS = ("or", "and", "|", "&", "+", "-", "*", "div", "mod", *_COMPARISONS)


def binders(exprs: st.SearchStrategy[ast.Expr], distinct: bool = True) -> st.SearchStrategy[ast.Binder]:
    one = st.builds(
        ast.Binder, tuples(names, 1, 2), st.just(False), exprs, st.booleans() if distinct else st.just(False)
    )
    taken_apart = st.builds(ast.Binder, tuples(names, 2, 3), st.just(True), exprs)
    return one | one | taken_apart


def starts(exprs: st.SearchStrategy[ast.Expr]) -> st.SearchStrategy[ast.Binder]:
    one = st.builds(ast.Binder, tuples(names, 1, 1), st.just(False), exprs)
    return one | st.builds(ast.Binder, tuples(names, 2, 3), st.just(True), exprs)


def legs(exprs: st.SearchStrategy[ast.Expr]) -> st.SearchStrategy[ast.Expr]:
    """A number of steps and a direction, which begins with a name."""
    ref, call = st.builds(ast.Ref, SAFE_NAMES), st.builds(ast.Call, SAFE_NAMES, tuples(exprs))
    return st.builds(ast.Leg, exprs, st.builds(ast.Index, ref, tuples(exprs, 1, 2)) | ref | call)


def _larger(exprs: st.SearchStrategy[ast.Expr]) -> st.SearchStrategy[ast.Expr]:
    some_binders = tuples(binders(exprs), 1, 2)
    optional = st.none() | exprs
    return st.one_of(
        st.builds(ast.Call, CALL_NAMES, tuples(exprs | legs(exprs))),
        st.builds(ast.Index, exprs, tuples(exprs, 1, 2)),
        st.builds(ast.FieldOf, exprs, NAMES),
        st.builds(ast.ItemAt, exprs, exprs),
        st.builds(ast.SetDisplay, tuples(exprs)),
        st.builds(ast.TupleDisplay, tuples(exprs, 2)),
        st.builds(ast.RangeSet, exprs, exprs),
        st.builds(ast.Unary, st.sampled_from(["not", "-"]), exprs),
        st.builds(ast.Binary, st.sampled_from(_OPERATORS), exprs, exprs),
        st.builds(ast.Binary, st.sampled_from(["or", "and"]), exprs, exprs),
        st.builds(ast.IsNone, exprs, st.booleans()),
        st.builds(ast.IfExpr, exprs, exprs, exprs),
        st.builds(ast.Quantified, st.sampled_from(["some", "every", "no", "count"]), some_binders, exprs),
        st.builds(ast.Filter, binders(exprs, distinct=False), exprs),
        st.builds(ast.Fold, st.sampled_from(["union", "sum", "max", "min", "set"]), exprs, some_binders, optional),
        st.builds(ast.FoldOr, st.sampled_from(["max", "min"]), exprs, some_binders, optional, exprs),
        st.builds(ast.Reach, exprs, starts(exprs), optional),
        st.builds(ast.After, NAMES, exprs),
        st.builds(ast.MovesOf, st.sampled_from(["moves", "attempts"]), exprs, tuples(names, 1)),
    )


def expressions(most_leaves: int = 10) -> st.SearchStrategy[ast.Expr]:
    leaves = st.one_of(
        st.builds(ast.Ref, NAMES),
        st.builds(ast.Int, NUMBERS),
        st.builds(ast.Bool, st.booleans()),
        st.builds(ast.NoneValue),
        st.builds(ast.SetDisplay, st.just(())),
    )
    return st.recursive(leaves, _larger, max_leaves=most_leaves)


EXPRS = expressions(4)

# --------------------------------------------------------------------------------------------------------- types


def _worded_elements(names: tuple[ast.Name, ...], texts: list[str | None]) -> ast.EnumType:
    """An enumeration in which some names, each once, are called otherwise."""
    given = {n.id: (n, t) for n, t in zip(names, texts, strict=False)}
    once = [n.id for n in names if [m.id for m in names].count(n.id) == 1]
    words = tuple(ast.ElementWords(n, t) for name, (n, t) in given.items() if t is not None and name in once)
    return ast.EnumType(names, words)


def _prefix_types() -> st.SearchStrategy[ast.Type]:
    part = st.builds(ast.NamedType, NAMES) | st.builds(ast.RangeType, EXPRS, EXPRS)
    base = st.one_of(
        st.builds(ast.NamedType, NAMES),
        st.builds(ast.RangeType, EXPRS, EXPRS),
        st.builds(_worded_elements, tuples(names, 1), st.lists(st.none() | TEXTS, max_size=3)),
        st.builds(ast.ProductType, tuples(part, 2)),
    )
    return st.recursive(
        base,
        lambda inner: st.one_of(
            st.builds(ast.OptionalType, inner),
            st.builds(ast.SetType, inner),
            st.builds(ast.CountdownType, st.none() | EXPRS),
            st.builds(ast.StackType, inner, EXPRS),
        ),
        max_leaves=2,
    )


def types() -> st.SearchStrategy[ast.Type]:
    prefix = _prefix_types()
    return st.one_of(
        prefix,
        st.builds(ast.MapType, prefix, prefix),
        st.builds(ast.MapType, prefix, st.builds(ast.MapType, prefix, prefix)),
    )


TYPES = types()

# ---------------------------------------------------------------------------------------------------- statements


def line(cls: Any, *fields: Any) -> st.SearchStrategy[Any]:
    """A line node with notes."""
    return st.builds(cls, *fields, notes=notes())


def bindings() -> st.SearchStrategy[ast.Binding]:
    return st.builds(ast.Binding, names, EXPRS)


def _removals() -> st.SearchStrategy[ast.Remove]:
    some = line(ast.Remove, st.just(False), EXPRS, EXPRS)
    return some | line(ast.Remove, st.just(True), st.none() | EXPRS, EXPRS)


def _simple_statements() -> st.SearchStrategy[ast.Stmt]:
    optional = st.none() | EXPRS
    some_names = tuples(names, 1)
    return st.one_of(
        line(ast.Put, EXPRS, EXPRS, tuples(bindings(), most=2)),
        line(ast.Reveal, EXPRS, optional),
        _removals(),
        line(ast.MovePiece, st.none() | EXPRS, EXPRS, EXPRS),
        line(ast.SetTo, EXPRS, EXPRS),
        line(ast.Add, EXPRS, EXPRS),
        line(ast.Take, EXPRS, EXPRS),
        line(ast.Push, EXPRS, EXPRS),
        line(ast.Pop, EXPRS, st.none() | names),
        line(ast.Perform, ACTION_NAMES, tuples(EXPRS)),
        line(ast.Let, names, EXPRS),
        line(ast.Stop),
        line(ast.Skip),
        line(ast.Again),
        line(ast.EndPhase),
        line(ast.Roll, st.integers(1, 9), NUMBERS, names),
        line(ast.Pick, EXPRS, names),
        line(ast.DrawFrom, EXPRS, names),
        line(ast.Shuffle, EXPRS),
        line(ast.ShuffleInto, EXPRS, EXPRS),
        line(ast.Deal, optional, EXPRS, EXPRS),
        line(ast.Discard, EXPRS, EXPRS, EXPRS),
        line(ast.NotePosition, st.sampled_from(["position", "board"]), some_names | st.just(())),
        line(ast.Chooses, EXPRS, EXPRS, optional),
        line(ast.Passes, EXPRS),
        line(ast.Everyone, optional, some_names),
        line(ast.Draws, EXPRS, some_names),
        line(ast.PlayGame, names, tuples(bindings()), st.none() | names),
        line(ast.Verdict, st.sampled_from(["win", "lose"]), EXPRS, st.none() | TEXTS),
        line(ast.DrawGame, st.none() | TEXTS),
        line(ast.RankBy, st.sampled_from(["rank", "score"]), names),
    )


def _compound(stmts: st.SearchStrategy[ast.Stmt]) -> st.SearchStrategy[ast.Stmt]:
    body = tuples(stmts, 1, 2)
    optional = st.none() | EXPRS
    first = st.builds(ast.Branch, EXPRS, body)
    branches = st.tuples(first, tuples(line(ast.Branch, EXPRS, body), 0, 2)).map(lambda pair: (pair[0], *pair[1]))
    return st.one_of(
        line(ast.If, branches, st.none() | line(ast.Else, body)),
        line(ast.For, binders(EXPRS), body),
        line(ast.Repeat, optional, body, st.none() | line(ast.Until, EXPRS)),
        line(ast.Phase, names, body),
        line(ast.Turns, EXPRS, optional, optional, body),
        line(ast.Plays, EXPRS, tuples(names, 1), st.none() | line(ast.MayPass), st.none() | line(ast.Stuck, body)),
    )


def statements(most_leaves: int = 4) -> st.SearchStrategy[ast.Stmt]:
    return st.recursive(_simple_statements(), _compound, max_leaves=most_leaves)


STATEMENTS = statements()

# -------------------------------------------------------------------------------------------------- declarations

SEEN = st.sampled_from(["all", "owner", "nobody"])


def _boards() -> st.SearchStrategy[ast.Decl]:
    shape = st.builds(ast.BoardShape, st.sampled_from(["grid", "hex", "track"]), tuples(EXPRS, 1, 2), tuples(EXPRS))
    shape |= st.builds(ast.BoardShape, st.just("hex star"), tuples(EXPRS, 1, 1), tuples(EXPRS))
    grid = line(
        ast.BoardDecl,
        tuples(shape, 1, 2),
        tuples(EXPRS),
        st.sampled_from([None, "letters", "numbers"]),
        st.sampled_from([None, "top", "bottom"]),
    )
    shape_decl = line(ast.ShapeDecl, safe_names, TEXTS)
    links = line(ast.GraphLinks, names, tuples(names, 1)) | line(ast.GraphNodes, tuples(names, 1))
    links |= line(ast.GraphPlace, names, EXPRS, EXPRS) | line(ast.GraphPath, tuples(names, 1))
    around = st.builds(ast.Around, EXPRS, EXPRS, EXPRS, st.none() | EXPRS, st.none() | EXPRS)
    links |= line(ast.GraphRing, tuples(names, 2), st.none() | around)
    return st.one_of(
        grid, shape_decl, line(ast.GraphDecl, tuples(links)), line(ast.DrawingDecl, EXPRS, tuples(_strokes(), most=2))
    )


def _strokes() -> st.SearchStrategy[ast.StrokeDecl]:
    none, some = st.just(()), tuples(names, 1)
    condition = st.one_of(
        line(ast.StrokeCondition, st.sampled_from(["horizontal", "vertical"]), NUMBERS, none),
        line(ast.StrokeCondition, st.sampled_from(["apart", "crosses once"]), st.none(), some),
        line(
            ast.StrokeCondition,
            st.sampled_from(["simple", "crosses", "avoids crossings", "new ends"]),
            st.none(),
            none,
        ),
    )
    shape = st.sampled_from(["closed curve", "straight line", "open curve"])
    return line(ast.StrokeDecl, tuples(names, 1), shape, st.none() | NAMES.map(ast.Name), tuples(condition, most=2))


def _variables() -> st.SearchStrategy[ast.Variable]:
    return line(ast.Variable, tuples(names, 1), TYPES, st.none() | EXPRS, SEEN)


def _params(ranged: bool) -> st.SearchStrategy[tuple[ast.Param, ...]]:
    typed = st.builds(ast.Param, names, TYPES, st.none(), SEEN)
    over = st.builds(ast.Param, names, st.none(), EXPRS, SEEN)
    return tuples(typed | over if ranged else typed)


def _claims() -> st.SearchStrategy[ast.ClaimDecl]:
    claim: st.SearchStrategy[ast.Claim] = st.one_of(
        st.builds(ast.Always, EXPRS),
        st.builds(ast.Never, EXPRS),
        st.builds(ast.Reachable, EXPRS),
        st.builds(ast.LeadsTo, EXPRS, EXPRS),
        st.builds(ast.Ends, st.none() | EXPRS),
        st.builds(ast.Balanced, EXPRS),
        st.builds(ast.Used, tuples(names, 1)),
        st.builds(ast.MayTell, st.sampled_from(("moves", "results")), tuples(names, 1), st.none() | EXPRS),
    )
    return line(ast.ClaimDecl, st.none() | TEXTS, claim, st.none() | names)


def _notation_lines() -> st.SearchStrategy[ast.NotationLine]:
    items = tuples(st.builds(ast.NotationItem, TEXTS, st.none() | EXPRS), 1)
    return st.one_of(
        line(ast.NotationBoard, TEXTS),
        line(ast.NotationText, items, st.none() | TEXTS, tuples(binders(EXPRS), most=2)),
        line(ast.NotationAny, TEXTS),
        line(ast.NotationCount, TEXTS, st.none() | names),
        line(ast.NotationMoves, tuples(names, 1), tuples(_notation_parts(items), 1)),
        line(ast.NotationAfter, items),
    )


def _notation_parts(items: st.SearchStrategy[tuple[ast.NotationItem, ...]]) -> st.SearchStrategy[ast.NotationPart]:
    for_each = tuples(binders(EXPRS), most=2)
    return line(ast.NotationText, items, st.none() | TEXTS, for_each) | line(ast.NotationApart, items, for_each)


def _line_ends() -> st.SearchStrategy[ast.LineEnd]:
    offsets = st.one_of(st.just((None, None)), st.tuples(EXPRS, EXPRS))
    return st.builds(lambda place, at: ast.LineEnd(place, *at), EXPRS, offsets)


def _looks() -> st.SearchStrategy[ast.LookItem]:
    colour = st.none() | SAFE_NAMES
    called = st.none() | TEXTS
    for_each = tuples(binders(EXPRS), most=2)
    optional = st.none() | EXPRS
    places = st.tuples(tuples(EXPRS, 1), st.booleans()) | st.just(((), False))
    leave = st.builds(
        lambda text, place, named, each, after, when, redrawn, around: ast.LookLeave(
            text, place[0], place[1], named, each, after, when, redrawn, notes=around
        ),
        st.none() | TEXTS,
        places,
        called,
        for_each,
        st.none() | NAMES,
        optional,
        st.booleans(),
        notes(),
    )
    style = st.sampled_from(["light", "heavy", "double", "dashed"])
    return st.one_of(
        line(ast.LookShow, EXPRS, TEXTS, optional, colour, called, for_each, st.none() | SAFE_NAMES, st.booleans()),
        line(ast.LookStroke, EXPRS, style, colour, called, for_each),
        line(ast.LookLine, _line_ends(), _line_ends(), st.none() | _line_ends(), style, colour, called, for_each),
        line(ast.LookTint, EXPRS, SAFE_NAMES, called, for_each),
        line(ast.LookBorder, EXPRS, TEXTS, colour, called, for_each),
        line(ast.LookCells, st.sampled_from(["crossings", "dots", "unnamed"])),
        line(ast.LookBeside, TEXTS, optional, for_each),
        leave,
        line(ast.LookSay, TEXTS, for_each, st.none() | NAMES, optional),
    )


def _small_declarations() -> st.SearchStrategy[ast.Decl]:
    message = st.none() | TEXTS
    body = tuples(STATEMENTS, most=2)
    kind = st.builds(ast.TokenKind, names, st.none() | TYPES, message)
    header = line(ast.HeaderItem, st.sampled_from(["by", "source", "clauses"]), TEXTS)
    info = line(
        ast.InfoItem,
        st.sampled_from(get_args(ast.InfoKey)),
        TEXTS,
        st.none() | names,
        st.none() | EXPRS,
    )
    removed = st.sampled_from(["move", "look", "forbid", "piece"])
    return st.one_of(
        line(ast.GameDecl, TEXTS, tuples(header)),
        line(ast.UseDecl, TEXTS, names),
        line(ast.VariantDecl, TEXTS, tuples(bindings())),
        line(ast.RemoveDecl, removed, st.none() | names),
        line(ast.RemoveDecl, st.sampled_from(["claim", "forbid"]), TEXTS.map(ast.Name)),
        line(ast.PlayersNamed, tuples(names, 1)),
        line(ast.PlayersRange, NUMBERS, NUMBERS, st.none() | NUMBERS),
        line(ast.OptionDecl, names, TYPES, EXPRS, message),
        line(ast.TypeDecl, names, TYPES),
        _boards(),
        line(
            ast.PieceDecl,
            tuples(names, 1),
            st.none() | TYPES,
            st.none() | NAMES,
            st.booleans(),
            st.none() | EXPRS,
            SEEN,
            tuples(_variables(), most=2),
        ),
        line(ast.TokenDecl, names, tuples(kind, 1), tuples(_variables(), most=2)),
        line(ast.StateDecl, tuples(_variables())),
        line(ast.TableDecl, names, TYPES, tuples(line(ast.TableRow, tuples(EXPRS, most=2), tuples(EXPRS, 1)))),
        line(ast.DefineDecl, names, _params(ranged=False), st.none() | TYPES, st.none() | EXPRS, EXPRS),
        line(ast.ActionDecl, names, _params(ranged=False), body),
        line(
            ast.MoveDecl,
            names,
            _params(ranged=True),
            st.booleans(),
            message,
            st.just(()),
            tuples(line(ast.Guard, EXPRS, message)),
            body,
        ),
        line(ast.ForbidDecl, EXPRS, message),
        line(ast.PlayDecl, body),
        _claims(),
        line(ast.LookDecl, tuples(_looks())),
        line(ast.NotationDecl, names, tuples(_notation_lines(), 1)),
        line(ast.InfoDecl, tuples(info)),
    )


def declarations() -> st.SearchStrategy[ast.Decl]:
    small = _small_declarations()
    return st.one_of(
        small,
        small,
        small,
        line(ast.PartDecl, names, tuples(small, most=2)),
        line(ast.InPartDecl, names, tuples(small, most=2)),
    )


def rulesets(most: int = 3) -> st.SearchStrategy[ast.Ruleset]:
    """Whole files. ``parse(format_ruleset(t))`` is ``t`` but for empty lines that the formatter decides about."""
    return st.builds(ast.Ruleset, tuples(declarations(), most=most), tuples(COMMENTS, most=2))
