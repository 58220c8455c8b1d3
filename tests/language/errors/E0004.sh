gamedsl check sizes.gdl --set n  # ! E0004
