"""A game as one HTML file, opened from the disk without a network: people, opponents, secrets, records, what is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.agents import LearnedValue, compiled
from gamedsl.agents.leaf_value import Features
from gamedsl.cli.main import main
from gamedsl.engine import Move, Record, State, announced_plies
from gamedsl.engine.picture import outcome_of
from gamedsl.play.web import playable_page

from .browser import give_back, needs_browser, open_file, wait_until
from .clicking import act, touch
from .test_local_announcements import GUESS, ROUNDS
from .test_rules_js import NAMES

needs_browser()
from playwright.sync_api import expect  # noqa: E402  (only where there is a browser)

MOST_BYTES = 600_000
MOST_PLIES = 120
MADE = "shown.table.tree.nodes.length"  # (what is shown of a game with secrets may have fewer plies)
QUICK = ["reversi", "leduc-poker", "t-tic-t-tac-toe-game"]


@pytest.fixture
def opened(chrome: Any, tmp_path: Path) -> Iterator[Any]:
    shown: list[tuple[Any, Path]] = []

    def show(
        name: str, players: str = "", size: str = "desktop", learned: LearnedValue | None = None, **options: str
    ) -> Any:
        file, who = tmp_path / "game.html", players.split(",") if players else ()
        file.write_text(playable_page(gamedsl.load(name, **options), who, learned=learned), "utf-8")
        shown.append((open_file(chrome, file, size), file))
        return shown[-1][0]

    yield show
    for page, file in shown:
        assert {url for url in page.asked if not url.startswith("blob:")} == {file.as_uri()}
        assert not give_back(page)


def turn(page: Any) -> Any:
    return page.evaluate("shown.update.position.turn")


def uncover(page: Any) -> None:
    if page.evaluate("shown.update.cover") is not None:
        page.locator("dialog.cover[open] button").click()


def play_by_clicks(page: Any, rng: Random, most: int) -> None:
    """People make random moves by touching, until the end."""
    for _ in range(most):
        uncover(page)
        now = turn(page)
        if now["kind"] == "end":
            return
        if now["kind"] == "drawing":
            page.get_by_role("button", name="Draw for me").click()
            continue
        act(page, rng.choice(now["actions"])[0], lambda: page.evaluate(MADE))


def played_through(opened: Any, name: str) -> None:
    """A play between people, compared with the engine's from its record."""
    game = gamedsl.load(name)
    page = opened(name, ",".join(["human"] * game.num_players))
    play_by_clicks(page, Random(5), MOST_PLIES)
    text = page.evaluate("shown.table.record()")
    if "drawing" in game.kinds or not text.startswith("#"):
        return  # drawings have no notation, and what is hidden stays so until the end
    states = Record.parse(text).replay(game)
    assert len(states) > 2
    outcome = turn(page)["outcome"]
    assert states[-1].is_terminal == (outcome is not None)
    if outcome is not None:
        assert (outcome["text"], tuple(outcome["returns"])) == (outcome_of(states[-1]), states[-1].returns)


@pytest.mark.parametrize("name", QUICK)
def test_a_game_is_played_by_clicks(opened: Any, name: str) -> None:
    played_through(opened, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_game_is_played_by_clicks(opened: Any, name: str) -> None:
    played_through(opened, name)


def test_a_page_may_begin_with_a_game(chrome: Any, tmp_path: Path) -> None:
    """The command line writes it, the moves are played, and the next player goes on."""
    file = tmp_path / "game.html"
    words = ["export", "tic-tac-toe", "--to", "html", "--from", "b2; a1", "--seats", "human,human", "-o", str(file)]
    assert main([*words, "--quiet"]) == 0
    page = open_file(chrome, file, ready="globalThis.shown && shown.table.tree.nodes.length === 3")
    assert page.locator(".ply").all_inner_texts() == ["X b2", "O a1"]
    assert not give_back(page)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_file_is_small(name: str) -> None:
    assert len(playable_page(gamedsl.load(name)).encode()) < MOST_BYTES


# ------------------------------------------------------------------------------------------------------ opponents


def test_an_opponent_answers_and_the_play_is_kept(opened: Any) -> None:
    page = opened("tic-tac-toe", "human,strong", "phone")
    touch(page, "a1")
    expect(page.locator(".ply")).to_have_count(2)
    page.reload()
    wait_until(page, "globalThis.shown")
    expect(page.locator(".ply")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".ply[aria-current]")).to_have_count(0)
    touch(page, "b2")
    expect(page.locator(".ply")).to_have_count(4)
    expect(page.locator(".variation")).to_have_count(1)


def test_a_proved_win_is_told_and_played(opened: Any) -> None:
    """Piles of 1, 2 and 3: their nim-sum is 0, so whoever is to move loses."""
    page = opened("nim", "human,strong", a="1", b="2", c="3")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".message")).to_contain_text("proved")
    now = turn(page)
    page.evaluate("(a) => shown.table.play(a, 0)", now["actions"][0][0])
    wait_until(page, "shown.update.position.turn.to_act[0] === 0 || shown.update.position.turn.kind === 'end'")
    assert page.evaluate("shown.update.tree.nodes.length") >= 3


def test_how_the_play_stood_is_drawn(opened: Any) -> None:
    """O lets X win: in the end the curve is at the top."""
    page = opened("tic-tac-toe", "human,human")
    for name in ("a1", "b1", "a2", "b2", "a3"):
        touch(page, name)
    page.get_by_role("button", name="Evaluate").click()
    wait_until(page, "Object.keys(shown.update.values).length === 6")
    assert page.evaluate("shown.update.values[5]") == 1
    assert page.evaluate("shown.update.values[4]") == 1  # proved: X has two in a row and is to move
    expect(page.locator("svg.curve")).to_have_attribute("aria-label", re.compile("now 1.00"))
    page.locator("svg.curve").click(position={"x": 2, "y": 10})
    expect(page.locator(".ply[aria-current]")).to_have_count(0)


def test_players_are_chosen_in_a_dialog(opened: Any) -> None:
    page = opened("nim", "human,human")
    page.get_by_role("button", name="Players").click()
    page.locator("dialog select").first.select_option("random")
    page.locator("dialog").get_by_role("button", name="Play").click()
    wait_until(page, "shown.update.tree.nodes.length === 2 && shown.update.position.turn.to_act[0] === 1")


# -------------------------------------------------------------------------------------------------------- secrets


def test_the_screen_is_handed_over_before_a_secret_is_shown(opened: Any) -> None:
    page = opened("kuhn-poker", "human,human")
    expect(page.locator("dialog.cover")).to_contain_text("p1")
    assert not re.search(r"card of p\d: \d", page.inner_text("#page"))
    page.set_viewport_size({"width": 844, "height": 390})  # turned, while there is no board yet
    uncover(page)
    cards = [page.evaluate("JSON.stringify(shown.update.position.picture.beside)")]
    assert "card of p1" in cards[0] and "card of p2" not in cards[0]
    page.evaluate("shown.table.play(shown.update.position.turn.actions[0][0], 0)")
    expect(page.locator("dialog.cover")).to_contain_text("p2")
    uncover(page)
    assert shown_log(page) == announced(page, "kuhn-poker", 1)  # its own card, and what the first player did


def test_nobody_is_waited_for_in_an_earlier_position(opened: Any) -> None:
    """After the end it is shown, and nobody can play there."""
    page = opened("kuhn-poker", "human,human")
    play_by_clicks(page, Random(3), 4)
    expect(page.locator(".guide")).to_have_text("The game is over.")
    page.locator(".ply").first.click()
    expect(page.locator(".guide")).to_have_text("This is an earlier position.")


def announced(page: Any, name: str, seat: int) -> list[tuple[int | None, str]]:
    """What a served table shows to a seat of the game that the page has played."""
    game = gamedsl.load(name)
    steps: list[tuple[State, Move | None]] = [(game.initial_state(), None)]
    for action, player in page.evaluate("shown.table.tree.nodes.slice(1).map(({ action, seat }) => [action, seat])"):
        move = game.move(action, steps[-1][0], player)
        steps.append((steps[-1][0].apply(move), move))
    return [(one.player, one.text) for _, one in announced_plies(steps, seat)]


def shown_log(page: Any) -> list[tuple[int | None, str]]:
    """What the page shows of the moves, which its list repeats."""
    told = page.evaluate("shown.update.tree.nodes.slice(1).map(({ seat, text }) => [seat, text])")
    expect(page.locator(".ply")).to_have_text([re.compile(f"{re.escape(text)}$") for _, text in told])
    return [(seat, text) for seat, text in told]


def test_the_moves_are_announced_as_at_a_served_table(opened: Any) -> None:
    page, rng = opened("leduc-poker", "human,human"), Random(2)
    looks = 0
    while turn(page)["kind"] != "end":
        uncover(page)
        seat = turn(page)["seat"]
        assert shown_log(page) == announced(page, "leduc-poker", seat)
        looks += 1
        page.evaluate(
            "([action, seat]) => shown.table.play(action, seat)", [rng.choice(turn(page)["actions"])[0], seat]
        )
    assert looks > 2
    assert shown_log(page) == announced(page, "leduc-poker", turn(page)["seat"])


def test_simultaneous_choices_stay_secret_until_all_have_chosen(opened: Any) -> None:
    page = opened("rock-paper-scissors", "human,human")
    uncover(page)
    page.evaluate("shown.table.play(shown.update.position.turn.actions[0][0], 0)")
    expect(page.locator("dialog.cover")).to_contain_text("right")
    assert "rock" not in page.evaluate("JSON.stringify(shown.update.tree)")
    uncover(page)
    page.evaluate("shown.table.play(shown.update.position.turn.actions[1][0], 1)")
    expect(page.locator(".status")).to_contain_text("right wins")
    assert "rock" in page.evaluate("JSON.stringify(shown.update.tree)")


# --------------------------------------------------------------------------------------------------------- drawings


def test_a_board_is_drawn_by_hand(opened: Any) -> None:
    """A square, four lines, and a bend across it: more spaces than the nine of the lines alone."""
    page = opened("abs-trac-toe", "human,human")
    lines = {"upper": "10,30 90,30", "lower": "10,70 90,70", "left": "30,10 30,90", "right": "70,10 70,90"}
    page.get_by_role("button", name="square").click()
    page.fill("input[placeholder]", "30,30 90,30")
    page.get_by_role("button", name="Draw these points").click()
    expect(page.locator(".message")).to_contain_text("is not on")
    for name, points in lines.items():
        expect(page.locator(".choices")).to_contain_text(name)
        page.fill("input[placeholder]", points)
        page.get_by_role("button", name="Draw these points").click()
    page.get_by_role("button", name="Accept the drawing").click()
    expect(page.locator(".ply")).to_have_count(1)
    page.fill("input[placeholder]", "10,50 50,62 90,50")
    page.get_by_role("button", name="Draw these points").click()
    page.get_by_role("button", name="Accept the drawing").click()
    expect(page.locator(".ply")).to_have_count(2)
    assert len(page.evaluate("shown.update.position.picture.drawing.spaces")) == 12
    page.reload()
    wait_until(page, "globalThis.shown")
    expect(page.locator(".ply")).to_have_count(2)
    assert len(page.evaluate("shown.update.position.picture.drawing.spaces")) == 12
    play_by_clicks(page, Random(3), 40)
    assert turn(page)["kind"] == "end"


SQUARE = ["0,0 90,0 90,90 0,90", "0,30 90,30", "0,60 90,60", "30,0 30,90", "60,0 60,90"]


def draw_by_points(page: Any, strokes: list[str]) -> None:
    """Strokes as typed points, until the drawing is accepted."""
    for points in strokes:
        page.fill("input[placeholder]", points)
        page.get_by_role("button", name="Draw these points").click()
    page.get_by_role("button", name="Accept the drawing").click()


def test_a_program_answers_a_drawing_by_hand(opened: Any) -> None:
    """The default seats: a person draws the figure, a program the bending line; then the person claims, and is answered."""
    page = opened("abs-trac-toe")
    draw_by_points(page, SQUARE)
    wait_until(page, "shown.update.tree.nodes.length === 3 && shown.update.position.turn.kind === 'player'")
    assert 12 <= len(page.evaluate("shown.update.position.picture.drawing.spaces")) <= 40
    act(page, turn(page)["actions"][0][0], lambda: page.evaluate(MADE))
    wait_until(page, "shown.update.tree.nodes.length === 5")


def test_after_a_reload_a_program_answers_a_drawing(opened: Any) -> None:
    """What was drawn is kept as strokes, also a prepared drawing."""
    page = opened("abs-trac-toe", "human,human")
    page.get_by_role("button", name="Draw for me").click()
    expect(page.locator(".ply")).to_have_count(1)
    page.reload()
    wait_until(page, "globalThis.shown")
    page.get_by_role("button", name="Draw for me").click()
    wait_until(page, "shown.update.tree.nodes.length === 3")


# ------------------------------------------------------------------------------------------------------- failures


def test_a_fault_in_the_page_is_shown_and_tried_again(opened: Any) -> None:
    page = opened("abs-trac-toe")
    page.evaluate("""const { drawings } = shown.table; globalThis.real = drawings.randomly.bind(drawings);
        drawings.randomly = () => { throw new Error("injected"); }; 0""")
    draw_by_points(page, SQUARE)
    expect(page.locator(".message.failure")).to_contain_text("p2 could not move: injected.")
    assert "thinking" not in page.inner_text(".status")
    page.evaluate("shown.table.drawings.randomly = globalThis.real; 0")
    page.get_by_role("button", name="Try again").click()
    wait_until(page, "shown.update.tree.nodes.length === 3")
    expect(page.locator(".message")).to_be_hidden()


def test_a_fault_in_the_worker_is_shown_and_tried_again(opened: Any) -> None:
    page = opened("tic-tac-toe", "human,easy")
    page.evaluate("""const Real = globalThis.Worker;
        globalThis.Worker = class extends Real {
          postMessage(data) { super.postMessage(data.id === 1 ? { ...data, actions: null } : data); }
        }; 0""")  # without plies there is no position to search
    touch(page, "a1")
    expect(page.locator(".message.failure")).to_contain_text("O could not move")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".ply")).to_have_count(2)
    expect(page.locator(".message")).to_be_hidden()


def test_a_worker_that_ends_is_replaced(opened: Any) -> None:
    page = opened("tic-tac-toe", "human,easy")
    page.evaluate("""globalThis.Worker = class {
          constructor() { setTimeout(() => this.onerror({})); }
          postMessage() {}
        }; 0""")
    touch(page, "a1")
    expect(page.locator(".ply")).to_have_count(2)


MATCH = """
game "Match of Stones"

players ann, bob

state
  starter: player = ann
  wins: player -> 0..2

play
  repeat
    play row with first = starter, second = rival(starter) -> result
    add 1 to wins[result.winner]
    set starter to rival(result.winner)
  until wins[ann] = 2 or wins[bob] = 2
  rank by wins

part row
  players first, second
  board grid 1 by 3 named by letters
  piece stone of player

  move put(c: cell) written "{c}"
    when c in empty "that square is taken"
    put stone[me] on c

  play
    turns from first
      me plays put
      if b1 not in empty
        win me "whoever takes the middle wins"
"""


def test_the_last_board_of_a_game_in_a_match_stays_until_the_person_continues(opened: Any, tmp_path: Path) -> None:
    """The other one begins the next game at once."""
    (tmp_path / "match.gdl").write_text(MATCH, encoding="utf-8")
    page = opened(str(tmp_path / "match.gdl"), "human,random", size="phone")
    touch(page, "b1")
    wait_until(page, "shown.table.tree.nodes.length === 3")  # the program has begun the second game
    expect(page.locator(".guide")).to_contain_text("Game 1: first (ann) wins (whoever takes the middle wins)")
    expect(page.locator(".piece")).to_have_count(1)
    assert page.evaluate("shown.update.tree.at") == 1
    page.get_by_role("button", name="Continue: it is your move").click()
    expect(page.get_by_role("button", name="Continue")).to_have_count(0)
    assert page.evaluate("shown.update.tree.at") == 2
    expect(page.locator(".ply")).to_have_count(2)
    assert not page.locator(".removed").count()  # the board was cleared for another game, which is no rule's doing


def test_leafing_ends_the_wait_at_a_last_board(opened: Any, tmp_path: Path) -> None:
    (tmp_path / "match.gdl").write_text(MATCH, encoding="utf-8")
    page = opened(str(tmp_path / "match.gdl"), "human,random")
    touch(page, "b1")
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    page.get_by_role("button", name="to the first position").click()
    expect(page.get_by_role("button", name="Continue")).to_have_count(0)
    expect(page.locator(".piece")).to_have_count(0)


TOLD = """(() => {
  const { table } = globalThis.shown;
  const { log, logged } = table.telling;
  const fresh = new $local_log.LocalLog(table.rules);
  for (const { action, seat } of logged) fresh.add(action, seat);
  const kept = (from) => logged.map((_, i) => JSON.stringify(from.announced(i + 1, 0)));
  return { searched: log.announcements.lookalikes.size, worker: kept(log), page: kept(fresh) };
})()"""


@pytest.mark.parametrize("name", ["phantom-tic-tac-toe", "dark-chess"])
def test_the_worker_finds_out_what_a_seat_is_told(opened: Any, name: str) -> None:
    """The same as the page does without it; of that the page itself goes through no positions that look alike."""
    page = opened(name, "human,random")
    rng = Random(1)
    for _ in range(3):
        wait_until(page, "shown.update.position.turn.actions.length")
        number = rng.choice(turn(page)["actions"])[0]
        page.evaluate(f"shown.play({number})")
    wait_until(page, "shown.update.position.turn.actions.length || shown.update.position.turn.outcome")
    told = page.evaluate(TOLD)
    assert told["searched"] == 0 and len(told["worker"]) >= 5
    assert told["worker"] == told["page"]


def test_a_page_without_workers_finds_it_out_itself(opened: Any) -> None:
    page = opened("phantom-tic-tac-toe", "human,random")
    page.evaluate("globalThis.Worker = undefined; shown.table.opponents.worker = null; 0")
    touch(page, "a1")
    wait_until(page, "shown.update.position.turn.actions.length")
    assert page.evaluate("shown.table.telling.log.announcements.steps.at(-1).told.has(0)")


def test_what_nobody_catches_is_shown(opened: Any) -> None:
    page = opened("tic-tac-toe", "human,human")
    page.evaluate("shown.table.why = () => Promise.reject(new Error('injected')); 0")
    touch(page, "a1")
    expect(page.locator(".ply")).to_have_count(1)
    touch(page, "a1")
    expect(page.locator(".message.failure")).to_contain_text("injected")
    page.faults.clear()


# ------------------------------------------------------------------------------------------------- records, refusals


def test_records_go_in_and_out(opened: Any) -> None:
    page = opened("tic-tac-toe", "human,human")
    record = Record.begin(gamedsl.load("tic-tac-toe"), "tic-tac-toe")
    state = gamedsl.load("tic-tac-toe").initial_state()
    for text in ("a1", "b2", "c3"):
        move = next(m for m in state.legal_moves() if m.text == text)
        state, record = state.apply(move), record.plus_move(state.game, move)
    assert page.evaluate("(text) => shown.table.load(text)", record.text()) == {"ok": True}
    expect(page.locator(".ply")).to_have_count(3)
    assert page.evaluate("shown.table.record()") == "# tic-tac-toe\n1. X: a1\n2. O: b2\n3. X: c3\n"
    answer = page.evaluate("shown.table.load('1. X: a1\\n2. O: a1\\n')")
    assert answer["reasons"][0]["message"] == 'line 2: "a1" is not a legal move here'
    expect(page.locator(".ply")).to_have_count(3)


def test_a_refusal_tells_its_rule_and_clause(opened: Any) -> None:
    page = opened("x-s-and-lines", "human,human")
    name = page.evaluate("shown.board.places.values().next().value.name")
    touch(page, name)
    expect(page.locator(".ply")).to_have_count(1)
    touch(page, name)
    page.wait_for_selector(".message:not([hidden]) .clause")
    assert "XL-" in page.inner_text(".message")


# ------------------------------------------------------------------------------------------------------ the command


def test_the_command_writes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "x.html"
    assert main(["export", "m-n-k", "--to", "html", "-o", str(target), "--set", "m=4", "--seats", "human,easy"]) == 0
    assert "kB" in capsys.readouterr().out
    text = target.read_text("utf-8")
    assert text.startswith("<!doctype html>") and "connect-src" not in text and "default-src 'none'" in text


@pytest.mark.parametrize("agents", ["human", "human,nobody", "human,human,human"])
def test_wrong_players_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], agents: str) -> None:
    target = tmp_path / "x.html"
    assert main(["export", "nim", "--to", "html", "-o", str(target), "--seats", agents]) == 2
    assert not target.exists() and "Traceback" not in capsys.readouterr().err


def test_levels_that_cannot_follow_what_is_seen_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "guess.gdl").write_text(GUESS, encoding="utf-8")
    (tmp_path / "rounds.gdl").write_text(ROUNDS, encoding="utf-8")
    words = ["export", str(tmp_path / "rounds.gdl"), "--to", "html", "-o", str(tmp_path / "x"), "--seats"]
    assert main([*words, "human,easy"]) == 2
    assert "a search cannot follow" in capsys.readouterr().err
    assert main([*words, "human,random"]) == 0


def test_a_level_plays_where_something_is_hidden(opened: Any) -> None:
    """Hands are hidden, choices are made one after another, and the person plays by touching."""
    page = opened("kuhn-poker", "human,medium")
    for _ in range(3):
        wait_until(page, "shown.update.position.turn.kind === 'end' || shown.update.position.turn.actions.length > 0")
        play_by_clicks(page, Random(3), 1)
    wait_until(page, "shown.update.position.turn.kind === 'end'")
    assert {one["seat"] for one in page.evaluate("shown.table.tree.nodes.slice(1)")} == {None, 0, 1}


def test_the_same_game_gives_the_same_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMEDSL_CACHE", "off")  # the module is compiled twice
    assert playable_page(gamedsl.load("nim")) == playable_page(gamedsl.load("nim"))


def test_every_space_is_named_and_no_labels_overlap(opened: Any) -> None:
    """Two programs draw and claim spaces. Moves and scores name spaces, so each name is to be found, beside the drawing where a
    space is too small."""
    page = opened("abs-trac-toe", "beginner,beginner")
    wait_until(page, "shown.update.tree.nodes.length > 14")
    boxes, names, spaces = page.evaluate("""(() => {
        const labels = [...document.querySelectorAll(".space-label, .space-name")];
        const named = labels.filter((label) => label.matches(".space-name")).map((label) => label.textContent);
        return [labels.map((label) => {
            const { x, y, width, height } = label.getBoundingClientRect();
            return { x, y, width, height };
        }), named, shown.update.position.picture.drawing.spaces.length];
    })()""")
    assert sorted(names) == sorted(f"s{number + 1}" for number in range(spaces))
    assert len(boxes) >= 8
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            apart = a["x"] + a["width"] < b["x"] or b["x"] + b["width"] < a["x"]
            assert apart or a["y"] + a["height"] < b["y"] or b["y"] + b["height"] < a["y"], (a, b)


def test_the_learned_level_plays_in_a_page(opened: Any) -> None:
    """It is the last of the levels that people can choose."""
    game = gamedsl.load("tic-tac-toe")
    width = Features.of(compiled(game).frame, game.program).width
    value = LearnedValue("it.net", game.digest, 1, 1, (0.0,) * (1 + width))
    page = opened("tic-tac-toe", "learned,learned", learned=value)
    wait_until(page, "shown.update.tree.nodes.length > 9")  # a draw, by proof
    assert page.evaluate("Object.keys(shown.table.rules.facts.levels).at(-1)") == "learned"


# Notes in the rules of the page which states' legal actions are asked for.
COUNTED = """(() => {
  const { rules } = shown.table;
  const legal = rules.legal.bind(rules);
  globalThis.listed = 0;
  rules.legal = (state) => { globalThis.listed += 1; return legal(state); };
})()"""


def test_a_move_asks_for_the_legal_actions_once(opened: Any) -> None:
    """The pictures in the tray of bugs are of positions in which nobody chooses."""
    page = opened("hive", "human,human")
    page.evaluate(COUNTED)
    page.evaluate("shown.play(shown.update.position.turn.actions[0][0])")
    expect(page.locator(".tray .miniature, .question .miniature").first).to_be_attached()
    assert page.evaluate("globalThis.listed") == 1


def test_moves_in_the_list_stay_where_they_are(opened: Any) -> None:
    """A browser takes long to lay out all of them anew."""
    page = opened("tic-tac-toe", "human,human")
    touch(page, "a1")
    touch(page, "b2")
    page.evaluate("globalThis.before = [...document.querySelectorAll('.move-list li')]")
    touch(page, "c3")
    page.get_by_label("one move back").click()
    expect(page.locator(".ply[aria-current]")).to_have_text("O b2")
    touch(page, "c1")
    expect(page.locator(".variation .ply")).to_have_text("X c1")
    kept = "globalThis.before.every((item, i) => item === document.querySelectorAll('.move-list > li')[i])"
    assert page.evaluate(kept)
    page.evaluate("shown.table.tools.find(({ label }) => label === 'New game').run()")
    expect(page.locator(".move-list li")).to_have_count(0)
