import gamedsl

game = gamedsl.load("game.gdl")
game.deserialize(game.initial_state().serialize()[:-20])  # ! E0520
