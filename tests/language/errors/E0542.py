import gamedsl

state = gamedsl.load("many.gdl").initial_state()
state.action_mask()  # ! E0542
