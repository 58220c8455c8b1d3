gamedsl replay changed.moves --game game.gdl  # ! E0531
