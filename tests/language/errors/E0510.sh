gamedsl perft careless.gdl --depth 2 --from a1  # ! E0510
