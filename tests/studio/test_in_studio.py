"""The studio in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE
from tests.play.web.browser import needs_browser
from tests.play.web.clicking import place

from .running import RULES, Studio

needs_browser()
from playwright.sync_api import expect  # noqa: E402  (only where there is a browser)


class Author:
    """Somebody in front of a studio with one ruleset."""

    def __init__(self, chrome: Any, folder: Path, data: Path) -> None:
        self.file = folder / "row.gdl"
        self.file.write_text(RULES)
        self.folder, self.data = folder, data
        self.studio = Studio(data, str(folder))
        self.context = chrome.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        self.open()

    def open(self) -> None:
        """Opens the page, as in a new tab."""
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.goto(self.studio.link)
        self.has_board()

    @property
    def board(self) -> Any:
        return self.page.frame_locator("iframe")

    @property
    def text(self) -> Any:
        return self.page.get_by_role("textbox", name="row.gdl")

    def has_board(self) -> None:
        expect(self.board.locator(".board-svg")).to_be_visible()

    def place(self, name: str) -> Any:
        (frame,) = self.page.main_frame.child_frames
        return place(frame, name)

    def touch(self, name: str) -> None:
        plies = self.board.locator(".ply").count()
        self.place(name).click()
        expect(self.board.locator(".ply")).to_have_count(plies + 1)

    def line(self, *texts: str) -> None:
        """Checks the moves that are shown."""
        expect(self.board.locator(".ply")).to_have_text([f"{'XO'[i % 2]} {text}" for i, text in enumerate(texts)])

    def rewrite(self, old: str, new: str) -> None:
        """Changes the text by the keyboard: selects its first occurrence, and types over it."""
        self.page.evaluate(
            "([old]) => { const at = studio.rules.text.indexOf(old); studio.rules.view.focus();"
            " studio.rules.view.dispatch({ selection: { anchor: at, head: at + old.length } }); }",
            [old],
        )
        self.page.keyboard.insert_text(new)

    def close(self) -> None:
        self.context.close()
        self.studio.stop()


@pytest.fixture
def author(chrome: Any, tmp_path: Path) -> Iterator[Author]:
    (tmp_path / "games").mkdir()
    found = Author(chrome, tmp_path / "games", tmp_path / "data")
    try:
        yield found
        assert found.faults == []
    finally:
        found.close()


def test_mistakes_are_marked_and_cured_by_a_button(author: Author) -> None:
    author.rewrite("me plays place", "me plays plase")
    expect(author.page.locator(".health")).to_have_text("1 mistake")
    author.page.locator(".cm-lintRange-error").hover()
    author.page.get_by_role("button", name="Change `plase` to `place`").click()
    expect(author.page.locator(".health")).to_have_text("No mistakes")
    assert "me plays place" in author.page.evaluate("studio.rules.text")


def test_a_position_survives_an_edit_or_shows_where_it_parts(author: Author) -> None:
    for name in ("a1", "b2", "c3"):
        author.touch(name)
    author.line("a1", "b2", "c3")
    author.rewrite("n: 3..5 = 3", "n: 3..5 = 4")
    expect(author.board.locator(".place")).to_have_count(16)
    author.line("a1", "b2", "c3")
    author.rewrite('"that square is taken"', '"that square is taken"\n  when c not in {b2} "the middle stays free"')
    parted = author.page.locator(".parted")
    expect(parted).to_contain_text("part at ply 2: b2 the middle stays free")
    author.line("a1")
    expect(author.page.locator(".marked-refusing")).to_contain_text("the middle stays free")
    author.rewrite("{b2}", "{b3}")
    expect(parted).to_be_hidden()
    author.line("a1", "b2", "c3")


def test_a_board_that_shows_other_rules_than_the_text_says_so_and_leads_to_the_mistake(author: Author) -> None:
    behind = author.page.locator(".behind")
    expect(behind).to_be_hidden()
    author.rewrite("me plays place", "me plays plase")
    expect(behind).to_contain_text("The board follows the last text without mistakes.")
    author.place("a1").click()
    expect(author.board.get_by_text("the text has mistakes: there is no move called `plase`")).to_be_visible()
    author.page.evaluate("studio.screen.showTab('examples')")
    behind.get_by_role("button", name="Go to the first mistake").click()
    expect(author.text.locator(".cm-activeLine")).to_contain_text("me plays plase")
    author.rewrite("me plays plase", "me plays place")
    expect(behind).to_be_hidden()
    author.touch("a1")


def test_a_text_that_is_too_long_is_refused_with_the_reason(author: Author) -> None:
    author.rewrite('game "Row"', "#" * 900_000)
    said = author.page.locator(".toast.is-fault")
    expect(said).to_contain_text("row.gdl would have 900,")
    expect(said).to_contain_text("at most 200,000")
    assert author.page.evaluate("studio.rules.text") == RULES
    author.rewrite('game "Row"', 'game "Rows"')
    expect(author.page.locator(".saved")).to_have_text("kept, not saved")


def test_a_text_that_cannot_be_kept_says_why(author: Author) -> None:
    author.page.evaluate(
        "() => { const ask = studio.ask; window.isFull = true; studio.ask = async (request) => (window.isFull && request.do === 'keep'"
        " ? { ok: false, message: 'the disk is full' } : ask.call(studio, request)); }"
    )
    author.rewrite('game "Row"', 'game "Rows"')
    said = author.page.get_by_role("alert").filter(
        has_text="Not saved. What you typed is kept in this browser only: the disk is full."
    )
    expect(said).to_be_visible()
    author.page.evaluate("() => { window.isFull = false; }")
    author.rewrite('game "Rows"', 'game "Many"')
    expect(author.page.locator(".saved")).to_have_text("kept, not saved")
    expect(said).to_have_count(0)


def test_a_refused_move_marks_the_guard_in_the_text(author: Author) -> None:
    author.touch("a1")
    author.place("a1").click()
    expect(author.page.locator(".marked-refusing")).to_contain_text("when c in empty")


def test_a_mouse_on_a_refused_move_shows_the_guard_and_one_on_the_guard_shows_the_moves(author: Author) -> None:
    author.touch("a1")
    author.place("a1").hover()
    expect(author.page.locator(".marked-refusing")).to_contain_text("when c in empty")
    expect(author.page.locator(".line-says")).to_have_text("Line 12 refuses: That square is taken.")
    author.place("b2").hover()
    expect(author.page.locator(".marked-refusing")).to_have_count(0)
    author.place("a1").click()
    author.place("b2").hover()
    expect(author.page.locator(".marked-refusing")).to_contain_text("when c in empty")  # what was tried stays marked
    expect(author.page.locator(".use")).not_to_have_count(0)
    author.page.locator(".cm-line", has_text="when c in empty").hover()
    expect(author.board.locator(".refused-here")).to_have_count(1)
    author.page.locator(".cm-line", has_text="piece mark").hover()
    expect(author.board.locator(".refused-here")).to_have_count(0)


def test_saving_writes_the_file_and_a_change_outside_is_merged(author: Author) -> None:
    author.rewrite('game "Row"', 'game "Rows"')
    author.page.keyboard.press("Control+s")
    expect(author.page.locator(".saved")).to_have_text("saved")
    assert author.file.read_text() == RULES.replace('"Row"', '"Rows"')
    author.file.write_text(author.file.read_text().replace('as "O"', 'as "0"'))
    expect(author.text).to_contain_text('as "0"')
    author.rewrite('"Rows"', '"Four"')
    author.file.write_text(author.file.read_text().replace('as "0"', 'as "Q"'))
    expect(author.text).to_contain_text('as "Q"')
    expect(author.text).to_contain_text('game "Four"')
    author.file.write_text(author.file.read_text().replace('"Rows"', '"Five"'))
    author.page.get_by_role("button", name="Keep my text").click()
    author.page.get_by_role("button", name="Save", exact=True).click()
    expect(author.page.locator(".saved")).to_have_text("saved")
    assert author.file.read_text() == RULES.replace('"Row"', '"Four"').replace('as "O"', 'as "Q"')


def test_a_key_saves_once(author: Author) -> None:
    """What somebody else wrote between two saves of one text would be lost."""
    author.page.evaluate(
        "() => { const ask = studio.ask; window.asked = [];"
        " studio.ask = (request) => (window.asked.push(request.do), ask.call(studio, request)); }"
    )
    author.rewrite('game "Row"', 'game "Rows"')
    author.page.keyboard.press("Control+s")
    expect(author.page.locator(".saved")).to_have_text("saved")
    assert author.page.evaluate("window.asked").count("save") == 1


def test_what_is_typed_while_changes_are_merged_stays(author: Author) -> None:
    author.page.evaluate(
        """() => {
          const ask = studio.ask;
          studio.ask = async (request) => {
            const answer = await ask.call(studio, request);
            if (request.do === "merge" && !studio.rules.text.includes("# typed")) studio.rules.append("# typed\\n");
            return answer;
          };
        }"""
    )
    author.rewrite('game "Row"', 'game "Mine"')
    author.file.write_text(RULES.replace("square is taken", "place is taken"))
    expect(author.text).to_contain_text("place is taken")
    expect(author.page.get_by_text("both changes are here")).to_be_visible()
    mine = author.page.evaluate("studio.rules.text")
    assert mine == RULES.replace('"Row"', '"Mine"').replace("square is taken", "place is taken") + "# typed\n"


def test_nothing_is_lost_when_the_server_or_the_browser_dies(author: Author) -> None:
    author.rewrite('game "Row"', 'game "Kept by the server"')
    expect(author.page.locator(".saved")).to_have_text("kept, not saved")
    author.page.close()  # the tab is gone, and nothing was saved
    author.open()
    expect(author.text).to_contain_text('game "Kept by the server"')
    author.studio.kill()
    expect(author.page.locator(".health")).to_have_class("health lost")
    author.rewrite("Kept by the server", "Written alone")
    author.studio = Studio(author.data, str(author.folder), port=author.studio.port)
    expect(author.page.locator(".health")).to_have_text("No mistakes")
    author.page.keyboard.press("Control+s")
    expect(author.page.locator(".saved")).to_have_text("saved")
    assert author.file.read_text() == RULES.replace('"Row"', '"Written alone"')
    author.touch("a1")
    author.line("a1")


def test_what_was_said_while_the_server_was_away_is_not_said_when_it_is_back(author: Author) -> None:
    """Neither the note nor the panel may speak of the loss of the connection any more; and that saves are unknown is not that there are
    none.
    """
    author.rewrite('game "Row"', 'game "Saved"')
    author.page.keyboard.press("Control+s")
    expect(author.page.locator(".saved")).to_have_text("saved")
    author.studio.kill()
    expect(author.page.locator(".health")).to_have_class("health lost")
    panel = author.page.locator(".facts-pane")
    panel.get_by_role("tab", name="Saves").click()
    expect(panel.locator(".saves")).to_have_text("There is no connection to the server now.")
    author.rewrite("Saved", "Written alone")
    author.page.keyboard.press("Control+s")
    expect(author.page.locator(".toast.is-fault")).to_have_count(1)
    author.studio = Studio(author.data, str(author.folder), port=author.studio.port)
    expect(author.page.locator(".health")).to_have_text("No mistakes")
    expect(author.page.locator(".toast.is-fault")).to_have_count(0)
    expect(panel.get_by_role("button", name="go back to")).not_to_have_count(0)


def test_what_was_typed_is_merged_with_what_others_wrote_while_the_page_was_closed(author: Author) -> None:
    author.rewrite('game "Row"', 'game "Mine"')
    expect(author.page.locator(".saved")).to_have_text("kept, not saved")
    author.page.close()
    author.file.write_text(RULES.replace('as "O"', 'as "0"'))
    author.open()
    expect(author.text).to_contain_text('game "Mine"')
    expect(author.text).to_contain_text('as "0"')
    expect(author.page.get_by_text("both changes are here")).to_be_visible()
    expect(author.page.locator(".saved")).to_have_text("kept, not saved")
    author.page.close()
    author.file.write_text(RULES.replace('"Row"', '"Theirs"'))
    author.open()
    author.page.get_by_role("button", name="Keep my text").click()
    author.page.keyboard.press("Control+s")
    expect(author.page.locator(".saved")).to_have_text("saved")
    assert author.file.read_text() == RULES.replace('"Row"', '"Mine"').replace('as "O"', 'as "0"')


def test_a_file_that_is_deleted_outside_stays_in_the_page_and_can_be_saved_again(author: Author) -> None:
    author.file.unlink()
    expect(author.page.get_by_text("was deleted or moved outside of the studio")).to_be_visible()
    expect(author.text).to_contain_text('game "Row"')
    expect(author.page.locator(".saved")).to_have_text("kept, not saved")
    author.file.write_text(RULES.replace("Row", "Rows"))  # as a program that moves the old file away first
    expect(author.text).to_contain_text('game "Rows"')
    expect(author.page.locator(".saved")).to_have_text("saved")
    author.file.unlink()
    author.rewrite('"Rows"', '"Many"')
    expect(author.page.locator(".saved")).not_to_have_text("saved")
    author.page.keyboard.press("Control+s")  # before or after the page is notified
    expect(author.page.locator(".saved")).to_have_text("saved")
    assert author.file.read_text() == RULES.replace("Row", "Many")


def test_what_was_typed_last_comes_back_though_the_server_kept_something_older(author: Author) -> None:
    author.rewrite('game "Row"', 'game "Older"')
    expect(author.page.locator(".saved")).to_have_text("kept, not saved")
    author.studio.kill()
    expect(author.page.locator(".health")).to_have_class("health lost")
    author.rewrite("Older", "Newer")
    author.page.evaluate(
        "new Promise((done) => { const look = () => (Object.values(localStorage).some((kept) => kept.includes('Newer'))"
        " ? done() : setTimeout(look, 20)); look(); })"
    )
    author.page.close()
    author.studio = Studio(author.data, str(author.folder), port=author.studio.port)
    author.open()
    expect(author.text).to_contain_text('game "Newer"')


def test_a_link_opens_the_game_in_another_studio(author: Author, chrome: Any, tmp_path: Path) -> None:
    author.rewrite('game "Row"', 'game "Shared"')
    author.page.locator(".facts-pane").get_by_role("tab", name="Share").click()
    author.page.get_by_role("button", name="Make a link").click()
    link = author.page.get_by_label("link of the game").input_value()
    other = Studio(tmp_path / "other", folder=tmp_path)
    page = chrome.new_context().new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(other.link)
    page.get_by_label("link of a game").fill("gamedsl:nothing")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_text("this is not the link of a game")).to_be_visible()
    page.get_by_label("link of a game").fill(link)
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("textbox", name="row.gdl")).to_contain_text('game "Shared"')
    expect(page.frame_locator("iframe").locator(".place")).to_have_count(9)
    other.stop()
    assert (tmp_path / "row" / "row.gdl").read_text() == RULES.replace('"Row"', '"Shared"')


def test_a_link_that_was_made_stays_when_the_board_of_its_text_comes(author: Author) -> None:
    author.page.evaluate(
        "() => { const ask = studio.ask; const held = new Promise((done) => { window.release = done; });"
        " studio.ask = async (request) => { if (request.do === 'position') await held; return ask.call(studio, request); }; }"
    )
    author.rewrite('game "Row"', 'game "Shared"')
    author.page.locator(".facts-pane").get_by_role("tab", name="Share").click()
    author.page.get_by_role("button", name="Make a link").click()
    link = author.page.get_by_label("link of the game")
    expect(link).to_have_value(re.compile("gamedsl:row#"))
    author.page.evaluate("window.release()")
    expect(author.board.locator("h1")).to_have_text("Shared")
    expect(link).to_be_visible()
    author.rewrite('game "Shared"', 'game "Later"')
    expect(author.page.get_by_text("This is the text before your last change.")).to_be_visible()


def test_a_page_with_mistakes_says_when_its_board_appears(author: Author) -> None:
    (author.folder / "wide.gdl").write_text(RULES.replace("me plays place", "me plays plase"))
    author.page.reload()
    author.has_board()
    author.page.get_by_label("ruleset").select_option("wide.gdl")
    said = author.page.locator(".behind")
    expect(said).to_contain_text("The board appears once the text has no mistakes.")
    expect(author.page.locator(".facts-pane")).to_contain_text(
        "Random games begin as soon as the rules have no mistakes."
    )
    author.page.reload()
    expect(author.page.get_by_role("textbox", name="wide.gdl")).to_contain_text("plase")
    expect(said).to_contain_text("The board appears")


def test_a_forged_key_shows_a_message_and_no_text(author: Author) -> None:
    page = author.context.new_page()
    page.goto(f"{author.studio.address}/#forged")
    expect(page.get_by_role("alert")).to_contain_text("does not open the studio")
    assert page.locator(".cm-editor").count() == 0


def test_another_ruleset_of_the_folder_takes_the_place_of_the_first(author: Author) -> None:
    (author.folder / "wide.gdl").write_text(RULES.replace("n: 3..5 = 3", "n: 3..5 = 5"))
    author.page.reload()
    author.has_board()
    author.touch("a1")
    author.page.get_by_label("ruleset").select_option("wide.gdl")
    expect(author.board.locator(".place")).to_have_count(25)
    expect(author.board.locator(".ply")).to_have_count(0)
    author.touch("e5")
    author.line("e5")


def test_a_file_that_cannot_be_read_says_so_in_the_place_of_its_text(author: Author) -> None:
    (author.folder / "wide.gdl").write_bytes(b'game "\xf6"\n')
    author.page.reload()
    author.has_board()
    author.page.get_by_label("ruleset").select_option("wide.gdl")
    expect(author.page.get_by_role("alert")).to_have_text("wide.gdl cannot be shown: this is not UTF-8 text.")
    expect(author.page.locator(".health")).to_have_text("Not readable")
    author.page.get_by_label("ruleset").select_option("row.gdl")
    expect(author.text).to_contain_text('game "Row"')


def test_lines_that_random_games_never_used_are_colored(author: Author) -> None:
    author.rewrite("    if empty = {}\n", '    if count(empty) > 9\n      draw "never"\n    if empty = {}\n')
    expect(author.page.locator(".tinted-never", has_text='draw "never"')).to_have_count(1)
    expect(author.page.locator(".tinted-partly, .tinted-never").filter(has_text="count(empty) > 9")).to_have_count(1)
    expect(author.page.locator(".cm-line.tinted-never", has_text="win me")).to_have_count(0)


def test_a_guard_with_the_cursor_lights_what_it_refuses(author: Author) -> None:
    author.touch("b2")
    expect(author.page.locator(".use")).not_to_have_count(0)
    author.page.locator(".cm-line", has_text="when c in empty").click()
    expect(author.board.locator(".refused-here")).to_have_count(1)
    expect(author.page.locator(".line-says")).to_contain_text("refused")
    author.page.locator(".cm-line", has_text="piece mark").click()
    expect(author.board.locator(".refused-here")).to_have_count(0)


def test_a_lens_shows_the_game_of_an_example_on_the_board(author: Author) -> None:
    examples = author.file.with_name("row.examples.yaml")
    examples.write_text("examples:\n  - name: middle\n    options: { n: 5 }\n    moves: [c3, a1]\n    to_move: X\n")
    author.page.reload()
    author.has_board()
    author.page.evaluate("studio.screen.showTab('examples')")
    author.page.get_by_role("button", name="Play from here").click()
    expect(author.board.locator(".place")).to_have_count(25)
    author.line("c3", "a1")
