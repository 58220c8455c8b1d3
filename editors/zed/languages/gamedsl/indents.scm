; Made from grammar/gamedsl.lark by `python -m gamedsl.language.grammars.derived_files`: do not edit.

[
  (action)
  (drawing)
  (else_branch)
  (else_if)
  (for_statement)
  (game)
  (graph)
  (if_statement)
  (in_part)
  (info)
  (look)
  (move)
  (notation)
  (notation_moves)
  (part)
  (phase)
  (piece)
  (play_decl)
  (plays)
  (repeat)
  (state)
  (stroke)
  (stuck)
  (table)
  (token)
  (turns)
] @indent

(_ "(" ")" @end) @indent
(_ "[" "]" @end) @indent
(_ "{" "}" @end) @indent
