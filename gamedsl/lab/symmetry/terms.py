"""Hash-consed terms: a term is a tag and its subterms, so equal terms have the same number.

Points (domain elements, variables) are atomic terms that can be permuted. Facts are the terms that must all recur
after a permutation of points: then everything that they state is mapped to itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import field

from gamedsl.language.source import lazy_dataclass

MOST = 400_000


class NoSymmetry(Exception):
    """Something cannot be permuted, or is too large to be."""


@lazy_dataclass()
class Terms:
    """The terms, by number; subterms have lower numbers.

    ``tags[t]`` and ``inside[t]``: tag and subterms of term t; ``loose[t]``: its subterms are unordered. ``facts``:
    the asserted terms.
    """

    tags: list[Hashable] = field(default_factory=list)
    inside: list[tuple[int, ...]] = field(default_factory=list)
    loose: list[bool] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    facts: set[int] = field(default_factory=set)
    _known: dict[tuple[Hashable, bool, tuple[int, ...]], int] = field(default_factory=dict)

    def point(self, kind: Hashable) -> int:
        """Adds a point; only points of the same kind can be exchanged."""
        self.points.append(self._add(kind, (), False))
        return self.points[-1]

    def term(self, tag: Hashable, *inside: int) -> int:
        return self._number(tag, False, inside)

    def mixed(self, tag: Hashable, inside: Iterable[int]) -> int:
        """Returns an unordered term."""
        return self._number(tag, True, tuple(sorted(inside)))

    def say(self, tag: Hashable, *inside: int) -> None:
        """Adds a fact."""
        self.facts.add(self.term(tag, *inside))

    def keeps(self, moved: dict[int, int]) -> bool:
        """Whether this permutation of points preserves the facts."""
        image = self._image(moved)
        return all(image[f] in self.facts for f in self.facts)

    def _image(self, moved: dict[int, int]) -> Sequence[int]:
        """Returns the image of every term (-1: not a known term)."""
        image: list[int] = []
        for t, inside in enumerate(self.inside):
            if t in moved:
                image.append(moved[t])
                continue
            there = tuple(image[i] for i in inside)
            if self.loose[t]:
                there = tuple(sorted(there))
            image.append(self._known.get((self.tags[t], self.loose[t], there), -1))
        return image

    def _number(self, tag: Hashable, loose: bool, inside: tuple[int, ...]) -> int:
        key = tag, loose, inside
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._add(tag, inside, loose)
        return found

    def _add(self, tag: Hashable, inside: tuple[int, ...], loose: bool) -> int:
        if len(self.tags) >= MOST:
            raise NoSymmetry("the rules are too large to look for symmetries")
        self.tags.append(tag)
        self.inside.append(inside)
        self.loose.append(loose)
        return len(self.tags) - 1
