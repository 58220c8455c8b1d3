"""For each kind of move, a legal move within three actions by following the sentence alone: each action is one that the sentence
of its moment asks for."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.engine import State
from gamedsl.lab.examples import Bench, both_files, position, read_examples
from gamedsl.play.web import describe_game, describe_position
from tests.shipped_sample import small

from .browser import needs_browser

needs_browser()

# Kinds of moves by their names in the ruleset, as its rulebook lists them. A mistake is no move that anybody looks for, and a pass
# is the only move of its position.
KINDS = {
    "quoridor": {"walk", "build"},
    "hive": {"lay", "go"},
    "onitama": {"go", "give"},
    "blokus-duo": {"lay"},
    "twixt": {"place", "take over"},
    "backgammon": {"step", "enter", "bear off"},
    "t-tic-t-tac-toe-game": {
        "place", "super", "rescue", "iron curtain", "berlin wall", "checkpoint charlie", "snip", "tear down",
    },
}  # fmt: skip
MOST_PLIES = 400


# The kinds of moves that are made within three actions, each asked for by the sentence: a touch of a place that the sentence
# names by its sort, the same place again, or a button.
WITHIN_THREE = """async ([game, position]) => {
  const { optionsOf, Selection, nextQuestion } = await import("/selection.js");
  const { instruction } = await import("/instruction.js");
  const scene = game.scenes.find((s) => s.part === position.scene);
  const drawn = (id) => { const [domain, index] = id.split(":");
    return domain === "space" || (scene.places[domain]?.at[index] !== undefined); };
  const options = optionsOf(game, position.turn.actions, drawn);
  const wordsOf = (o, param) => { const { covered, steps } = game.kinds[o.kind].words; return param < 0 ? covered : steps[param]; };
  const names = (said, o, i) => said.includes(wordsOf(o, o.params[i]).things.slice(0, -1));
  const [reached, offered] = [new Set(), new Set(options.map((o) => o.kind))];
  const isDone = () => reached.size === offered.size;
  const press = (list, left) => {
    if (isDone()) return;
    if (list.length === 1) { reached.add(list[0].kind); return; }
    const fewer = nextQuestion(game, list).choices.filter((c) => c.options.length < list.length);
    if (left > 0) fewer.slice(0, 30).forEach((c) => press(c.options, left - 1));
  };
  const go = (now, left) => {
    if (isDone()) return;
    if (now.decided) { reached.add(now.decided.kind); return; }
    const several = now.ambiguous.length > 0;
    const said = instruction(game, now.touched.length ? now.live : options, now.touched, now.touched.at(-1), several);
    if (several) { if (said.includes("press")) press(now.ambiguous, left); return; }
    if (!left) return;
    const wanted = [...(now.touched.length ? now.targets : now.starts)];
    const remaining = now.touched.length ? now.live : now.options;
    const sort = (id) => remaining.some((o) => o.groups.some((group, i) => group.includes(id) && names(said, o, i)));
    const asked = wanted.filter(sort);
    const few = asked.filter((_, i) => i % Math.ceil(asked.length / 30) === 0);
    for (const id of few) { const after = now.touch(id); if (after) go(after, left - 1); }
    if (now.touched.length && said.includes(" again")) { const after = now.touch(now.touched.at(-1)); if (after) go(after, left - 1); }
  };
  const wordy = options.filter((o) => !o.groups.length);
  if (wordy.length && /press/i.test(instruction(game, options))) press(wordy, 3);
  if (options.length > wordy.length) go(new Selection(options), 3);
  return [...reached].map((kind) => game.kinds[kind].name);
}"""


# Moves that random games hardly ever meet: an example of the ruleset with a position in which each is legal.
RARE = {
    "onitama": "without a move a card is given",
    "t-tic-t-tac-toe-game": "when nothing else prevents the rival's three, a super that makes three is a rescue",
}


def positions(name: str) -> Iterator[State]:
    """Every seventh position of random games, and a rare one."""
    if name in RARE:
        ruleset, examples = both_files(name)
        example = next(one for one in read_examples(examples) if one.name == RARE[name])
        yield position(*Bench(ruleset).game(example.options), example)
    for seed in range(8):
        rng, state = Random(seed), gamedsl.load(name, **small(name)).initial_state()
        for ply in range(MOST_PLIES):
            if state.is_terminal:
                break
            if state.kind == "player" and (ply < 3 or ply % 7 == 0):
                yield state
            state = state.apply(state.propose(rng))


@pytest.mark.parametrize(
    "name", [n if n in ("quoridor", "twixt", "onitama") else pytest.param(n, marks=pytest.mark.slow) for n in KINDS]
)
def test_every_kind_of_move_is_found_within_three_actions(blank: Any, name: str) -> None:
    missing, described = set(KINDS[name]), None
    for state in positions(name):
        described = described or describe_game(state.game)
        found = blank.evaluate(WITHIN_THREE, [described, describe_position(state, state.to_act[0])])
        missing -= set(found)
        if not missing:
            return
    assert not missing
