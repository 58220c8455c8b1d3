"""The page's opponents where something is hidden, run by Node as its worker runs them: the moves are those of Python."""

from __future__ import annotations

import json
import shutil
import subprocess
from base64 import b64decode
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from struct import iter_unpack
from typing import Any, NamedTuple

import pytest

import gamedsl
from gamedsl.agents import LEVELS, LearnedValue, Level, Mcts, expected_levels
from gamedsl.agents.wasm_search import _search_facts
from gamedsl.engine import Game, State
from gamedsl.play.web.offline.playable_data import playable_data
from tests.agents.test_beliefs import believed, load, play

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
STATIC = Path(gamedsl.__file__).parent / "play" / "web" / "static"
CHECK = Path(__file__).with_name("information_check.mjs")
# with the most decisions of the plays: cards, bids, simultaneous choices, boards in the dark, noted positions, chance
GAMES = (
    ("leduc-poker", {}, 4),
    ("goofspiel", {"cards": "5", "bids": "hidden"}, 5),
    ("phantom-tic-tac-toe", {}, 5),
    ("liars-dice", {"dice": "1"}, 3),
    ("whist", {"ranks": "4"}, 14),
    ("sealed-bid-auction", {"top": "9"}, 1),
    ("phantom-go", {"n": "3"}, 8),
    ("dark-chess", {}, 9),
    ("dark-hex", {}, 14),
    ("stratego", {"army": "small", "rows": "4", "most_turns": "80"}, 16),
    ("battleship", {}, 10),
    ("tsuro", {}, 8),
    ("macmahon-dominoes", {}, 6),
)
SECRET = GAMES[:5]
SEEDS = range(3)
ITERATIONS = 150
LONGEST = 600.0  # seconds, within which every search has made its iterations


class Question(NamedTuple):
    """What a search is asked: the plies of the play by their numbers (or ``drawn``: prepared drawings), the iterations, the seed."""

    actions: Sequence[int | str]
    plays: int
    seed: int


def chosen_by_page(
    folder: Path, game: Game, questions: Iterable[Question], *bound: int, learned: LearnedValue | None = None
) -> list[int]:
    """``learned``: the value by which the search judges positions (None: playouts)."""
    found = playable_data(game, learned)
    (folder / "game.wasm").write_bytes(found.code)
    (folder / "game.json").write_text(json.dumps(found.facts), encoding="utf-8")
    asked = json.dumps([{**one._asdict(), "judges": learned is not None} for one in questions])
    arguments = [str(NODE), str(CHECK), str(STATIC), str(folder / "game.wasm"), *map(str, bound)]
    done = subprocess.run(arguments, input=asked, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return [int(line) for line in done.stdout.splitlines()]


def actions_of(state: State) -> list[int]:
    """The numbers of the plies that have led to a state."""
    at, found = state.game.initial_state(), list[int]()
    for move in state.history:
        number = next(a for a in at.legal_actions() if at.apply_action(a).history[-1] == move)
        found.append(number)
        at = at.apply_action(number)
    return found


def decision(game: Game, plies: int, seed: int) -> State:
    """A state with a choice, after a random play of so many decisions or fewer; of choices at once some may be made."""
    rng, state, last = Random(seed), game.initial_state(), None
    while not state.is_terminal:
        if state.kind != "chance" and state.count_moves() > 1:
            last = state
            if plies <= 0:
                break
        plies -= state.kind != "chance"
        state = state.apply(state.propose(rng) if state.kind == "chance" else rng.choice(state.legal_moves()))
    return last or decision(game, plies, seed + 100)  # nobody has had a choice


def number_of(state: State, move: Any) -> int:
    return next(a for a in state.legal_actions() if state.apply_action(a).history[-1] == move)


def chosen_alike(folder: Path, game: Game, states: list[State], iterations: int) -> None:
    """The page and Python choose the same, for every state under another seed."""
    agent = Mcts(iterations, None)
    wanted = [number_of(state, agent.choose(state, seed)) for seed, state in enumerate(states)]
    asked = [Question(actions_of(state), iterations, seed) for seed, state in enumerate(states)]
    assert chosen_by_page(folder, game, asked) == wanted


@pytest.mark.parametrize(("name", "options", "plies"), GAMES)
def test_the_page_plays_as_python_does(tmp_path: Path, name: str, options: dict[str, str], plies: int) -> None:
    """Positions of three plays. In one of them the searches follow each other, as in a game; other plays come between."""
    game = load(name, options)
    ends = [decision(game, plies, seed) for seed in SEEDS]
    line = [s for s in line_of(ends[0]) if s.kind in ("player", "together") and s.count_moves() > 1]
    chosen_alike(tmp_path, game, [*line[-3:], *ends], ITERATIONS)


def line_of(state: State) -> list[State]:
    """The states up to this one."""
    found = [state]
    while found[-1].previous is not None:
        found.append(found[-1].previous)
    return found[::-1]


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_as_python_does(tmp_path: Path, level: str) -> None:
    """The iterations of the lowest level fit the arrays made first; the highest ones need wider ones on the way."""
    game = load("leduc-poker", {})
    iterations = expected_levels(game)[LEVELS.index(level)]
    states = [decision(game, plies, plies) for plies in (0, 2, 3)]
    wanted = [number_of(state, Level(level, LONGEST).choose(state, 9)) for state in states]
    assert chosen_by_page(tmp_path, game, [Question(actions_of(s), iterations, 9) for s in states]) == wanted


@pytest.mark.parametrize(("name", "options", "plies"), SECRET)
def test_what_is_hidden_makes_no_difference(tmp_path: Path, name: str, options: dict[str, str], plies: int) -> None:
    """Other plays of which the seat has seen the same, with other cards, dice and pieces of the others."""
    game = load(name, options)
    state = play(game, plies, 5)
    same = believed(state, state.to_act[0], 6)
    assert len({tuple(actions_of(s)) for s in same}) > 1
    found = chosen_by_page(tmp_path, game, [Question(actions_of(s), ITERATIONS, 5) for s in [state, *same]])
    assert len(set(found)) == 1


def test_a_page_holds_no_addresses_of_the_process_that_made_it() -> None:
    """Else no two builds of a page had the same bytes. Addresses have more than 40 bits; hashes are of another type."""
    search = _search_facts(load("leduc-poker", {}))
    tables = [one for kind in search.values() if isinstance(kind, dict) for one in kind.values()]
    words = [b64decode(text) for type, _, text in (t for t in tables if isinstance(t, list)) if type == "i8"]
    assert len(words) > 6 and all(abs(word) < 1 << 40 for one in words for (word,) in iter_unpack("<q", one))


def test_a_tree_that_gets_no_more_memory_stays_as_large_as_it_is(tmp_path: Path) -> None:
    """8,000 nodes and their edges need more than 3 MB; the search goes on in those for which there was room."""
    state = decision(load("phantom-tic-tac-toe", {}), 2, 1)
    few, many = (Question(actions_of(state), plays, 1) for plays in (20, 8000))
    assert chosen_by_page(tmp_path, state.game, [few, many], 300_000)[1] in state.legal_actions()


def test_a_search_that_grows_is_the_one_with_room_from_the_beginning() -> None:
    """In Python too: the second search has the arrays that the first one needed."""
    state = decision(load("goofspiel", {"cards": "5"}), 2, 1)
    agent = Mcts(3000, None)
    first, second = agent.analyse(state, 3), agent.analyse(state, 3)
    assert first == second
