"""A checkpoint is input: whatever the file holds, it is refused with a message, or the verdicts are those from scratch."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gamedsl.cli.main import main
from gamedsl.compiler import compile_program
from gamedsl.compiler.emit.successors.packed_states import Field, Rows
from gamedsl.engine import Game, InterpretedGame
from gamedsl.lab.explore import breadth_first as explore_search
from gamedsl.lab.explore import checkpoint_states
from gamedsl.lab.explore.explorer import Execution, Limits, explore
from gamedsl.lab.symmetry.symmetries import symmetries
from gamedsl.language.rules import load_program
from gamedsl.language.source.diagnostic import GameDSLError
from tests.lab.judging import judge
from tests.lab.test_explore_native import same

Arrays: TypeAlias = dict[str, Any]

# with chance; with open choices
SMALL = [("tic-tac-toe", {}, 300), ("pig", {"target": 12}, 100), ("rock-paper-scissors", {}, 4)]


@pytest.fixture(scope="module")
def nine(tmp_path_factory: pytest.TempPathFactory) -> tuple[Game, Path]:
    """Tic-tac-toe cut short at 2,000 states of 5,478."""
    game, path = InterpretedGame(load_program("tic-tac-toe")), tmp_path_factory.mktemp("kept") / "nine"
    explore(game, Limits(states=2000), execution=Execution(native=True, checkpoint=path))
    return game, path


def forged(nine: tuple[Game, Path], to: Path, change: Callable[[Arrays], object]) -> Path:
    with np.load(nine[1], allow_pickle=False) as file:
        arrays = {name: file[name].copy() for name in file.files}
    change(arrays)
    with to.open("wb") as out:
        np.savez(out, **arrays)
    return to


def code_of(game: Game, path: Path) -> str:
    """The code that going on from a file is refused with."""
    with pytest.raises(GameDSLError) as caught:
        explore(game, Limits(states=3000), execution=Execution(native=True, checkpoint=path))
    return caught.value.diagnostics[0].code


def refused_or_right(game: Game, path: Path) -> None:
    try:
        graph = explore(game, execution=Execution(native=True, checkpoint=path))
    except GameDSLError as error:
        assert error.diagnostics[0].code in ("E0521", "E0523")
    else:
        same(explore(game, execution=Execution(native=True)), graph)


def put(name: str, value: Any) -> Callable[[Arrays], object]:
    return lambda z: z.__setitem__(name, value)


def at(name: str, index: Any, value: Any) -> Callable[[Arrays], object]:
    return lambda z: z[name].__setitem__(index, value)


def only_the_first(z: Arrays) -> None:
    """The forged proof: one state, all of whose ways on are said to be tried."""
    z["words"], z["parent"], z["levels"] = z["words"][:1], z["parent"][:1], np.array([0])
    z["head"][1:3] = 1, 4


CHANGES: dict[str, Callable[[Arrays], object]] = {
    "all are expanded": lambda z: z["head"].__setitem__(1, len(z["words"])),
    "only the first": only_the_first,
    "more expanded than there are": at("head", 1, 10**9),
    "fewer ways": at("head", 2, 1),
    "many ways": at("head", 2, 1 << 62),
    "layered is 7": at("head", 3, 7),
    "long head": lambda z: z.__setitem__("head", np.append(z["head"], 0)),
    "no head": lambda z: z.pop("head"),
    "one more": put("more", np.zeros(3)),
    "narrow words": lambda z: z.__setitem__("words", z["words"].astype(np.int8)),
    "float words": lambda z: z.__setitem__("words", z["words"].astype(np.float64)),
    "not a number": lambda z: z.__setitem__("words", np.full(z["words"].shape, np.nan)),
    "words of the other order": lambda z: z.__setitem__("words", z["words"].astype(">i8")),
    "columns first": lambda z: z.__setitem__("words", np.asfortranarray(np.repeat(z["words"], 2, axis=1))),
    "random words": lambda z: z.__setitem__("words", np.random.default_rng(1).integers(-(1 << 63), 1 << 63, z["words"].shape)),
    "wide words": lambda z: z.__setitem__("words", np.repeat(z["words"], 2, axis=1)),
    "objects": lambda z: z.__setitem__("levels", np.array([{}], dtype=object)),
    "no words": lambda z: z.__setitem__("words", z["words"][:0]),
    "flat words": lambda z: z.__setitem__("words", z["words"].ravel()),
    "no levels": put("levels", np.zeros(0, dtype=np.int64)),
    "level behind the end": lambda z: z.__setitem__("levels", np.append(z["levels"], 5000)),
    "negative level": at("levels", 1, -1),
    "too few levels": lambda z: z.__setitem__("levels", z["levels"][:-2]),
    "a level begins early": at("levels", 3, 20),
    "parents ahead": at("parent", 5, 1000),
    "negative parent": at("parent", 5, -3),
    "another parent": at("parent", 40, 11),
    "another first state": lambda z: z["words"].__setitem__(0, z["words"][1]),
    "a state twice": lambda z: z["words"].__setitem__(100, z["words"][101]),
    "states swapped": lambda z: z["words"].__setitem__([100, 101], z["words"][[101, 100]]),
    "a state that cannot be": lambda z: z["words"].__setitem__(1900, z["words"][1900] ^ 0x7F),
    "a rules error": put("faults", np.array([[3, 1, 9]])),
    "a rules error on no way": put("faults", np.array([[3, 1000, 9]])),
    "a rules error nowhere": put("faults", np.array([[99999, 1, 9]])),
    "narrow faults": put("faults", np.zeros((0, 2), dtype=np.int64)),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_forged_file_is_refused(change: Callable[[Arrays], object], nine: tuple[Game, Path], tmp_path: Path) -> None:
    assert code_of(nine[0], forged(nine, tmp_path / "it", change)) == "E0523"


def test_other_things_than_files(nine: tuple[Game, Path], tmp_path: Path) -> None:
    """None of these is waited for, followed or loaded."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero")):
        assert code_of(nine[0], path) == "E0523"


def test_sizes_are_looked_at_before_memory_is_taken(nine: tuple[Game, Path], tmp_path: Path) -> None:
    bomb, lie = tmp_path / "bomb", tmp_path / "lie"
    with np.load(nine[1]) as file:
        np.savez_compressed(bomb.open("wb"), **{name: file[name] for name in file.files})
    assert code_of(nine[0], bomb) == "E0523"
    with zipfile.ZipFile(nine[1]) as whole, zipfile.ZipFile(lie, "w") as out:
        for name in whole.namelist():
            data = whole.read(name)
            out.writestr(name, data.replace(b"(2000, ", b"(2000000000000000, ", 1) if name == "words.npy" else data)
    assert code_of(nine[0], lie) == "E0523"


@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_change_is_found_or_does_no_harm(data: st.DataObject, nine: tuple[Game, Path], tmp_path: Path) -> None:
    """Refused with a code, or the same graph as from scratch."""

    def change(z: Arrays) -> None:
        for name in data.draw(st.lists(st.sampled_from(sorted(z)), min_size=1, max_size=2), label="arrays"):
            flat = z[name].reshape(-1)
            how = data.draw(st.sampled_from(["value", "cut", "flip", "repeat"]), label="how")
            if how == "value" and flat.size:
                near = int(flat[data.draw(st.integers(0, flat.size - 1))])
                info = np.iinfo(flat.dtype)
                value = data.draw(st.integers(near - 2, near + 2) | st.integers(int(info.min), int(info.max)))
                flat[data.draw(st.integers(0, flat.size - 1))] = max(int(info.min), min(int(info.max), value))
            elif how == "cut":
                z[name] = z[name][: data.draw(st.integers(0, len(z[name])))]
            elif how == "flip" and flat.size:
                flat[data.draw(st.integers(0, flat.size - 1))] ^= data.draw(st.sampled_from([1, 2, 16]))
            else:
                z[name] = np.repeat(z[name], 2, axis=0)

    refused_or_right(nine[0], forged(nine, tmp_path / "it", change))


@given(cut=st.integers(0, 1 << 14), noise=st.binary(max_size=40))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes(cut: int, noise: bytes, nine: tuple[Game, Path], tmp_path: Path) -> None:
    whole = nine[1].read_bytes()
    path = tmp_path / "it"
    path.write_bytes(whole[:cut] + noise + whole[cut + len(noise) :] if noise else whole[:cut])
    refused_or_right(nine[0], path)


@pytest.mark.parametrize(("name", "options", "states"), SMALL)
def test_values_that_cannot_be(name: str, options: dict[str, Any], states: int, tmp_path: Path) -> None:
    """All bits set, and each bit of the first state flipped: no native code sees such a state."""
    game, kept = InterpretedGame(load_program(name, options)), tmp_path / "kept"
    explore(game, Limits(states=states), execution=Execution(native=True, checkpoint=kept))
    for mask in (-1, *(1 << bit if bit < 63 else -(1 << 63) for bit in range(0, 64, 3))):
        path = forged((game, kept), tmp_path / "it", lambda z, m=mask: z["words"].__setitem__(-1, z["words"][-1] ^ m))  # type: ignore[misc]
        assert code_of(game, path) == "E0523"


STACKS = """game "Stacks"
players A, B, C
board grid 2 by 2
state
  pile: cell -> stack of player up to 5
move put(c: cell) written "{c}"
  when height(pile[c]) < 5
  push me on pile[c]
play
  turns from A
    me plays put
      stuck
        draw
"""
WIDE = """game "Wide"
players A, B
board grid 26 by 26
state
  level: cell -> 0..4
move up(c: cell) written "{c}"
  when c in {a1, b1, c1}
  when level[c] < 4
  add 1 to level[c]
play
  turns from A
    me plays up
      stuck
        draw
"""


@pytest.mark.parametrize(("text", "field"), [(STACKS, "pile"), (WIDE, "level")])
def test_values_between_the_bits(text: str, field: str, tmp_path: Path) -> None:
    """A stack of 6 or 7 of 5, a fourth of three players; a number above 4 in a state that is kept as it is."""
    (tmp_path / "it.gdl").write_text(text, encoding="utf-8")
    game, kept = InterpretedGame(load_program(tmp_path / "it.gdl")), tmp_path / "kept"
    limits = Limits(states=100)
    explore(game, limits, execution=Execution(native=True, checkpoint=kept))
    explore(game, limits, execution=Execution(native=True, checkpoint=kept))
    frame = compile_program(game.program, game).frame
    found = Rows.every_field(frame)
    loose = [f for f in found if f.most < (1 << f.width) - 1 and f.variable >= 0]
    tried = [f for f in loose if game.program.variables[f.variable].name == field]
    for f in (tried[0], tried[1], tried[-1]):

        def raised(z: Arrays, f: Field = f) -> None:
            word = z["words"][-1, f.word]
            z["words"][-1, f.word] = (word & ~np.int64(f.mask)) | np.int64(f.most + 1 << f.shift)

        path = forged((game, kept), tmp_path / "it", raised)
        with pytest.raises(GameDSLError, match="has a value outside its range"):
            explore(game, limits, execution=Execution(native=True, checkpoint=path))


def test_rules_errors_left_out(tmp_path: Path) -> None:
    path = tmp_path / "wrong.gdl"
    path.write_text(
        'game "Wrong"\nplayers A, B\nstate\n  left: 0..5 = 3\nmove less(k: 1..2) written "less {k}"\n  take k from left\n'
        "play\n  turns from A\n    me plays less\n    if left = 0\n      win me\n",
        encoding="utf-8",
    )
    game, kept = InterpretedGame(load_program(path)), tmp_path / "kept"
    assert explore(game, execution=Execution(native=True, checkpoint=kept)).faults
    assert explore(game, execution=Execution(native=True, checkpoint=kept)).faults
    assert (
        code_of(game, forged((game, kept), tmp_path / "it", lambda z: z.__setitem__("faults", z["faults"][:0])))
        == "E0523"
    )


@pytest.mark.parametrize("turned", [False, True])
def test_what_was_not_checked_is_said(turned: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only a sample is expanded again, every verdict says what it rests on; where all are, none does."""
    program = load_program("tic-tac-toe")
    game, turns = InterpretedGame(program), symmetries(program) if turned else []
    path = tmp_path / "it"
    explore(game, execution=Execution(native=True, checkpoint=path), turns=turns)
    whole = explore(game, execution=Execution(native=True, checkpoint=path), turns=turns)
    assert whole.resumed is not None
    assert whole.resumed.trusted == 0
    assert not any(" is right" in v.detail for v in judge(whole, list(program.claims)))
    monkeypatch.setattr(checkpoint_states.Recheck.run, "__defaults__", (256, None))
    sampled = explore(game, execution=Execution(native=True, checkpoint=path), turns=turns)
    assert sampled.resumed is not None
    assert 128 <= sampled.resumed.checked < sampled.resumed.expanded
    found = judge(sampled, list(program.claims))
    assert all(f"if {path} is right about {sampled.resumed.trusted:,} states" in v.detail for v in found)


def test_a_play_through_a_forged_state_is_refused(
    nine: tuple[Game, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the sample misses a state that does not follow on its parent, a play through it is not made up."""
    path = forged(nine, tmp_path / "it", lambda z: z["words"].__setitem__([1400, 1900], z["words"][[1900, 1400]]))
    monkeypatch.setattr(checkpoint_states.Recheck, "run", lambda *_: (0, ""))
    graph = explore(nine[0], execution=Execution(native=True, checkpoint=path))
    with pytest.raises(GameDSLError, match="E0523"):
        graph.moves(1400)


def test_ways_that_were_not_counted(nine: tuple[Game, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays for the ways on are as long as the file says: what does not fit is not written."""
    for ways in (0, 100, 1 << 20):
        path = forged(nine, tmp_path / "it", lambda z, n=ways: z["head"].__setitem__(2, n))  # type: ignore[misc]
        monkeypatch.setattr(checkpoint_states.Recheck, "run", lambda *_: (0, ""))
        graph = explore(nine[0], Limits(states=2000), execution=Execution(native=True, checkpoint=path))
        with pytest.raises(GameDSLError, match="E0523"):
            _ = graph.target


def test_a_search_that_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written in the middle of a level is gone on with as if nothing had happened."""
    game, path = InterpretedGame(load_program("tic-tac-toe")), tmp_path / "it"
    monkeypatch.setattr(explore_search, "SAVE_EVERY", 0.0)
    monkeypatch.setattr(explore_search, "CHUNK", 50)
    told: list[int] = []

    def killed(progress: Any) -> None:
        told.append(progress.expanded)
        if len(told) % 7 == 0:
            raise KeyboardInterrupt

    while True:
        try:
            graph = explore(game, execution=Execution(native=True, checkpoint=path), watch=killed)
            break
        except KeyboardInterrupt:
            pass
    same(explore(game, execution=Execution(native=True)), graph)


def test_on_the_command_line(nine: tuple[Game, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = forged(nine, tmp_path / "it", only_the_first)
    assert main(["verify", "tic-tac-toe", "--no-save", "--checkpoint", str(path)]) == 1
    said = capsys.readouterr()
    assert "E0523" in said.err
    proved = [line for line in said.out.splitlines() if line.startswith("proved")]
    assert all("of a random game" in line for line in proved), "only a game that the engine made may prove anything"
    whole = tmp_path / "whole"
    whole.write_bytes(nine[1].read_bytes())
    assert main(["verify", "tic-tac-toe", "--no-save", "--format", "json", "--checkpoint", str(whole)]) == 0
    resumed = json.loads(capsys.readouterr().out)["resumed"]
    assert resumed == {
        "file": str(whole),
        "states": 2000,
        "expanded": resumed["expanded"],
        "checked": resumed["expanded"],
    }
    assert main(["verify", "tic-tac-toe", "--no-save", "--checkpoint", str(whole)]) == 0
    assert "5,478 states, 5,478 of them expanded; all of these were expanded again" in capsys.readouterr().out


def test_a_summary_says_what_it_rests_on(
    nine: tuple[Game, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also with --quiet, which leaves out what is proved."""
    path = tmp_path / "it"
    path.write_bytes(nine[1].read_bytes())
    monkeypatch.setattr(checkpoint_states.Recheck.run, "__defaults__", (256, None))
    assert main(["verify", "tic-tac-toe", "--no-save", "-q", "--checkpoint", str(path)]) == 0
    assert f"11 proved, if {path} is right about" in capsys.readouterr().out
