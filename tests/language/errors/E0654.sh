gamedsl position sizes.gdl --position '{"options": {"n": 4}}'  # ! E0654
