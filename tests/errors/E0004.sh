gamedsl check sizes.gdl --option n  # ! E0004
