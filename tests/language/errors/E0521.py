import gamedsl

small, large = gamedsl.load("sizes.gdl", n=3), gamedsl.load("sizes.gdl", n=4)
large.deserialize(small.initial_state().serialize())  # ! E0521
