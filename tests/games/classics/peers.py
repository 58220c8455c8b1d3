"""Games that OpenSpiel has as well: how their moves are called there and here, and plays that go both ways at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from random import Random
from typing import Any

from gamedsl import Move, State
from gamedsl.language.boards import Shape, make_board
from tests.games.classics.soundness import Option, load

Path = tuple[str, ...]  # the names of the peer's actions that together make one move here

CELL = re.compile(r"([a-z])(\d+)")
WHITE_SPACE = re.compile(r"\s+")


def by_string(peer: Any, action: int) -> str:
    """The peer's own name of an action."""
    return str(peer.action_to_string(peer.current_player(), action))


@dataclass(frozen=True)
class Pair:
    """One game twice: our ruleset and options, the peer's game string, and a common key for the moves of both."""

    name: str
    peer: str
    ours: Callable[[str], str]  # the text of a move here -> key
    theirs: Callable[[Path], str] = "".join  # the peer's action, or actions -> key
    options: Mapping[str, Option] = field(default_factory=dict)
    named: Callable[[Any, int], str] = by_string  # the peer's state and action -> the name that `theirs` gets
    half: str = " half of a move "  # in the names of the peer's actions that only begin a move
    same_draws: bool = True  # no: a play is followed only until one of the two calls a draw
    offered: Callable[[Any, int], bool] = lambda peer, action: True  # which of the peer's actions are moves here
    opened: Callable[[Random, State, Any], tuple[State, Any]] = lambda rng, state, peer: (state, peer)  # chance first

    @property
    def title(self) -> str:
        """The two games, for the name of a test."""
        return WHITE_SPACE.sub("", f"{self.name}{dict(self.options) or ''}~{self.peer}")


def coordinates(text: str) -> list[tuple[int, int]]:
    """The cells in a text as (column, row), both from 1."""
    return [(ord(c) - ord("a") + 1, int(r)) for c, r in CELL.findall(text)]


def by_row(text: str) -> str:
    """A cell as row and column from 0."""
    ((column, row),) = coordinates(text)
    return f"{row - 1},{column - 1}"


def bare(path: Path) -> str:
    """Without the player's mark, brackets and the sign of a capture: `x(0,1)` is 0,1 and `a2b3*` is a2b3."""
    return re.sub(r"^[a-zA-Z]\(|\)$|\*$", "", path[-1])


def squeezed(text: str) -> str:
    """From and to without what lies between them."""
    return "".join(f"{c}{r}" for c, r in CELL.findall(text))


def upside_down(rows: int) -> Callable[[str], str]:
    """From and to, with the rows counted from the other side."""
    return lambda text: "".join(f"{chr(c + 96)}{rows + 1 - r}" for c, r in coordinates(text))


def mirrored(columns: int) -> Callable[[str], str]:
    """A cell with the columns counted from the other side."""
    return lambda text: "".join(f"{chr(columns + 1 - c + 96)}{r}" for c, r in coordinates(text))


TWISTS = {"b2 left": "s", "b2 right": "t", "e2 left": "u", "e2 right": "v"} | {
    "e5 left": "w",
    "e5 right": "x",
    "b5 left": "y",
    "b5 right": "z",
}


def twist(text: str) -> str:
    """A placement with the letter of the block and the way it is turned."""
    cell, turned = text.split(" twist ")
    return cell + TWISTS[turned]


def small_board(text: str) -> str:
    """A square of the big board as the small board and the place in it."""
    ((column, row),) = coordinates(text)
    return f"{(row - 1) // 3 * 3 + (column - 1) // 3}: {(row - 1) % 3},{(column - 1) % 3}"


def small_board_there(path: Path) -> str:
    """The same from `Local board 2: x(0,1)`; the choice of the board before it says nothing more."""
    board, cell = path[-1].removeprefix("Local board ").split(": ")
    return f"{board}: {bare((cell,))}"


def house(text: str) -> str:
    """A house by its owner's letter: A to F from the left, then a to f back."""
    ((column, row),) = coordinates(text)
    return "ABCDEF"[column - 1] if row == 1 else "abcdef"[6 - column]


def pit(text: str) -> str:
    """A house by its number round the board, the stores being 7 and 0."""
    ((column, row),) = coordinates(text)
    return str(column if row == 1 else 14 - column)


def side(text: str) -> str:
    """A line between dots: level or upright, with the row and column of its first dot from 0."""
    (column, row), (_, other) = coordinates(text)
    return f"{'h' if row == other else 'v'},{row - 1},{column - 1}"


def heap(text: str) -> str:
    """So many from a heap."""
    count, name = text.split(" from ")
    return f"pile:{'ABCD'.index(name) + 1}, take:{count};"


POINTS = re.findall("..", "a7d7g7b6d6f6c5d5e5a4b4c4e4f4g4c3d3e3b2d2f2a1d1g1")


def points(text: str) -> str:
    """The points of a mill game by their numbers, in reading order."""
    return " -> ".join(str(POINTS.index(c + r)) for c, r in CELL.findall(text))


def points_there(path: Path) -> str:
    """The same from `Point 3` and `Move 3 -> 4`."""
    return path[-1].removeprefix("Point ").removeprefix("Move ")


def squares(text: str) -> str:
    """Squares as (row from the top, column) of ten."""
    return "".join(f"({11 - r}, {c})" for c, r in coordinates(text))


def squares_there(path: Path) -> str:
    """The same from `X From (7, 1)` and `X To (4, 1)`."""
    return "".join(re.findall(r"\(.*\)", "\n".join(path)))


def worth_asking(peer: Any, action: int) -> bool:
    """With one die: to stop before the first throw, or to throw on with enough points, is not offered here."""
    match = re.search(r"Scores: (\d+) (\d+), Turn total: (\d+)\s+Current player: (\d)", str(peer))
    assert match
    first, second, pot, player = map(int, match.groups())
    return pot > 0 if by_string(peer, action) == "stop" else (first, second)[player] + pot < 100


def chess_move(text: str) -> str:
    """From, to and what a pawn becomes, or the sign of castling."""
    return text if text.startswith("O-O") else text.removesuffix(" e.p.").replace("=", "").lower()


def chess_move_there(peer: Any, action: int) -> str:
    """The same from the peer's move; castling there is a move of the king."""
    move = import_module("pyspiel").chess.action_to_move(action, peer.board())
    text = str(move.to_lan())
    return ("O-O" if text[2] in "gh" else "O-O-O") if move.is_castling() else text


def swap_there(peer: Any, action: int) -> str:
    """A cell; as the second move the cell of the first stone takes that stone over."""
    return "swap" if peer.history() == [action] else by_string(peer, action)


def peg_there(peer: Any, action: int) -> str:
    """A hole, with the rows counted from the other side; as the second move the hole of the first peg takes it over."""
    return "swap" if peer.history() == [action] else by_string(peer, action)[1:]


def same_start(rng: Random, state: State, peer: Any) -> tuple[State, Any]:
    """One of the 960 starts, drawn there at once, here piece by piece."""
    peer = peer.child(rng.choice(peer.chance_outcomes())[0])
    row = str(peer).split("/")[0]
    bishops = sorted((at for at, piece in enumerate(row) if piece == "b"), key=lambda at: at % 2)
    for at in [*bishops, row.index("q"), *(at for at, piece in enumerate(row) if piece == "n")]:
        picks = {str(move): move for move, _ in state.chance_outcomes()}
        state = state.apply(picks[f"pick {'abcdefgh'[at]}1"])
    return state, peer


def cubes_there(peer: Any) -> dict[str, tuple[int, int]]:
    """Where numbered cubes lie on the peer's board, as (column, row) from 1: `b3` is black's third."""
    rows = reversed(str(peer).split())
    found = {}
    for row, line in enumerate(rows, 1):
        for column, word in enumerate(line.strip("|").split("||"), 1):
            found[word] = (column, row)
    found.pop("__", None)
    return found


def same_cubes(rng: Random, state: State, peer: Any) -> tuple[State, Any]:
    """Both armies drawn there at once each, here cube by cube."""
    for _ in range(2):
        peer = peer.child(rng.choice(peer.chance_outcomes())[0])
    cubes = cubes_there(peer)
    for name in [f"{colour}{n}" for colour in "wb" for n in range(1, 7)]:
        column, row = cubes[name]
        picks = {str(move): move for move, _ in state.chance_outcomes()}
        state = state.apply(picks[f"pick {'abcde'[column - 1]}{row}"])
    return state, peer


def cube_there(peer: Any, action: int) -> str:
    """`W1-up` or `B6-right*` as the number of the cube and where it comes to lie."""
    name, way = by_string(peer, action).strip("*").lower().split("-")
    column, row = cubes_there(peer)[name]
    forward = -1 if name[0] == "w" else 1
    across, along = way in ("left", "right", "diag"), way in ("up", "down", "diag")
    return f"{name[1:]} to {chr(96 + column + forward * across)}{row - forward * along}"


def groove(size: int) -> Callable[[str], str]:
    """A square, or a fence by the square next to its middle, with the rows counted from the other side."""

    def name(text: str) -> str:
        ((column, row),) = coordinates(text)
        way = text[-1] if text[-1] in "hv" else ""
        return f"{chr(column + 96)}{size + (not way) - row}{way}"

    return name


def new_board(peer: Any, action: int) -> bool:
    """A stone that brings back an earlier board ends the play there; here it is no move."""
    return by_string(peer, action).endswith("PASS") or not peer.child(action).is_terminal()


def point_there(path: Path) -> str:
    """A point from `B c4`, where the letter i is left out, or `pass`."""
    name = path[0][2:]
    return "pass" if name == "PASS" else chr(ord(name[0]) - (name[0] > "i")) + name[1:]


SPACES = make_board((Shape("hex star", (4,)),), (), "letters", "top").domains["cell"].names


def hop(text: str) -> str:
    """From and to as numbers in reading order; to rest is to pass there."""
    if text == "rest":
        return "Pass"
    sign = "=>" if "^" in text else "->"
    return sign.join(str(SPACES.index(c + r)) for c, r in CELL.findall(text))


def star(players: int) -> Pair:
    """A star for so many players; after 60 turns it is a draw there, here the men that have arrived are counted."""
    options: dict[str, Option] = {"players": players, "limit": 60}
    peer = f"chinese_checkers(players={players},max_moves=60)"
    return Pair("chinese-checkers", peer, hop, options=options, same_draws=False)


def line(m: int, n: int, k: int) -> dict[str, Option]:
    """The options of a game of k marks in a line."""
    return {"m": m, "n": n, "k": k}


LONG = "max_game_length=5000"
GO: dict[str, Option] = {"suicide": False}

PAIRS = (
    Pair("tic-tac-toe", "tic_tac_toe", by_row, bare),
    Pair("misere-tic-tac-toe", "misere(game=tic_tac_toe())", by_row, bare),
    Pair("m-n-k", "mnk(m=5,n=4,k=4)", by_row, bare, line(5, 4, 4)),
    Pair("m-n-k", "misere(game=mnk(m=4,n=4,k=3))", by_row, bare, line(4, 4, 3) | {"misere": True}),
    Pair("m-n-k", "mnk(m=4,n=6,k=3)", by_row, bare, line(4, 6, 3)),
    Pair("gomoku", "gomoku(size=9)", by_row, bare, {"size": 9}),
    Pair("gomoku", "gomoku(size=15)", by_row, bare),
    Pair("connect-four", "connect_four", lambda t: str(coordinates(t)[0][0] - 1), lambda p: p[0][1:]),
    Pair("breakthrough", "breakthrough", upside_down(8), bare),
    Pair("breakthrough-6x6", "breakthrough(rows=6,columns=6)", upside_down(6), bare),
    Pair("hex", "hex(board_size=5)", squeezed, options={"n": 5}),
    Pair("hex", "hex(board_size=11)", squeezed),
    Pair("hex-swap", "hex(board_size=4,swap=true)", lambda t: squeezed(t) or t, options={"n": 4}),
    Pair("y", "y(board_size=6)", squeezed, options={"n": 6}),
    Pair("havannah", "havannah(board_size=4)", mirrored(7), options={"n": 4}),
    Pair("havannah", "havannah(board_size=6)", mirrored(11), options={"n": 6}),
    Pair(
        "havannah",
        "havannah(board_size=4,swap=true)",
        lambda t: t if t == "swap" else mirrored(7)(t),
        options={"n": 4, "swap": True},
        named=swap_there,
    ),
    Pair("clobber", "clobber(rows=5,columns=6)", squeezed, bare),
    Pair("pentago", "pentago", twist, options={"early": "waits"}),
    Pair("ultimate-tic-tac-toe", "ultimate_tic_tac_toe", small_board, small_board_there, half="Choose local board"),
    Pair("oware", "oware", house),
    Pair("kalah", "mancala", pit),
    Pair("dots-and-boxes", "dots_and_boxes(num_rows=3,num_cols=3)", side, lambda p: p[0][3:-1]),
    Pair(
        "dots-and-boxes", "dots_and_boxes(num_rows=2,num_cols=4)", side, lambda p: p[0][3:-1], {"rows": 2, "columns": 4}
    ),
    Pair("nim", "nim(pile_sizes=3;4;5,is_misere=false)", heap),
    Pair("misere-nim", "nim(pile_sizes=3;4;5,is_misere=true)", heap),
    Pair("pig", "pig(horizon=100000)", str, lambda p: {"stop": "hold"}.get(p[0], p[0]), offered=worth_asking),
    Pair("nine-mens-morris", "nine_mens_morris", points, points_there, {"quiet_plies": 500}, same_draws=False),
    Pair("amazons", "amazons", squares, squares_there, half="From"),
    Pair("lines-of-action", "lines_of_action", str, lambda path: path[0].replace("x", "-"), same_draws=False),
    Pair("phantom-tic-tac-toe", "phantom_ttt", by_row, bare),
    Pair("reversi", "othello", squeezed),
    Pair("go", f"go(board_size=4,komi=0.5,{LONG})", str, point_there, GO | {"n": 4, "komi": 1}, offered=new_board),
    Pair("go", f"go(board_size=9,{LONG})", str, point_there, GO, offered=new_board),
    Pair("chess", "chess", chess_move, named=chess_move_there),
    Pair("chess960", "chess(chess960=true)", chess_move, named=chess_move_there, opened=same_start),
    Pair(
        "quoridor",
        "quoridor(board_size=5,wall_count=3)",
        groove(5),
        options={"size": 5, "fences_each": 3},
        same_draws=False,
    ),
    Pair("quoridor", "quoridor", groove(9), same_draws=False),
    Pair("einstein-wuerfelt-nicht", "einstein_wurfelt_nicht", str, named=cube_there, opened=same_cubes),
    Pair("english-draughts", "checkers", squeezed, same_draws=False),
    *(Pair("twixt", f"twixt(board_size={size})", str, options={"size": size}, named=peg_there) for size in (5, 8, 12)),
    *(star(players) for players in (2, 3, 4, 6)),
)


def paths(pair: Pair, peer: Any) -> list[tuple[Path, tuple[int, ...]]]:
    """All moves of a peer's state, those of several actions put together: names and numbers of the actions."""
    found = []
    for action in peer.legal_actions():
        name = pair.named(peer, action)
        if pair.half in name:
            found += [((name, *names), (action, *more)) for names, more in paths(pair, peer.child(action))]
        else:
            found.append(((name,), (action,)))
    return found


def key(pair: Pair, move: Move) -> str:
    """The common key of a move here."""
    return "pass" if move.kind == "pass" else pair.ours(move.text)


def by_key(pair: Pair, peer: Any) -> dict[str, tuple[int, ...]]:
    """The peer's moves under their common keys; no two have the same one."""
    found: dict[str, tuple[int, ...]] = {}
    for names, actions in paths(pair, peer):
        name = pair.theirs(names)
        assert name not in found
        if pair.offered(peer, actions[0]):
            found[name] = actions
    return found


def roll(rng: Random, state: State, peer: Any) -> tuple[State, Any]:
    """The same side of the die on both sides; they come in the same order, with the same weights."""
    here, there = state.chance_outcomes(), peer.chance_outcomes()
    assert [float(weight) for _, weight in here] == [weight for _, weight in there]
    at = rng.randrange(len(here))
    return state.apply(here[at][0]), peer.child(there[at][0])


def step(pair: Pair, rng: Random, seats: tuple[int, ...], state: State, peer: Any) -> tuple[State, Any]:
    """One random move on both sides, after a look whether both offer the same ones to the same player."""
    if state.kind == "chance":
        return roll(rng, state, peer)
    assert seats[state.current_player] == peer.current_player()
    legal = state.legal_moves()
    here, there = {key(pair, m): m for m in legal}, by_key(pair, peer)
    assert len(here) == len(legal)
    assert here.keys() == there.keys(), f"{peer}"
    chosen = rng.choice(sorted(here))
    for action in there[chosen]:
        peer = peer.child(action)
    return state.apply(here[chosen]), peer


def drawn(state: State, peer: Any) -> bool:
    """Whether one of the two calls a draw."""
    return (state.is_terminal and not any(state.returns)) or (peer.is_terminal() and not any(peer.returns()))


def play_both(pair: Pair, start: Any, seed: int) -> int:
    """One random play of both to the same end with the same returns; tells how many plies it took."""
    rng, plies = Random(seed), 0
    state, peer = pair.opened(rng, load(pair.name, **pair.options).initial_state(), start)
    count = peer.num_players()
    seats = tuple(range(count)) if peer.current_player() == 0 else (1, 0)
    while not (state.is_terminal or peer.is_terminal()):
        state, peer = step(pair, rng, seats, state, peer)
        plies += 1
    if pair.same_draws or not drawn(state, peer):
        assert state.is_terminal == peer.is_terminal(), f"{peer}"
        assert [float(r) for r in state.returns] == [peer.returns()[seat] for seat in seats], f"{peer}"
    return plies
