gamedsl check gmae.gdl  # ! E0002
