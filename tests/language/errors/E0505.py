import gamedsl

state = gamedsl.load("reveal.gdl").initial_state()
first = state.legal_moves(0)[0]
state.apply_joint({0: first})  # ! E0505
