gamedsl check sizes.gdl --set n=many  # ! E0006
