"""Messages about names and declarations (E02). The check fills in names in braces."""

from __future__ import annotations

DECLARATIONS_MESSAGES: dict[str, tuple[str, str]] = {
    "E0201": ("unknown name `{name}`", "Declare it, or use an existing name."),
    "E0202": ("`{name}` is declared twice", "Rename one of the two."),
    "E0203": ("`{name}` needs arguments", "Write them in parentheses: `{name}(...)`."),
    "E0204": (
        "`{name}` is ambiguous: it belongs to {types}",
        "Compare it with something of a known type, or rename one of them.",
    ),
    "E0205": ("`{name}` already has a meaning here", "Choose another name."),
    "E0206": ("there is no move called `{name}`", "Declare it with `move {name}`, or name an existing move."),
    "E0207": ("there is no function called `{name}`", "Define it with `define {name}(...) = ...`."),
    "E0208": ("there is no action called `{name}`", "Declare it with `action {name}`, or write a statement."),
    "E0209": ("there is no ruleset called `{name}` here", 'Import it with `use "FILE.gdl" as {name}`.'),
    "E0210": ("the ruleset has no `{what}` declaration", "Every ruleset needs exactly one."),
    "E0211": ("a ruleset can have only one `{what}`", "Merge the two declarations, or remove one."),
    "E0212": (
        "this is not a valid number of players",
        "Use 1 to {most}, with the default in the range: `players 1 to 6 = 2`.",
    ),
    "E0213": (
        "option `{name}` cannot be of this type",
        "An option is a number in a range, yes or no, or an element of a type.",
    ),
    "E0214": (
        "a piece can only be `of player`",
        "For pieces that belong to nobody, declare one kind for each value: `piece {kinds}`. Or let one kind carry the "
        "value: `piece {name}` with `{field}: {type}` indented below, and `put {name} on c with {field} = x`.",
    ),
    "E0215": (
        "`{name}` has no owner, so nobody could see it",
        "`seen by owner` needs a map over player: `{name}: player -> ...`.",
    ),
    "E0216": ("a stack starts empty", "Push its first elements at the beginning of `play`."),
    "E0217": (
        "tuples {tuple} have no part called `{name}`",
        "A part has the name of its type if no other part has the same type (here: {parts}). Or take the tuple apart: "
        "`some (a, b) in {{t}}: ...`.",
    ),
    "E0218": (
        "`{text}` cannot stand for this element",
        "The names of the elements of a type must differ and must not be empty.",
    ),
    "E0220": (
        "the board has no cell `{name}` to remove",
        "Name cells of the board, or give a condition: `without {{c in cell: row(c) > column(c)}}`.",
    ),
    "E0221": ("{problem}", 'Draw the rows from the first on, with / between them: `shape ell = "XX/X."`.'),
    "E0222": (
        "shapes are laid on boards with rows and columns",
        "Declare a grid, a board of hexagons or a track.",
    ),
    "E0223": ("this ruleset has no shapes", 'Declare some: `shape ell = "XX/X."`.'),
    "E0224": (
        "`{name}` is not a way to lay a shape",
        "Write `free` (turned and reflected), `one_sided` (turned only) or `fixed` (as it is drawn).",
    ),
    "E0226": (
        "`turn` counts the turns of `turns from`, but this ruleset has none",
        "Give the turns to `turns from p`, or count them yourself: `round: 0..20` under `state`, and `add 1 to round`.",
    ),
    "E0227": (
        "this claim is not about positions, so it cannot be limited to a phase",
        "`in phase` goes with `always`, `never`, `reachable` and `leads to`.",
    ),
    "E0228": ("there is no phase called `{name}`", "Name a `phase` of this ruleset's course of play."),
    "E0229": (
        "where phase `{name}` begins and ends is kept only for claims of the ruleset itself",
        "Write the claim in the ruleset.",
    ),
    "E0230": (
        "no turn has been counted here: the first `turns from` comes later",
        "Omit the condition, or put the line below `turns from`, where `turn` is 1 at first.",
    ),
    "E0231": (
        "nothing hidden is called `{name}`",
        "Name a variable, a piece or a field with `seen by owner` or `seen by nobody`. Everything else is visible anyway.",
    ),
    "E0232": (
        "legal moves show their player what they read, whatever else holds",
        "Omit the condition. Only what is shown at the end can be limited by one.",
    ),
}
