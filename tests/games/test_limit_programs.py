"""The hand-written programs of ``benchmarks/limit`` count the sequences that the rulesets have, and play as they do."""

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gamedsl import load
from gamedsl.compiler import compile_program

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "benchmarks" / "limit"

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

# The program: the ruleset, a depth, the count of sequences (`gamedsl perft` and the program found it apart), the depth of the slow test.
PROGRAMS = {
    "english_draughts": ("english-draughts", 6, 36768, 8),
    "chess": ("chess", 3, 8902, 4),
    "go": ("go", 2, 6643, 3),
    "amazons": ("amazons", 2, 2176, 3),
    "quoridor": ("quoridor", 2, 16677, 3),
    "havannah": ("havannah", 2, 28392, 3),
    "oware": ("oware", 6, 27332, 9),
    "backgammon": ("backgammon", 6, 33132, 7),
    "nine_mens_morris": ("nine-mens-morris", 4, 255024, 6),
    "kalah": ("kalah", 5, 4690, 9),
    "nim": ("nim", 5, 17496, 9),
    "y": ("y", 2, 4290, 3),
    "pentago": ("pentago", 2, 80640, 3),
    "ultimate_tic_tac_toe": ("ultimate-tic-tac-toe", 3, 6336, 6),
    "dots_and_boxes": ("dots-and-boxes", 3, 12144, 5),
    "konane": ("konane", 6, 7124, 8),
    "hex_swap": ("hex-swap", 2, 14641, 3),
    "brandub": ("brandub", 3, 39512, 4),
    "onitama": ("onitama", 5, 524160, 7),
    "t_tic_t_tac_toe": ("t-tic-t-tac-toe", 7, 917379, 8),
    "t_tic_t_tac_toe_version_2": ("t-tic-t-tac-toe-version-2", 5, 33291, 7),
    "international_draughts": ("international-draughts", 5, 26845, 8),
    "hive": ("hive", 4, 21600, 6),
    "lines_of_action": ("lines-of-action", 3, 44952, 4),
}


def built(name: str, folder: Path, level: str) -> Path:
    target = folder / name
    command = ["g++", "-std=c++20", level, "-march=native", "-w", "-o", str(target), str(FOLDER / f"{name}.cpp")]
    subprocess.run(command, check=True, capture_output=True)
    return target


def said(program: Path, *words: str) -> dict[str, float]:
    done = subprocess.run([str(program), *words], check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_counts_the_sequences_of_the_ruleset(name, tmp_path):
    _, depth, count, _ = PROGRAMS[name]
    assert said(built(name, tmp_path, "-O0"), "perft", str(depth)) == {"perft": count}


def test_the_games_of_a_match_have_the_sequences_of_their_versions(tmp_path):
    program = built("t_tic_t_tac_toe", tmp_path, "-O1")
    assert [said(program, "perft", "3", version)["perft"] for version in "12"] == [275064, 401385]


@pytest.mark.slow
def test_go_forbids_what_was_there_on_small_boards(tmp_path):
    program = built("go", tmp_path, "-O2")
    for side, depth in ((2, 7), (3, 6)):
        game = load("go", n=side)
        native = compile_program(game.program)
        found = said(program, "perft", str(depth), str(side))["perft"]
        assert found == native.perft(game.initial_state(), depth)


@pytest.mark.slow
def test_havannah_ends_alike_on_a_small_board(tmp_path):
    game = load("havannah", n=3)
    native = compile_program(game.program)
    found = said(built("havannah", tmp_path, "-O2"), "perft", "7", "3")["perft"]
    assert found == native.perft(game.initial_state(), 7)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_counts_deep_and_plays_alike(name, tmp_path):
    ruleset, _, _, depth = PROGRAMS[name]
    game = load(ruleset)
    program = built(name, tmp_path, "-O3")
    native = compile_program(game.program)
    for d in range(1, depth + 1):
        assert said(program, "perft", str(d))["perft"] == native.perft(game.initial_state(), d)
    theirs, ours = said(program, "scalar", "2", "1"), native.playouts(20_000, 2)
    wins, plays = theirs["wins"], theirs["playouts"]
    for mine, other in ((ours.wins[0], wins[0]), (ours.losses[0], wins[1])):
        share = (mine + other) / (ours.plays + plays)
        error = math.sqrt(max(share * (1 - share), 1e-9) * (1 / ours.plays + 1 / plays))
        assert abs(mine / ours.plays - other / plays) <= 4.5 * error
    error = math.sqrt(theirs["plies_variance"] * (1 / ours.plays + 1 / plays))
    assert abs(float(ours.plies) / ours.plays - theirs["plies"]) <= 4.5 * error + 1e-9


@pytest.mark.slow
def test_draughts_in_lockstep_play_as_one_at_a_time(tmp_path):
    program = built("english_draughts", tmp_path, "-O3")
    if subprocess.run([str(program), "simd", "0.01"], check=False, capture_output=True).returncode == 2:
        pytest.skip("needs AVX2")
    one, many = said(program, "scalar", "2", "1"), said(program, "simd", "2", "1")
    n, m = one["playouts"], many["playouts"]
    for mine, other in zip((*one["wins"], one["draws"]), (*many["wins"], many["draws"]), strict=True):
        share = (mine + other) / (n + m)
        assert abs(mine / n - other / m) <= 4.5 * math.sqrt(share * (1 - share) * (1 / n + 1 / m))
    error = math.sqrt(one["plies_variance"] * (1 / n + 1 / m))
    assert abs(one["plies"] - many["plies"]) <= 4.5 * error


def test_every_program_named_in_the_table_is_there():
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        from games import GAMES, MORE, every
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))
    named = {b.limit for b in GAMES + MORE if b.limit}
    assert named == {path.stem for path in FOLDER.glob("*.cpp") if not path.stem.startswith(("bfs_", "batch_"))}
    assert set(PROGRAMS) <= named
    shipped = {p.relative_to(ROOT / "rulesets").with_suffix("").as_posix() for p in (ROOT / "rulesets").rglob("*.gdl")}
    shipped = {name for name in shipped if "clauses" not in name}
    assert {b.ruleset for b in every()} == shipped
