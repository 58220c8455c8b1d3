gamedsl position game.gdl --position '{"at": "plays pieces"}'  # ! E0652
