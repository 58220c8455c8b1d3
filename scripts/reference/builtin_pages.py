"""The page of builtins: signatures from their declarations, and examples whose values are worked out in a position."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import gamedsl
from gamedsl import State
from gamedsl.language.boards import Board
from gamedsl.language.rules.board_words import describe_result, usual_boards
from gamedsl.language.rules.expressions.builtins import BUILTINS
from gamedsl.language.rules.expressions.name_lookup import LANGUAGE_WORDS
from scripts.reference.markdown import fence, page, table

RULESET = """players X, O

board grid 5 by 5

type way = {across, down}

shape ell = "X./XX"

piece mark of player
piece grey, 10 in supply

state
  stock: 0..9 = 4
  pile: stack of player up to 3

move place(c: cell) written "{c}"
  when c in empty "that cell is taken"
  put mark[me] on c

play
  push X on pile
  push O on pile
  put grey on c5
  turns from X
    note position
    me plays place
      stuck
        draw
    if turn = 20
      draw
"""
MOVES = ("c3", "a1", "c4", "b2", "d3", "e5")
EXAMPLES = {
    "count": ("count(mark[X])",),
    "min": ("min(2, stock)",),
    "max": ("max(2, stock)",),
    "abs": ("abs(row(a1) - row(c4))",),
    "other": ("other(across)",),
    "number": ("number(down)",),
    "the": ("the(mark[O] & top_row)",),
    "rival": ("rival(X)",),
    "next": ("next(O)",),
    "supply": ("supply(grey)",),
    "height": ("height(pile)", "height(c5)"),
    "top": ("top(pile)",),
    "repetition": ("repetition(1)", "repetition(2)"),
    "steps": ("steps(c3, {north, east})", "every l in lines(3): every (a, b) in steps(l): in_line(a, b)"),
    "neighbors": ("neighbors(c3)", "neighbors(c3, corner)", "neighbors({c3, c4})"),
    "placings": ("count(placings(ell))", "count(placings(ell, fixed))"),
    "connected": ("connected(mark[X], {c4}, {d3})",),
    "component": ("component(c3, mark[X])", "component(a1, mark[O], any)"),
    "turned": ("turned(north, 2)",),
    "all": ("count(all(cell))",),
}
WORDS = {
    "me": "me",
    "rival": "rival",
    "players": "players",
    "empty": "empty & top_row",
    "occupied": "occupied & rim",
    "turn": "turn = 7",
}
RELATIONS = """adjacent(a1, b1); adjacent(a1, b2, any); aligned(a1, a4); between(a1, a4); center; column(c4); columns; corners(a1, c3);
count(blocks(4, 4)); count(rings); count(straights(4)); diagonals(5); direction(a1, c3); distance(a1, c4); distance(a1, c4, any);
edge_between(a1, b1); gridlines; in_line(a1, c3); count(lines(5)); line(a1, north); opposite(north); passages(a1, b2); ray(c3, east); rim;
row(c4); rows; same_column(c3, c4); same_row(c3, d3); sides(a1); step(c3, north); step(c5, north); step(a1, 2 north, east); top_row"""


@cache
def position() -> State:
    """The position of the examples, after some moves of the ruleset."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "example.gdl"
        path.write_text(RULESET, encoding="utf-8")
        game = gamedsl.load(path)
        game.rules  # noqa: B018  is read while the file is there
        state = game.initial_state()
        for text in MOVES:
            state = state.apply(game.parse_move(text, state))
        for expression in _all_expressions():
            _VALUES[expression] = value_text(state.ask(expression))
    return state


_VALUES: dict[str, str] = {}


def _board_lines(board: Board) -> list[str]:
    """Returns the words of a board as lines of Markdown."""
    lines = ["Types: " + ", ".join(f"`{n}`" for n in board.domains) + ".", ""]
    if board.constants:
        lines += ["Names: " + ", ".join(f"`{n}`" for n in board.constants) + ".", ""]
    if board.families:
        calls = sorted(
            f"`{n}`" if k == 0 else f"`{n}({', '.join('k' * 1 for _ in range(k))})`" for n, k in board.families
        )
        lines += ["Families: " + ", ".join(calls) + ".", ""]
    lines += ["| relation | gives |", "|---|---|"]
    for relation in sorted(board.relations.values(), key=lambda r: (r.name, len(r.params))):
        params = ", ".join(d.name for d in relation.params)
        lines.append(f"| `{relation.name}({params})` | {describe_result(relation.result)} |")
    return lines


def _all_expressions() -> Iterator[str]:
    yield from (e for name in BUILTINS for e in _examples(name))
    yield from WORDS.values()
    yield from relations()


def _examples(name: str) -> tuple[str, ...]:
    """Expressions that use the builtin: those of the table, or the example with which it is declared."""
    return EXAMPLES.get(name, (BUILTINS[name].example,))


def relations() -> tuple[str, ...]:
    """Examples of what a grid gives."""
    return tuple(" ".join(e.split()) for e in RELATIONS.split(";"))


def value_text(value: object) -> str:
    """A value as the language writes it."""
    match value:
        case bool():
            return "yes" if value else "no"
        case None:
            return "none"
        case frozenset():
            return f"{{{', '.join(sorted(map(value_text, value)))}}}"
    return str(value)


def diagram(state: State) -> str:
    """The board, as positions show it: rows from the top, each with its cells."""
    rows = re.findall(r'^  - "(.*)"  # (.*)$', state.position_text(), re.M)
    return "\n".join(f"{signs}    {cells}" for signs, cells in rows)


def builtin_pages() -> Iterator[tuple[str, str]]:
    """The page, by its path in the docs."""
    state = position()
    words = [(f"`{w}`", text, f"`{WORDS[w]}` is `{_VALUES[WORDS[w]]}`") for w, text in LANGUAGE_WORDS.items()]
    boards = [f"## On a {title}\n\n{chr(10).join(_board_lines(board))}" for title, board in usual_boards()]
    some = table(("expression", "value"), [(f"`{e}`", f"`{_VALUES[e]}`") for e in relations()])
    boards[0] += f"\n\nIn the position above:\n\n{some}"
    yield (
        "reference/builtins.md",
        page(
            "Builtins",
            "The words, functions and sets that expressions can use. The values are those in one position, of the ruleset "
            "[below](#the-position-of-the-examples), with X to move:",
            fence(diagram(state)),
            f"## Words\n\n{table(('word', 'meaning', 'example'), words)}",
            "## Functions",
            *(_function(name) for name in BUILTINS),
            *boards,
            f"## The position of the examples\n\n{fence(RULESET, 'gdl')}\n\nThe moves are {', '.join(MOVES)}.",
        ),
    )


def _function(name: str) -> str:
    builtin = BUILTINS[name]
    rows = "\n".join(f"- `{e}` is `{_VALUES[e]}`" for e in _examples(name))
    signatures = "\n".join(s.strip() for s in builtin.signature.split(";"))
    return f"### {name}\n\n{fence(signatures)}\n\n{builtin.text}\n\n{rows}"
