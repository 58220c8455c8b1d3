"""The states of ``gamedsl.load(..., backend="native")`` say what the interpreter's say, play after play."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from random import Random

import pytest

from gamedsl.compiler.emit.entries.move_codes import MoveCodes
from gamedsl.compiler.host import convert
from gamedsl.compiler.host.native_game import NativeGame
from gamedsl.compiler.host.native_state import NativeState
from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.moves import Move
from gamedsl.engine.state import State
from gamedsl.language.rules import load_program
from gamedsl.language.source.diagnostic import GameDSLError
from tests.shipped_sample import sampled, small

from .generate import random_text
from .test_generate import program_of

RULESETS = Path(__file__).parents[2] / "rulesets"
SHIPPED = sorted(p.stem for folder in (RULESETS, RULESETS / "classics") for p in folder.glob("*.gdl"))
NOTED = ("atreso", "go", "chess")  # positions are noted


@cache
def games(name: str) -> tuple[Game, Game]:
    program = load_program(name, small(name))
    return InterpretedGame(program), NativeGame(program)


def told(state: State) -> dict[str, object]:
    """All that a state says."""
    seats = (None, *range(state.game.num_players))
    return {
        "block": state.block,
        "kind": state.kind,
        "current player": state.current_player,
        "to act": state.to_act,
        "moves": [[(m, str(m), m.player) for m in state.legal_moves(seat)] for seat in seats],
        "counts": [state.count_moves(seat) for seat in seats],
        "chances": state.chance_outcomes(),
        "over": state.is_terminal,
        "returns": state.returns,
        "scores": state.scores,
        "winners": state.winners,
        "outcome": state.outcome_text,
    }


def refusal(state: State, move: Move) -> str:
    """What a state says to an illegal move."""
    with pytest.raises(GameDSLError) as error:
        state.apply(move)
    return str(error.value)


def same_play(slow: State, fast: State, rng: Random, plies: int) -> list[tuple[State, State]]:
    """The states of a random play by both. The last to act of several chooses first now and then."""
    found, others = [(slow, fast)], []
    for _ in range(plies):
        assert told(slow) == told(fast)
        if slow.is_terminal:
            break
        if slow.kind in ("chance", "drawing"):
            seed = rng.random()
            move = slow.propose(Random(seed))
            assert slow.kind == "drawing" or fast.propose(Random(seed)) == move
        else:
            move = rng.choice(slow.legal_moves(rng.choice(slow.to_act)))
        others.append(move)
        old = rng.choice(others)
        if slow.why_not(old):
            assert fast.why_not(old) == slow.why_not(old)
            assert refusal(fast, old) == refusal(slow, old)
        slow, fast = slow.apply(move), fast.apply(move)
        assert isinstance(fast, NativeState)
        found.append((slow, fast))
    assert fast == slow and hash(fast) == hash(slow)
    return found


@pytest.mark.parametrize("name", sampled(SHIPPED, "single states"))
def test_both_backends_say_the_same(name: str) -> None:
    slow, fast = games(name)
    same_play(slow.initial_state(), fast.initial_state(), Random(7), 20)


@pytest.mark.parametrize("seed", range(6))
def test_random_rulesets(seed: int, tmp_path: Path) -> None:
    program = program_of(random_text(seed), tmp_path)
    try:
        slow, fast = InterpretedGame(program), NativeGame(program)
        first = slow.initial_state()
    except GameDSLError:
        pytest.skip("the first position goes wrong")
    try:
        same_play(first, fast.initial_state(), Random(seed), 30)
    except GameDSLError:
        pytest.skip("a rules error comes up in this play")


@pytest.mark.parametrize("name", NOTED)
def test_states_keep_the_positions_noted_before_them(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An arena fills up again and again, and old states are played on later."""
    monkeypatch.setattr(convert, "ENTRIES", 1)
    slow, fast = games(name)
    monkeypatch.setattr(fast, "_first", None)
    states, rng = [(slow.initial_state(), fast.initial_state())], Random(3)
    while not states[-1][0].is_terminal and len(states) < 250:
        move = states[-1][0].propose(rng)
        states.append((states[-1][0].apply(move), states[-1][1].apply(move)))
    contexts = {id(s._at[1]) for _, s in states if isinstance(s, NativeState)}
    assert len(contexts) > 1
    for before, same in states[::-25]:
        assert same.slots == before.slots
        if not before.is_terminal:
            move = before.propose(rng)
            assert same.apply(move) == before.apply(move)


def test_threads_play_on_from_the_same_states() -> None:
    """A thread plays from a state of another's, and gets what it gets alone."""
    slow, fast = games("atreso")
    starts = [s for _, s in same_play(slow.initial_state(), fast.initial_state(), Random(1), 20)]

    def play(seed: int) -> tuple[object, ...]:
        state, rng = starts[seed % len(starts)], Random(seed)
        for _ in range(40):
            state = state if state.is_terminal else state.apply(state.propose(rng))
        return state.slots

    alone = [play(seed) for seed in range(24)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(play, range(24))) == alone


def test_a_move_of_wrong_shape_is_refused() -> None:
    """Numbers out of range never come to compiled code."""
    slow, fast = (g.initial_state() for g in games("tic-tac-toe"))
    good = slow.legal_moves()[0]
    for args in ((99,), (-1,), (1 << 70,), (), (1, 2)):
        move = Move("move", good.schema, good.name, 0, args, "somewhere")
        assert refusal(fast, move) == refusal(slow, move)
    for schema, player in ((-1, 0), (5, 0), (None, 0), (0, 1), (0, None), (0, 7)):
        with pytest.raises(GameDSLError):
            fast.apply(Move("move", schema, "place", player, good.args, "somewhere"))


def test_moves_of_another_game_are_known_by_what_they_are() -> None:
    """The same move made by another game's state is played, whatever code it has there."""
    first, other = games("tic-tac-toe")[1], NativeGame(load_program("tic-tac-toe", {}))
    wide = NativeGame(load_program("m-n-k", {}))
    move = other.initial_state().legal_moves()[4]
    assert first.initial_state().apply(move) == other.initial_state().apply(move)
    far = wide.initial_state().legal_moves()[4]
    assert first.initial_state().apply(far).slots == first.initial_state().apply(move).slots  # the fifth cell of both


def test_codes_of_several_words(tmp_path: Path) -> None:
    """Nine cells of a board of 20 by 20 take 9 bits each, more than a word has."""
    params = ", ".join(f"c{i}: cell" for i in range(9))
    inside = " ".join(f"when c{i} in {{a{i + 1}}}" if i else "when c0 in {a1, b1}" for i in range(9)).replace(
        "when", "\n  when"
    )
    text = f"""game "Wide"
players X, O
board grid 20 by 20
move mark({params}){inside}
play
  turns from X
    me plays mark
    if turn > 2
      draw
"""
    program = program_of(text, tmp_path)
    assert MoveCodes(program).words == 2
    same_play(InterpretedGame(program).initial_state(), NativeGame(program).initial_state(), Random(1), 5)
