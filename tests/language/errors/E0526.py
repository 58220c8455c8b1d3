import gamedsl
from gamedsl.lab.equilibrium import game_tree, sequence_form, solve_linear_program

tree = game_tree(gamedsl.load("kuhn-poker").initial_state())
solve_linear_program(sequence_form(tree), seconds=0)  # ! E0526
