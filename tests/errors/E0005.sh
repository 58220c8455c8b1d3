gamedsl check sizes.gdl --option m=4  # ! E0005
