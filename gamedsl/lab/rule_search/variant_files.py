"""The archive as files: a page, and for each variant a page that plays and a ruleset, beside the texts that these need."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from itertools import count

from gamedsl.engine import Game
from gamedsl.lab.base import render
from gamedsl.lab.rule_search.rule_archive import Elite
from gamedsl.lab.rule_search.rule_search import RuleSearch
from gamedsl.lab.rule_search.variant_figures import FAR, RUNGS

PAGE = "index.html"


def archive_files(
    search: RuleSearch, title: str, seat: str, command: str, page_of: Callable[[Game], str]
) -> dict[str, str]:
    """Returns the files of an archive by path. ``seat``: the name of the first one; ``command``: what made the archive;
    ``page_of``: returns the page that plays a game (empty: there is none)."""
    space, rows = search.plan.space, list[dict[str, str]]()
    files = space.files
    names = (name for k in count(1) if (name := f"variant-{k}.gdl") not in files)
    for elite, name in zip(search.shown, names, strict=False):
        files[name] = space.text(elite.point)
        page, text = name.removesuffix(".gdl") + ".html", page_of(space.game(elite.point))
        if text and page not in files:
            files[page] = text
        rows.append({
            "name": name, "page": page if text else "", "play": f"gamedsl play {shlex.quote(name)}",
            **as_row(search, elite),
        })  # fmt: skip
    files[PAGE] = render(
        "rule_archive.html", title=title, seat=seat, command=command, rows=rows, measured=search.measured,
        size=space.size, unsound=search.unsound, even=search.plan.playouts, far=FAR, rungs=RUNGS[1:],
        games=max([elite.figures.games for elite in search.shown], default=0),
        draws_are_fine=search.plan.draws_are_fine, seed=search.plan.seed,
    )  # fmt: skip
    return files


def as_row(search: RuleSearch, elite: Elite) -> dict[str, str]:
    """Returns what is shown of a variant, as text."""
    figures = elite.figures
    return {
        "quality": f"{search.plan.quality(figures):.2f}",
        "score": f"{figures.score:.2f} ({figures.low:.2f} to {figures.high:.2f})",
        "draws": f"{figures.draws:.0%}",
        "depth": f"{figures.depth:.2f}",
        "length": f"{figures.length:.1f}",
        "options": ", ".join(f"{name}={value}" for name, value in search.plan.space.options(elite.point).items()),
    }
