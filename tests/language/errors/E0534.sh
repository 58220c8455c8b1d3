gamedsl replay seat.moves --game game.gdl  # ! E0534
