"""Rules that go wrong: both backends say the same, in the same positions, in the same words.

An effect that goes wrong while its move is only tried (by ``forbid``, ``after``, ``moves``) is a rules error there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import gamedsl
from gamedsl.cli.main import main
from gamedsl.compiler import compile_program
from gamedsl.engine.perft_counts import perft
from gamedsl.engine.state import Game, State
from gamedsl.language.source.diagnostic import GameDSLError

STATE = """\
players X, O
board grid 2 by 2
piece mark of player
state
  v: 1..8 = 4
  w: 0..9 = 2
  p: cell? = b2
  q: cell = a1
  s: set of cell = {a1}
  h: stack of 0..3 up to 2

define third(n: 0..9) at most 2 deep = if n >= 3 then n else third(n + 1)

"""
# What goes wrong once w is 0.
FAULTS = {
    "range": "set v to w",
    "below": "set v to w - 3",
    "none": "if w = 0\n    set p to none\n  set q to p",
    "empty": "if w = 0\n    set s to {}\n  set q to the(s)",
    "deep": "set v to third(w)",
    "most": "if w = 0\n    set s to {}\n  set w to max of number(c) for c in s",
    "put": "if w = 0\n    put mark[X] on a1\n    put mark[O] on a1",
    "pop": "if w = 0\n    pop h -> k\n    set v to k + 1",
    "level": "push 1 on h\n  set v to h at w + 1",
    "under": "push 1 on h\n  if w = 0\n    set v to h at w",
    "full": "push 1 on h\n  if w = 0\n    push 2 on h\n    push 3 on h",
}
# Where the move is tried; most of these questions don't look at what the effect got wrong.
TRIED = {
    "not": ("", "", ""),
    "forbid": ("", "", "forbid w > 8"),
    "forbid-it": ("", "", "forbid v > 7"),
    "forbid-set": ("", "", "forbid count(mark[X]) > 3"),
    "forbid-nothing": ("", "", "forbid no"),
    "this": ("", "when not (after this: w > 8)", ""),
    "this-it": ("", "when after this: v < 8", ""),
    "some": ("when some m in moves(me, bad): after m: w < 9", "", ""),
    "every": ("when every m in attempts(rival, bad): after m: v < 8", "", ""),
    "count": ("when (count m in moves(me, bad): yes) < 3", "", "forbid w > 8"),
}


def rules(fault: str, tried: str) -> str:
    down, bad, forbid = TRIED[tried]
    return (
        f"{STATE}move down\n  {down or 'when yes'}\n  when w > 0\n  take 1 from w\n\n"
        f"move bad\n  {bad or 'when yes'}\n  {FAULTS[fault]}\n\n{forbid}\n\n"
        "play\n  turns from X, 4 times\n    me plays down | bad\n      stuck\n        draw\n  draw\n"
    )


OTHERS = {
    "nobody can move": "move step\n  when w > 1\n  take 1 from w\n\nplay\n  turns from X\n    me plays step\n",
    "nothing to choose": "play\n  X chooses q from {c in cell: number(c) > w + 1}\n  set w to 9\n"
    "  O chooses q from {c in cell: number(c) > w}\n  draw\n",
    "no outcome": "play\n  pick at random from {c in cell: number(c) > w} -> one\n  set w to 9\n"
    "  pick at random from {c in cell: number(c) > w} -> two\n  if one = two\n    win X\n  draw\n",
    "at once": "move show(n: 0..3)\n  when n < w or me = X\n  set w to 0\n\n"
    "play\n  repeat 2 times\n    everyone plays show\n  draw\n",
}
RULES = {f"{f}-{t}": (f, t) for f in FAULTS for t in TRIED}


def said(ask: Callable[[], object]) -> str:
    """The answer, or the rules error with its line."""
    try:
        return str(ask())
    except GameDSLError as error:
        first = error.diagnostics[0]
        return f"{first.code} {first.message} in line {first.span.line}"


def answers(game: Game, state: State) -> Iterator[str]:
    yield said(lambda: [str(m) for m in state.legal_moves()])
    yield said(lambda: state.count_moves())
    listed = said(state.legal_moves)
    for text in ("down", "bad") if listed.startswith("E") else map(str, state.legal_moves()):
        yield said(lambda text=text: [state.apply(game.parse_move(text, state)).to_act])


def alike(path: Path, plies: int = 4) -> int:
    """Compares all answers in all positions that can be reached; how many errors there were."""
    engine, native = gamedsl.load(path), gamedsl.load(path, backend="native")
    firsts = [said(lambda g=g: g.initial_state().to_act) for g in (engine, native)]
    assert firsts[0] == firsts[1]
    if firsts[0].startswith("E"):
        return 1
    errors, level = 0, [(engine.initial_state(), native.initial_state())]
    for _ in range(plies):
        further = []
        for one, other in level:
            told = list(answers(engine, one))
            assert told == list(answers(native, other))
            errors += sum(t.startswith("E0510") for t in told)
            counts = (
                said(lambda one=one: perft(one, 2)),
                said(lambda one=one: compile_program(engine.program, engine).perft(one, 2)),
            )
            assert counts[0] == counts[1]
            for move in [] if told[0].startswith("E") else one.legal_moves():
                try:
                    further.append((one.apply(move), other.apply(native.parse_move(str(move), other))))
                except GameDSLError:
                    continue
        level = further[:12]
    return errors


# every third, so that each fault and each place is there
PAIRS = [
    pytest.param(fault, tried, marks=() if (i + k) % 3 == 0 else pytest.mark.slow)
    for i, fault in enumerate(FAULTS)
    for k, tried in enumerate(TRIED)
]


@pytest.mark.parametrize(("fault", "tried"), PAIRS)
def test_an_effect_that_goes_wrong(fault: str, tried: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.gdl"
    path.write_text(rules(fault, tried))
    assert alike(path) > 0


@pytest.mark.parametrize("name", OTHERS)
def test_nobody_can_go_on(name: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.gdl"
    path.write_text(STATE + OTHERS[name])
    assert alike(path) > 0


def test_moves_that_are_tried_are_not_listed(tmp_path: Path) -> None:
    """By hand: with w = 0 the move bad would set v, which is 1..8, to 0. Nothing is listed; down may still be played."""
    path = tmp_path / "wrong.gdl"
    path.write_text(
        rules("range", "forbid").replace("w: 0..9 = 2", "w: 0..9").replace("when w > 0\n  take 1 from w", "add 1 to w")
    )
    for backend in ("interpreter", "native"):
        game = gamedsl.load(path, backend=backend)
        state = game.initial_state()
        with pytest.raises(GameDSLError, match=r"E0510 0 is out of range \(1\.\.8\)"):
            state.legal_moves()
        after = state.apply(game.parse_move("down", state))
        assert [str(m) for m in after.legal_moves()] == ["down", "bad"]


@pytest.mark.parametrize("fault", ["range", "put"])
def test_a_drawn_move_goes_wrong_whether_or_not_it_is_tried(fault: str, tmp_path: Path) -> None:
    """With w = 0 the effect goes wrong. What it does not change allows the move at once, or not until the effect is
    tried."""
    found = set()
    for forbid in ("forbid w > 8 and v > 3", "forbid w < 3 and v > 9", "forbid v > 9"):
        path = tmp_path / "wrong.gdl"
        text = rules(fault, "forbid").replace("forbid w > 8", forbid)
        path.write_text(text.replace("move bad\n", "move bad(c: cell)\n"))
        game = gamedsl.load(path)
        native = compile_program(game.program, game, baseline=True)
        found.add(said(lambda native=native: native.playouts(50, 1, lockstep=False)))
    assert len(found) == 1 and "E0510" in found.pop()


def test_the_place_in_a_copy(tmp_path: Path) -> None:
    """Code kept for the same rules in another file, and in other lines, tells the place in this one."""
    lines = []
    for name, before in (("one.gdl", ""), ("two.gdl", "# a line more\n\n"), ("one.gdl", "# changed\n")):
        (tmp_path / name).write_text(before + rules("range", "not"))
        game = gamedsl.load(tmp_path / name)
        with pytest.raises(GameDSLError) as wrong:
            compile_program(game.program, game).perft(game.initial_state(), 4)
        span = wrong.value.diagnostics[0].span
        assert (span.source.path, span.text) == (str(tmp_path / name), "w")
        lines.append(span.line)
    assert lines == [lines[0], lines[0] + 2, lines[0] + 1]


COMMANDS = {
    "simulate": ["simulate", "-n", "40", "--seed", "1"],
    "perft": ["perft", "--depth", "4"],
    "solve": ["solve"],
    "verify": ["verify"],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("rule", ["range-forbid", "below-this", "empty-some", "put-forbid-set", "range-not"])
def test_commands_say_the_same(command: str, rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wrong.gdl"
    path.write_text(rules(*RULES[rule]))
    words = COMMANDS[command]
    shown = []
    for more in ([], ["--backend", "interpreter"]) if command != "solve" and command != "verify" else ([],):
        assert main([words[0], str(path), *words[1:], *more]) in (1, 3)
        out = capsys.readouterr()
        text = re.sub(r"(?i)in play \d+ of seed .*", "in a play", out.out + out.err)  # each makes plays of its own
        shown.append([line for line in text.splitlines() if "E0510" in line or "help" in line])
    told = {
        "range": "0 is out of range (1..8)",
        "below": "-1 is out of range",
        "empty": "the set is empty",
        "put": "where",
    }
    assert shown[0] == shown[-1] and told[rule.split("-")[0]] in text and "internal" not in text
