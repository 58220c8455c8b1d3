import gamedsl

state = gamedsl.load("game.gdl").initial_state()
state.value_of("marks")  # ! E0506
