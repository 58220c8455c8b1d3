gamedsl check sizes.gdl --set m=4  # ! E0005
