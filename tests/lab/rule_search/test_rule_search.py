"""The search for rules, over a game whose odds are counted by hand: the numbers 1 to 9 are taken in turn, the larger sum
wins."""

from __future__ import annotations

import itertools
import json
import pickle
import sqlite3
from collections.abc import Callable
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

import gamedsl
from gamedsl.cli.main import main
from gamedsl.compiler import VersionNative
from gamedsl.engine import Game
from gamedsl.lab.base import Newest
from gamedsl.lab.rule_search import RuleSearch, SearchPlan, read_space, variant_figures
from gamedsl.lab.rule_search.duel_kernel import AIMED
from gamedsl.lab.rule_search.duels import DuelGames, duel_code, play_duels
from gamedsl.lab.rule_search.rule_search import VariantsMeasured
from gamedsl.lab.rule_search.rule_space import RuleSpace
from gamedsl.lab.rule_search.variant_figures import ENDLESS, REFUSED, VariantFigures, measure_variant

# to import it takes two CPU seconds of every worker that collects tests
pytestmark = pytest.mark.skipif(find_spec("ribs") is None, reason="ribs is not installed")
Capture = pytest.CaptureFixture[str]

NUMBERS = """game "Numbers"

players first, second

state
  taken: set of 1..9
  points: player -> 0..45

move take(k: 1..9) written "{k}"
  when not k in taken "that number is taken"
  add k to taken
  add k to points[me]

define gift = 0

play
  turns from first
    me plays take
    if count(taken) = 9
      if points[first] > points[second] + gift
        win first
      if points[first] < points[second] + gift
        win second
      draw
"""
SPACE = """variant of "numbers.gdl"

option komi: 0..10 = 0 "points that the second player is given"

define gift = komi
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "numbers.gdl").write_text(NUMBERS, encoding="utf-8")
    (tmp_path / "space.gdl").write_text(SPACE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def games_of(space: RuleSpace, komi: int, playouts: int, games: int, ahead: int = 0) -> DuelGames:
    game = space.game((komi,))
    players = np.full((games, 2, 2), (playouts, ahead), np.int64)
    return play_duels(duel_code(game.program, game, baseline=True), players, 1, 400, 0)


def score(games: DuelGames) -> float:
    first, second = games.results.T
    return float(np.mean(0.5 + 0.5 * np.sign(first - second)))


def test_random_players_score_what_all_distributions_say(folder: Path) -> None:
    """At random, the first player's five numbers are any five of nine, 126 sets, each as likely. With a komi of 5 they need
    more than 25 of 45, and sets with more are as many as sets with less (exchange k and 10 - k): 1/2."""
    space = read_space("space.gdl", "numbers.gdl")
    sums = [sum(numbers) for numbers in itertools.combinations(range(1, 10), 5)]
    for komi in (0, 5):
        won, drawn = sum(2 * s > 45 + komi for s in sums), sum(2 * s == 45 + komi for s in sums)
        expected = float(Fraction(2 * won + drawn, 2 * len(sums)))
        assert komi == 0 or expected == 0.5
        assert score(games_of(space, komi, 0, 10_000)) == pytest.approx(expected, abs=4 * 0.5 / 100)  # standard errors


def test_strong_players_draw_at_a_komi_of_five(folder: Path) -> None:
    """Taking the largest number is best: 9+7+5+3+1 = 25 against 8+6+4+2 = 20."""
    space = read_space("space.gdl", "numbers.gdl")
    assert score(games_of(space, 4, 1000, 6)) == 1
    assert score(games_of(space, 6, 1000, 6, ahead=8)) == 0
    even = games_of(space, 5, 3000, 4)
    assert (even.results[:, 0] == even.results[:, 1]).all() and (even.plies == 9).all()


FORCED = """game "Heap"

players first, second

option n: 1..20 = 5

state
  left: 0..20 = n

move take(k: 1..3) written "{k}"
  when k <= left "no more are left"
  add -k to left

play
  turns from first
    me plays take
    if left = 0
      win me
"""


def test_players_who_look_ahead_find_every_forced_win(folder: Path) -> None:
    """One, two or three are taken; who takes the last one wins. The mover loses if and only if 4 divides the heap (Bouton,
    1901). Up to 7 are decided within three plies: only the loser's last answers vary."""
    (folder / "heap.gdl").write_text(FORCED, encoding="utf-8")
    (folder / "heaps.gdl").write_text('variant of "heap.gdl"\n\noption n: 1..20 = 5\n', encoding="utf-8")
    space = read_space("heaps.gdl", "heap.gdl")
    for n in range(1, 8):
        game = space.game((n - 1,))
        players = np.full((20, 2, 2), (1, 4), np.int64)
        found = play_duels(duel_code(game.program, game, baseline=True), players, 1, 400, 0)
        assert (found.results[:, 0] > found.results[:, 1]).all() == (n % 4 != 0), n


SEARCH = ["search-rules", "numbers.gdl", "--space", "space.gdl", "--draws-are-fine"]


def test_the_fairest_komi_is_found_and_its_ruleset_plays(folder: Path, capsys: Capture) -> None:
    assert main([*SEARCH, "-n", "20", "--playouts", "400", "-o", "found", "-q"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "Numbers: 11 of 11 variants measured, seed 0"
    assert out[3].endswith("komi=5")
    assert (folder / "found" / "variant-1.gdl").read_text() == 'variant of "space.gdl" with komi = 5\n'
    page = (folder / "found" / "index.html").read_text()
    assert 'href="variant-1.gdl"' in page and "komi=5" in page and "gamedsl play variant-1.gdl" in page
    assert 'href="variant-1.html"' in page
    playing = (folder / "found" / "variant-1.html").read_text()
    assert "Numbers" in playing and "wasm-unsafe-eval" in playing
    assert gamedsl.load(str(folder / "found" / "variant-1.gdl")).options["komi"] == "5"
    assert main(["play", "found/variant-1.gdl", "--seats", "random,random", "--plain", "--seed", "1"]) == 0


def found(capsys: Capture, *more: str) -> dict[str, Any]:
    assert main([*SEARCH, "-n", "4", "--playouts", "1", "--format", "json", *more]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def test_a_seed_has_one_result_however_it_is_reached(folder: Path, capsys: Capture) -> None:
    """Alone, with two processes, and continued from a file from which some answers are missing."""
    once = found(capsys)
    assert found(capsys, "--checkpoint", "it.sqlite") == once
    with sqlite3.connect("it.sqlite") as file:
        kept = file.execute("SELECT count(*) FROM shards").fetchone()[0]
        file.execute("DELETE FROM shards WHERE rowid % 2 = 0")
    assert kept > 2
    assert found(capsys, "--checkpoint", "it.sqlite") == once
    assert found(capsys, "--checkpoint", "it.sqlite") == once
    assert found(capsys, "--seed", "1")["variants"] != once["variants"]


def test_two_processes_find_the_same(folder: Path, capsys: Capture) -> None:
    assert found(capsys, "-j", "2") == found(capsys)


def test_variants_with_the_same_rules_are_measured_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "far.gdl").write_text(
        'variant of "numbers.gdl"\noption far: 45..49 = 45\n'
        "play\n  turns from first\n    me plays take\n    if far > 47 and points[me] > 44\n      lose me\n"
        "    if count(taken) = 9\n      draw\n",
        encoding="utf-8",
    )
    space, compiled = read_space("far.gdl", "numbers.gdl"), list[str]()

    def counted(program: Any, game: Any, baseline: bool) -> Any:
        compiled.append(game.digest)
        return duel_code(program, game, baseline)

    monkeypatch.setattr(variant_figures, "duel_code", counted)
    search = RuleSearch(SearchPlan(space, games=4, playouts=1))
    assert list(search.run()) == [5]
    assert sorted(compiled) == sorted({space.game((k,)).digest for k in range(5)})
    assert len(compiled) == 2


def test_processes_keep_figures_for_each_other(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has measured nothing yet compiles nothing; without the folder it measures the same."""
    game = read_space("space.gdl", "numbers.gdl").game((5,))
    figures = measure_variant(game, 4, 1, 0, 400, folder)
    monkeypatch.setattr(variant_figures, "_figures", Newest[VariantFigures](10))
    assert measure_variant(game, 4, 1, 0, 400, folder / "gone") == figures
    monkeypatch.setattr(variant_figures, "_figures", Newest[VariantFigures](10))
    monkeypatch.setattr(variant_figures, "duel_code", Mock(side_effect=AssertionError))
    assert measure_variant(game, 4, 1, 0, 400, folder) == figures


def test_a_stopped_search_shows_what_it_has_and_continues(folder: Path) -> None:
    space = read_space("space.gdl", "numbers.gdl")
    plan = SearchPlan(space, games=4, playouts=1, batch=3)
    search, asked = RuleSearch(plan), iter([False, False, True])
    list(search.run(lambda: next(asked, True)))
    assert 0 < search.measured < 11
    assert search.shown and all(elite.figures.games == 32 for elite in search.shown)
    whole = RuleSearch(plan)
    assert list(whole.run()) == [3, 6, 9, 11]
    sent = pickle.loads(pickle.dumps(space))  # its file is named for workers in other folders
    assert (sent.genes, sent.texts, Path(sent.file)) == (space.genes, space.texts, folder / "space.gdl")


UNSOUND: dict[str, tuple[str, str, Callable[[str], bool]]] = {
    "endless": (
        "define gift = 0\noption endless: bool = no\nplay\n  turns from first\n    me plays take\n"
        "    if count(taken) = 9\n      if endless\n        set taken to {}\n"
        "        set points[first] to 0\n        set points[second] to 0\n      else\n        draw\n",
        "endless", lambda why: why == ENDLESS or why.startswith("violates"),
    ),
    "refused": (
        "option size: 2..3 = 3\nstate\n  extra: 3..size\n", "size", lambda why: why == REFUSED,
    ),
    "violated": (
        'option wrong: bool = no\nclaim "never nine": never wrong and count(taken) = 9\n', "wrong",
        lambda why: why.startswith("violates: never nine"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNSOUND)
def test_unsound_variants_are_counted_and_not_shown(name: str, folder: Path, capsys: Capture) -> None:
    """Of two variants, one is sound."""
    text, option, is_it = UNSOUND[name]
    (folder / "space.gdl").write_text('variant of "numbers.gdl"\n' + text, encoding="utf-8")
    data = found(capsys)
    assert data["measured"] == data["size"] == 2
    assert list(data["unsound"].values()) == [1] and all(map(is_it, data["unsound"])), data["unsound"]
    sound = {"endless": "no", "refused": "3", "violated": "no"}[name]
    assert [v["options"] for v in data["variants"]] == [{option: sound}]


@pytest.mark.parametrize(
    ("base", "why"),
    [
        ("kuhn-poker", "is hidden from somebody"),
        ("battleship", "is hidden from somebody"),
        ("rock-paper-scissors", "players choose at the same time"),
        ("abs-trac-toe", "players draw"),
        ("numbers \nplayers first, second, third", "the search is for two players, and there are"),
    ],
)
def test_games_that_its_players_cannot_play_are_refused(base: str, why: str, folder: Path, capsys: Capture) -> None:
    name, _, more = base.partition(" ")
    text = f'variant of "{name}.gdl" {more}'.rstrip() + "\n\noption extra: bool = no\n"
    (folder / "space.gdl").write_text(text, encoding="utf-8")
    assert (
        main(
            [
                "search-rules",
                str(folder / "numbers.gdl") if name == "numbers" else name,
                "--space",
                "space.gdl",
                "-o",
                "found",
            ]
        )
        == 2
    )
    assert why in capsys.readouterr().err
    assert not (folder / "found").exists()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('variant of "numbers.gdl"\n', "declares no options that vary"),
        ('variant of "numbers.gdl"\n\noption one: 1..1 = 1\n', "declares no options that vary"),
        ('variant of "numbers.gdl"\n\noption many: 0..100000 = 1\n', "its values are not listed"),
        ('variant of "nim.gdl"\n\noption a: 1..2 = 1\n', "is not a variant of `numbers.gdl`"),
        (NUMBERS, "is not a variant of `numbers.gdl`"),
        ('variant of "numbers.gdl"\n\noption one: 1..2 = two\n', ""),
    ],
)
def test_a_space_that_is_none_is_refused(text: str, why: str, folder: Path, capsys: Capture) -> None:
    (folder / "space.gdl").write_text(text, encoding="utf-8")
    assert main(["search-rules", "numbers.gdl", "--space", "space.gdl"]) in (1, 2)
    out, err = capsys.readouterr()
    assert why in out + err and "Traceback" not in out + err


def test_a_folder_with_something_in_it_is_refused(folder: Path, capsys: Capture) -> None:
    assert main([*SEARCH, "-o", "."]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert main([*SEARCH, "-o", "numbers.gdl"]) == 5
    capsys.readouterr()
    assert main([*SEARCH, "-o", "numbers.gdl/found"]) == 5
    assert "cannot be written as a folder" in capsys.readouterr().err
    assert sorted(p.name for p in folder.iterdir()) == ["numbers.gdl", "space.gdl"]


ROW = """game "Row"

players white, black

option win: 4..5 = 4

board hex 4 from top

piece stone of player

move place(c: cell) written "{c}"
  when c in empty "there is a stone there already"
  put stone[me] on c

play
  turns from white
    me plays place
    if some l in lines(win): l within stone[me]
      win me
    if empty = {}
      draw
"""
TRAP = """variant of "row.gdl"

option win: 4..5 = 4
option trap: 3..5 = 5

play
  turns from white
    me plays place
    if some l in lines(win): l within stone[me]
      win me
    if trap < win and some l in lines(trap): l within stone[me]
      lose me
    if empty = {}
      draw
"""


def test_the_rule_of_yavalath_is_the_best_of_its_space(folder: Path, capsys: Capture) -> None:
    """Four win, three lose: found by a program in 2007 (C. Browne, "Evolutionary Game Design").

    Plain four in a row is a little worse (0.55 and 0.61 after 1,200 games): with fewer games, chance decides."""
    (folder / "row.gdl").write_text(ROW, encoding="utf-8")
    (folder / "trap.gdl").write_text(TRAP, encoding="utf-8")
    assert main(["search-rules", "row.gdl", "--space", "trap.gdl", "-n", "150", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["variants"][0]["options"] == {"win": "4", "trap": "3"}


CAKE = """game "Cake"

players first, second

state
  part: 1..9

move cut(k: 1..9) written "{k}"
  set part to k

move left written "left"
  set part to part

move right written "right"
  set part to 10 - part

play
  first plays cut
  second plays left | right
  if part > 5
    win second
  if part < 5
    win first
  draw
"""


def test_players_of_many_playouts_expect_the_best_answer(folder: Path) -> None:
    """One cuts and the other one chooses: only a cut at 5 does not lose, if the other one chooses well. Of random
    answers half are good for the first one, give or take, so one of the eight other cuts seems better than a draw, but for
    once in (1/2)^8 games or so. Nobody looks ahead here."""
    (folder / "cake.gdl").write_text(CAKE, encoding="utf-8")
    game = gamedsl.load(str(folder / "cake.gdl"))
    for playouts, draws in ((AIMED, 1.0), (AIMED - 1, 0.0)):
        players = np.full((100, 2, 2), (playouts, 0), np.int64)
        found = play_duels(duel_code(game.program, game, baseline=True), players, 1, 400, 0)
        assert np.mean(found.results[:, 0] == found.results[:, 1]) == pytest.approx(draws, abs=0.03)


def best_options(capsys: Capture, line: list[str]) -> dict[str, str]:
    """Returns the options of the best variant that a search finds."""
    assert main([*line, "--format", "json"]) == 0
    found: dict[str, str] = json.loads(capsys.readouterr().out)["variants"][0]["options"]
    return found


PIES = """variant of "numbers.gdl"

option pie: bool = no "first offers points for moving second, and the second player chooses a seat"
option small: bool = no "the first number is less than 4"
option twice: bool = no "the second player begins with two numbers"

define gift = 0

state
  taken: set of 1..9
  points: player -> 0..60
  offered: 0..9
  starter: player = first

move offer(k: 0..9) written "offer {k}"
  set offered to k

move change written "change seats"
  set starter to second

move keep written "keep seats"
  set starter to first

move take(k: 1..9) written "{k}"
  when not k in taken "that number is taken"
  when not small or taken != {} or k < 4 "the first number is less than 4"
  add k to taken
  add k to points[me]

play
  if pie
    first plays offer
    second plays keep | change
    add offered to points[rival(starter)]
  turns from starter
    me plays take
    if twice and turn = 2
      me plays take
    if count(taken) = 9
      if points[first] > points[second]
        win first
      if points[first] < points[second]
        win second
      draw
"""


def test_the_pie_rule_is_the_best_of_its_space(folder: Path, capsys: Capture) -> None:
    """The first of two players who take 1 to 9 in turn gets 25 of 45. With an offer of 5 for moving second both have as
    much, and without the pie rule one wins always: 9+7+5+3+1 against 8+6+4+2; 22 against 23 after a 3; 21 against 24 if
    the second one begins with two numbers."""
    (folder / "pies.gdl").write_text(PIES, encoding="utf-8")
    line = ["search-rules", "numbers.gdl", "--space", "pies.gdl", "--draws-are-fine", "--playouts", "400", "-n", "20"]
    assert best_options(capsys, line) == {"pie": "yes", "small": "no", "twice": "no"}


def test_the_swap_of_hex_is_found(folder: Path, capsys: Capture) -> None:
    """The first player wins hex without it (J. Nash, 1952); with it, the opening is cut as a cake is."""
    (folder / "hexes.gdl").write_text(
        'variant of "hex.gdl"\n\noption n: 5..5 = 5\noption swap: bool = no\n', encoding="utf-8"
    )
    line = ["search-rules", "hex", "--space", "hexes.gdl", "--playouts", "128", "-n", "12"]
    assert best_options(capsys, line) == {"n": "5", "swap": "yes"}


def test_variants_that_are_compiled_together_have_the_figures_of_each(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, found, together = SearchPlan(read_space("space.gdl", "numbers.gdl"), games=8, playouts=2), [], list[int]()
    merge = variant_figures.compile_versions

    def compile_versions(games: list[Game], only: tuple[str, ...], baseline: bool) -> dict[int, VersionNative]:
        together.append(len(games) if found else 1)
        return merge(games if found else games[:1], only, baseline)

    monkeypatch.setattr(variant_figures, "compile_versions", compile_versions)
    for _ in range(2):
        monkeypatch.setattr(variant_figures, "_codes", Newest(20))
        monkeypatch.setattr(variant_figures, "_figures", Newest(20))
        found.append(VariantsMeasured(plan, ((0,), (3,), (8,), (4,))).answer(0, 4, lambda: False))
    assert found[0] == found[1] and len(set(found[0])) > 1
    assert together == [1, 4]
