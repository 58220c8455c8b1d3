gamedsl position hidden.gdl --position '{"seat": "X", "set": {"secret": {"O": "?"}}}'  # ! E0655
