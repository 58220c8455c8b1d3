"""Messages about boards, notes, tables, steps and what pieces carry (E036 to E039). The check fills in names in
braces.
"""

from __future__ import annotations

BOARDS_MESSAGES: dict[str, tuple[str, str]] = {
    "E0360": ("{problem}", "Change the board or the numbers."),
    "E0361": ("`{name}` does not apply to this board ({board})", "Use what this kind of board offers."),
    "E0362": (
        "`steps` expects a line, not {got}",
        "Pass an element of `lines(k)`, or a cell and a set of directions.",
    ),
    "E0363": ("`crossings` expects the name of a stroke", "Strokes: {strokes}."),
    "E0364": ("`other` expects an element of a type with two elements, not {got}", "Name the element you mean."),
    "E0365": (
        "`{what}` is not a piece",
        "Name a piece of this ruleset: `mark[me]`, or `grey` if it belongs to nobody.",
    ),
    "E0366": ("the ruleset does not state how many `{name}` there are", "Declare it: `piece {name}, 10 in supply`."),
    "E0367": ("this is not a stack", "Declare it `stack of T up to n`."),
    "E0368": ("`repetition` needs noted positions", "Write `note position` at the start of a turn."),
    "E0369": ("`{name}` cannot be part of a position", "Name state variables of this ruleset, but no stacks."),
    "E0370": (
        "this ruleset notes both boards and positions",
        "`repetition` counts one of the two. Use only `note board` or only `note position`.",
    ),
    "E0371": (
        "noted positions include the player to move, but nobody is to move here",
        "Use this inside `turns from`, or write `note board`.",
    ),
    "E0372": (
        "table `{name}` has no keys: `{type}` is not a map",
        "Name the type of the keys: `table {name}: KEY -> {type}`.",
    ),
    "E0373": (
        "table `{name}` has no row for {keys}",
        "Add a row `{row}`, or a last row `else: ...` for all that are missing.",
    ),
    "E0374": ("`{key}` already has a row", "Keep one of the two."),
    "E0375": (
        "wrong number of keys for a row of `{name}`: {given} instead of {count}",
        "Begin the row with `{shape}: ...`; with several keys, the last may be omitted.",
    ),
    "E0376": (
        "wrong number of values for the last key, which this row omits: {given} instead of {count}",
        "Give one value for each, in this order: {names}.",
    ),
    "E0377": ("`else` must be the last row of a table", "Move this row to the end."),
    "E0378": ("no key of `{name}` is left for `else`", "Remove this row: every key has its own."),
    "E0379": (
        "this row gives {given} values, but a value of `{name}` is {type}",
        "Give one value; only a table of sets (`set of ...`) lists several.",
    ),
    "E0380": (
        "a step from {wanted} must not lead to {got}",
        "A step must lead to elements of the type from which it starts.",
    ),
    "E0381": (
        "`{what}` is neither an adjacency nor a relation",
        "Name `side`, `corner` or `any`, a relation of the board, or a definition with two elements that gives yes or no.",
    ),
    "E0382": (
        "`{name}` does not say which elements are adjacent",
        "Define it for two elements of one type (yes or no), or for one element (the set of the adjacent ones).",
    ),
    "E0383": (
        "a number of steps in a direction is only allowed in `step(...)`",
        "Write `step(c, 2 north, 1 east)` with a cell first.",
    ),
    "E0384": (
        "there are {size} ways to take this step, more than {most}",
        "Give the numbers a smaller range, or name the directions.",
    ),
    "E0390": (
        "this notation has no board to write",
        "Write `board` once, in a ruleset with a grid, hex or track.",
    ),
    "E0391": ("there are two notations called `{name}`", "Give one of them another name."),
    "E0392": (
        "the notation writes `{name}` twice",
        "Name every move once; moves that are written alike go together: `move a | b`.",
    ),
    "E0393": (
        "a piece cannot carry `{name}`: {why}",
        "A piece carries single values and sets, and is alone on its cell. Keep anything else in `state`: "
        "`{name}: cell -> ...`.",
    ),
    "E0394": (
        "{piece} is put without its `{name}`",
        "Give a value: `{line} with {name} = ...`. Or declare a first value: `{name}: ... = ...`.",
    ),
    "E0395": ("{piece} carries no `{name}`", "It carries: {fields}."),
    "E0396": (
        "two pieces carry `{name}` with different types or visibility",
        "Give it the same type and the same `seen by` in both declarations, or use two names.",
    ),
    "E0397": (
        "`{what}` is not hidden",
        "Remove this line, or hide it where it is declared: `, seen by owner` or `, seen by nobody`.",
    ),
    "E0398": (
        "`{what}` cannot be revealed",
        "Only a state variable, a piece or a value that a piece carries can be revealed: `reveal hand[me] to rival`.",
    ),
    "E0399": (
        "`{name}` cannot be hidden like this",
        "Only a parameter of a move can be hidden, and its mover knows it: `{name}: ... seen by owner`.",
    ),
}
