gamedsl replay stranger.moves --game game.gdl  # ! E0532
