gamedsl replay other.moves --game game.gdl  # ! E0533
