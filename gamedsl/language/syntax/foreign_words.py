"""Words of other languages that newcomers try, and how to say the same in this one."""

from __future__ import annotations

FOREIGN_STATEMENTS = {
    "while": "a loop is `repeat` with the statements below it and `until` with the condition that ends it",
    "loop": "a loop is `repeat` with the statements below it and `until` with the condition that ends it",
    "foreach": "write `for x in S`",
    "elif": "write `else if`",
    "elseif": "write `else if`",
    "break": "`stop` ends a move or an action; a loop ends by its `until`",
    "return": "`stop` ends a move or an action; a value is given a name by `define`",
    "var": "a value inside a move is `let x = ...`; what lasts is declared below `state`",
    "const": "write `let x = ...`, or `define` for the whole ruleset",
    "switch": "write `if`, `else if` and `else`",
    "match": "write `if`, `else if` and `else`",
    "print": "`look` describes what is shown, `info` what players read",
    "assert": "a claim about every position is `claim always F`",
    "call": "write the name of the action alone, as in `settle` or `lift(c)`",
    "increment": "write `add 1 to x`",
    "decrement": "write `take 1 from x`",
    "pass": "a player who may pass: `me plays a or passes`",
    "end": "a game ends by `win me`, `lose me`, `draw` or `rank by x`",
}
FOREIGN_FUNCTIONS = {
    "size": "count",
    "len": "count",
    "length": "count",
    "card": "count",
    "cardinality": "count",
    "sizeof": "count",
    "opponent": "rival",
    "other_player": "rival",
    "neighbourhood": "neighbors",
    "neighborhood": "neighbors",
    "adjacents": "neighbors",
    "minimum": "min",
    "maximum": "max",
    "ord": "number",
    "index": "number",
}
