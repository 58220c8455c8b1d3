"""Messages about statements, the course of play, rulesets and their variants (E04). The check fills in names in
braces.
"""

from __future__ import annotations

FLOW_MESSAGES: dict[str, tuple[str, str]] = {
    "E0401": ("`{what}` is not allowed in the effect of a move or an action", "Put it under `play`."),
    "E0402": ("`stop` ends the effect of a move; there is none here", "Use it inside a move."),
    "E0403": (
        "`{name}` is a piece: use `put`, `move` or `remove`",
        "Write `put {name} on c` or `remove {name} from c`.",
    ),
    "E0404": ("`{name}` is a stack: use `push` or `pop`", "Write `push x on {name}` or `pop {name} -> x`."),
    "E0405": ("`{what}` cannot be changed", "Only state variables and the fields of tokens can."),
    "E0406": ("this is {got}, so nothing can be added to it or taken from it", "Use `set ... to ...`."),
    "E0407": ("too many repetitions", "Repeat at most {most} times."),
    "E0408": ("`{word}` is only allowed inside `turns from`", "There is no turn to end here."),
    "E0409": ("there is no phase to end here", "Use `end phase` inside a phase."),
    "E0410": (
        "a `for` that contains decisions cannot take tuples apart",
        "Bind one name and use the board's functions.",
    ),
    "E0411": ("`repeat ... times` takes no `until`", "Omit one of the two."),
    "E0412": ("the number of turns may be 0", "There must be at least one turn."),
    "E0413": ("`{name}` is offered twice", "List each move once."),
    "E0414": (
        "a player cannot choose a value of this kind",
        "A choice is an element, a number in a range, or yes or no.",
    ),
    "E0415": ("nothing can be drawn: the board is not a drawing", "Declare `board drawing up to N spaces`."),
    "E0416": ("there is no stroke called `{name}`", "Declare it under `board drawing`, before it is mentioned."),
    "E0417": (
        "`{name}` does not give the points of a player",
        "Use a map `player -> number`, or a definition with one parameter, a player.",
    ),
    "E0418": ("these dice are not possible", "Use at most {dice} dice with 2 to {faces} faces."),
    "E0419": ("this is not a bag", "A bag is a map `T -> 0..n`: how many of each it holds."),
    "E0421": ("this is never reached", "The lines before it always end the turn, the phase or the game."),
    "E0422": (
        "the game can end without a result",
        "End every path with `win`, `lose`, `draw` or `rank by`.",
    ),
    "E0423": (
        "this loop can run forever without a decision",
        "Put a decision, a chance event or an end into the loop.",
    ),
    "E0430": ("`{name}` is played inside itself", "A ruleset cannot be a part of itself."),
    "E0431": (
        "`{game}` has neither a player nor an option called `{name}`",
        "Bind only players and options of `{game}`.",
    ),
    "E0432": ("these players of `{game}` are not bound: {players}", "Bind each of them to a player."),
    "E0433": (
        "`{game}` has {inner} players, but there are {outer} here",
        "Bind each player: `with left = one, right = two`.",
    ),
    "E0434": ("one player is bound to two players of `{game}`", "Bind each of them to a different player."),
    "E0435": (
        '"{file}" is outside the ruleset\'s folder',
        "Only files beside the ruleset, and shipped ones, can be used.",
    ),
    "E0436": (
        'there is no file "{file}"',
        "Paths are relative to the file that mentions them. Shipped rulesets are found by name.",
    ),
    "E0437": ('reading "{file}" requires "{file}" itself', "Break the cycle of files."),
    "E0438": ("only a variant can {what}", 'Begin with `variant of "FILE.gdl"`.'),
    "E0439": ("the ruleset has no option `{name}`", "Only options of the original can be given here."),
    "E0441": (
        "the original has no {kind} called `{name}`",
        "Only declarations of the original can be removed, those of a part below `in part`.",
    ),
    "E0443": ("clause `{clause}` is not in the index", "Correct the number, or add it to the index of clauses."),
    "E0444": ('the index "{file}" cannot be used: {problem}', "It is a YAML list of `number` and `text`."),
    "E0445": (
        "too many rulesets are played inside this one",
        "Use at most {most} `play` statements, including those of the parts.",
    ),
    "E0446": (
        "the actions of this ruleset use one another too often",
        "Actions are expanded where they are used, at most {most} times in all.",
    ),
    "E0447": ("{problem}", "Name a readable file with a ruleset in it."),
    "E0450": ("there is no color `{name}`", "Colors: {colours}."),
    "E0451": (
        "`{{{name}}}` cannot be filled in here",
        "Use the names bound with `for`, or the parameters of the move.",
    ),
    "E0452": (
        "`{{{which} of {name}}}` cannot be filled in here",
        "Name a parameter, or a name bound with `for`, that is a cell of a board in rows.",
    ),
    "E0456": (
        "only a piece can be drawn large, over a block of places",
        "Name the piece and the places: `leave man[me] large on s after MOVE`.",
    ),
    "E0457": (
        "`chosen by owner` needs one sign for the pieces of each player",
        'Show pieces of one player at a time, all with the same sign: `show man[light] as "L" chosen by owner`.',
    ),
    "E0455": (
        "this sentence is never shown",
        'Add a move or a condition: `say "..." after MOVE` or `say "..." when F`.',
    ),
    "E0453": ("there is no shape `{name}`", "Shapes: {shapes}."),
    "E0454": (
        'a count begins with a number, and "{text}" is not one',
        'Write the number of the first turn, at most six digits: `count "1"`.',
    ),
    "E0460": (
        "this is nested too deeply",
        "Split it up with `define`. Long chains of definitions that use each other also count as nesting.",
    ),
    "E0461": (
        "evaluating this may take more than {most} steps",
        "{through}Iterate over fewer elements at once, or avoid computing the same thing several times.",
    ),
    "E0462": (
        "listing the moves `{name}` may take more than {most} steps",
        "Narrow what the parameters range over (`c in empty`), or split it into several moves.",
    ),
    "E0463": (
        "with `{name}`, a position takes more than {most} bytes",
        "Use fewer maps, over smaller types. A map holds a value for every key.",
    ),
    "E0496": (
        "this `part {name}` replaces the whole part of the original, and has no `{what}` declaration",
        "To change single declarations of the part, write them below `in part {name}`.",
    ),
    "E0498": (
        "the condition of this line depends on the course of play",
        "The lines of the rulebook are chosen when the ruleset is loaded: use only options and constants.",
    ),
    "E0497": (
        "the original has no part `{name}`",
        "`in part` names a `part` of the original, or a ruleset that it plays (`use ... as NAME`).",
    ),
    "E0499": (
        "there is no option or table `{name}` to show in this line",
        "Braces in `info` hold the name of an option or of a table.",
    ),
    "E0478": (
        "`{stack}` is a stack, which is neither a value nor a set",
        "Name a part: `top({stack})`, `{stack} at 1`, `height({stack})`. As a set: `{{x for x in {stack}}}`.",
    ),
    "E0479": (
        "there is no level {value}: `{stack}` holds up to {limit}",
        "Levels are counted from 1, the lowest, to `height({stack})`, the top.",
    ),
    "E0487": (
        "this cannot hold cards",
        "A deck, a hand or a discard pile is a set, a bag (`T -> 0..n`) or a stack of the state.",
    ),
    "E0488": (
        "this cannot take a card",
        "A card goes to a set, a bag (`T -> 0..n`), a stack, or a variable for one element.",
    ),
    "E0489": ("only the top of a stack can be taken", "Use `pop STACK -> x`, or keep the cards in a set."),
    "E0490": (
        "a {source} cannot be shuffled into a {target}",
        "Both are sets, both are bags, or both are stacks.",
    ),
}
