gamedsl position game.gdl --position '{"board": ["X . W", ". X .", ". . ."]}'  # ! E0651
