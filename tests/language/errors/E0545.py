import gamedsl

state = gamedsl.load("pig").initial_state()
first = state.legal_actions()[0]
state = state.apply_action(first)
state.information_state_tensor(0, length=0)  # ! E0545
