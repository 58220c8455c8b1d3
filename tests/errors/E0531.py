import gamedsl
from gamedsl.engine.records import Record

game = gamedsl.load("game.gdl")
text = Record.begin(game, "game.gdl", seed=7).text()
Record.parse(text.replace("seed: 7", "seed: 8"))  # ! E0531
