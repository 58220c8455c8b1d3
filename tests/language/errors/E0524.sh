gamedsl exploitability game.gdl --agent strategy:game.gdl  # ! E0524
