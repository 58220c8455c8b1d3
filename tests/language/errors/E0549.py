import tempfile
from contextlib import chdir
from pathlib import Path

import gamedsl

RULES = 'game "One"\n\nplayers A, B\n\nmove go written "go"\n\nplay\n  turns from A\n    me plays go\n    win me\n'
with tempfile.TemporaryDirectory() as folder, chdir(folder):
    Path("one.gdl").write_text(RULES)
    state = gamedsl.load("one.gdl").initial_state()
    Path("one.gdl").write_text(RULES.replace("win me", "lose me"))
    state.ask("1 = 1")  # ! E0549
