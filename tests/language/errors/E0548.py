from gamedsl.engine import Game
from gamedsl.language.rules import load_program

Game(load_program("tic-tac-toe")).initial_state().ask("count(empty)")  # ! E0548
