; Made from grammar/gamedsl.lark by `python -m gamedsl.language.grammars.derived_files`: do not edit.

(comment) @comment.inclusive

(string) @string
