; Made from grammar/gamedsl.lark by `python -m gamedsl.language.grammars.derived_files`: do not edit.

(action . "action" @context . (name) @name) @item

(define . "define" @context . (name) @name) @item

(let . "let" @context . (name) @name) @item

(move . "move" @context . (name) @name) @item

(notation . "notation" @context . (name) @name) @item

(option . "option" @context . (name) @name) @item

(part . "part" @context . (name) @name) @item

(phase . "phase" @context . (name) @name) @item

(shape_decl . "shape" @context . (name) @name) @item

(table . "table" @context . (name) @name) @item

(type_decl "type" @context . (name) @name) @item

(piece "piece" @context (piece_name . (name) @name)) @item

(claim "claim" @context . (string) @name) @item

(game "game" @context . (string) @name) @item

(board . "board" @name) @item

(drawing . "board" @name) @item

(graph . "board" @name) @item

(info . "info" @name) @item

(look . "look" @name) @item

(play_decl . "play" @name) @item

(players_named . "players" @name) @item

(players_range . "players" @name) @item

(state . "state" @name) @item
