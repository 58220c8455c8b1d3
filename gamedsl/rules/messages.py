"""Messages of the checker: code → (message, help). Names in braces are filled in by the check."""

from __future__ import annotations

RULE_MESSAGES: dict[str, tuple[str, str]] = {
    # ------------------------------------------------------------------------------------------------------- names
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
        "option `{name}` can't be of this type",
        "An option is a number in a range, yes or no, or an element of a type.",
    ),
    "E0214": ("a piece can only be `of player`", "Leave out `of ...` for pieces that belong to nobody."),
    "E0215": (
        "`{name}` has no owner who could see it",
        "`seen by owner` needs a map over player: `{name}: player -> ...`.",
    ),
    "E0216": ("a stack starts empty", "Push its first elements at the start of play."),
    "E0217": (
        "tuples {tuple} have no part called `{name}`",
        "Parts are called by the name of their type, where only one has it (here: {parts}). Or take the tuple apart: "
        "`some (a, b) in {{t}}: ...`.",
    ),
    # ------------------------------------------------------------------------------------------------------- types
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
        "`{name}` doesn't say how a shape may be laid",
        "Write `free` (turned and reflected), `one_sided` (turned only) or `fixed` (as it is drawn).",
    ),
    "E0226": (
        "`turn` counts the turns of `turns from`, but this ruleset has none",
        "Give the turns to `turns from p`, or count them yourself: `round: 0..20` under `state`, and `add 1 to round`.",
    ),
    "E0227": (
        "this claim is about whole plays, not about the positions of a phase",
        "`in phase` goes with `always`, `never`, `reachable` and `leads to`.",
    ),
    "E0228": ("there is no phase called `{name}`", "Name a `phase` of this ruleset's course of play."),
    "E0229": (
        "where phase `{name}` begins and ends is kept only for claims of the ruleset itself",
        "Write the claim in the ruleset.",
    ),
    "E0301": ("this must be {wanted}, but it is {got}", "Use a value of that kind here."),
    "E0302": ("`{name}` is a map: it needs a {key} in brackets", "Write `{name}[...]`."),
    "E0303": ("a result can't be used as a value", "Use its `.winner`, `.winners` or `.drawn`."),
    "E0304": ("`{name}` is a move, not a value", "Use it in `after {name}: ...`."),
    "E0305": ("these two can never be equal: {left} and {right}", "Compare values of one type."),
    "E0306": (
        "this is {value}, which does not fit in {low}..{high}",
        "Change the value, or widen the declared range of the variable.",
    ),
    "E0307": (
        "{what} must be known when the file is loaded",
        "Use only numbers and options here, nothing that changes during play.",
    ),
    "E0308": (
        "a tuple is not allowed here",
        "Use tuples where a tuple is expected: in sets of tuples, before `in`, and beside `=`.",
    ),
    "E0309": ("the range {low}..{high} is empty", "The first number must not be greater than the last."),
    "E0310": ("`{what}` is not a map", "Only maps and owned pieces take keys in brackets."),
    "E0311": ("`{name}` takes {count} in brackets", "Leave out the others."),
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
        "`{kind}(...)` can't be used on its own",
        "Use it as the source of a quantifier: `some m in {kind}(me, place): after m: ...`.",
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
    "E0327": ("`{name}` is {what}, not a value", "It can't be used in an expression."),
    "E0328": ("`{name}` takes {count} argument(s), but {given} are given", "Write it as `{call}`."),
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
        "Write `turn > 1` or `turn mod 3 = 0`. To measure a span of turns, use a countdown.",
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
        "a board is built before play begins, but `{name}` depends on the play",
        "Use only options and properties of cells: `row(c)`, `column(c)`, `distance(a, b)`.",
    ),
    "E0337": (
        "`without` removes all {count} cells of {board}",
        "`without` gives the cells to remove. If the condition describes the cells to keep, negate it: `not (...)`.",
    ),
    "E0338": ("can't determine the cells to remove: {problem}", "Check that a value exists before you use it."),
    "E0340": (
        "this type is not allowed here",
        "Keys, elements of sets and parameters are single values: a player, a cell, a number in a small range, an element of a type.",
    ),
    "E0341": ("there is no type called `{name}`", "Declare it: `type {name} = {{a, b}}`."),
    "E0342": ("this board has no `{name}`", "The board is: {board}."),
    "E0343": ("this has too many elements", "Use a type with fewer than {most} elements."),
    "E0344": ("{what} can't be {value}", "Choose a number that makes sense."),
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
    "E0351": ("`{name}` uses itself", "Recursion is not allowed. Write it out, or use a set."),
    "E0352": ("parameter `{name}` needs a type", "Write `{name}: TYPE`; only moves take parameters with `in`."),
    "E0353": (
        "`forbid` can't apply to `{name}`, which involves chance",
        "Give the move a guard with `when`, or put the chance event under `play`.",
    ),
    "E0354": (
        "the notation mentions `{name}`, which is not a parameter of `{move}`",
        'Put names of parameters in the braces: `written "{cure}"`.',
    ),
    "E0355": (
        "the notation of `{move}` leaves out: {names}",
        "Include every parameter, so that no two moves read the same.",
    ),
    "E0356": (
        "move `{name}` looks ahead through itself",
        "Its guards may only look ahead through moves that don't lead back to it.",
    ),
    "E0357": ("this looks too far ahead", "Look ahead through at most {most} moves in a row."),
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
    "E0366": ("the ruleset does not say how many `{name}` there are", "Declare it: `piece {name}, 10 in supply`."),
    "E0367": ("this is not a stack", "Declare it `stack of T up to n`."),
    "E0370": (
        "this ruleset notes both boards and positions",
        "`repetition` counts one of the two. Use only `note board` or only `note position`.",
    ),
    "E0371": (
        "noted positions include the player to move, but nobody is to move here",
        "Use this inside `turns from`, or write `note board`.",
    ),
    "E0369": ("`{name}` can't be part of a position", "Name state variables of this ruleset, but no stacks."),
    "E0368": ("`repetition` needs noted positions", "Write `note position` at the start of a turn."),
    "E0390": (
        "this notation has no board that it could write",
        "Write `board` once, in a ruleset with a grid, hex or track.",
    ),
    "E0391": ("there are two notations called `{name}`", "Give one of them another name."),
    "E0392": (
        "the notation writes `{name}` twice",
        "Name every move once; moves that are written alike stand together: `move a | b`.",
    ),
    "E0393": (
        "a piece can't carry `{name}`: {why}",
        "A piece carries single values and sets, and stands alone on a cell. Keep anything else in `state`: "
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
        "`{what}` can't be revealed",
        "What can be revealed is a state variable, a piece or what a piece carries: `reveal hand[me] to rival`.",
    ),
    "E0399": (
        "`{name}` can't be hidden like this",
        "Only a parameter of a move can be hidden, and its mover knows it: `{name}: ... seen by owner`.",
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
        "this row gives {given} key(s), but `{name}` has {count}",
        "Begin the row with `{shape}: ...`; with several keys the last may be left out.",
    ),
    "E0376": (
        "this row leaves out the last key and gives {given} value(s), but that key has {count} elements",
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
        "Name `side`, `corner` or `any`, a relation of the board, or a definition of two elements that says yes or no.",
    ),
    "E0382": (
        "`{name}` does not say which elements lie beside each other",
        "Define it of two elements of one type (yes or no), or of one element (the set of those beside it).",
    ),
    "E0383": (
        "a number of steps in a direction can only stand in `step(...)`",
        "Write `step(c, 2 north, 1 east)` with a cell first.",
    ),
    "E0384": (
        "there are {size} ways to take this step, more than {most}",
        "Give the numbers a smaller range, or name the directions.",
    ),
    # -------------------------------------------------------------------------------------------------- statements
    "E0401": ("`{what}` is not allowed in the effect of a move or an action", "Put it under `play`."),
    "E0402": ("`stop` ends the effect of a move; there is none here", "Use it inside a move."),
    "E0403": (
        "`{name}` is a piece: use `put`, `move` or `remove`",
        "Write `put {name} on c` or `remove {name} from c`.",
    ),
    "E0404": ("`{name}` is a stack: use `push` or `pop`", "Write `push x on {name}` or `pop {name} -> x`."),
    "E0405": ("`{what}` can't be changed", "Only state variables and the fields of tokens can."),
    "E0406": ("this is {got}, so nothing can be added to it or taken from it", "Use `set ... to ...`."),
    "E0407": ("too many repetitions", "Repeat at most {most} times."),
    "E0408": ("`{word}` is only allowed inside `turns from`", "There is no turn to end here."),
    "E0409": ("there is no phase to end here", "Use `end phase` inside a phase."),
    "E0410": (
        "a `for` that contains decisions can't take tuples apart",
        "Bind one name and use the board's functions.",
    ),
    "E0411": ("`repeat ... times` takes no `until`", "Leave out one of the two."),
    "E0412": ("the number of turns may be 0", "There must be at least one turn."),
    "E0413": ("`{name}` is offered twice", "List each move once."),
    "E0414": ("nobody can choose a value of this kind", "A choice is an element, a number in a range, or yes or no."),
    "E0415": ("nothing can be drawn: the board is not a drawing", "Declare `board drawing up to N spaces`."),
    "E0416": ("there is no stroke called `{name}`", "Declare it under `board drawing`, before it is mentioned."),
    "E0417": (
        "`{name}` does not give the points of a player",
        "Use a map `player -> number`, or a definition with one parameter, a player.",
    ),
    "E0418": ("these dice are not possible", "Use at most {dice} dice with 2 to {faces} faces."),
    "E0419": ("this is not a bag", "A bag is a map `T -> 0..n`: how many of each it holds."),
    "E0421": ("this is never reached", "The lines before it always end the turn, the phase or the play."),
    "E0422": (
        "the play can end without a result",
        "End every path with `win`, `lose`, `draw` or `rank by`.",
    ),
    "E0423": (
        "this loop can run forever without a decision",
        "Put a decision, a chance event or an end into the loop.",
    ),
    # ----------------------------------------------------------------------------------------- rulesets and variants
    "E0430": ("`{name}` is played inside itself", "A ruleset can't be a part of itself."),
    "E0431": (
        "`{game}` has neither a player nor an option called `{name}`",
        "Bind only players and options of `{game}`.",
    ),
    "E0432": ("these players of `{game}` are not bound: {players}", "Say who plays each of them."),
    "E0433": (
        "`{game}` has {inner} players, but there are {outer} here",
        "Say who plays whom: `with left = one, right = two`.",
    ),
    "E0434": ("one player is bound to two players of `{game}`", "Bind each of them to a different player."),
    "E0435": (
        '"{file}" lies outside the ruleset\'s folder',
        "Only files beside the ruleset, and shipped ones, can be used.",
    ),
    "E0436": (
        'there is no file "{file}"',
        "Paths are relative to the file that mentions them. Shipped rulesets are found by name.",
    ),
    "E0437": ('reading "{file}" requires "{file}" itself', "Break the cycle of files."),
    "E0438": ("only a variant can remove declarations", 'Begin with `variant of "FILE.gdl"`.'),
    "E0439": ("the ruleset has no option `{name}`", "Only options of the original can be given here."),
    "E0441": ("the original has no {kind} `{name}`", "Remove only declarations of the original."),
    "E0443": ("clause `{clause}` is not in the index", "Correct the number, or add it to the index of clauses."),
    "E0444": ('the index "{file}" can\'t be used: {problem}', "It is a YAML list of `number` and `text`."),
    "E0447": ("{problem}", "Name a readable file with a ruleset in it."),
    "E0450": ("there is no colour `{name}`", "Colours: {colours}."),
    "E0451": (
        "`{{{name}}}` can't be filled in here",
        "Use the names bound with `for`, or the parameters of the move.",
    ),
    "E0452": (
        "`{{{which} of {name}}}` can't be filled in here",
        "Name a parameter, or a name bound with `for`, that is a cell of a board in rows.",
    ),
    "E0445": (
        "too many rulesets are played inside this one",
        "Use at most {most} `play` statements, including those of the parts.",
    ),
    "E0446": (
        "the actions of this ruleset use one another too often",
        "Actions are expanded where they are used, at most {most} times in all.",
    ),
    "E0461": (
        "evaluating this may take more than {most} steps",
        "{through}Go through fewer elements at once, or avoid computing the same thing several times.",
    ),
    "E0462": (
        "listing the moves `{name}` may take more than {most} steps",
        "Narrow what the parameters range over (`c in empty`), or split it into several moves.",
    ),
    "E0460": (
        "this is nested too deeply",
        "Split it up with `define`. Long chains of definitions that use each other also count as nesting.",
    ),
    # ---------------------------------------------------------------------------------------------------- warnings
    "W0901": ("definition `{name}` is never used", "Remove it, or use it."),
    "W0902": ("move `{name}` is never played", "Offer it with `plays`, or remove it."),
    "W0903": ("piece `{name}` is never used", "Put it on the board, or remove it."),
    "W0904": ("option `{name}` changes nothing", "Use it, or remove it."),
    "W0905": ("action `{name}` is never used", "Use it, or remove it."),
    "W0906": (
        "cited by no line: {clauses}",
        "Cite each clause where it is implemented, or under `info` as `presentation`.",
    ),
    "W0907": ("state `{name}` is never used", "Remove it, or use it."),
    "W0908": ("type `{name}` is never used", "Remove it, or use it."),
    "W0909": ("`{name}` is never read", "Remove it, or use it."),
    "W0910": (
        "`{name}` is never changed: it keeps its first value",
        "Change it somewhere, or turn it into a `define`.",
    ),
    "W0911": ("`{name}` is changed, but nothing reads it", "Remove it, or use it."),
    "W0912": ("table `{name}` is never used", "Remove it, or use it."),
}
