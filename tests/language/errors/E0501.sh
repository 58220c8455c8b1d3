gamedsl perft game.gdl --depth 1 --from z9  # ! E0501
