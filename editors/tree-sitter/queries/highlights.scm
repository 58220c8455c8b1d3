; Made from grammar/gamedsl.lark by `python -m gamedsl.language.grammars.derived_files`: do not edit.

(name) @variable

(ref (name) @variable.builtin
  (#any-of? @variable.builtin
    "abs" "adjacency" "adjacent" "aligned" "all" "between" "blocks" "bottom_row" "cell" "center" "column" "columns"
    "component" "connected" "corners" "count" "diagonals" "direction" "distance" "east" "edge" "edge_between"
    "empty" "gridlines" "height" "in_line" "left_column" "line" "lines" "max" "me" "min" "neighbors" "next" "north"
    "northeast" "northwest" "number" "occupied" "opposite" "other" "passages" "placings" "players" "point" "ray"
    "repetition" "right_column" "rim" "rings" "rival" "row" "rows" "same_column" "same_row" "sides" "south"
    "southeast" "southwest" "step" "steps" "straights" "supply" "the" "top" "top_row" "turn" "turned" "west"))

(call . (name) @function.builtin
  (#any-of? @function.builtin
    "abs" "adjacency" "adjacent" "aligned" "all" "between" "blocks" "bottom_row" "cell" "center" "column" "columns"
    "component" "connected" "corners" "count" "diagonals" "direction" "distance" "east" "edge" "edge_between"
    "empty" "gridlines" "height" "in_line" "left_column" "line" "lines" "max" "me" "min" "neighbors" "next" "north"
    "northeast" "northwest" "number" "occupied" "opposite" "other" "passages" "placings" "players" "point" "ray"
    "repetition" "right_column" "rim" "rings" "rival" "row" "rows" "same_column" "same_row" "sides" "south"
    "southeast" "southwest" "step" "steps" "straights" "supply" "the" "top" "top_row" "turn" "turned" "west"))

(call . (name) @function
  (#not-any-of? @function
    "abs" "adjacency" "adjacent" "aligned" "all" "between" "blocks" "bottom_row" "cell" "center" "column" "columns"
    "component" "connected" "corners" "count" "diagonals" "direction" "distance" "east" "edge" "edge_between"
    "empty" "gridlines" "height" "in_line" "left_column" "line" "lines" "max" "me" "min" "neighbors" "next" "north"
    "northeast" "northwest" "number" "occupied" "opposite" "other" "passages" "placings" "players" "point" "ray"
    "repetition" "right_column" "rim" "rings" "rival" "row" "rows" "same_column" "same_row" "sides" "south"
    "southeast" "southwest" "step" "steps" "straights" "supply" "the" "top" "top_row" "turn" "turned" "west"))

(action . "action" . (name) @function)

(define . "define" . (name) @function)

(move . "move" . (name) @function)

(plays "plays" (name) @function)

(type_decl "type" . (name) @type)

(named_type (name) @type)

(typed_param . (name) @variable.parameter)

(ranged_param . (name) @variable.parameter)

(field "." (name) @property)

[
  "about" "across" "action" "add" "after" "again" "all" "always" "any" "apart" "around" "as" "at" "attempts"
  "avoids" "balanced" "beside" "board" "border" "bottom" "by" "called" "cells" "chooses" "chosen" "claim"
  "clauses" "closed" "corners" "count" "countdown" "crosses" "crossings" "curve" "dashed" "deal" "deep" "define"
  "degrees" "discard" "distinct" "dots" "double" "draw" "drawing" "draws" "each" "else" "end" "ending" "ends"
  "equipment" "every" "everyone" "example" "for" "forbid" "from" "game" "goal" "graph" "grid" "heavy" "hex"
  "horizontal" "if" "info" "into" "it" "large" "leads" "leave" "let" "letters" "light" "line" "look" "lose" "max"
  "may" "min" "mistake" "most" "move" "moves" "named" "never" "new" "nobody" "nodes" "notation" "note" "number"
  "numbers" "of" "on" "once" "open" "option" "owner" "part" "pass" "passes" "path" "phase" "pick" "piece" "play"
  "players" "plays" "plies" "pop" "position" "presentation" "push" "put" "radius" "random" "rank" "reach"
  "reachable" "redrawn" "remove" "repeat" "results" "reveal" "ring" "roll" "rule" "say" "score" "seen" "set"
  "setup" "shape" "shaped" "share" "show" "shuffle" "simple" "skip" "some" "someone" "source" "spaces" "spot"
  "stack" "stacking" "star" "state" "stop" "straight" "stroke" "stuck" "sum" "supply" "table" "take" "tell"
  "text" "then" "times" "tint" "to" "token" "top" "track" "turn" "turns" "type" "union" "unnamed" "until" "up"
  "use" "used" "variant" "vertical" "what" "when" "win" "with" "without" "written"
] @keyword

(die) @keyword

[
  "and" "disjoint" "div" "in" "is" "meets" "mod" "not" "or" "within"
] @keyword.operator

[
  "no" "none" "yes"
] @constant.builtin

[
  "!=" "%" "&" "*" "+" "-" "->" ".." "<" "<=" "=" ">" ">=" "?" "|"
] @operator

[
  "," "." ":"
] @punctuation.delimiter

[
  "(" ")" "[" "]" "{" "}"
] @punctuation.bracket

(integer) @number

(string) @string

(comment) @comment

(citation) @attribute
