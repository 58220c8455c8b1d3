"""Generic code: prepared programs keep their meaning, look-ahead runs only what a condition can observe, and playouts
choose as the engine does."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.compiler.analysis.backward_slices import Slices
from gamedsl.compiler.host.binding import Native
from gamedsl.compiler.transform import pipeline
from gamedsl.compiler.transform.pipeline import why_not_specialized
from gamedsl.compiler.transform.prepare_generic import prepare_generic
from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.errors import RulesError
from gamedsl.engine.state import State
from gamedsl.engine.stop import evaluate_at
from gamedsl.language.core import all_exprs, can_fail
from gamedsl.language.core.core_printer import print_core
from gamedsl.language.core.nodes import AfterE, Assign, Closure, Decide, Expr, Program
from gamedsl.language.core.nodes import Test as Asked
from gamedsl.language.core.traverse import free_locals, walk, walk_statements
from gamedsl.language.rules.files import shipped
from tests.shipped_sample import small as on_small_boards

from . import small_rulesets as small
from .agree import KINDS, Walker, agree, compiled
from .replay import Draws, Outcome, forms_differ, played, replayed
from .specialization_check import first_difference, relabelled
from .test_passes import GOLDENS, Golden, difference

QUICK = ["backgammon", "chess", "quoridor", "tic-tac-toe", "go", "oware"]


# -------------------------------------------------------------------------------------------------- made ready


def test_before_and_after(golden: Golden, tmp_path: Path) -> None:
    program = small.program_of(small.WHOLE, tmp_path)
    assert why_not_specialized(program) is not None
    texts = [print_core(p, people=False) for p in (program, prepare_generic(program))]
    golden(GOLDENS / "prepare-generic.txt", difference(*texts))


@pytest.mark.parametrize("name", QUICK)
def test_a_program_made_ready_is_the_same_game(name: str) -> None:
    game = gamedsl.load(name, **on_small_boards(name))
    ready = relabelled(prepare_generic(game.program))
    for seed in range(2):
        assert first_difference(game, ready, seed, 40) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped()))
def test_every_program_made_ready_is_the_same_game(name: str) -> None:
    game = gamedsl.load(name)
    ready = relabelled(prepare_generic(game.program))
    for seed in range(10):
        assert first_difference(game, ready, seed, 150) == ""


def test_blocks_variables_and_kinds_of_moves_keep_their_numbers() -> None:
    program = gamedsl.load("chess").program
    ready = prepare_generic(program)
    assert ready.variables == program.variables
    assert [type(b.end) for b in ready.blocks] == [type(b.end) for b in program.blocks]
    assert [(s.name, s.params) for s in ready.schemas] == [(s.name, s.params) for s in program.schemas]
    assert [f.name for f in ready.functions[: len(program.functions)]] == [f.name for f in program.functions]


# ---------------------------------------------------------------------------------------------- looked at moves


def test_what_a_looked_at_move_does(golden: Golden, tmp_path: Path) -> None:
    program = small.program_of(small.WHOLE, tmp_path)
    golden(GOLDENS / "slices.txt", difference(*(print_core(p, people=False) for p in (program, sliced(program)))))


def sliced(program: Program) -> Program:
    """Every kind of move does only what its own conditions on the position after it ask."""
    slices = Slices(program)
    schemas = []
    for s in program.schemas:
        asked = [e.body for e in looked(program, s.index)]
        schemas.append(replace(s, effect=slices.needed(s.effect, asked)) if asked else s)
    return replace(program, schemas=tuple(schemas))


def looked(program: Program, schema: int) -> list[AfterE]:
    """The conditions of a kind of move on the position after it."""
    steps = [x.condition for x in program.schemas[schema].plan if isinstance(x, Asked)]
    return [x for e in steps for x in walk(e) if isinstance(x, AfterE) and x.schema == schema]


def answer(state: State, e: Expr, known: dict[int, int]) -> object:
    try:
        return evaluate_at(state, e, known)
    except RulesError as error:
        return str(error)


@cache
def pair(name: str) -> tuple[Game, Game]:
    """The game with the sliced kinds of moves behind its own, and the conditions asked of them instead."""
    program = gamedsl.load(name).program
    extra = tuple(replace(s, index=s.index + len(program.schemas)) for s in sliced(program).schemas)
    return InterpretedGame(program), InterpretedGame(replace(program, schemas=(*program.schemas, *extra)))


@pytest.mark.parametrize("name", ["chess", "quoridor"])
def test_conditions_can_t_tell_a_sliced_move_from_a_whole_one(name: str) -> None:
    _, game = pair(name)
    n, rng, compared = len(gamedsl.load(name).program.schemas), Random(4), 0
    state = game.initial_state()
    for _ in range(60):
        if state.is_terminal:
            state = game.initial_state()
        if isinstance(state.terminator, Decide):
            compared += same_answers(game.program, state, n, rng)
        state = state.apply(state.propose(rng))
    assert compared > 100


def same_answers(program: Program, state: State, n: int, rng: Random) -> int:
    """Asks of moves with any arguments, legal or not; how often."""
    asked = 0
    for schema in program.schemas[:n]:
        for e in looked(program, schema.index):
            other = replace(e, schema=schema.index + n)
            for _ in range(4):
                known = {x.id: rng.randrange(x.type.domain.size) for x in free_locals(e).values()}
                assert answer(state, e, known) == answer(state, other, known), (schema.name, known)
                asked += 1
    return asked


def test_what_can_fail_stays() -> None:
    """The count of plies without a capture can run over; who may castle can't, and no check asks it."""
    program = gamedsl.load("chess").program
    done = {s.var.name for s in walk_statements(sliced(program).schemas[0].effect) if isinstance(s, Assign)}
    assert "quiet" in done and "castling" not in done and "king" in done


# ---------------------------------------------------------------------------------------------------- random plays


@pytest.mark.parametrize("room", [256, 3])
def test_a_small_ruleset_draws_as_the_engine_does(room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the list of moves is too short for them."""
    all_listed(monkeypatch)
    monkeypatch.setattr("gamedsl.compiler.cutoffs.GENERIC_LIST", room)
    game = InterpretedGame(small.program_of(small.WHOLE, tmp_path))
    native = compiled(game)
    for seed in range(6):
        assert replayed(game, seed, seed, 80, None) == played(native, seed, seed, 80, None)
    assert forms_differ(native, 60, 3, 80, None) == ""


@pytest.mark.parametrize(("room", "rounds"), [(256, 24), (256, 1), (2, 24)])
def test_ways_found_before_change_nothing(
    room: int, rounds: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """Nor where ways are longer than what is noted, or there is no room for them."""
    monkeypatch.setattr("gamedsl.compiler.cutoffs.PATH_WORDS", room)
    monkeypatch.setattr("gamedsl.compiler.cutoffs.FLOOD_ROUNDS", rounds)
    all_listed(monkeypatch)
    game = InterpretedGame(small.program_of(small.WAYS, tmp_path))
    assert why_not_specialized(game.program) is not None
    native = Native(game.program, game)
    for seed in range(3):
        agree(game, seed, 40, native)
    for index in range(4):
        assert by_steps(native, 7, index, None) == played(native, 7, index, 5000)
    plays = native.playouts(300, 5)
    monkeypatch.setattr("gamedsl.compiler.cutoffs.PATH_WORDS", 0)
    assert plays == Native(game.program, game).playouts(300, 5)


def test_what_is_reached_by_steps_that_change_is_the_same_wherever_the_search_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goals above, below, and such as change; the search stops at the first of them."""
    all_listed(monkeypatch)
    game = InterpretedGame(small.program_of(small.MAZE, tmp_path))
    ready = prepare_generic(game.program)
    closures = [e for e in all_exprs(ready) if isinstance(e, Closure)]
    assert closures and not any(can_fail(e.step, ready.functions) for e in closures)
    native = Native(game.program, game)
    for seed in range(4):
        agree(game, seed, 40, native)


@pytest.mark.parametrize("name", ["chess", "quoridor", "international-draughts", "backgammon", "rock-paper-scissors"])
def test_a_play_is_the_same_way_on_by_way_on(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By "count" and "step", which are compared with the engine elsewhere."""
    all_listed(monkeypatch)
    game = gamedsl.load(name)
    native, rng = Native(game.program, game), Random(2)
    late = game.initial_state()
    for _ in range(8):
        late = late if late.is_terminal else late.apply(late.propose(rng))
    for start in (None, late):
        for index in range(6):
            assert by_steps(native, 7, index, start) == played(native, 7, index, 5000, start)


def all_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without room for candidates, moves are drawn from all legal ones, in the order in which they are numbered; so are
    those of specialized programs that draw no candidates. Kinds of moves stay whole: parts of them have numbers of their own."""
    monkeypatch.setattr("gamedsl.compiler.cutoffs.CANDIDATE_LIST", 0)
    monkeypatch.setattr("gamedsl.compiler.playouts.scalar_decisions.draws_candidates", lambda _play, _end: False)
    monkeypatch.setattr(pipeline, "PIPELINE", tuple(p for p in pipeline.PIPELINE if p.name != "split moves"))
    monkeypatch.setenv("GAMEDSL_CACHE", "off")


def by_steps(native: Native, seed: int, index: int, start: State | None) -> Outcome:
    walker, draws, n = Walker(native), Draws(seed, index), 0
    if start is None:
        walker.begin()
    else:
        ctypes.memmove(walker.at, native.pack(start, walker.context), native.state_size)
    while walker.kind():
        ways = walker.count()
        weights = [walker.weight(i) if walker.kind() == KINDS["chance"] else 1 for i in range(ways)]
        k = draws.below(sum(weights))
        assert walker.step(next(i for i, total in enumerate(accumulate(weights)) if k < total)) >= 0
        n += 1
    return n, tuple(walker.returns()[1])
