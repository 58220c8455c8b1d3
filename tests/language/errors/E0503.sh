gamedsl perft game.gdl --depth 1 --from "a1; a1"  # ! E0503
