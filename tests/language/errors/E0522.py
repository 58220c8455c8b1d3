import gamedsl

game = gamedsl.load("hidden.gdl")
game.deserialize(game.initial_state().serialize(for_seat=0))  # ! E0522
