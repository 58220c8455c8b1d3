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
        else:
            page.locator(".question .pill").nth(step["index"]).click()
        page.evaluate("globalThis.devBusy")
        if made() > before:
            return
    raise AssertionError(f"action {number} was not made")


# What a person who wants this action does next.
NEXT = """(number) => {
  const { choices, hands } = shown;
  const asked = choices.asked ?? hands.options.filter((o) => !o.groups.length);
  const wanted = hands.options.find((o) => o.number === number);
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
