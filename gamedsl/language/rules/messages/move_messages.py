"""Messages about types, look-ahead, the notation of moves (E034 and E035) and recursion. The check fills in names in
braces.
"""

from __future__ import annotations

MOVES_MESSAGES: dict[str, tuple[str, str]] = {
    "E0340": (
        "this type is not allowed here",
        "Keys, elements of sets and parameters are single values: a player, a cell, a number in a small range, an element of a type.",
    ),
    "E0341": ("there is no type called `{name}`", "Declare it: `type {name} = {{a, b}}`."),
    "E0342": ("this board has no `{name}`", "The board is: {board}."),
    "E0343": ("this has too many elements", "Use a type with fewer than {most} elements."),
    "E0344": ("{what} cannot be {value}", "Choose a number that makes sense."),
    "E0345": ("a move is bound to one name", "Write `some m in moves(p, place): ...`."),
    "E0346": (
        "`{name}` involves chance, so the position after it is not known in advance",
        "Look ahead only through moves without chance.",
    ),
    "E0347": (
        "moves can only be quantified with `some`, `every`, `no` and `count`",
        "Write `some m in moves(p, a | b): after m: F`.",
    ),
    "E0348": ("only one name can be bound here", "Use one name, or a tuple of names."),
    "E0349": (
        "`this` is the move that a guard belongs to; there is none here",
        "Use `after this` in the guards of a move.",
    ),
    "E0350": (
        "`{name}` is not a move",
        "Bind it with `some {name} in moves(...)`, or write `after this` or `after waiting`.",
    ),
    "E0351": ("`{name}` uses itself", "{cure}"),
    "E0352": ("parameter `{name}` needs a type", "Write `{name}: TYPE`; only moves take parameters with `in`."),
    "E0353": (
        "`forbid` cannot apply to `{name}`, which involves chance",
        "Give the move a guard with `when`, or put the chance event under `play`.",
    ),
    "E0354": (
        "the notation mentions `{name}`, which is not a parameter of `{move}`",
        'Put names of parameters in the braces: `written "{cure}"`. Properties of the position belong in a `notation`.',
    ),
    "E0355": (
        "the notation of `{move}` omits: {names}",
        "Include every parameter, so that no two moves read the same.",
    ),
    "E0356": (
        "move `{name}` looks ahead through itself",
        "Its guards may only look ahead through moves that do not lead back to it.",
    ),
    "E0357": ("this looks too far ahead", "Look ahead through at most {most} moves in a row."),
    "E0385": (
        "`{name}` cannot be {value} deep",
        "{why}Write a number from 1 to {most} that is known before the game.",
    ),
    "E0386": (
        "the type of `{name}` is not known at the deepest level of its calls",
        "Declare its type: `{cure}`, with a type such as `set of cell` or `0..9`.",
    ),
    "E0387": (
        "{names} use each other",
        "A definition can call itself, but not through another. {cure}",
    ),
    "E0388": (
        "`{name}` always calls itself",
        "Give a case that ends it: `{cure}`.",
    ),
}
