"""Lobby and tables in a real browser: two seats and a spectator, one of them a phone, secrets, and a server that was killed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.agents import Learner, compiled, write_learned
from gamedsl.language.rules import shipped
from tests.patience import PATIENCE

from ..browser import give_back, needs_browser, new_context, new_page
from ..clicking import place, touch
from ..person import Person
from .running import Server

needs_browser()
from playwright.sync_api import expect  # noqa: E402  (only where there is a browser)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("tables"), "--tables", "1000", "--delay", "0", "--uploads")
    yield found
    found.stop()  # politely: it has workers


@pytest.fixture
def person(chrome: Any) -> Iterator[Any]:
    """Opens an address as somebody with a browser of their own."""
    opened: list[Any] = []

    def show(address: str, size: str = "desktop") -> Any:
        opened.append(new_page(new_context(chrome, size)))
        opened[-1].goto(address)
        return opened[-1]

    yield show
    for page in opened:
        assert [
            fault for fault in give_back(page) if not fault.startswith("Failed to load")
        ] == []  # (refusals are tested)


def with_board(page: Any) -> Any:
    """Waits for the board of a table."""
    page.wait_for_selector(".gamedsl main .panel .seat-name")
    return page


def seats(server: Server, person: Any, game: str, *sizes: str, **more: Any) -> list[Any]:
    """A table, opened by everybody who plays and by a spectator."""
    table, keys = server.make(game, **more)
    links = [f"{server.address}/table/{table}#{key}" for key in keys] + [f"{server.address}/table/{table}"]
    shown = [*sizes, *["desktop"] * (len(links) - len(sizes))]
    return [with_board(person(link, size)) for link, size in zip(links, shown, strict=True)]


def test_a_table_is_made_in_the_lobby(server: Server, person: Any) -> None:
    page = person(server.address)
    page.get_by_role("button", name="Tic-tac-toe, or noughts").or_(
        page.locator(".games button", has_text="Tic-Tac-Toe")
    ).first.click()
    page.get_by_role("button", name="Make a table").click()
    links = page.locator(".table-form .links a")
    expect(links).to_have_count(3)
    expect(page.locator(".table-form img")).to_have_count(3)  # QR codes
    page.goto(links.first.get_attribute("href"))
    with_board(page)
    expect(page.locator(".status")).to_contain_text("X to move")


def test_pictures_of_the_lobby_are_without_coordinates(server: Server, person: Any) -> None:
    """They were cut off below Connect Four, and lay over each other at Backgammon."""
    page = person(server.address)
    picture = page.locator(".games button", has_text="Connect Four").first.locator(".picture")
    expect(picture.locator("svg")).to_be_visible()
    expect(picture.locator("text.rim-name").first).to_be_attached()
    assert picture.locator("text").locator("visible=true").count() == 0


def unanswered(server: Server, chrome: Any, game: str, what: str) -> tuple[Any, Any]:
    """The first seat's page of a new table whose requests of a kind do not reach the server, and what sends the last of them after all."""
    page, held = new_page(new_context(chrome, "phone")), list[Any]()

    def between(socket: Any) -> None:
        behind = socket.connect_to_server()
        socket.on_message(lambda text: held.append((behind, text)) if f'"{what}"' in text else behind.send(text))

    def release() -> None:
        behind, text = held.pop()
        behind.send(text)

    page.route_web_socket("**/live/*", between)
    table, keys = server.make(game)
    page.goto(f"{server.address}/table/{table}#{keys[0]}")
    return with_board(page), release


UNANSWERED = "The server has not answered yet; your move is not made."


def test_a_move_that_the_server_does_not_answer_is_said(server: Server, chrome: Any) -> None:
    """The page showed nothing at all: as if the button were broken."""
    page, release = unanswered(server, chrome, "tic-tac-toe", "play")
    place(page, "a1").tap()
    expect(page.locator(".notice")).to_have_text(UNANSWERED)
    release()
    expect(page.locator(".ply")).to_have_count(1)
    expect(page.locator(".notice")).to_have_count(0)
    assert not give_back(page)


def test_a_drawing_that_the_server_does_not_answer_is_said(server: Server, chrome: Any) -> None:
    """(An empty one, which the server refuses in the end.)"""
    page, release = unanswered(server, chrome, "abs-trac-toe", "draw")
    page.evaluate("void (globalThis.drawn = shown.table.draw([]))")
    expect(page.locator(".notice")).to_have_text(UNANSWERED)
    release()
    expect(page.locator(".notice")).to_have_count(0)
    assert not page.evaluate("drawn.then(({ ok }) => ok)")
    assert not give_back(page)


def test_a_dark_lobby_is_dark_to_the_edge(server: Server, chrome: Any) -> None:
    """Also beside the page, and links are those of the dark page, not the browser's blue."""
    table, _ = server.make("nim", public=True)
    colors = {}
    for scheme in ("dark", "light"):
        context = chrome.new_context(viewport={"width": 1900, "height": 900}, color_scheme=scheme)
        page = context.new_page()
        page.goto(server.address)
        link = page.locator(f"a[href='/table/{table}']")
        expect(link).to_be_visible(timeout=1000 * PATIENCE)
        style = "getComputedStyle(document.querySelector({!r}))"
        edge, paper = (page.evaluate(f"{style.format(q)}.backgroundColor") for q in ("html", "#lobby"))
        colors[scheme] = (edge, link.evaluate("(a) => getComputedStyle(a).color"))
        assert edge == paper
        context.close()
    assert colors["dark"][0] == "rgb(28, 27, 25)"
    assert colors["dark"][1] == "rgb(125, 180, 240)"
    assert colors["light"][1] != colors["dark"][1]


def test_seats_follow_the_options(server: Server, person: Any) -> None:
    """Three players of a ruleset for two by default; whoever was chosen for a seat stays."""
    page = person(f"{server.address}/#game=pig")
    form = page.locator("dialog.table-form")
    expect(form.locator(".seats-wanted label")).to_have_count(2)
    form.get_by_label("p2").select_option("random")
    form.get_by_label("players").select_option("3")
    expect(form.locator(".seats-wanted label")).to_have_count(3)
    expect(form.get_by_label("p2")).to_have_value("random")
    form.get_by_label("target").fill("7777")
    form.get_by_label("target").press("Tab")
    expect(form.get_by_role("alert")).to_contain_text("7777")
    form.get_by_label("target").fill("20")
    form.get_by_label("target").press("Tab")
    expect(form.get_by_role("alert")).to_have_text("")
    form.get_by_role("button", name="Make a table").click()
    expect(page.locator(".table-form .links a")).to_have_count(3)  # p1, p3, watch


BROUGHT = """game "Two Rows"
players red, blue
board grid 2 by 2 named by letters from bottom
piece stone of player
move place(c: cell) written "{c}"
  when c in empty "that square is taken"
  put stone[me] on c
play
  turns from red
    me plays place
    if bottom_row within stone[me]
      win me
    if empty = {}
      draw
"""


def test_agents_follow_the_options(server: Server, person: Any) -> None:
    """A level that the server has for other options alone."""
    page = person(server.address)

    def answer(route: Any) -> None:
        told = route.fetch().json()
        route.fulfill(json={**told, "seats": [*told["seats"], "learned"]} if route.request.method == "POST" else told)

    page.route("**/api/games/pig", answer)
    page.locator(".games button", has_text="Pig").first.click()
    form = page.locator("dialog.table-form")
    expect(form.locator(".against button").last).to_have_text("expert")
    form.get_by_label("players").select_option("3")
    expect(form.locator(".against button").last).to_have_text("learned")
    expect(form.get_by_label("p3").locator("option").last).to_have_text("an agent: learned")


def test_rules_are_brought_mended_and_played(server: Server, person: Any, tmp_path: Path) -> None:
    page = person(server.address)
    page.get_by_text("Upload your own rules").click()
    page.get_by_label("the text of the ruleset").fill(BROUGHT.replace("bottom_row", "bottom_rov"))
    page.get_by_role("button", name="Check and play").click()
    expect(page.locator(".upload .faults")).to_contain_text("did you mean: bottom_row")
    rules = tmp_path / "rows.gdl"
    rules.write_text(BROUGHT)
    page.get_by_label("a file with a ruleset").set_input_files(rules)
    page.get_by_role("button", name="Check and play").click()
    page.locator("dialog").get_by_role("button", name="Make a table").click()
    play, watch = (page.locator("dialog").get_by_label(f"link: {name}") for name in ("Play red", "Watch"))
    red = with_board(person(play.input_value()))
    spectator = with_board(person(watch.input_value(), "phone"))
    touch(red, "a1")
    expect(spectator.locator(".ply")).to_have_count(1)
    link = page.evaluate("document.querySelector('.upload .faults a').href")
    expect(person(link).locator("dialog h2")).to_have_text("Two Rows")


def test_two_seats_and_a_spectator(server: Server, person: Any) -> None:
    """One plays on a touch phone. Everybody sees every move; then the rematch, with seats swapped."""
    x, o, watcher = seats(server, person, "tic-tac-toe", "phone", "desktop", "phone")
    for ply, (page, name) in enumerate([(x, "a1"), (o, "b1"), (x, "a2"), (o, "b2"), (x, "a3")], 1):
        place(page, name).tap() if page is x else touch(page, name)
        for other in (x, o, watcher):
            expect(other.locator(".ply")).to_have_count(ply)
    for page in (x, o, watcher):
        expect(page.locator(".status")).to_contain_text("X wins")
    x.get_by_role("button", name="Rematch").click()
    o.get_by_role("button", name="Rematch").click()
    x.get_by_role("button", name="Go to the rematch").click()
    expect(x.locator(".status")).to_contain_text("X to move")
    expect(x.locator(".seat-name", has_text="you")).to_contain_text("O")


def test_a_seat_that_is_not_to_move_can_not(server: Server, person: Any) -> None:
    _, o, watcher = seats(server, person, "tic-tac-toe")
    for page in (o, watcher):
        assert page.locator(".place.open, .place.target").count() == 0
        touch(page, "a1")
        page.wait_for_timeout(200)
        expect(page.locator(".ply")).to_have_count(0)


def test_secrets_reach_nobody_else(server: Server, person: Any) -> None:
    """Each of the two sees one card, the spectator none; not in the page and not in what its socket was sent."""
    one, two, watcher = seats(server, person, "kuhn-poker")
    for page, mine, others in ((one, "card of p1", "card of p2"), (two, "card of p2", "card of p1")):
        html = page.content()
        assert ("card of" in html or "card" in html) and others not in html, mine
    assert "card of p" not in watcher.content()


def test_a_killed_server_is_found_again(tmp_path: Path, person: Any) -> None:
    """The move before the kill is kept; the page says that the connection is lost, and goes on by itself."""
    server = Server(tmp_path)
    port = server.address.rsplit(":", 1)[1]
    x, o, _ = seats(server, person, "tic-tac-toe")
    touch(x, "b2")
    expect(o.locator(".ply")).to_have_count(1)
    server.kill()
    expect(o.locator(".status")).to_contain_text("connection is lost")
    again = Server(tmp_path, "--port", port)
    try:
        expect(o.locator(".status")).not_to_contain_text("connection is lost")
        expect(o.locator(".ply")).to_have_count(1)
        touch(o, "a1")
        expect(x.locator(".ply")).to_have_count(2)
    finally:
        again.kill()


def test_after_the_end_it_is_drawn_how_the_play_stood(server: Server, person: Any) -> None:
    x, o, _ = seats(server, person, "tic-tac-toe")
    for ply, (page, name) in enumerate([(x, "a1"), (o, "b1"), (x, "a2"), (o, "b2"), (x, "a3")], 1):
        touch(page, name)
        for other in (x, o):
            expect(other.locator(".ply")).to_have_count(ply)
    x.get_by_label("one move back").click()
    x.get_by_role("button", name="Evaluate").click()
    expect(x.locator("svg.curve")).to_be_visible()  # the first question starts a worker
    expect(x.locator("svg.curve")).to_have_attribute(
        "aria-label", "the evaluation of the game, from -1 to 1 for X; now 1.00"
    )


def test_resigning_ends_the_play_for_all(server: Server, person: Any) -> None:
    x, o, watcher = seats(server, person, "hex")
    x.agrees = True
    x.get_by_role("button", name="Resign").click()
    for page in (x, o, watcher):
        expect(page.locator(".status")).to_contain_text("wins")


def test_a_wrong_link_says_so(server: Server, person: Any) -> None:
    table, _ = server.make("nim")
    for link in (f"{server.address}/table/{table}#AAAA", f"{server.address}/table/none"):
        page = person(link)
        expect(page.get_by_role("alert")).not_to_be_empty()


def test_a_seat_chooses_its_mark_for_all(server: Server, person: Any) -> None:
    first, second, watcher = seats(server, person, "dots-and-boxes", "desktop", "phone")
    second.get_by_role("button", name="Mark").click()
    second.get_by_label("mark of second").fill("1")
    second.get_by_role("button", name="Take").click()
    told = second.locator(".fault", has_text="is on the board too")  # the usual sign of the first player
    expect(told).to_have_count(1)
    second.get_by_label("mark of second").fill("#")
    second.get_by_role("button", name="Take").click()
    for page in (first, second, watcher):
        expect(page.locator(".seat-disc text")).to_have_text("#")
    assert not watcher.get_by_role("button", name="Mark").count()
    second.reload()
    expect(with_board(second).locator(".seat-disc text")).to_have_text("#")


def test_people_have_names_and_write_to_each_other(server: Server, person: Any) -> None:
    """The browser keeps the name; what somebody writes is text, and a half-made move survives it."""
    x, o, watcher = seats(server, person, "breakthrough", "desktop", "phone")
    for page, name in ((x, "Anna"), (o, "<b>Bob</b>")):
        page.get_by_role("button", name="Choose a name").click()
        page.get_by_role("textbox", name="your name").fill(name)
        page.get_by_role("button", name="Take this name").click()
    for page in (x, o, watcher):
        expect(page.locator(".seats .person")).to_have_text(["Anna", "<b>Bob</b>"])
    x.locator(".place.start").first.click()
    expect(x.locator(".place.chosen")).to_have_count(1)
    o.get_by_label("your message").fill("<img src=/ onerror=alert(1)>")
    o.get_by_role("button", name="Send").click()
    expect(x.locator(".messages .text")).to_have_text("<img src=/ onerror=alert(1)>")
    expect(x.locator(".place.chosen")).to_have_count(1)
    o.get_by_role("button", name="You are").click()
    o.get_by_role("textbox", name="your name").fill("Bobby")
    o.get_by_role("button", name="Take this name").click()
    expect(x.locator(".seats .person")).to_have_text(["Anna", "Bobby"])
    o.get_by_role("button", name="Offer a draw").click()
    expect(x.get_by_role("button", name="Accept the draw")).to_be_visible()
    expect(x.get_by_role("button", name="Decline the draw")).to_be_visible()
    expect(x.locator(".place.chosen")).to_have_count(1)  # the position is the same
    expect(x.locator(".notice")).to_have_text("\u2068Bobby\u2069 (black) offers a draw.")
    expect(o.locator(".guide")).to_have_text("Wait for \u2068Anna\u2069 (white).")
    expect(o.locator(".status strong")).to_have_text("\u2068Anna\u2069 (white) to move")
    assert not x.locator(".people img").count()
    assert watcher.locator(".people form, .people .messages, .people .called").locator("visible=true").count() == 0
    for target in o.locator(".people button:visible, .people input:visible").all():
        box = target.bounding_box()
        assert box["width"] >= 44 and box["height"] >= 44, target
    table, keys = server.make("tic-tac-toe")
    x.goto(f"{server.address}/table/{table}#{keys[1]}")  # another table, the same browser
    expect(with_board(x).locator(".seats .person")).to_have_text(["Anna"])


def test_names_are_on_the_felt(server: Server, person: Any) -> None:
    one, two, _ = seats(server, person, "leduc-poker")
    two.evaluate("shown.table.rename('Bob')")
    expect(one.locator(".felt .person")).to_have_text("Bob")
    expect(two.locator(".felt .person")).to_have_text("Bob")


def _move_from_the_list(page: Any) -> None:
    page.get_by_text("All moves").click()
    page.locator(".all-moves button").first.click()


def test_games_are_searched_and_a_table_takes_three_touches(server: Server, person: Any) -> None:
    """On a phone; the table is found again in "My tables", with whose turn it is, and is forgotten on request."""
    page = person(server.address, "phone")
    cards = page.locator(".games li:visible")
    page.get_by_label("search games").fill("  ReVéRsi discs")
    expect(cards).to_have_count(1)
    page.get_by_label("number of players").select_option("1")
    expect(cards).to_have_count(0)
    expect(page.get_by_role("status").first).to_contain_text("No game fits")
    page.get_by_label("number of players").select_option("2")
    page.get_by_label("kind", exact=True).select_option("plain")
    page.locator(".games li:visible button").tap()
    page.get_by_role("button", name="Make a table").tap()
    page.locator(".table-form .links a").first.tap()
    with_board(page)
    expect(page).to_have_title("● Your turn · Reversi")
    address, icon = page.url, page.evaluate("document.querySelector('link[rel=icon]').href")
    _move_from_the_list(page)
    expect(page).to_have_title("Reversi")
    assert page.evaluate("document.querySelector('link[rel=icon]').href") != icon
    page.get_by_role("button", name="Move to a phone").tap()
    expect(page.get_by_label("the link of this seat")).to_have_value(address)
    page.goto(server.address)
    row = page.locator(".my-tables li")
    expect(row).to_contain_text("waits for others")
    expect(page.locator(".my-tables a")).to_have_attribute("href", address.removeprefix(server.address))
    page.get_by_role("button", name="Links of the seats").tap()
    other = page.locator("dialog .links input").nth(1).input_value()
    _move_from_the_list(with_board(person(other)))
    page.reload()
    expect(row).to_contain_text("your turn")
    for target in page.locator("#lobby button:visible, #lobby input:visible, #lobby select:visible").all()[:30]:
        box = target.bounding_box()
        assert box["width"] >= 24 and box["height"] >= 44, target
    page.get_by_role("button", name="forget Reversi").tap()
    expect(page.locator(".mine")).to_be_hidden()


NOTIFICATIONS = """
globalThis.noted = [];
globalThis.answer = "denied";
globalThis.Notification = class {
  static permission = "default";
  static requestPermission = async () => (this.permission = answer);
  constructor(title, { body }) { noted.push([title, body]); }
};
globalThis.looksAway = (away) => Object.defineProperty(document, "hidden", { get: () => away, configurable: true });
"""


def test_notifications_are_for_those_who_want_them_and_look_away(server: Server, person: Any) -> None:
    """They say whose turn it is and when the game is over, and no move and no name."""
    x, o, _ = seats(server, person, "tic-tac-toe")
    o.add_init_script(NOTIFICATIONS)
    with_board(o.reload() and o)
    o.get_by_role("button", name="Notify me").click()
    expect(o.get_by_text("This browser does not allow notifications from this page.")).to_be_visible()
    o.evaluate("answer = 'granted'")
    o.get_by_role("button", name="Notify me").click()
    expect(o.get_by_role("button", name="Notifications are on")).to_have_attribute("aria-pressed", "true")
    for place_of_x, place_of_o, away in (("a1", "b1", False), ("a2", "b2", True)):
        o.evaluate("(away) => looksAway(away)", away)
        touch(x, place_of_x)
        expect(o).to_have_title("● Your turn · Tic-Tac-Toe")
        assert o.evaluate("noted") == [["Tic-Tac-Toe", "It is your turn."]] * away
        touch(o, place_of_o)
        expect(x).to_have_title("● Your turn · Tic-Tac-Toe")
    touch(x, "a3")
    expect(o).to_have_title("Game over · Tic-Tac-Toe")
    assert o.evaluate("noted")[1:] == [["Tic-Tac-Toe", "The game is over."]]


def test_whoever_made_a_table_invites_from_its_page(server: Server, person: Any) -> None:
    """After three touches they sit at the table: the others' links are there, to copy, and their own is not."""
    page = person(f"{server.address}/#game=tic-tac-toe", "phone")
    page.get_by_role("button", name="Make a table").tap()
    page.get_by_role("button", name="copy: Play O").tap()
    expect(page.get_by_role("button", name="copied: Play O")).to_have_text("Copied")
    taken = page.get_by_label("link: Play O").input_value()
    assert page.evaluate("getSelection().toString()") == taken
    page.locator(".table-form .links a").first.tap()
    with_board(page).get_by_role("button", name="Invite").tap()
    fields = page.locator("dialog.invite input")
    assert [field.input_value() for field in fields.all()] == [taken, taken.split("#")[0]]
    for target in page.locator("dialog.invite :is(button, input)").all():
        box = target.bounding_box()
        assert box["width"] >= 44 and box["height"] >= 44, target
    other = with_board(person(taken.split("#")[0]))
    expect(other.locator(".guide")).to_have_text("You are watching. The next move is made by X.")
    other.goto(taken)
    other.reload()
    expect(with_board(other).locator(".guide")).to_have_text("Wait for X.")
    expect(other.get_by_role("button", name="Invite")).to_have_count(0)
    page.locator("dialog.invite").get_by_role("button", name="close").tap()
    page.agrees = True
    page.get_by_role("button", name="Resign").tap()
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    expect(page.get_by_role("button", name="Invite")).to_be_hidden()  # nobody joins a game that has ended


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_game_against_a_level_in_two_touches(size: str, server: Server, person: Any) -> None:
    page = person(server.address, size)
    press = "tap" if size == "phone" else "click"
    getattr(page.locator(".games button", has_text="Tic-Tac-Toe").first, press)()
    shown = page.get_by_role("group", name="Play against a program").get_by_role("button")
    expect(shown).to_have_text(["random", "beginner", "easy", "medium", "strong", "expert"])
    for target in shown.all():
        assert target.bounding_box()["height"] >= 44
    dialog = page.locator(".table-form")
    assert dialog.evaluate("(it) => it.scrollWidth <= it.clientWidth")
    getattr(shown.filter(has_text="easy"), press)()
    with_board(page)
    expect(page.locator(".panel")).to_contain_text("an agent: easy")
    touch(page, "b2")
    expect(page.locator(".ply")).to_have_count(2)  # it answers


def test_an_answer_is_planned_on_the_board(server: Server, person: Any) -> None:
    """Also one that is dropped; the other learns nothing of it, and the clock speaks in days."""
    clock = {"kind": "move", "base": 3 * 86_400}
    x, o, _ = seats(server, person, "tic-tac-toe", clock=clock)
    expect(o.locator(".plans")).to_contain_text("Clock: 3 days per move")
    touch(x, "a1")
    expect(o.locator(".clock").first).to_have_text("3 days left")
    before = o.locator(".panel").inner_text().splitlines()[0]
    for line in (["O b2", "X a2", "O c2", "X c3"], ["O b2", "X a2", "O a3", "X b1"]):
        x.get_by_role("button", name="Plan an answer").click()
        expect(x.locator(".notice")).to_contain_text("nobody else sees it")
        for ply in line:
            touch(x, ply[2:])
            expect(x.locator(".notice")).to_contain_text(ply)
        x.get_by_role("button", name="Keep this answer").click()
    expect(x.locator(".plans li span")).to_have_text(["b2 → a2 → c2 → c3", "b2 → a2 → a3 → b1"])
    x.get_by_role("button", name="drop the answer b2 → a2 → a3 → b1").click()
    expect(x.locator(".plans li")).to_have_count(1)
    assert o.locator(".panel").inner_text().splitlines()[0] == before and not o.locator(".plans li").count()
    expect(o.locator(".ply")).to_have_count(1)
    x.reload()
    expect(with_board(x).locator(".plans li")).to_have_count(1)
    touch(o, "b2")
    for page in (x, o):
        expect(page.locator(".ply")).to_have_text(["X a1", "O b2", "X a2"])


def planning(server: Server, person: Any) -> tuple[Any, Any]:
    """Two people at a table, of whom the first has moved and plans an answer."""
    x, o, _ = seats(server, person, "tic-tac-toe")
    touch(x, "a1")
    x.get_by_role("button", name="Plan an answer").click()
    expect(x.locator(".notice")).to_contain_text("nobody else sees it")
    return x, o


def test_a_plan_that_ends_leaves_the_next_touch_without_a_move(server: Server, person: Any) -> None:
    """The other moves while somebody plans: their next touch was meant for the plan, so it only closes a notice."""
    x, o = planning(server, person)
    touch(o, "b2")
    notice = x.get_by_role("dialog", name="your plan has ended")
    expect(notice).to_contain_text("the position has changed")
    touch(x, "c3")
    expect(notice).to_have_count(0)
    expect(x.locator(".ply")).to_have_text(["X a1", "O b2"])
    assert x.evaluate("shown.table.frame.plans") == []
    touch(x, "c3")
    expect(o.locator(".ply")).to_have_text(["X a1", "O b2", "X c3"])


def test_a_plan_that_a_lost_connection_ended_leaves_the_next_touch_without_a_move(server: Server, person: Any) -> None:
    """A finger that is down when the board changes makes no move either."""
    x, o = planning(server, person)
    place(x, "c3").hover(force=True)
    x.mouse.down()
    x.evaluate("shown.table.socket.close()")
    touch(o, "b2")
    notice = x.get_by_role("dialog", name="your plan has ended")
    expect(notice).to_be_visible()
    x.mouse.up()
    expect(x.locator(".ply")).to_have_text(["X a1", "O b2"])
    notice.get_by_role("button", name="Go on").click()
    expect(notice).to_have_count(0)
    expect(x.locator(".ply")).to_have_text(["X a1", "O b2"])
    touch(x, "c3")
    expect(o.locator(".ply")).to_have_text(["X a1", "O b2", "X c3"])


def test_whoever_plans_for_another_seat_is_told_whose_pieces_these_are(server: Server, person: Any) -> None:
    white, _, _ = seats(server, person, "quoridor")
    expect(white.locator(".guide")).to_have_text("Choose a square for your pawn or an edge for a fence.")
    touch(white, "e2")
    white.get_by_role("button", name="Plan an answer").click()
    expect(white.locator(".guide")).to_have_text(
        "You choose for black. Choose a square for their pawn or an edge for a fence."
    )
    touch(white, "e8")
    expect(white.locator(".guide")).to_have_text("Choose a square for your pawn or an edge for a fence.")


SLOW_LINE = """
const Socket = WebSocket;
globalThis.WebSocket = class extends Socket {
  set onmessage(take) {
    super.onmessage = (event) => setTimeout(() => take(event), event.data.includes('"imagined"') ? 400 : 0);
  }
};
"""


def test_a_touch_waits_for_the_position_that_a_plan_shows(server: Server, person: Any) -> None:
    """On a slow line: whoever knows their answer touches before the board shows the ply before it."""
    x, o, _ = seats(server, person, "tic-tac-toe")
    x.add_init_script(SLOW_LINE)
    with_board(x.reload() and x)
    touch(x, "a1")
    expect(x.locator(".status")).to_contain_text("O to move")
    x.get_by_role("button", name="Plan an answer").click()
    touch(x, "b2")
    touch(x, "c3")
    x.get_by_role("button", name="Keep this answer").click()
    expect(x.locator(".plans li span")).to_have_text(["b2 → c3"])
    touch(o, "c1")  # it breaks the plan's lines, and nothing of them is played
    expect(x.locator(".status")).to_contain_text("X to move")
    assert not x.locator(".plans li").count()


def test_a_button_that_is_pressed_stays_until_the_click(server: Server, person: Any) -> None:
    """The panel is drawn anew for an offer, and a browser makes no click of a press whose button has gone."""
    x, o, _ = seats(server, person, "tic-tac-toe")
    touch(x, "a1")
    box = x.get_by_role("button", name="Plan an answer").bounding_box()
    x.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    x.mouse.down()
    o.get_by_role("button", name="Offer a draw").click()
    expect(x.locator(".notice")).to_contain_text("O offers a draw")
    x.mouse.up()
    expect(x.get_by_role("button", name="Stop planning")).to_be_visible()
    expect(x.get_by_role("button", name="Decline")).not_to_be_visible()
    x.get_by_role("button", name="Stop planning").click()
    expect(x.get_by_role("button", name="Decline")).to_be_visible()  # it was drawn after the click


def test_an_open_offer_takes_no_other_button_away(server: Server, person: Any) -> None:
    x, o, _ = seats(server, person, "tic-tac-toe")
    touch(x, "a1")
    o.get_by_role("button", name="Offer a draw").click()
    expect(x.get_by_role("button", name="Decline")).to_be_visible()
    for page in (x, o):
        assert page.get_by_role("button", name="Resign").count() == 1
        assert not page.get_by_role("button", name="Offer a draw").count()
    assert not o.get_by_role("button", name="Plan an answer").count()
    x.get_by_role("button", name="Plan an answer").click()
    expect(x.locator(".notice")).to_contain_text("O offers a draw")  # while planning, too
    touch(x, "b2")
    expect(x.locator(".notice")).to_contain_text("b2")
    touch(x, "c3")
    x.get_by_role("button", name="Keep this answer").click()
    expect(x.locator(".plans li span")).to_have_text(["b2 → c3"])
    o.agrees = True
    o.get_by_role("button", name="Resign").click()
    expect(x.locator(".status")).to_contain_text("O resigned")


def test_a_table_is_played_against_a_learned_value(tmp_path: Path, person: Any) -> None:
    """By the file that `train` leaves beside the ruleset, to the end of the game; the match that admits it is played first."""
    rules = tmp_path / "game.gdl"
    rules.write_text(shipped()["breakthrough-6x6"].read_text("utf-8"), encoding="utf-8")
    game = gamedsl.load(rules)
    write_learned(Learner.new(compiled(game), 1), game, tmp_path / "game.net")
    server = Server(tmp_path / "tables", "--quiet", str(rules))
    try:
        page = person(server.address)
        page.locator(".games button").first.click()
        page.get_by_role("group", name="Play against a program").get_by_role("button", name="learned").click()
        with_board(page)
        expect(page.locator(".panel")).to_contain_text("an agent: learned")
        player = Person(page, Random(1))
        while not player.is_over:
            expect(page.locator(".guide")).to_contain_text(re.compile("Choose|The game is over"))
            if not player.is_over:
                player.move(*player.read())
        assert page.locator(".ply").count() >= 2 * len(player.counts) - 1
    finally:
        server.stop()
