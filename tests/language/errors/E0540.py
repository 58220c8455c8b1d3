import gamedsl

game = gamedsl.load("game.gdl")
game.action_text(9)  # ! E0540
