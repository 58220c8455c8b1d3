"""Conditional moves: made as prepared, secret until then, legal, bounded, and kept with the move that they answer."""

from __future__ import annotations

import ast
import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gamedsl.play.web.server import limits, planned_answers, seat_requests
from gamedsl.play.web.server.events import Answered, Offered, Planned, event_from, event_json
from gamedsl.play.web.server.limits import MOST_AHEAD, MOST_LINES, MOST_PLANNED, MOST_PLY, MOST_WRITTEN
from gamedsl.play.web.server.refusals import BadData, Refused
from gamedsl.play.web.server.requests import lines as read_lines
from gamedsl.play.web.server.server_time import Run
from gamedsl.play.web.server.table_play import Play
from tests.shipped_sample import sampled

from .running import Server
from .tables import NAMES, Driven, loaded, new_play
from .test_my_tables import PEOPLE
from .test_times import _hall


def take(play: Play, decided: Any) -> list[Any]:
    """Takes in what was decided, as a table does; the events."""
    for event, after in decided:
        play.check(event)
        play.take(event, after)
    return [event for event, _ in decided]


def plan(play: Play, seat: int, *lines: str) -> list[Any]:
    return take(play, planned_answers.planned(play, seat, [line.split() for line in lines], 1))


def move(play: Play, text: str) -> list[str]:
    """The plies of a move and all that it causes."""
    found = seat_requests.made(play, play.game.parse_move(text, play.state, play.state.to_act[0]), 2)
    return [event.text for event in take(play, found)]


def test_an_answer_is_made_with_the_move_that_it_answers() -> None:
    play = new_play(loaded("tic-tac-toe"))
    plan(play, 1, "b2 a1 c3 a2", "a1 b2")
    assert move(play, "b2") == ["b2", "a1"] and play.plans[1] == (("c3", "a2"),)
    assert move(play, "c3") == ["c3", "a2"] and not play.plans[1]
    assert move(play, "a3") == ["a3"]


def test_another_move_ends_the_lines_about_this_one() -> None:
    play = new_play(loaded("tic-tac-toe"))
    plan(play, 1, "b2 a1", "b2 a1 c3 a2")
    assert play.plans[1] == (("b2", "a1", "c3", "a2"),)  # the shorter one is its beginning
    assert move(play, "a3") == ["a3"] and not play.plans[1]


def test_two_who_plan_answer_each_other() -> None:
    play = new_play(loaded("tic-tac-toe"))
    plan(play, 1, "b2 a1 c3 a2")
    with pytest.raises(Refused, match="your turn"):
        plan(play, 0, "b2 a1 c3")
    move(play, "a3")
    plan(play, 0, "b2 c3 a1 c2")
    assert move(play, "b2") == ["b2", "c3"]
    plan(play, 0, "a1 c2")  # the same again
    assert move(play, "a1") == ["a1", "c2"]


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (["b2"], "no"),  # ends with a move of the other
        (["b2 b2"], "illegal"),
        (["b2 z9"], "illegal"),
        (["b2 a1", "b2 a2"], "no"),  # two answers to the same
        ([""], "no"),
        (["a1 b1 a2 b2 a3 c1"], "no"),  # the game is over before
    ],
)
def test_lines_that_cannot_be_played_are_refused(lines: list[str], code: str) -> None:
    play = new_play(loaded("tic-tac-toe"))
    with pytest.raises(Refused) as found:
        plan(play, 1, *lines)
    assert found.value.code == code and not play.plans


@pytest.mark.parametrize(
    ("name", "code"), [("kuhn-poker", "secret"), ("dark-hex", "secret"), ("rock-paper-scissors", "no")]
)
def test_nothing_is_planned_where_something_is_hidden(name: str, code: str) -> None:
    """An answer to what a seat cannot see would show it."""
    play, rng = new_play(loaded(name)), Random(1)
    while play.state.kind == "chance":
        take(play, seat_requests.made(play, None, 1))
    waiting = 1 - play.to_act[0] if name != "rock-paper-scissors" else 1
    with pytest.raises(Refused) as found:
        planned_answers.planned(play, waiting, [[play.state.propose(rng).text]], 1)
    assert found.value.code == code


def test_no_line_passes_chance() -> None:
    play = new_play(loaded("pig"))
    with pytest.raises(Refused, match="chance"):
        planned_answers.planned(play, 1, [["roll", "roll"]], 1)


def test_others_are_sent_the_same_bytes_as_without_a_plan() -> None:
    one, two = Driven(loaded("tic-tac-toe")), Driven(loaded("tic-tac-toe"))
    plan(one.play, 1, "b2 a1")
    for table in (one, two):
        table.look()
    for seat in (0, None):
        assert one.frames[seat] == two.frames[seat]
    assert json.loads(one.frames[1][-1])["plans"] == [["b2", "a1"]]
    assert "plan" not in one.play.record(0).text()


def test_what_is_taken_back_takes_the_plans_with_it() -> None:
    play = new_play(loaded("tic-tac-toe"))
    move(play, "b2")
    plan(play, 0, "a1 c3")
    take(play, [(Offered(3, 0, "undo", 0), None), (Answered(3, 1, True), None)])
    assert len(play.moments) == 1 and not play.plans
    plan(play, 1, "b2 a1")
    take(play, seat_requests.resigned(play, 0, 4))
    with pytest.raises(Refused):
        plan(play, 1, "b2 a1")


def _prepared(play: Play, seat: int, rng: Random, plies: int) -> list[str]:
    """A random line that ends with a ply of the seat; empty if there is none."""
    state, texts, end = play.state, list[str](), 0
    while len(texts) < plies and not state.is_terminal and state.kind == "player":
        ply = rng.choice(state.legal_moves(state.to_act[0]))
        texts.append(ply.text)
        end = len(texts) if state.to_act[0] == seat else end
        state = state.apply(ply)
    return texts[:end]


@pytest.mark.parametrize("name", sampled(NAMES, "test_a_plan_is_what_the_moves_one_by_one_are"))
def test_a_plan_is_what_the_moves_one_by_one_are(name: str) -> None:
    """A law: a line that the others follow leads to the position in which its plies, made one after another, end."""
    game, rng = loaded(name), Random(name)
    if game.secrets.hides:
        pytest.skip("nothing is planned where something is hidden")
    play = new_play(game)
    if play.state.kind == "chance":
        take(play, seat_requests.made(play, None, 1))
    if play.state.kind != "player":
        pytest.skip("all choose at once, or draw")
    seat = next((s for s in range(game.num_players) if s not in play.to_act), None)
    line = [] if seat is None else _prepared(play, seat, rng, 6)
    if not line:
        pytest.skip("nobody else moves before chance does")
    alone, base = play.state, len(play.moments) - 1
    for text in line:
        alone = alone.apply(game.parse_move(text, alone, alone.to_act[0]))
    take(play, planned_answers.planned(play, seat, [line], 1))  # type: ignore[arg-type]
    done = 0
    while done < len(line):
        done += len(move(play, line[done]))
    assert play.moments[base + len(line)].state == alone


# ------------------------------------------------------------------------------------------------------- kept and bounded


@pytest.mark.parametrize(
    "value",
    [
        None,
        "b2",
        [1],
        [["b2", 7]],
        [["x" * (MOST_PLY + 1)]],
        [["a\n"]],
        [["b2"] * (MOST_AHEAD + 1)],
        [["b2"]] * (MOST_LINES + 1),
    ],
)
def test_only_short_lines_are_read(value: Any) -> None:
    with pytest.raises(Refused):
        read_lines({"lines": value}, "lines")


def test_the_log_of_plans() -> None:
    event = Planned(1, 1, (("b2", "a1"), ("c3",)))
    assert event_from(json.loads(json.dumps(event_json(event)))) == event
    for damaged in ("b2", [["b2", 1]], [None], ["b2"], {"b2": "a1"}):
        with pytest.raises(BadData):
            event_from(event_json(event) | {"lines": damaged})


def test_plans_are_bounded() -> None:
    play = new_play(loaded("tic-tac-toe"))
    with pytest.raises(Refused, match="no more"):
        while True:
            plan(play, 1, "b2 a1", "c3 a1")
            plan(play, 1)
    assert move(play, "a1") == ["a1"]  # the game goes on
    assert move(play, "b2") == ["b2"]
    plan(play, 1, "a3 a2")  # every ply makes room


def test_a_plan_can_always_be_dropped() -> None:
    """Otherwise an answer would be made that the seat does not want any more. Messages take no room from plans."""
    play = new_play(loaded("tic-tac-toe"))
    play.written[1] = MOST_WRITTEN
    plan(play, 1, "b2 a1", "c3 a1")
    play.planned[1] = 2 * MOST_PLANNED
    with pytest.raises(Refused, match="no more"):
        plan(play, 1, "b2 a1", "a3 a1")
    plan(play, 1, "b2 a1")
    assert play.plans[1] == (("b2", "a1"),)
    plan(play, 1)
    assert move(play, "b2") == ["b2"]


def test_a_limit_is_defined_once() -> None:
    """The limit of the lines of a plan was that of the lines of a log, which came after it."""
    module = ast.parse(Path(limits.__file__).read_text())
    targets = [target for one in module.body if isinstance(one, ast.Assign) for target in one.targets]
    names = [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]
    assert len(names) > 50 and sorted(names) == sorted(set(names))
    assert MOST_LINES == 10  # as docs/guide/with-others.md says


def test_a_restart_between_plan_and_move(tmp_path: Path) -> None:
    async def scenario() -> None:
        hall = _hall(tmp_path, Run.begin())
        table = await hall.make(PEOPLE)
        await table.request(lambda play, now: planned_answers.planned(play, 1, [["b2", "a1"], ["c3", "b2"]], now))
        hall.stop()
        again = _hall(tmp_path, Run.begin())
        found = await again.table(table.name)
        await found.request(
            lambda play, now: seat_requests.made(play, play.game.parse_move("c3", play.state, 0), now), lag=300
        )
        assert [m.move.text for m in found.play.moments[1:] if m.move] == ["c3", "b2"]
        assert found.play.clocks.left == [86_400_000] * 2 and found.play.to_act == (0,)
        again.stop()

    asyncio.run(scenario())


def test_a_killed_server_keeps_plans_and_their_secret(tmp_path: Path) -> None:
    server = Server(tmp_path, "tic-tac-toe")
    table, keys = server.make("tic-tac-toe")
    x, o = (server.join(table, key) for key in keys)
    assert x.seen() and o.seen()
    shown = o.ask("imagine", line=["b2"], action=-1)["imagined"]
    assert shown["line"] == ["b2"] and shown["position"]["turn"]["to_act"] == [1]
    assert o.ask("plan", lines=[["b2", "a1"]], stamp="another position")["code"] == "stale"
    assert o.ask("plan", lines=[["b2", "a1"]], stamp=o.update["stamp"])["ok"]
    assert server.join(table).ask("plan", lines=[])["code"] == "seat"
    assert x.ask("imagine", line=[], action=-1)["code"] == "no"  # it is X's turn
    server.kill()
    server = Server(tmp_path, "tic-tac-toe")
    x, o = (server.join(table, key) for key in keys)
    assert x.seen() and o.seen() and o.update["plans"] == [["b2", "a1"]] and x.update["plans"] == []
    assert "a1" not in [n["text"] for n in x.nodes]
    assert x.play(4)["ok"]  # the middle of the nine squares
    x.wait(2)
    assert [n["text"] for n in x.nodes[1:]] == ["b2", "a1"]
    assert "Traceback" not in server.stop()
