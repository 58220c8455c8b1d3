"""The digest of a game: of the rules' meaning and of the notation, whatever form the ruleset is kept in."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

import gamedsl
from gamedsl.cli.form_commands import read_form, write_form
from gamedsl.engine.records.record import Record
from gamedsl.engine.records.save import _check as checksum
from gamedsl.engine.state import Game, State
from gamedsl.language.core.core_printer import print_core
from gamedsl.language.rules.files import shipped
from gamedsl.language.source.diagnostic import GameDSLError
from tests.shipped_sample import sampled

RULES = """\
game "Two words"
  by "somebody"

players X, O
board grid 3 by 3
piece mark of player
token tile: light, dark of player
state
  kept: {near, far}?
  best: tile = light
define free(c: cell) = c in empty
define marks = count(mark[X] | mark[O])
define shown = count(mark[X])

move place(c: cell) written "{c}"
  when free(c) "that square is taken" @1.02
  put mark[me] on c

play
  X chooses kept
  set best to dark[X]
  turns from X, 9 times
    me plays place
      stuck
        draw
  if marks = 9
    win X
  draw

look
  show mark[X] as "x" red
  beside "so many" shown
"""


def ruleset(folder: Path, text: str, name: str = "words.gdl") -> Game:
    path = folder / name
    path.write_text(text)
    return gamedsl.load(path)


@pytest.mark.parametrize("form", [pytest.param("json", marks=pytest.mark.slow), "yaml", "gdl"])
@pytest.mark.parametrize("path", sampled(shipped().values(), "test_the_same_rules_in_every_form"), ids=lambda p: p.stem)
def test_the_same_rules_in_every_form(path: Path, form: str, tmp_path: Path) -> None:
    (tmp_path / "clauses").symlink_to(path.parent / "clauses")
    other = tmp_path / f"other.{form}"
    other.write_text(write_form(read_form(str(path)).tree, form))
    assert gamedsl.load(other).digest == gamedsl.load(path).digest


def test_names_are_not_taken_from_the_text(tmp_path: Path) -> None:
    plain = ruleset(tmp_path, RULES)
    for spaced in ("dark[ X ]", "(dark[X])", "dark[ (X) ]"):
        assert print_core(ruleset(tmp_path, RULES.replace("dark[X]", spaced)).program) == print_core(plain.program)
    data = tmp_path / "words.yaml"
    data.write_text(write_form(read_form(str(tmp_path / "words.gdl")).tree, "yaml"))
    assert print_core(gamedsl.load(data).program) == print_core(ruleset(tmp_path, RULES).program)


PRESENTATION = [
    ("Two words", "Three words"),
    ("somebody", "somebody else"),
    ('"that square is taken"', '"take another one"'),
    (' "that square is taken"', ""),
    (" @1.02", " @9.99  # why"),
    ('as "x" red', 'as "O" blue'),
    ('  beside "so many" shown\n', '  beside "marks" marks\n'),
    ('  beside "so many" shown\n', ""),
    ("players X, O", "# who\nplayers X, O"),
    ("    me plays place\n", "    me plays place  # nine\n"),
    ("define shown", "define other = count(mark[O])\ndefine shown"),
]


@pytest.mark.parametrize(("old", "new"), PRESENTATION)
def test_what_is_said_and_shown_does_not_count(old: str, new: str, tmp_path: Path) -> None:
    assert old in RULES
    assert ruleset(tmp_path, RULES.replace(old, new), "new.gdl").digest == ruleset(tmp_path, RULES).digest


MEANING = [
    ('written "{c}"', 'written "on {c}"'),
    ("free(c: cell) = c in empty", "free(c: cell) = c in empty and c != b2"),
    ("  when free(c)", "  when not free(c)"),
    ("grid 3 by 3", "grid 3 by 3 named by numbers"),
    ("players X, O", "players X, Y"),
    ("{near, far}", "{near, away}"),
    ("9 times", "8 times"),
    ("marks = 9", "marks = 8"),
    ("    win X", "    win O"),
    ("      stuck\n        draw\n", ""),
    ("move place(c: cell)", "move place(c: cell) by mistake"),
]


@pytest.mark.parametrize(("old", "new"), MEANING)
def test_rules_and_notation_count(old: str, new: str, tmp_path: Path) -> None:
    changed = RULES.replace(old, new)
    changed = changed.replace("[O]", "[Y]").replace("win O", "win Y") if "X, Y" in new else changed
    assert old in RULES and ruleset(tmp_path, changed, "new.gdl").digest != ruleset(tmp_path, RULES).digest


DRAWING = """\
players X
board drawing up to 9 spaces
  figure: closed curve
    simple
  upper: straight line across figure
    within 45 degrees of horizontal
play
  X draws figure, upper
  draw
"""


@pytest.mark.parametrize(
    ("old", "new"), [("45", "30"), ("    simple\n", ""), ("9 spaces", "8 spaces"), ("horizontal", "vertical")]
)
def test_conditions_of_a_drawing_count(old: str, new: str, tmp_path: Path) -> None:
    assert ruleset(tmp_path, DRAWING.replace(old, new), "new.gdl").digest != ruleset(tmp_path, DRAWING).digest


def played(game: Game) -> tuple[Record, State]:
    state, record, rng = game.initial_state(), Record.begin(game, "words.gdl", 3), random.Random(3)
    for _ in range(5):
        move = state.propose(rng)
        record, state = record.plus_move(game, move), state.apply(move)
    return record, state


@pytest.mark.parametrize(("old", "new"), PRESENTATION)
def test_a_play_goes_on_after_a_change_of_wording(old: str, new: str, tmp_path: Path) -> None:
    record, state = played(ruleset(tmp_path, RULES))
    game = ruleset(tmp_path, RULES.replace(old, new))
    assert Record.parse(record.text()).replay(game)[-1] == state == game.deserialize(state.serialize())


def test_what_earlier_versions_kept_is_read(tmp_path: Path) -> None:
    """Version 0.1 took the digest of the whole printed Core; this one it wrote for these rules."""
    former = "8a1c7108d0d2469fade04f615027698fcd4ead9e7ab3b5a4eecaa8fb1f91476d"
    game = ruleset(tmp_path, RULES)
    record, state = played(game)
    kept = replace(record, digest=former[:16])
    assert Record.parse(kept.text()).replay(game)[-1] == state
    data = json.loads(state.serialize()) | {"rules": former}
    del data["check"]
    assert game.deserialize(json.dumps(data | {"check": checksum(data)})) == state
    other = ruleset(tmp_path, RULES.replace("marks = 9", "marks = 8"))
    with pytest.raises(GameDSLError, match="E0533"):
        Record.parse(kept.text()).replay(other)
