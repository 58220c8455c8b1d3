gamedsl serve --port 0 --data game.gdl  # ! E0011
