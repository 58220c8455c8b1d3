gamedsl position game.gdl --position '{"to_move": "Z"}'  # ! E0653
