"""Queries for the Tree-sitter grammar: what editors color, fold, indent and list. Every editor has names of its own for colors."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial

from gamedsl.language.grammars.grammar_nodes import makes_node, reached_terminals, symbols_with_blocks
from gamedsl.language.grammars.textmate import CONSTANTS, OPERATORS
from gamedsl.language.rules import builtin_words
from gamedsl.language.syntax import language

_HEAD = "; Made from grammar/gamedsl.lark by `python -m gamedsl.language.grammars.derived_files`: do not edit.\n\n"

# The names of colors that an editor has instead of those of Tree-sitter itself.
_HELIX = {
    "number": "constant.numeric.integer",
    "property": "variable.other.member",
    "operator.word": "keyword.operator",
}
_ZED = {
    "constant.builtin": "constant",
    "function.builtin": "function",
    "operator.word": "keyword",
    "variable.builtin": "variable.special",
    "variable.parameter": "variable",
}
_TREE_SITTER = {"operator.word": "keyword.operator"}

# Nodes that begin with a keyword and the name that they give.
_FUNCTIONS = ("action", "define", "move")
_VALUES = ("let", "notation", "option", "part", "phase", "shape_decl", "table")
_RARELY = {"game", "piece", "plays", "token"}  # most of these do without their blocks
_BRACKETS = {"(": ")", "[": "]", "{": "}"}


def _highlights(names: dict[str, str], other_names: bool = True) -> str:
    """The colors, by the names of an editor. No two patterns color the same word, except that names have a color of their own before
    all others: versions of Helix take the first of two, or the last, so it does without (``other_names``).
    """
    known = language()
    texts = {known.texts[name] for name in reached_terminals() if name in known.texts and name != "DIE"}
    words = {text for text in texts if text[0].isalpha()}
    signs = texts - words
    delimiters = signs & {",", ":", "."}
    brackets = set(_BRACKETS) | set(_BRACKETS.values())
    builtin = f"any-of? @COLOR\n    {_lines(sorted(builtin_words()), 4)}"
    patterns = [
        *([("(name)", "variable")] if other_names else []),
        (f"(ref (name) @COLOR\n  (#{builtin}))", "variable.builtin"),
        (f"(call . (name) @COLOR\n  (#{builtin}))", "function.builtin"),
        (f"(call . (name) @COLOR\n  (#not-{builtin}))", "function"),
        *((f"({node} . {_keyword(node)} . (name) @COLOR)", "function") for node in _FUNCTIONS),
        ('(plays "plays" (name) @COLOR)', "function"),
        ('(type_decl "type" . (name) @COLOR)', "type"),
        ("(named_type (name) @COLOR)", "type"),
        ("(typed_param . (name) @COLOR)", "variable.parameter"),
        ("(ranged_param . (name) @COLOR)", "variable.parameter"),
        ('(field "." (name) @COLOR)', "property"),
        (_any_of(words - OPERATORS - CONSTANTS), "keyword"),
        ("(die)", "keyword"),
        (_any_of(words & OPERATORS), "operator.word"),
        (_any_of(words & CONSTANTS), "constant.builtin"),
        (_any_of(signs - delimiters - brackets), "operator"),
        (_any_of(delimiters), "punctuation.delimiter"),
        (_any_of(brackets), "punctuation.bracket"),
        ("(integer)", "number"),
        ("(string)", "string"),
        ("(comment)", "comment"),
        ("(citation)", "attribute"),
    ]
    return _HEAD + "\n\n".join(_colored(pattern, names.get(color, color)) for pattern, color in patterns) + "\n"


def _colored(pattern: str, color: str) -> str:
    return pattern.replace("@COLOR", f"@{color}") if "@COLOR" in pattern else f"{pattern} @{color}"


def _any_of(texts: Iterable[str]) -> str:
    return f"[\n  {_lines(sorted(texts), 2)}\n]"


def _lines(texts: list[str], indent: int) -> str:
    """Strings, in lines of a readable length."""
    lines = [""]
    for text in texts:
        quoted = json.dumps(text)
        if len(lines[-1]) + len(quoted) > 110:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + quoted
    return f"\n{' ' * indent}".join(lines)


def _keyword(node: str) -> str:
    return json.dumps(node.partition("_")[0])


def _blocks() -> list[str]:
    """The nodes that can end in an indented block."""
    return sorted(name for name in symbols_with_blocks() if makes_node(name))


def _indenting() -> list[str]:
    """The nodes after whose first line another is indented."""
    return [node for node in _blocks() if node not in _RARELY]


def _node_list(nodes: Iterable[str]) -> str:
    return "[\n" + "".join(f"  ({node})\n" for node in nodes) + "]"


def _folds() -> str:
    return f"{_HEAD}{_node_list(_blocks())} @fold\n"


def _helix_indents() -> str:
    return f"{_HEAD}{_node_list(_indenting())} @indent\n"


def _helix_textobjects() -> str:
    nodes = _node_list(_FUNCTIONS)
    return f"{_HEAD}{nodes} @function.around\n\n(params (_) @parameter.inside)\n\n(comment) @comment.inside\n\n(comment)+ @comment.around\n"


def _zed_outline() -> str:
    found = [f"({node} . {_keyword(node)} @context . (name) @name) @item" for node in sorted((*_FUNCTIONS, *_VALUES))]
    found += [
        '(type_decl "type" @context . (name) @name) @item',
        '(piece "piece" @context (piece_name . (name) @name)) @item',
    ]
    found += ['(claim "claim" @context . (string) @name) @item', '(game "game" @context . (string) @name) @item']
    whole = sorted(
        ("board", "drawing", "graph", "info", "look", "play_decl", "players_named", "players_range", "state")
    )
    found += [f"({node} . {_WHOLE.get(node, _keyword(node))} @name) @item" for node in whole]
    return _HEAD + "\n\n".join(found) + "\n"


_WHOLE = {"drawing": '"board"', "graph": '"board"'}


def _zed_brackets() -> str:
    return _HEAD + "".join(f'("{opening}" @open "{closing}" @close)\n' for opening, closing in _BRACKETS.items())


def _zed_indents() -> str:
    pairs = "".join(f'(_ "{opening}" "{closing}" @end) @indent\n' for opening, closing in _BRACKETS.items())
    return f"{_HEAD}{_node_list(_indenting())} @indent\n\n{pairs}"


def _zed_overrides() -> str:
    return f"{_HEAD}(comment) @comment.inclusive\n\n(string) @string\n"


# By the path in `editors/`.
TREE_SITTER_QUERIES: dict[str, Callable[[], str]] = {
    "tree-sitter/queries/highlights.scm": partial(_highlights, _TREE_SITTER),
    "tree-sitter/queries/folds.scm": _folds,
    "helix/queries/gamedsl/highlights.scm": partial(_highlights, _HELIX, False),
    "helix/queries/gamedsl/indents.scm": _helix_indents,
    "helix/queries/gamedsl/textobjects.scm": _helix_textobjects,
    "zed/languages/gamedsl/highlights.scm": partial(_highlights, _ZED),
    "zed/languages/gamedsl/overrides.scm": _zed_overrides,
    "zed/languages/gamedsl/outline.scm": _zed_outline,
    "zed/languages/gamedsl/brackets.scm": _zed_brackets,
    "zed/languages/gamedsl/indents.scm": _zed_indents,
}
