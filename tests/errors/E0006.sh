gamedsl check sizes.gdl --option n=many  # ! E0006
