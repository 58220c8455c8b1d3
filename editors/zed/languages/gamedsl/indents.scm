; Made from grammar/gamedsl.lark by `python -m gamedsl.language.grammars.derived_files`: do not edit.

[
  (action)
  (drawing)
  (else_branch)
  (else_if)
  (for_statement)
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
  (play_decl)
  (repeat)
  (state)
  (stroke)
  (stuck)
  (table)
  (turns)
] @indent

(_ "(" ")" @end) @indent
(_ "[" "]" @end) @indent
(_ "{" "}" @end) @indent
