gamedsl chekc game.gdl  # ! E0001
