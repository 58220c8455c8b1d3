gamedsl position public.gdl 'a1; a2; b1; b2' --to short  # ! E0657
