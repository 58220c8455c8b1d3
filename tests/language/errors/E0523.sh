gamedsl verify game.gdl --checkpoint game.gdl  # ! E0523
