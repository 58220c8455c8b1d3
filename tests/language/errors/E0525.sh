gamedsl exploitability game.gdl --limit 5  # ! E0525
