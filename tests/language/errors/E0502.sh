gamedsl perft alike.gdl --depth 1 --from a1  # ! E0502
