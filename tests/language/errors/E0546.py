import gamedsl

state = gamedsl.load("tic-tac-toe").initial_state()
state.observation(2)  # ! E0546
