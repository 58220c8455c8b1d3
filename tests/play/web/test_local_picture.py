"""The page alone shows what the engine shows: pictures, turns and reasons of compiled rules, run by Node."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.engine import Announcement, Game, Move, Sheet, State, announcements_at, codes_of, drawing_move
from gamedsl.engine.picture import Scars, scars_of
from gamedsl.language.core import limits
from gamedsl.language.core.nodes import DecideDrawing, DrawingT
from gamedsl.language.rules import shipped
from gamedsl.play.web import describe_position, describe_reasons
from gamedsl.play.web.offline.playable_data import playable_data
from gamedsl.play.web.offline.wasm_files import WasmFiles
from tests.engine.test_board_stacks import towers
from tests.engine.test_revealed import FAILING
from tests.play.web.test_rules_js import NAMES, NODE, STATIC

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
CHECK = Path(__file__).with_name("local_check.mjs")
QUICK = [
    "nim",
    "hex",
    "leduc-poker",
    "rock-paper-scissors",
    "x-s-and-lines",
    "horn-tiles",
    "kalah",
    "goofspiel",
    "macmahon-dominoes",
    "dots-and-boxes",
    "abs-trac-toe",
    "tic-tac-toe",
    "t-tic-t-tac-toe",
]
MOST_PLIES, ASKED = 60, 3
Json = dict[str, Any]


def _play(game: Game, files: WasmFiles, seed: int) -> list[State]:
    """The states of a random play up to ``MOST_PLIES``; what is drawn is one of the prepared drawings."""
    rng, state = Random(seed), game.initial_state()
    found = [state]
    while not state.is_terminal and len(found) <= MOST_PLIES:
        state = state.apply(_drawn(state, files, rng) if state.kind == "drawing" else state.propose(rng))
        found.append(state)
    return found


def _drawn(state: State, files: WasmFiles, rng: Random) -> Move:
    """A move that draws what is missing of a prepared drawing."""
    end = state.terminator
    assert isinstance(end, DecideDrawing)
    before, due = codes_of(state, end.var)[0], len(end.strokes)
    assert isinstance(before, tuple)
    fitting = [d for d in files.module.drawings if len(d) == len(before) + due and d[: len(before)] == before]
    drawing: Any = rng.choice(fitting)
    return drawing_move(drawing[len(before) :], state.to_act[0])


def _ply(game: Game, files: WasmFiles, after: State) -> Any:
    """The number of an action; of a drawing the number of what has been drawn until then."""
    move = after.history[-1]
    if move.kind != "drawing":
        return game.action(move)
    var = next(v for v in game.program.variables if isinstance(v.type, DrawingT))
    return {"drawing": files.module.drawings.index(codes_of(after, var)[0])}


def _asked(game: Game, state: State, rng: Random) -> list[tuple[int, int]]:
    """Some actions of the kinds that are offered, mostly illegal ones."""
    if state.is_terminal or state.kind in ("drawing", "chance"):
        return []
    seat = state.to_act[0]
    kinds = describe_position(state, seat)["turn"]["kinds"]
    found = []
    for _ in range(ASKED if kinds else 0):
        kind = game.action_kinds[rng.choice(kinds)]
        found.append((rng.randrange(kind.first, kind.first + kind.size), seat))
    return found


def compare(folder: Path, name: str, seed: int = 1, back: bool = False) -> int:
    """Returns how many positions were compared. ``back``: as they are shown when the play is looked back on from its end."""
    game, rng = gamedsl.load(name), Random(seed)
    files = playable_data(game)
    states = _play(game, files, seed)
    (folder / "g.wasm").write_bytes(files.code)
    (folder / "g.json").write_text(json.dumps(files.facts), encoding="utf-8")
    plies = [_ply(game, files, after) for after in states[1:]]
    seats: list[int | None] = [None, *range(game.num_players)]
    asked = [_asked(game, state, rng) for state in states]
    announced = [[_announced(states, i + 1, seat) for seat in seats] for i in range(len(plies))]
    told = [[[_told(game, one) for one in known] for known in row] for row in announced]
    (folder / "play.json").write_text(
        json.dumps({"plies": plies, "seats": seats, "asked": asked, "told": told, "back": back}), encoding="utf-8"
    )
    arguments = [str(NODE), str(CHECK), str(STATIC), str(folder / "g.wasm"), str(folder / "play.json")]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    lines, sheets = iter(done.stdout.splitlines()), [Sheet()] * len(seats)
    for i, state in enumerate(states):
        for k, seat in enumerate(seats):
            if i:
                before, after = (one.seen_by(seat) if game.secrets.hides else one for one in (states[i - 1], state))
                sheets[k] = _after(sheets[k], before, state.history[-1], after, announced[i - 1][k])
            scars = scars_of(sheets[k], state)
            shown = json.loads(next(lines))
            _same(game, state, seat, shown, asked[i], scars, states[-1] if back else state)
            if i < len(plies) and isinstance(plies[i], int):
                assert shown["next"] == game.action_text(plies[i])
    return len(states) * len(seats)


def _announced(states: list[State], at: int, seat: int | None) -> list[Announcement]:
    """What becomes known with a ply; to everybody, where nothing is hidden."""
    steps = [(states[0], None), *((after, after.history[-1]) for after in states[1 : at + 1])]
    return [one for one in announcements_at(steps, at, seat) if one.move is not None]


def _after(sheet: Sheet, before: State, move: Move, after: State, announced: list[Announcement]) -> Sheet:
    hides = before.game.secrets.hides
    return sheet.after_announced(before, announced, after) if hides else sheet.after(before, move, after)


def _told(game: Game, one: Announcement) -> list[Any]:
    assert one.move is not None
    if one.move.kind == "drawing":
        return [one.player, one.text, None]
    kind = next((k for k in game.action_kinds if k.schema is not None and k.schema == one.move.schema), None)
    if kind is None:
        return [one.player, one.text, {"kind": _other_kind(game, one.move), "values": []}]
    params = game.program.schemas[one.move.schema].params if one.move.schema is not None else ()
    lows = [limits(p.local.type)[0] for p in params]
    values = [a - low if isinstance(a, int) else None for a, low in zip(one.move.args, lows, strict=True)]
    return [one.player, one.text, {"kind": game.action_kinds.index(kind), "values": values}]


def _other_kind(game: Game, move: Move) -> int:
    return next(i for i, k in enumerate(game.action_kinds) if k.schema is None)


def _same(
    game: Game, state: State, seat: int | None, told: Json, asked: list[tuple[int, int]], scars: Scars, end: State
) -> None:
    expected = json.loads(
        json.dumps(describe_position(state, seat, scars=scars, over=end if end.is_terminal else None))
    )
    assert told["picture"] == expected["picture"]
    turn = expected["turn"]
    if turn["chance"] is not None:
        turn["chance"]["outcomes"] = []
    turn["actions"].sort()
    if state.kind == "together" and seat != state.to_act[0]:  # here simultaneous choices are made one by one
        turn["kinds"], turn["actions"] = [], []
    assert told["turn"] == turn
    for (action, who), found in zip([a for a in asked if a[1] == seat], told["reasons"], strict=True):
        assert found == json.loads(json.dumps(describe_reasons(state, [action], who))), game.action_text(action)
    own = [action for action, who in asked if who == seat]
    assert told["shared"] == (json.loads(json.dumps(describe_reasons(state, own, seat))) if own else [])


@pytest.mark.parametrize("name", QUICK)
def test_the_page_alone_shows_what_the_engine_shows(tmp_path: Path, name: str) -> None:
    assert compare(tmp_path, name) > 1


BACK = [
    "kuhn-poker", "leduc-poker", "liars-dice", "sealed-bid-auction",
    *(pytest.param(x, marks=pytest.mark.slow) for x in ("battleship", "dark-hex", "macmahon-dominoes", "phantom-tic-tac-toe", "tsuro")),
]  # fmt: skip


@pytest.mark.parametrize("name", BACK)
def test_once_a_play_is_over_every_earlier_position_shows_what_its_result_may_tell(tmp_path: Path, name: str) -> None:
    """In poker, hands stay hidden after a fold: what was folded is known at the end alone. Seeds 1 and 2 have both."""
    assert all(compare(tmp_path, name, seed, back=True) > 1 for seed in (1, 2))


SAYING = """
  say "Tried {c}." after try
  say "X has run into something." when found[X] != {}
  say "Somebody has placed a mark." when placed
  leave "?" on c after try
  leave "!" after try when c in mark[me] | found[me] | {c}
"""


@pytest.mark.parametrize("seed", [1, 2])
def test_the_page_alone_shows_a_seat_what_is_said_and_left_as_far_as_it_knows(tmp_path: Path, seed: int) -> None:
    """Every ``try`` is secret: the square is said to the player who tries, and to nobody else."""
    original = shipped()["phantom-tic-tac-toe"].read_text("utf-8")
    (tmp_path / "saying.gdl").write_text(original.replace("\nlook\n", "\nlook" + SAYING), encoding="utf-8")
    game = gamedsl.load(tmp_path / "saying.gdl")
    states = _play(game, playable_data(game), seed)
    sheets = [
        Sheet().after_announced(states[0].seen_by(s), _announced(states, 1, s), states[1].seen_by(s)) for s in (0, 1)
    ]
    assert [any("Tried" in text for text in sheet.said) for sheet in sheets] == [True, False]
    assert compare(tmp_path, str(tmp_path / "saying.gdl"), seed) > 10


def test_the_page_alone_tells_nothing_where_a_condition_fails(tmp_path: Path) -> None:
    (tmp_path / "quitters.gdl").write_text(FAILING, encoding="utf-8")
    assert (
        compare(tmp_path, str(tmp_path / "quitters.gdl"), seed=0) == 9
    )  # two waits: three positions for three viewers


def test_the_page_alone_shows_stacks_down_to_the_bottom(tmp_path: Path) -> None:
    towers(tmp_path)
    assert compare(tmp_path, str(tmp_path / "towers.gdl"), seed=2) > 20


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_page_alone_shows_every_ruleset_as_the_engine_does(tmp_path: Path, name: str) -> None:
    compare(tmp_path, name)


TRYING = """
game "Trying"

players A, B

type card = {low, middle, high}

state
  hand: player -> set of card, seen by owner
  gone: set of card
  deck: set of card = card, seen by nobody
  plies: 0..9

move discard(c: card)
  when after this: hand[me] within {high} "you would keep another card"
  take c from hand[me]
  add 1 to plies

move look_at(c: card)
  when after this: high in hand[rival] "there is nothing to be seen"
  reveal hand[rival] to me
  add 1 to plies

move exchange(c: card)
  when after this: c in hand[me] "you would not get that card"
  set hand[me] to hand[rival]
  add 1 to plies

move wait
  add 1 to plies

play
  for p in players
    deal 1 from deck to hand[p]
  turns from A
    if plies = 4
      draw
    me plays discard | look_at | exchange | wait
"""


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_page_alone_names_a_reason_about_the_position_after_a_move_if_the_seat_knows_what_it_depends_on(
    tmp_path: Path, seed: int
) -> None:
    """A seat knows its own hand after a discard. It does not know what it would see, or get in exchange, although trying the move
    in the rules reads it."""
    (tmp_path / "trying.gdl").write_text(TRYING, encoding="utf-8")
    assert compare(tmp_path, str(tmp_path / "trying.gdl"), seed) > 10
