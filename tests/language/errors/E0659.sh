gamedsl perft public.gdl --depth 1 --divide --notation short  # ! E0659
