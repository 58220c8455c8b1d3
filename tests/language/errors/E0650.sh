gamedsl position game.gdl --position '{"board": ["X . O", ". X", ". . ."]}'  # ! E0650
