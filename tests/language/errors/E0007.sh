gamedsl explain E0299  # ! E0007
