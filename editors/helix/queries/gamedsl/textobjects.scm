; Made from grammar/gamedsl.lark by `python -m gamedsl.language.grammars.derived_files`: do not edit.

[
  (action)
  (define)
  (move)
] @function.around

(params (_) @parameter.inside)

(comment) @comment.inside

(comment)+ @comment.around
