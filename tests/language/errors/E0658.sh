gamedsl position public.gdl --to shorter  # ! E0658
