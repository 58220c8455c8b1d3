"""Search a site as a reader does: its own field, in a browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .browser import wait_until

# The results are inside of a shadow root. A page begins with its title, then the way to it, then its text.
_HITS = """
() => {
  const roots = [document], found = [];
  for (const root of roots) for (const e of root.querySelectorAll("*")) if (e.shadowRoot) roots.push(e.shadowRoot);
  for (const root of roots.slice(1)) for (const a of root.querySelectorAll("a[href*='?h=']"))
    found.push({ link: a.href, text: a.innerText, marked: [...a.querySelectorAll("mark")].map((m) => m.textContent) });
  return found;
}
"""


@dataclass(frozen=True)
class Hit:
    """``marked``: the words of the question, where they were found."""

    link: str
    text: str
    marked: tuple[str, ...]


def hits(page: Any, question: str) -> list[Hit]:
    """What a page of the site finds, best first. ``page``: of Playwright."""
    field = page.locator("dialog[aria-label=Search] input[role=combobox]")
    if field.count() == 0 or not field.is_visible() or field.get_attribute("aria-hidden"):
        page.click(".md-search__button")
    field.fill(question)
    mark = "h=" + question.split()[0]
    wait_until(page, f"({_HITS})().some((hit) => hit.link.includes({mark!r}))")
    return [Hit(h["link"], h["text"], tuple(h["marked"])) for h in page.evaluate(f"({_HITS})()")]
