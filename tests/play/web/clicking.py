"""A person who clicks: a move of the page's own list is made by touching its places and answering questions."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from .dev_table import DevTable


def place(page: Any, name: str) -> Any:
    """The place of this name."""
    found = page.evaluate("(name) => [...shown.board.places].find(([, p]) => p.name === name)[0]", name)
    return page.locator(f'[data-place="{found}"] .hit')


def touch(page: Any, name: str) -> None:
    place(page, name).click(force=True)


def choose(page: Any, table: DevTable, number: int) -> None:
    """Makes the action with this number by touching and choosing alone."""
    act(page, number, lambda: table.made)


def act(page: Any, number: int, made: Callable[[], int]) -> None:
    """Makes an action by touching and choosing alone. ``made``: the number of moves made so far."""
    before = made()
    for _ in range(12):
        step = page.evaluate(NEXT, number)
        if step["kind"] == "place":
            page.locator(f'[data-place="{step["id"]}"] .hit').dispatch_event("pointerdown", {"button": 0})
            page.evaluate("dispatchEvent(new PointerEvent('pointerup'))")
        elif step["kind"] == "thing":
            page.locator(f'.felt [data-thing="{step["key"]}"]').click()
        else:
            page.locator(".question .pill").nth(step["index"]).click()
        page.evaluate("globalThis.devBusy")
        if made() > before:
            return
    raise AssertionError(f"action {number} was not made")


# What a person who wants this action does next.
NEXT = """(number) => {
  const { choices, hands, felt } = shown;
  const wanted = hands.options.find((o) => o.number === number);
  if (!choices.asked && !wanted.groups.length && felt.covers(wanted)) {
    const [key] = [...felt.moves].find(([, options]) => options.some((o) => o.number === number));
    return { kind: "thing", key };
  }
  if (choices.asked || !wanted.groups.length) {
    const pills = choices.offered;
    return { kind: "pill", index: pills.findIndex((c) => c.options.some((o) => o.number === number)) };
  }
  const { touched, targets, live } = hands.selection;
  const here = live.find((o) => o.number === number);
  const ahead = here && here.at + 1 < here.groups.length ? here.groups[here.at + 1] : [];
  const group = touched.length && here ? [...ahead, ...here.groups.flat()].filter((p) => targets.has(p)) : wanted.groups[0];
  return { kind: "place", id: group[0] ?? touched.at(-1) };
}"""


def play_by_clicks(page: Any, table: DevTable, rng: Random, most: int = 400) -> None:
    """Random moves until the end."""
    while not table.state.is_terminal and len(table.nodes) <= most:
        seat = table.viewer()
        choose(page, table, rng.choice(table.state.legal_actions(seat)))


def focus_by_tab(page: Any) -> None:
    """Tab until a place of the board has the focus."""
    for _ in range(40):
        if page.evaluate("!!document.activeElement.closest('[data-place]')"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("no place can be reached by Tab")


def walk_to(page: Any, wanted: str) -> None:
    """Arrow keys until the place with this id has the focus: always the arrow that the page says leads nearer."""
    focus_by_tab(page)
    seen: set[tuple[str, str]] = set()
    trail: list[str] = []
    for _ in range(400):
        here = page.evaluate("document.activeElement.dataset.place")
        if here == wanted:
            return
        ways = page.evaluate(WAYS, wanted)
        fresh = next((way for way in ways if (here, way) not in seen), None)
        key = fresh or trail.pop()
        seen.add((here, key))
        page.keyboard.press(key)
        if fresh and page.evaluate("document.activeElement.dataset.place") != here:
            trail.append(OPPOSITE[key])
    raise AssertionError(f"{wanted} cannot be reached by arrow keys")


def choose_by_keys(page: Any, table: DevTable, number: int) -> None:
    """Makes the action with this number without a mouse: Tab, arrows and Enter alone."""
    made = table.made
    for _ in range(12):
        step = page.evaluate(NEXT, number)
        assert step["kind"] == "place", "a question is not expected in these games"
        walk_to(page, step["id"])
        page.keyboard.press("Enter")
        page.evaluate("globalThis.devBusy")
        if table.made > made:
            return
    raise AssertionError(f"action {number} was not made")


OPPOSITE = {"ArrowLeft": "ArrowRight", "ArrowRight": "ArrowLeft", "ArrowUp": "ArrowDown", "ArrowDown": "ArrowUp"}
# The arrow keys, those that lead nearer to the wanted place first.
WAYS = """(wanted) => {
  const middle = (id) => shown.board.places.get(id).middle;
  const [x, y] = middle(document.activeElement.dataset.place);
  const [a, b] = middle(wanted);
  return [["ArrowRight", a - x], ["ArrowLeft", x - a], ["ArrowDown", b - y], ["ArrowUp", y - b]]
    .toSorted((p, q) => q[1] - p[1]).map(([key]) => key);
}"""


def play_by_keys(page: Any, table: DevTable, rng: Random, most: int = 400) -> None:
    """Random moves until the end, or for so many moves, without a mouse."""
    while not table.state.is_terminal and len(table.nodes) <= most:
        choose_by_keys(page, table, rng.choice(table.state.legal_actions(table.viewer())))
