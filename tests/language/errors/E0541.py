import gamedsl

state = gamedsl.load("paper.gdl").initial_state()
state.legal_actions()  # ! E0541
