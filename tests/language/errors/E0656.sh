gamedsl position public.gdl --position 'X1/2 z'  # ! E0656
