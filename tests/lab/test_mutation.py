"""Mutation testing: which mutants there are (counted by hand), what becomes of them, what is told of survivors."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from gamedsl.cli.main import main
from gamedsl.engine import InterpretedGame, State
from gamedsl.lab.examples.example_reader import read_examples
from gamedsl.lab.examples.runner import both_files
from gamedsl.lab.mutation import Comparer, CountedEffort
from gamedsl.lab.mutation.campaign import Mutation, mutation_test
from gamedsl.lab.mutation.compiled_mutants import CompiledPlays
from gamedsl.lab.mutation.equivalence import marked_meaning, widens_bounds
from gamedsl.lab.mutation.mutants import list_mutants, vocabulary
from gamedsl.lab.mutation.mutation_report import as_json, as_text
from gamedsl.lab.mutation.plays import Node, Start
from gamedsl.lab.mutation.tree_places import places
from gamedsl.lab.mutation.trial import Fate, Setup, Trial
from gamedsl.language.rules import load_lowered, load_program
from gamedsl.language.rules.files import shipped
from gamedsl.language.source.diagnostic import GameDSLError

# Three counters; who can't take one loses. So A takes the last one, and B loses.
RULES = """\
game "Counters"
players A, B
state
  pile: 0..3 = 3
move one written "one"
  when pile > 0 "none is left"
  take 1 from pile
play
  turns from A
    me plays one
      stuck
        lose me
"""

# Counted by hand, line by line:
#   pile: 0..3 = 3      CRP  1 for 0; 4 and 2 for 3; 4 and 2 for 3            5
#   when pile > 0       GDL; COI pile <= 0; ROR pile >= 0; CRP 1 for 0        4
#   take 1 from pile    SDL; AOR add; CRP 2 and 0 for 1                       4
#   turns from A        SDL; PLR B for A                                      2
#   me plays one        SDL; PLR rival for me                                 2
#   stuck               ADL                                                   1
#   lose me             SDL; VRP win; PLR rival for me                        3
BY_HAND = {"CRP": 8, "GDL": 1, "COI": 1, "ROR": 1, "SDL": 4, "AOR": 1, "PLR": 3, "ADL": 1, "VRP": 1}

GOOD = """\
examples:
  - name: two are taken
    moves: [one, one]
    to_move: A
    legal_count: 1
  - name: all are taken
    moves: [one, one, one]
    result: { winners: [A] }
  - name: none is left
    set: { pile: 0 }
    illegal: [one]
"""
END_UNSAID = """\
examples:
  - name: the beginning
    to_move: A
    perft: [1, 1, 1, 0]
"""


def tried(folder: Path, rules: str, examples: str, **more: object) -> Mutation:
    (folder / "counters.gdl").write_text(rules, encoding="utf-8")
    (folder / "counters.examples.yaml").write_text(examples, encoding="utf-8")
    return mutation_test(folder / "counters.gdl", **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Mutation:
    """All mutants tried on examples that notice all."""
    return tried(tmp_path_factory.mktemp("good"), RULES, GOOD)


@pytest.fixture(scope="module")
def unsaid(tmp_path_factory: pytest.TempPathFactory) -> Mutation:
    """All mutants tried on examples that say nothing about the end."""
    return tried(tmp_path_factory.mktemp("unsaid"), RULES, END_UNSAID)


def fates(found: Mutation) -> dict[str, str]:
    """Per mutant of a line's text what became of it."""
    return {f"{m.line} {m.operator} {m.text}": found.outcomes[m.number].fate.value for m in found.mutants}


def test_the_mutants_are_those_counted_by_hand(good: Mutation) -> None:
    assert Counter(m.operator for m in good.mutants) == BY_HAND
    assert len(good.mutants) == sum(BY_HAND.values()) == 21
    assert [m.line for m in good.mutants] == sorted(m.line for m in good.mutants)


def test_every_mutant_has_its_fate(unsaid: Mutation) -> None:
    told = fates(unsaid)
    assert told["4 CRP `pile: 0..3 = 4`"] == Fate.INVALID
    assert told["4 CRP `pile: 0..4 = 3`"] == Fate.WIDER
    assert told['6 GDL without `when pile > 0 "none is left"`'] == Fate.NOTICED
    assert unsaid.failing == ()
    assert unsaid.is_whole


def test_a_survivor_is_shown_with_its_play(unsaid: Mutation) -> None:
    survived = {unsaid.mutants[o.mutant].text: o for o in unsaid.outcomes if o.fate == Fate.SURVIVED}
    # nothing in the examples tells who wins: after three counters it is B's turn, who can't take one
    assert set(survived) == {"`win me`", "`lose rival`"}
    for outcome in survived.values():
        assert outcome.difference is not None
        assert outcome.difference.moves == ("one", "one", "one")
        assert outcome.difference.what == "B wins, not A wins"
    assert "no example notices: after `one; one; one`: B wins, not A wins" in as_text(unsaid)


def test_the_example_that_was_shown_notices_it(good: Mutation) -> None:
    assert good.count(Fate.SURVIVED) == 0
    assert good.rate == 1.0


def test_wider_bounds_are_equivalent_by_construction(good: Mutation) -> None:
    """A bound that is never reached says nothing; one that is reached is a mistake in the original."""
    assert [good.mutants[o.mutant].text for o in good.outcomes if o.fate == Fate.WIDER] == ["`pile: 0..4 = 3`"]


def meaning_of(folder: Path, rules: str) -> str:
    (folder / "counters.gdl").write_text(rules, encoding="utf-8")
    return marked_meaning(load_program(folder / "counters.gdl"))


def test_only_wider_bounds_are_wider_bounds(tmp_path: Path) -> None:
    original = meaning_of(tmp_path, RULES)
    others = {
        change: meaning_of(tmp_path, RULES.replace(*change))
        for change in [
            ("0..3", "0..9"),
            ("0..3", "-1..3 = 3 #"),
            ("pile: 0..3 = 3", "pile: 1..3 = 3"),  # narrower
            ("pile: 0..3 = 3", "pile: 0..4 = 2"),  # begins otherwise
            ("pile > 0", "pile > 1"),
        ]
    }
    assert [widens_bounds(original, other) for other in others.values()] == [True, True, False, False, False]
    # a range that is gone through, or that a move is chosen from, is no bound
    chosen = RULES.replace("move one", "move one(n: 0..1)").replace('"one"', '"{n}"').replace("take 1", "take n")
    wider = chosen.replace("0..1", "0..2")
    assert not widens_bounds(meaning_of(tmp_path, chosen), meaning_of(tmp_path, wider))


def test_equivalent_mutants_are_proved_so(tmp_path: Path) -> None:
    """A pile that begins with 3 is always less than 4: other Core, same play, in all of the few positions."""
    found = tried(tmp_path, RULES.replace("0..3", "0..5").replace("pile > 0", "pile > 0 and pile < 5"), GOOD)
    proved = {found.mutants[o.mutant].text for o in found.outcomes if o.fate == Fate.PROVED}
    assert '`when pile > 0 and pile < 4 "none is left"`' in proved


def test_options_are_tried_next_to_their_value_and_at_both_ends(tmp_path: Path) -> None:
    rules = RULES.replace("state\n  pile: 0..3 = 3", "option n: 1..90 = 7\nstate\n  pile: 0..n = n")
    (tmp_path / "counters.gdl").write_text(rules, encoding="utf-8")
    trial = Trial(Setup(tmp_path / "counters.gdl", (), (), 0, 0.05))
    assert [dict(s).get("n", "7") for s in trial.settings] == ["7", "6", "8", "1", "90"]


def test_without_plays_survivors_are_left_open(tmp_path: Path, unsaid: Mutation) -> None:
    found = tried(tmp_path, RULES, END_UNSAID, search=0)
    assert found.count(Fate.OPEN) == unsaid.count(Fate.SURVIVED) == 2
    assert found.rate == unsaid.rate == 14 / 16
    assert "2 not compared" in as_text(found)
    assert "at least 14 of 16 changes that matter: at least 87.5 %" in as_text(found)


def test_what_only_the_look_says_is_no_rule(tmp_path: Path) -> None:
    """Whatever stands before and after it: other definitions are asked in play."""
    rules = RULES.replace("move one", "define left = pile - 1\ndefine some_left = pile > 0\nmove one")
    rules = rules.replace("when pile > 0", "when some_left") + 'look\n  beside "left" left\n'
    found = tried(tmp_path, rules, GOOD)
    assert {o.fate for o in found.outcomes if found.mutants[o.mutant].line == 5} == {Fate.SAME}
    assert {o.fate for o in found.outcomes if found.mutants[o.mutant].line == 6} == {Fate.NOTICED}


# A win by a run of ones that plays hardly ever have, and a draw at one of 100,000 numbers, of which they have some hundred.
RARE = """\
game "Run"
players A, B
state
  run: 0..40
  noise: 0..99999
play
  turns from A
    roll d6 -> die
    set noise to (6 * noise + die) mod 100000
    if die = 1
      add 1 to run
    else
      set run to 0
    if run = 40
      win me
    if noise = 77777
      draw
"""


def first_node(folder: Path, name: str, rules: str) -> Node:
    (folder / f"{name}.gdl").write_text(rules, encoding="utf-8")
    return Node.of(InterpretedGame(load_program(folder / f"{name}.gdl")).initial_state())


def test_compiled_plays_come_to_rare_cases(tmp_path: Path) -> None:
    start = Start(())
    original = first_node(tmp_path, "original", RARE)
    other = first_node(tmp_path, "other", RARE.replace("77777", "77776"))
    play, _ = CompiledPlays(seed=1).differing({start: original}, {start: other}, seconds=60.0)
    assert play is not None
    assert all(node.sight.kind == "chance" for node in play.nodes[:-1])
    # the play ends by one rule and not by the other
    mutant = other
    for label in play.labels[:-1]:
        if mutant.sight.kind == "end":
            break
        mutant = mutant.then(label)
    assert (
        play.nodes[len(play.labels) - 1].sight != mutant.sight
        or play.nodes[-1].sight != mutant.then(play.labels[-1]).sight
    )


def test_compiled_plays_of_equal_rules_are_equal(tmp_path: Path) -> None:
    start = Start(())
    originals = {start: first_node(tmp_path, "original", RARE)}
    others = {start: first_node(tmp_path, "other", RARE.replace("run: 0..40", "run: 0..41"))}
    play, plays = CompiledPlays(seed=1).differing(originals, others, seconds=0.05)
    assert play is None
    assert plays > 0


def test_rare_cases_are_left_open(tmp_path: Path) -> None:
    found = tried(tmp_path, RARE, "examples:\n  - { name: it, to_move: chance, perft: [6] }\n", seconds=0.0)
    trial = Trial(
        Setup(tmp_path / "counters.gdl", tuple(read_examples(tmp_path / "counters.examples.yaml")), (), 0, 0.05)
    )
    outcome = trial.run(next(m.number for m in found.mutants if m.text == "`lose me`"))
    assert (outcome.fate, outcome.difference) == (Fate.ALIKE, None)
    assert outcome.plays > 0
    text = as_text(replace(found, outcomes=(outcome,)))
    assert f"probably equivalent: no difference in {outcome.plays} games" in text


def test_the_same_core_is_known_at_once(tmp_path: Path) -> None:
    rules = RULES.replace("when pile > 0", "when pile > 0 and 1 < 2")
    found = tried(tmp_path, rules, GOOD)
    assert fates(found)['6 ROR `when pile > 0 and 1 <= 2 "none is left"`'] == Fate.SAME


DRAWN = """\
game "Slices"
players A, B
board drawing up to 4 spaces
  outline: closed curve
    simple
  level: straight line across outline
    within 45 degrees of horizontal
play
  A draws outline, level
  win A
"""


def test_conditions_of_a_drawing_are_rules(tmp_path: Path) -> None:
    """The printed Core leaves them out, so a ruleset with another condition once passed for the same rules."""
    told = fates(tried(tmp_path, DRAWN, "examples:\n  - name: A draws\n    to_move: A\n", search=0.1))
    conditions = {text: fate for text, fate in told.items() if text.startswith(("5 ", "7 "))}
    assert set(conditions) == {
        "5 ADL without `simple`",
        "7 ADL without `within 45 degrees of horizontal`",
        "7 CRP `within 44 degrees`",
        "7 CRP `within 46 degrees`",
    }
    assert Fate.SAME not in conditions.values()


def test_an_endless_mutant_is_noticed(tmp_path: Path) -> None:
    rules = RULES.replace("        lose me\n", "        skip\n").replace(
        "    me plays", "    if pile = 0\n      lose me\n    me plays"
    )
    tried(tmp_path, rules, GOOD, seconds=0.0)
    examples = tuple(read_examples(tmp_path / "counters.examples.yaml"))
    trial = Trial(Setup(tmp_path / "counters.gdl", examples, (), seed=0, seconds=1.0))
    endless = next(m for m in trial.mutants if m.text == "without `if pile = 0`")  # then both skip for ever
    assert trial.run(endless.number).fate == Fate.NOTICED


def test_what_fails_already_is_told(tmp_path: Path) -> None:
    found = tried(tmp_path, RULES, "examples:\n  - name: wrong\n    to_move: B\n")
    assert found.failing == ("wrong",)
    assert found.outcomes == ()
    assert "wrong" in as_text(found)


def test_a_sample_when_the_time_is_up(tmp_path: Path) -> None:
    found = tried(tmp_path, RULES, GOOD, seconds=0.0)
    assert not found.is_whole
    assert "a random sample of 0 of 21" in as_text(found)
    assert "no change that matters was tried" in as_text(found)
    assert as_json(found)["rate"] is None


def test_several_processes_find_the_same(tmp_path: Path, unsaid: Mutation) -> None:
    assert as_json(tried(tmp_path, RULES, END_UNSAID, jobs=2)) == as_json(unsaid)


def test_a_wrong_ruleset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GameDSLError):
        tried(tmp_path, RULES.replace("pile > 0", "heap > 0"), GOOD)


@pytest.mark.parametrize("name", ["tic-tac-toe", "rock-paper-scissors"])
def test_shipped_examples_notice_all(name: str) -> None:
    found = mutation_test(name)
    assert found.rate == 1.0, as_text(found)


@pytest.mark.parametrize("name", ["tic-tac-toe", "horn-tiles", "atreso", "abs-trac-toe"])
def test_every_mutant_differs_in_one_place(name: str) -> None:
    """As the data form shows it, no mutant is the original, and no two are alike that come from one place."""
    path = shipped()[name]
    rules = load_lowered(path)
    tree = rules.builder.files.parsed[str(path.resolve())].tree
    found = list_mutants(tree, vocabulary(rules, str(path)))
    made = [m.tree(tree) for m in found]
    assert all(t != tree for t in made)
    assert len(set(map(repr, made))) >= 0.9 * len(made)
    assert sum(1 for _ in places(made[0])) <= 2 * sum(1 for _ in places(tree))


# Complete runs take an hour, most of it for comparing survivors. So they are made by hand, as the page says, and the tests
# hold the page to what the examples notice, without comparing; of large rulesets to an even sample of the mutants.
SCORES = Path(__file__).parents[2] / "docs" / "reference" / "mutation-scores.md"
LARGE = 12  # mutants; of more an even sample is tried
AGAIN = "run `python benchmarks/mutation_scores.py {}`"


def scores() -> dict[str, dict[str, float]]:
    """The rows of the page by ruleset, each by column."""
    head, _, *rows = (line for line in SCORES.read_text(encoding="utf-8").splitlines() if line.startswith("|"))
    _, *columns = (cell.strip() for cell in head.strip("|").split("|"))
    found = {}
    for row in rows:
        name, *cells = (cell.strip(" `%") for cell in row.strip("|").split("|"))
        found[name] = dict(zip(columns, map(float, cells), strict=True))
    return found


def test_the_scores_are_those_that_were_reached() -> None:
    for name, row in scores().items():
        assert row["Score"] >= 95, name
        sums = sum(row[c] for c in ("Noticed", "Survived", "Equivalent", "Alike", "Invalid"))
        assert sums == row["Mutants"], name


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped()))
def test_shipped_examples_notice_what_they_noticed(name: str) -> None:
    assert name in scores(), AGAIN.format(name)
    row = scores()[name]
    ruleset, path = both_files(name)
    trial = Trial(Setup(ruleset, tuple(read_examples(path)), (), seed=0, seconds=0))
    assert trial.failing == ()
    assert len(trial.mutants) == row["Mutants"], AGAIN.format(name)
    step = -(-len(trial.mutants) // LARGE)
    outcomes = [trial.run(number) for number in range(0, len(trial.mutants), step)]
    fates = Counter(outcome.fate for outcome in outcomes)
    unnoticed = [trial.mutants[o.mutant].text for o in outcomes if o.fate == Fate.OPEN]
    assert fates[Fate.OPEN] <= row["Survived"] + row["Alike"] + row["Equivalent"], unnoticed
    if step == 1:
        assert fates[Fate.NOTICED] >= row["Noticed"], unnoticed


# ------------------------------------------------------------------------------------------------------- the command


def run(*words: object) -> int:
    return main(["test", *map(str, words)])


def test_the_command_tells_and_its_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tried(tmp_path, RULES, END_UNSAID, seconds=0.0)
    file = tmp_path / "counters.gdl"
    assert run("--mutants", file, "--jobs", 1, "--at-least", "95%") == 3
    assert "counters.gdl: the examples notice 14 of 16 changes that matter: 87.5 %" in capsys.readouterr().out
    assert run("--mutants", file, "--jobs", 1, "--time", 0) == 4
    capsys.readouterr()
    assert run("--mutants", file, "--jobs", 1, "--format", "json") == 0
    (data,) = json.loads(capsys.readouterr().out)["files"]
    assert (data["mutants"], data["noticed"], data["survived"], data["invalid"]) == (21, 14, 2, 4)
    assert {o["difference"]["what"] for o in data["outcomes"] if o["fate"] == "survived"} == {"B wins, not A wins"}


def test_a_wrong_file_does_not_keep_the_others_from_being_tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tried(tmp_path, RULES, END_UNSAID, seconds=0.0)
    (tmp_path / "bad.gdl").write_text(RULES.replace("pile > 0", "heap > 0"), encoding="utf-8")
    (tmp_path / "bad.examples.yaml").write_text(END_UNSAID, encoding="utf-8")
    files = tmp_path / "bad.gdl", tmp_path / "counters.gdl"
    assert run("--mutants", *files, "--jobs", 1) == 1
    seen = capsys.readouterr()
    assert "E0201" in seen.err and "the examples notice 14 of 16" in seen.out
    assert run("--mutants", *files, "--jobs", 1, "--format", "json") == 1
    bad, good = json.loads(capsys.readouterr().out)["files"]
    assert [d["code"] for d in bad["diagnostics"]] == ["E0201"]
    assert good["noticed"] == 14


@pytest.mark.parametrize(
    "words", [["--jobs", "2"], ["--at-least", "95%"], ["--mutants", "--update"], ["--mutants", "--at-least", "101%"]]
)
def test_what_does_not_go_together(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run("tic-tac-toe", *words) == 2
    assert "--" in capsys.readouterr().err


def test_the_moves_of_a_position_are_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three heaps of 2: a position is reached in many ways. Its moves are listed once for the original and once for the
    mutant."""
    listed, make, start = list[State](), Node.of, Start(())

    def heaps(_: Start) -> State:
        options = {"a": 2, "b": 2, "c": 2}
        return InterpretedGame(load_program("nim", options)).initial_state()

    def noted(state: State) -> Node:
        listed.append(state)
        return make(state)

    monkeypatch.setattr(Node, "of", staticmethod(noted))
    assert Comparer(heaps, [start], 0, 1.0, CountedEffort()).compare(heaps, [start]).proved
    positions = {(state.block, state.slots) for state in listed}
    assert len(listed) == 2 * len(positions)
