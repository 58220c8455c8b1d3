from gamedsl.engine import InterpretedGame
from gamedsl.language.rules import load_program

InterpretedGame(load_program("tic-tac-toe")).initial_state().ask("count(empty)")  # ! E0548
