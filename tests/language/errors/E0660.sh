gamedsl position dealt.gdl --position '{"to_move": "two"}'  # ! E0660
