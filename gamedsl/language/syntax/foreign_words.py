"""Words of other languages that newcomers try, and how to say the same in this one."""

from __future__ import annotations

FOREIGN_STATEMENTS = {
    "while": "write a loop as `repeat`, with its statements indented below, and `until` with the condition that ends it",
    "loop": "write a loop as `repeat`, with its statements indented below, and `until` with the condition that ends it",
    "foreach": "write `for x in S`",
    "elif": "write `else if`",
    "elseif": "write `else if`",
    "break": "`stop` ends a move or an action; the condition after `until` ends a loop",
    "return": "`stop` ends a move or an action; `define` gives a value a name",
    "var": "inside a move, name a value with `let x = ...`; declare variables that last under `state`",
    "const": "write `let x = ...`, or `define` for the whole ruleset",
    "switch": "write `if`, `else if` and `else`",
    "match": "write `if`, `else if` and `else`",
    "print": "use `look` for the picture of the board, and `info` for the text that players read",
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
