"""Trees of every kind of node, drawn from the shapes of the data form. Most have no text form; all have a data form."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from gamedsl.language.syntax import ast
from gamedsl.language.syntax.data.data_shapes import (
    BoolShape,
    ChoiceShape,
    ListShape,
    NotesShape,
    NumberShape,
    ObjectShape,
    Shape,
    TextKind,
    TextShape,
    WrappedShape,
    fields_of,
)

NAMES = st.sampled_from(["a", "c", "on", "no", "yes", "null", "n", "y", "mark", "X1", "_", "true", "off", "inf"])
LINES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=12)
CLAUSES = st.sampled_from(["4.05", "4.05c", "TT-1", "1e3", "5", "5.2.02", "0x1F"])
COMMENTS = LINES.map(lambda s: s.rstrip(" "))
TEXTS: dict[TextKind, st.SearchStrategy[str]] = {"name": NAMES, "clause": CLAUSES, "text": LINES, "comment": COMMENTS}
LEAVES = (ast.Ref, ast.Int, ast.Bool, ast.NamedType, ast.DrawGame, ast.PlayersNamed)


def values(shape: Shape, depth: int) -> st.SearchStrategy[Any]:
    match shape:
        case TextShape(text):
            return TEXTS[text]
        case WrappedShape(cls, _, text):
            return st.builds(cls, TEXTS[text])
        case NumberShape(low, high):
            return st.integers(low, high)
        case BoolShape():
            return st.booleans()
        case ChoiceShape(words):
            return st.sampled_from(words)
        case ListShape(item, least):
            return st.lists(values(item, depth - 1), min_size=least, max_size=max(least, 2 if depth > 0 else 0)).map(
                tuple
            )
        case NotesShape():
            return nodes(ast.Notes, 1) if depth > 0 else st.just(ast.Notes())
        case ObjectShape(classes):
            small = [c for c in classes if c in LEAVES] if depth <= 0 else []
            return st.sampled_from(small or classes).flatmap(lambda c: nodes(c, depth - 1))


def nodes(cls: type, depth: int) -> st.SearchStrategy[Any]:
    """Any node of a class, its inner nodes ``depth`` levels deep."""
    fields = {}
    for f in fields_of(cls):
        inner = values(f.shape, depth)
        fields[f.name] = inner if f.required else st.just(f.default) | inner
    return st.fixed_dictionaries(fields).map(lambda given: cls(**given))


def any_node(depth: int = 3) -> st.SearchStrategy[Any]:
    from gamedsl.language.syntax.data.data_shapes import node_classes

    return st.sampled_from(node_classes()).flatmap(lambda c: nodes(c, depth))
