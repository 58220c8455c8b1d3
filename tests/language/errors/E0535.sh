gamedsl replay twice.moves --game game.gdl  # ! E0535
