import gamedsl

state = gamedsl.load("pig").initial_state()
state.information_state_tensor(0)  # ! E0543
