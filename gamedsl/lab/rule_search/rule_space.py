"""The space of variants that a variant describes: all choices of its own options."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from math import prod
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from gamedsl.engine import Game
from gamedsl.lab.base import Newest
from gamedsl.lab.examples import Bench
from gamedsl.lab.rule_search.variant_figures import why_out_of_reach
from gamedsl.language.rules import find_ruleset
from gamedsl.language.source import UsageError, lazy_dataclass, resource_path
from gamedsl.language.syntax import ast

MOST_VALUES = 1000  # of an option
MOST_GAMES = 128  # that a process keeps: those that seem good are asked for again soon

_games = Newest[Game](MOST_GAMES)


class Gene(NamedTuple):
    """An option that varies: its name and its values, of which none is outside its type."""

    name: str
    values: tuple[str, ...]


@lazy_dataclass(frozen=True)
class RuleSpace:
    """All variants of a file: a value for each of the options that it declares itself. A *point* has the numbers of these
    values."""

    file: str
    genes: tuple[Gene, ...]

    @property
    def size(self) -> int:
        """The number of variants."""
        return prod(len(gene.values) for gene in self.genes)

    @cached_property
    def bench(self) -> Bench:
        """Loads the variants; each file is parsed once."""
        return Bench(find_ruleset(self.file))

    def __getstate__(self) -> dict[str, Any]:
        """Other processes get the trees of the files."""
        self.bench.game({})
        return {"file": str(Path(self.file).resolve()), "genes": self.genes, "bench": self.bench, "_key": self._key}

    @property
    def files(self) -> dict[str, str]:
        """The texts of the space and of the files that it needs, except shipped ones, by path from its folder."""
        self.bench.game({})
        folder, library = Path(self.file).resolve().parent, resource_path("rulesets").resolve()
        own = {Path(key): one.source.text for key, one in self.bench.parsed.items()}
        return {
            path.relative_to(folder).as_posix(): text for path, text in own.items() if not path.is_relative_to(library)
        }

    def text(self, point: Sequence[int]) -> str:
        """Returns a ruleset that is this variant, to be written beside ``files``."""
        values = ", ".join(f"{name} = {value}" for name, value in self.options(point).items())
        return f'variant of "{Path(self.file).name}" with {values}\n'

    @property
    def texts(self) -> list[str]:
        """The digests of all texts of the space."""
        self.bench.game({})
        return sorted(sha256(one.source.text.encode()).hexdigest() for one in self.bench.parsed.values())

    def options(self, point: Sequence[int]) -> dict[str, str]:
        """Returns the values of a point."""
        return {gene.name: gene.values[k] for gene, k in zip(self.genes, point, strict=True)}

    @cached_property
    def _key(self) -> tuple[str, ...]:
        return self.file, *self.texts

    def game(self, point: Sequence[int]) -> Game:
        """Returns a variant. Raises ``GameDSLError`` if these values contradict each other."""
        return _games.find((self._key, tuple(point)), lambda: self._load(point))

    def _load(self, point: Sequence[int]) -> Game:
        bench = Bench(self.bench.ruleset, self.bench.parsed)
        _, game = bench.game(dict(self.options(point)))
        self.bench.parsed |= bench.parsed
        return game

    def random_point(self, rng: Random) -> tuple[int, ...]:
        """Returns a point, each with equal probability."""
        return tuple(rng.randrange(len(gene.values)) for gene in self.genes)

    def changed_point(self, point: Sequence[int], rng: Random) -> tuple[int, ...]:
        """Returns a point with another value of one option, and with probability 1/2 each of one more."""
        found, open_genes = list(point), [k for k, gene in enumerate(self.genes) if len(gene.values) > 1]
        while True:
            k = rng.choice(open_genes)
            found[k] = rng.choice([v for v in range(len(self.genes[k].values)) if v != found[k]])
            if rng.random() < 0.5 and tuple(found) != tuple(point):
                return tuple(found)

    def crossed_point(self, one: Sequence[int], other: Sequence[int], rng: Random) -> tuple[int, ...]:
        """Returns a point each of whose values is that of one of two points."""
        return tuple(rng.choice(pair) for pair in zip(one, other, strict=True))


def read_space(file: str, base: str) -> RuleSpace:
    """Returns the space of a variant of ``base``. Raises ``GameDSLError`` if the file is not one or has no options, and
    for rules that the players of the search cannot play."""
    path, original = find_ruleset(file), find_ruleset(base)
    space = RuleSpace(str(path), ())
    rules, _ = space.bench.game({})  # shows the mistakes of the text
    if path.resolve() == original.resolve() or str(original.resolve()) not in space.bench.parsed:
        raise UsageError(
            f"`{file}` is not a variant of `{base}`",
            help=f'Begin it with: variant of "{original.name}"',
            code="E0004",
        )
    tree = space.bench.parsed[str(path.resolve())].tree
    genes = tuple(_gene(d) for d in tree.decls if isinstance(d, ast.OptionDecl))
    if prod(len(gene.values) for gene in genes) < 2:
        raise UsageError(
            f"`{file}` declares no options that vary, so there is nothing to search",
            help="Declare what varies, such as `option trap: bool = no`, and use it in the rules: `if trap`.",
            code="E0004",
        )
    reason = why_out_of_reach(rules.program)
    if reason:
        raise UsageError(f"the variants of `{base}` cannot be searched: {reason}")
    return RuleSpace(str(path), genes)


def _gene(option: ast.OptionDecl) -> Gene:
    """Returns all values of an option."""
    name, kind = option.name.id, option.type
    if isinstance(kind, ast.EnumType):
        return Gene(name, tuple(element.id for element in kind.names))
    if isinstance(kind, ast.NamedType) and kind.name == "bool":
        return Gene(name, ("no", "yes"))
    if isinstance(kind, ast.RangeType):
        ends = [end.value if isinstance(end, ast.Int) else None for end in (kind.low, kind.high)]
        low, high = ends
        if low is not None and high is not None and 0 <= high - low < MOST_VALUES:
            return Gene(name, tuple(str(k) for k in range(low, high + 1)))
    raise UsageError(
        f"the option `{name}` cannot be searched: its values are not listed",
        help=f"Use a range of up to {MOST_VALUES:,} numbers, `bool`, or a list such as {{short, long}}.",
        code="E0004",
    )
