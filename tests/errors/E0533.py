import gamedsl
from gamedsl.engine.records import Record

small, large = gamedsl.load("sizes.gdl", n=3), gamedsl.load("sizes.gdl", n=4)
Record.begin(small, "sizes.gdl").replay(large)  # ! E0533
