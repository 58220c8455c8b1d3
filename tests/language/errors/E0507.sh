gamedsl perft paper.gdl --depth 1  # ! E0507
