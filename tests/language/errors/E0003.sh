gamedsl check clauses  # ! E0003
