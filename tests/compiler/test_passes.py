"""What each pass makes of a small ruleset written for it: the definitions before and after, as goldens.

The goldens are read when they change: `pytest tests/compiler/test_passes.py --rebaseline`, then look at the difference.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from llvmlite import ir

import gamedsl
from gamedsl.cli.compile_command import changed
from gamedsl.compiler.analysis.outcome_bounds import outcome_bounds
from gamedsl.compiler.compile.compile_report import kept
from gamedsl.compiler.compile.compiler import ProgramForms, Wanted, write
from gamedsl.compiler.compile.lowerings import new_unit
from gamedsl.compiler.emit.llvm_module import I64, Fn, bind, const
from gamedsl.compiler.emit.memory_layout import Frame
from gamedsl.compiler.emit.move_lists import Buffers, MoveList
from gamedsl.compiler.emit.sets import images
from gamedsl.compiler.emit.sets import line_patterns as patterns
from gamedsl.compiler.emit.sets.ray_chains import beyond_first
from gamedsl.compiler.playouts.condition_code import element_added, maintain
from gamedsl.compiler.transform.hop_masks import decision_masks
from gamedsl.compiler.transform.monitors import Components, Lines, Monitor, Reach, Touches
from gamedsl.compiler.transform.pass_report import steps
from gamedsl.compiler.transform.pipeline import SpecializedProgram, specialize_for_playouts, why_not_specialized
from gamedsl.compiler.transform.specialize import specialize
from gamedsl.language.core.core_printer import Names, print_core
from gamedsl.language.core.nodes import Const, Decide, ElemT, Load, Local, Lookup, Loop, Op2, Program, SetT, TableData
from gamedsl.language.core.print_expressions import expression_text
from gamedsl.language.rules.files import shipped
from tests.shipped_sample import small as small_size

from . import small_rulesets as small
from .kings_and_men import DRAUGHTS

GOLDENS = Path(__file__).parent / "goldens"
Golden = Callable[[Path, str], None]


def difference(before: str, after: str) -> str:
    gone, new = changed(after, before), changed(before, after)
    return "\n".join(["-- before", *gone, "-- after", *new]) + "\n"


@pytest.mark.parametrize(
    ("golden_name", "ruleset", "name"),
    [
        ("specialize", small.LINES, "specialize"),
        ("specialize-forks", small.CHOSEN, "specialize"),
        ("specialize-forks-by-lot", small.LED, "specialize"),
        ("specialize-forks-in-a-condition", small.HANDED, "specialize"),
        ("lift-plans-by-table", small.CARDS, "lift plans"),
        ("inline", small.CALLS, "specialize"),
        ("constant-tables", small.TABLES, "constant tables"),
        ("lift-quantifiers", small.SETS, "lift quantifiers"),
        ("lift-quantifiers-by-place", small.PLACES, "lift quantifiers"),
        ("narrow-loops", small.SEEDS, "narrow loops"),
        ("lift-plans", small.PLANS, "lift plans"),
        ("lift-plans-by-number", small.SEEDS, "lift plans"),
        ("lift-plans-by-place", small.PLACES, "lift plans"),
        ("ray-floods", small.RAYS, "ray floods"),
        ("lift-plans-along-rays", small.RAYS, "lift plans"),
        ("parameter-order", small.ORDERS, "parameter order"),
        ("split-moves", DRAUGHTS, "split moves"),
        ("narrow-quantifiers-by-cases", DRAUGHTS, "narrow quantifiers"),
        ("lift-plans-by-sight", small.SIGHT, "lift plans"),
        ("lift-plans-of-filters", small.SHOTS, "lift plans"),
        ("hoist-conditions", small.CIRCUIT, "hoist conditions"),
        ("early-tests", small.PILES, "early tests"),
        ("few-elements", small.MAZE, "few elements"),
        ("dead-moves", small.HOPELESS, "dead moves"),
        ("dead-checks", small.LINES, "dead checks"),
        ("ahead", small.AHEAD, "specialize"),
        ("merge-blocks", small.AHEAD, "merge blocks"),
        ("implied-conditions", small.AHEAD, "implied conditions"),
        ("narrow-quantifiers", small.AHEAD, "narrow quantifiers"),
        ("set-plans", small.AHEAD, "set plans"),
        ("split-functions", small.AHEAD, "split functions"),
        ("range-checks", small.COUNTED, "range checks"),
        ("unroll-filters", small.FEW, "unroll filters"),
        ("fuse-images", small.AHEAD, "fuse images"),
        ("fuse-images-of-parts", small.CUTS, "fuse images"),
        ("ply-cache", small.AHEAD, "ply cache"),
    ],
)
def test_before_and_after(golden_name: str, ruleset: str, name: str, golden: Golden, tmp_path: Path) -> None:
    program = small.program_of(ruleset, tmp_path)
    before = program
    for step in steps(program):
        if step.name == name:
            assert step.amount > 0
            texts = [print_core(p, people=False) for p in (before, step.program)]
            golden(GOLDENS / f"{golden_name}.txt", difference(*texts))
            return
        before = step.program
    raise AssertionError(name)


def test_what_nobody_reads_again_takes_no_blocks(tmp_path: Path) -> None:
    """Who rolled last, and for what, does not matter any more when the next player chooses."""
    program = small.program_of(small.DICE, tmp_path)
    assert sum(v.name.startswith("mover of") for v in program.variables) == 2
    special = specialize(program)
    found = Counter(old for old, _ in special.places)
    decisions = [b.index for b in program.blocks if isinstance(b.end, Decide)]
    assert [found[i] for i in decisions] == [2] and max(found.values()) == 2


def ready(ruleset: str, folder: Path) -> SpecializedProgram:
    found = specialize_for_playouts(small.program_of(ruleset, folder))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("golden_name", "ruleset"),
    [
        ("incremental-lines", small.LARGE),
        ("incremental-reach", small.REACH),
        ("incremental-joins", small.JOINS),
        ("incremental-rings", small.RINGS),
    ],
)
def test_what_is_kept(golden_name: str, ruleset: str, golden: Golden, tmp_path: Path) -> None:
    """Lines are followed on boards of more than 64 places, where testing from nothing takes longer."""
    special = ready(ruleset, tmp_path)
    asked = print_core(special.program, people=False).splitlines()
    branches = [line for line in asked if "branch" in line or "plan" in line or ":=" in line]
    golden(GOLDENS / f"{golden_name}.txt", "\n".join(["-- before", *branches, "-- kept", *kept(special)]) + "\n")


@pytest.mark.parametrize("name", ["emptied-by-another-move", "lines-put-twice", "rings-put-twice"])
def test_what_does_not_only_grow_by_new_elements_is_not_kept(name: str) -> None:
    """A set that a move empties while it grows another; sets to which an element may be added twice."""
    special = specialize_for_playouts(gamedsl.load(Path(__file__).parent / "found" / f"{name}.gdl").program)
    assert special is not None and kept(special) == ()


def test_what_is_asked_of_one_element_is_not_asked_of_all(tmp_path: Path) -> None:
    """The image of all cells that are free costs more than a look at the neighbors of one; a look at it alone is free."""
    text = small.LINES.replace("board grid 3 by 3", "board hex 5").replace(
        "move place", "state\n  aim: cell?\nmove place"
    )
    asked = "if some c in {aim}: neighbors(c) within mark[me]"
    kept_loop = ready(text.replace("if some l in lines(3): l within mark[me]", asked), tmp_path)
    assert " ".join(print_core(kept_loop.program, people=False).split()).count("(some c in (if is_none(aim)") == 2
    asked = "if some c in {aim}: c in mark[me]"
    lifted = ready(text.replace("if some l in lines(3): l within mark[me]", asked), tmp_path)
    assert "some c in" not in print_core(lifted.program, people=False)


@pytest.mark.parametrize(
    ("golden_name", "ruleset"), [("step-masks", small.STEPS), ("hop-masks", small.HOPS), ("jump-masks", small.JUMPS)]
)
def test_hops(golden_name: str, ruleset: str, golden: Golden, tmp_path: Path) -> None:
    """One kind of move; three kinds on a board of two words; jumps that must be made. Those of the first player."""
    program = ready(ruleset, tmp_path).program
    ends = [b.end for b in program.blocks if isinstance(b.end, Decide)]
    found = decision_masks(program, ends[0])
    assert found is not None and all(decision_masks(program, end) is not None for end in ends)
    n = Names(program)
    plans = [line for line in print_core(program, people=False).splitlines() if "  plan" in line]
    lines = ["-- before", *plans[: len(plans) // 2], "-- after"]
    for mask in found:
        name = program.schemas[ends[0].alternatives[mask.alternative].schema].name
        lines.append(f"  {name} {'' if mask.by is None else f'{mask.by:+} '}from {expression_text(n, mask.over)}")
    golden(GOLDENS / f"{golden_name}.txt", "\n".join(lines) + "\n")


def test_outcome_bounds(golden: Golden, tmp_path: Path) -> None:
    """What the first player of a game of lines can still get."""
    program = small.program_of(small.LINES, tmp_path)
    found, n = outcome_bounds(program, False), Names(program)
    assert found is not None
    asked = [line for line in print_core(program, people=False).splitlines() if "branch" in line]
    told = [f"{name}: {expression_text(n, e)}" for name, e in vars(found).items()]
    golden(GOLDENS / "outcome-bounds.txt", "\n".join(["-- before", *asked, "-- found", *told]) + "\n")


# --------------------------------------------------------------------------------------------------- the LLVM text


def llvm_text(program: Program, body: Callable[[Fn, ir.Value], ir.Value]) -> str:
    """A function of one word, written by ``body``."""
    unit = new_unit(program, Frame(program))

    def write(f: Fn, values: Sequence[ir.Value]) -> None:
        f.builder.ret(body(f, values[0]))

    made = unit.function("probe", "probe", I64, [I64], write)
    unit.write_all()
    return str(made)


def test_moves_are_listed_once(golden: Golden, tmp_path: Path) -> None:
    """The list of a kind's moves, and the k-th move out of it."""
    program = ready(small.PAIRS, tmp_path).program
    schema = next(s for s in program.schemas if len(s.params) == 2)

    def body(f: Fn, k: ir.Value) -> ir.Value:
        MoveList(f, schema, const(0), Buffers(), 0).bind(k)
        return f.builder.add(*(f.env[p.local.id] for p in schema.params))

    golden(GOLDENS / "move-lists.ll", llvm_text(program, body))


def board(program: Program) -> tuple[SetT, TableData, TableData]:
    """The set of cells of a 3 by 3 board, its neighbours, its lines."""
    cells = next(v.type for v in program.variables if isinstance(v.type, SetT) and v.type.domain.size == 9)
    n = cells.domain
    near = tuple(sum(1 << y for y in range(9) if abs(x % 3 - y % 3) + abs(x // 3 - y // 3) == 1) for x in range(9))
    lines = TableData("lines", (n,), cells, (7, 56, 448, 73, 146, 292, 273, 84, 7))
    return cells, TableData("near", (n,), cells, near), lines


def test_an_image_by_shifts(golden: Golden, tmp_path: Path) -> None:
    program = small.program_of(small.LINES, tmp_path)
    _, near, _ = board(program)
    golden(GOLDENS / "images.ll", llvm_text(program, lambda f, x: images.image(f, (x,), near)[0]))


@pytest.mark.parametrize("way", ["rising", "falling"])
def test_what_lies_beyond_the_first(way: str, golden: Golden, tmp_path: Path) -> None:
    program = small.program_of(small.LINES, tmp_path)
    cells, _, _ = board(program)
    values = tuple(sum(1 << y for y in range(x % 3, 9, 3) if (y > x) == (way == "rising") and y != x) for x in range(9))
    name, b = Local(1, "x", ElemT(cells.domain)), Local(2, "B", cells)
    ray = TableData("ahead", (cells.domain,), cells, values)
    over = Op2("meet", Lookup(ray, (Const(4, name.type),)), Load(b), cells)
    e = Loop("union", name, over, None, Lookup(ray, (Load(name),)), cells)

    def body(f: Fn, x: ir.Value) -> ir.Value:
        bind(f, b, (x,))
        found = beyond_first(f, e)
        assert found is not None
        return found[0]

    golden(GOLDENS / f"chains-{way}.ll", llvm_text(program, body))


def test_lines_by_shapes(golden: Golden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a board too large for looking the whole set up."""
    monkeypatch.setattr("gamedsl.compiler.cutoffs.PATTERN_TABLE", 0)
    program = small.program_of(small.LINES, tmp_path)
    cells, _, lines = board(program)

    def body(f: Fn, x: ir.Value) -> ir.Value:
        found = patterns.test_lines(f, lines.values, cells, lambda: (x,))
        assert found is not None
        return f.builder.zext(found, I64)

    golden(GOLDENS / "patterns.ll", llvm_text(program, body))


@pytest.mark.parametrize("kind", ["lines", "reach", "joins"])
def test_a_new_element_of_a_monitored_set(kind: str, golden: Golden, tmp_path: Path) -> None:
    program = small.program_of(small.LINES, tmp_path)
    cells, near, lines = board(program)
    var = next(v for v in program.variables if v.name == "mark")
    slot = (var.index, (0,))
    found: dict[str, Monitor] = {
        "lines": Lines(slot, cells, lines.values),
        "reach": Reach(slot, cells, 73, 292, near),
        "joins": Components(slot, cells, near, (Touches((7, 73, 292), (1, 1, 1), 3),)),
    }
    monitor = found[kind]

    def body(f: Fn, x: ir.Value) -> ir.Value:
        watched = maintain(f, monitor, var)
        element_added(f, watched, x)
        return f.builder.zext(f.builder.load(watched.flag), I64)

    golden(GOLDENS / f"monitors-{kind}.ll", llvm_text(program, body))


# ------------------------------------------------------------------------------------------------------- the whole


def test_every_shipped_ruleset_is_specialized_or_a_reason_is_given() -> None:
    specialized = 0
    for name in shipped():
        program = gamedsl.load(name, **small_size(name)).program
        reason = why_not_specialized(program)
        assert reason is None or len(reason.split()) >= 3, name
        specialized += reason is None
    assert specialized >= 30


@pytest.mark.parametrize(
    ("name", "module", "apart"),
    [
        ("international-draughts", "rules", range(2, 3)),
        ("international-draughts", "quick", range(4, 5)),
        ("dots-and-boxes", "generic_playout", range(1)),
    ],
)
def test_functions_of_deeply_nested_loops_stay_apart(name: str, module: str, apart: range) -> None:
    """``best`` goes through squares and asks itself, up to 20 deep, in a function that counts down: it and what calls it
    first. Specialized playouts have both for either player."""
    program = gamedsl.load(name).program
    heads = [
        line
        for line in write(ProgramForms(program), Wanted(module)).ir.splitlines()
        if line.startswith('define internal i64 @"f')
    ]
    assert heads and sum("noinline" in line for line in heads) in apart


SAME_TEXT = """
import gamedsl
from gamedsl.language.core.core_printer import print_core
from gamedsl.compiler.compile.compiler import MODULES, ProgramForms, Wanted, write
from gamedsl.compiler.emit.sets.ray_chains import beyond_first
from gamedsl.compiler.emit.memory_layout import Frame
from gamedsl.compiler.transform.pipeline import specialize_for_playouts
import hashlib
for name in ("reversi", "breakthrough-6x6", "rock-paper-scissors"):
    program = gamedsl.load(name).program
    special = specialize_for_playouts(program)
    text = "".join(write(ProgramForms(program), Wanted(m)).ir for m in MODULES) + (print_core(special.program) if special else "")
    print(hashlib.sha256(text.encode()).hexdigest())
"""


def test_the_same_text_in_every_run() -> None:
    """Nothing depends on the order of sets or on hashes of strings."""
    found = set()
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", SAME_TEXT], capture_output=True, text=True, env=os.environ | {"PYTHONHASHSEED": seed}
        )
        assert run.returncode == 0, run.stderr
        found.add(run.stdout)
    assert len(found) == 1
