import gamedsl

state = gamedsl.load("game.gdl").initial_state()
state.values("marks")  # ! E0506
