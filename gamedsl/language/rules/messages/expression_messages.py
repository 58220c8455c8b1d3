"""Messages about values and their types (E030 to E033). The check fills in names in braces."""

from __future__ import annotations

EXPRESSIONS_MESSAGES: dict[str, tuple[str, str]] = {
    "E0301": ("this must be {wanted}, but it is {got}", "Use a value of that kind here."),
    "E0302": ("`{name}` is a map: it needs a {key} in brackets", "Write `{name}[...]`."),
    "E0303": ("a result cannot be used as a value", "Use its `.winner`, `.winners` or `.drawn`."),
    "E0304": ("`{name}` is a move, not a value", "Use it in `after {name}: ...`."),
    "E0305": ("these two can never be equal: {left} and {right}", "Compare values of one type."),
    "E0306": (
        "this is {value}, which does not fit in {low}..{high}",
        "Change the value, or widen the declared range of the variable.",
    ),
    "E0307": (
        "{what} must be known when the file is loaded",
        "Use only numbers and options here, nothing that changes during the game.",
    ),
    "E0308": (
        "a tuple is not allowed here",
        "Use tuples where a tuple is expected: in sets of tuples, before `in`, and beside `=`.",
    ),
    "E0309": ("the range {low}..{high} is empty", "The first number must not be greater than the last."),
    "E0310": ("`{what}` is not a map", "Only maps and owned pieces take keys in brackets."),
    "E0311": ("`{name}` takes {count} in brackets", "Omit the others."),
    "E0312": ("`{name}` belongs to nobody: it takes no player", "Write `{name}` alone, or declare it `of player`."),
    "E0313": (
        "{what} has no `.{name}`",
        "Only tokens, results and cells whose pieces carry something have fields.",
    ),
    "E0314": ("a {what} has no field `{name}`", "Its fields: {fields}."),
    "E0315": (
        "the tuples of a set must have the same form, but `{other}` is not like `{first}`",
        "Give each the same number of parts, of the same types.",
    ),
    "E0316": ("elements of `{domain}` have {count} parts", "Write one name for each part."),
    "E0317": ("the elements of `{domain}` are not tuples", "Use a single name instead."),
    "E0318": ("{left} can never be in {right}", "`in` asks whether an element is in a set of its own type."),
    "E0319": (
        "`{op}` needs two sets of the same kind, not {left} and {right}",
        "Convert one of them to the other kind first.",
    ),
    "E0320": (
        "`{kind}(...)` cannot be used on its own",
        "Quantify over it, as in `some m in {kind}(me, place): after m: ...`, or compare it with nothing: "
        "`{kind}(me, place) = {{}}`.",
    ),
    "E0321": ("this divides by 0", "Divide by a number greater than 0."),
    "E0322": (
        "this may divide by 0 or less: the divisor is {low}..{high}",
        "Divide by a value that is always greater than 0.",
    ),
    "E0323": ("this number can become too large", "Keep every value below {most}."),
    "E0324": ("{what} is never none", "Only values declared with `?` can be none."),
    "E0325": (
        "`then` gives {left}, `else` gives {right}",
        "Both branches must give the same kind of value: change `{then}` or `{otherwise}`.",
    ),
    "E0326": ("`{name}` belongs to players", "Say whose: `{name}[me]`."),
    "E0327": ("`{name}` is {what}, not a value", "It cannot be used in an expression."),
    "E0328": ("wrong number of arguments for `{name}`: {given} instead of {count}", "Write it as `{call}`."),
    "E0329": (
        "`{name}` is {what}: it takes no arguments",
        "Write it without parentheses. Maps take their keys in square brackets.",
    ),
    "E0330": (
        "`{name}` needs a player whose turn it is, but there is none here",
        "Use it in moves and inside `turns from`, or name a player.",
    ),
    "E0331": (
        "`turn` can only be compared with numbers or divided with `mod`",
        "Write `turn > 1` or `turn mod 3 = 0`. {cure}To measure a span of turns, use a countdown.",
    ),
    "E0332": ("this ruleset has no board", "Declare one, e.g. `board grid 8 by 8`."),
    "E0333": ("with {count} players, there is no `rival`", "Use `next(p)`, or name the player."),
    "E0334": (
        "the value after `or` must be a number: it is the {kind} when there are no values",
        "Put a condition with `or` in parentheses: `{kind} of n for x in S: (a or b)`.",
    ),
    "E0335": (
        "in a `count`, moves come last",
        "Write `count c in S, m in moves(p, a): F`, or use a `count` inside `sum of`.",
    ),
    "E0336": (
        "a board is built before the game begins, but `{name}` changes during the game",
        "Use only options and properties of cells: `row(c)`, `column(c)`, `distance(a, b)`.",
    ),
    "E0337": (
        "`without` removes all {count} cells of {board}",
        "`without` gives the cells to remove. If the condition describes the cells to keep, negate it: `not (...)`.",
    ),
    "E0338": ("cannot determine the cells to remove: {problem}", "Check that a value exists before you use it."),
}
