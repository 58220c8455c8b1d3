gamedsl export game.gdl --to json --output nowhere/game.json  # ! E0008
