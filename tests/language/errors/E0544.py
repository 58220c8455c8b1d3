import gamedsl

state = gamedsl.load("pig").initial_state()
state.information_state_tensor(0, length=1_000_000_000)  # ! E0544
