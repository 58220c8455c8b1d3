"""The grammar as rules that need no parser to tell keywords from names: one for every symbol, level of indentation, state of the parser
and context in which it is read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from gamedsl.language.grammars.line_kinds import edge_terminals, productions
from gamedsl.language.grammars.narrow_rules import Part, Parts, alternatives
from gamedsl.language.grammars.read_contexts import Context, Gap, context_for, goes_on, is_word, readings, state_after
from gamedsl.language.source import lazy_dataclass
from gamedsl.language.syntax import language

LEVELS = 9  # of indentation
INDENTATION = "IND"  # the terminal of the spaces before a line
_CONTINUE = ("else_if", "else_branch", "until")  # lines that belong to the statement before them


class Terminal(NamedTuple):
    """A word or sign in a rule. ``gaps``: what can be after it; ``words``: what a name can be; ``goes_on``: a space after it may be a new
    line; ``is_new``: it begins a line; ``level``: that of an indentation.
    """

    name: str
    gaps: frozenset[Gap] = frozenset()
    words: frozenset[str] = frozenset()
    goes_on: bool = False
    is_new: bool = False
    level: int = 0


class Use(NamedTuple):
    """A symbol (or several, one after the other) as it is read by a parser in ``state``, after ``context``; one of the contexts ``ends``
    follows. ``level``: that of indentation; -1 where it is the same at all.
    """

    parts: Parts
    level: int
    state: int
    context: Context
    ends: frozenset[Context]


Body: TypeAlias = "tuple[Terminal | Hashable, ...]"
_Read = tuple[Part, int, Context]
_Place = tuple[int, frozenset[Context]]  # the level inside of a rule, and its ends


def contextual_rules() -> tuple[Use, dict[Hashable, list[Body]]]:
    """Returns the symbol of a declaration, and the rules of all symbols. Takes half a minute."""
    part, state, context = Part("declaration"), language().tables.starts["declaration"], Context()
    ends = _Ends()
    ends.find((part, state, context))
    rules = _Rules(ends)
    root = rules.use((part,), 0, state, context, frozenset(ends.found[part, state, context]))
    while rules.pending:
        use = rules.pending.pop()
        rules.found[use] = list(dict.fromkeys(rules.bodies(use)))
    return root, rules.found


@lazy_dataclass(slots=True)
class _Ends:
    """The contexts that can follow each symbol, in each state and context in which it is read."""

    found: dict[_Read, set[Context]] = field(default_factory=dict)
    users: dict[_Read, set[_Read]] = field(default_factory=lambda: defaultdict(set))
    changed: dict[_Read, None] = field(default_factory=dict)

    def find(self, first: _Read) -> None:
        self.of(first, first)
        while self.changed:
            read, _ = self.changed.popitem()
            part, state, context = read
            ends = {end for parts in alternatives(part) for end in self.after(parts, state, context, read)}
            if ends != self.found[read]:
                self.found[read] = ends
                self.changed |= dict.fromkeys(self.users[read])

    def of(self, read: _Read, user: _Read | None) -> set[Context]:
        """Returns what is known of a symbol so far; ``user`` needs it."""
        if read not in self.found:
            self.found[read] = set()
            self.changed[read] = None
        if user is not None:
            self.users[read].add(user)
        return self.found[read]

    def after(self, parts: Parts, state: int, context: Context, user: _Read | None = None) -> set[Context]:
        """Returns the contexts that can follow some parts."""
        contexts = {context}
        for part in parts:
            found: set[Context] = set()
            for one in contexts:
                before = context_for(one, part)
                if before is None:
                    continue
                if part.symbol in productions():
                    found |= self.of((part, _start(part, state), before), user)
                else:
                    found |= {reading.after for reading in readings(part, state, before)}
            contexts, state = found, state_after(state, part.symbol)
        return contexts


def _start(part: Part, state: int) -> int:
    """Returns the state in which a symbol is read: every declaration is parsed on its own."""
    return language().tables.starts["declaration"] if part.symbol == "declaration" else state


@lazy_dataclass(slots=True)
class _Rules:
    ends: _Ends
    found: dict[Hashable, list[Body]] = field(default_factory=dict)
    pending: list[Use] = field(default_factory=list)

    def use(self, parts: Parts, level: int, state: int, context: Context, ends: frozenset[Context]) -> Use:
        own = level if any(part.symbol in _layered() for part in parts) else -1
        made = Use(parts, own, _start(parts[0], state), context, ends)
        if made not in self.found:
            self.found[made] = []
            self.pending.append(made)
        return made

    def bodies(self, use: Use) -> Iterator[Body]:
        if len(use.parts) > 1:
            steps = [(part,) for part in use.parts]
            yield from self.read(steps, (use.level, use.ends), use.state, use.context)
            return
        symbol = use.parts[0].symbol
        spaces = (Terminal(INDENTATION, level=use.level),)
        for parts in alternatives(use.parts[0]):
            level = use.level + any(part.symbol == "_INDENT" for part in parts)
            if level > LEVELS:
                continue
            for body in self.read(_steps(parts), (level, use.ends), use.state, use.context):
                if symbol in _CONTINUE:
                    yield spaces + body
                elif _is_block(symbol):
                    yield body[:-1] + spaces + body[-1:]
                else:
                    yield body

    def read(self, steps: Sequence[Parts], place: _Place, state: int, context: Context) -> Iterator[Body]:
        """Yields the ways to read the steps of a rule one after the other."""
        before = context_for(context, steps[0][0])
        if before is None:
            return
        after = state
        for part in steps[0]:
            after = state_after(after, part.symbol)
        for following, ways in self.ways(steps, place, state, before).items():
            others = list(self.read(steps[1:], place, after, following)) if following is not None else [()]
            for way in ways:
                for other in others:
                    yield way + other

    def ways(
        self, steps: Sequence[Parts], place: _Place, state: int, context: Context
    ) -> Mapping[Context | None, list[Body]]:
        """Returns the ways to read the first of some steps, by the context for the next one (None: there is no next one)."""
        level, ends = place
        step, following = steps[0], steps[1][0] if len(steps) > 1 else None

        def group(end: Context) -> Context | Literal[False] | None:
            if following:
                return context_for(end, following) or False
            return None if end in ends else False

        if len(step) > 1 or step[0].symbol in productions():
            grouped: dict[Context | None, set[Context]] = defaultdict(set)
            for end in sorted(self.ends.after(step, state, context)):
                if (one := group(end)) is not False:
                    grouped[one].add(end)
            return {one: [(self.use(step, level, state, context, frozenset(some)),)] for one, some in grouped.items()}
        is_last = following is not None and following.symbol == "_NL"
        words: dict[Context | None, dict[str, set[Gap]]] = defaultdict(lambda: defaultdict(set))
        for reading in readings(step[0], state, context):
            if not (is_last and reading.gap == "line") and (one := group(reading.after)) is not False:
                for word in reading.words:
                    words[one][word].add(reading.gap)
        return {one: list(_terminals(step[0], context, some, is_last)) for one, some in words.items()}


def _terminals(part: Part, context: Context, words: Mapping[str, set[Gap]], is_last: bool) -> Iterator[Body]:
    """Yields the terminals of some words, each with what may be after it."""
    if part.symbol in ("_INDENT", "_DEDENT"):
        yield ()
        return
    gaps: dict[frozenset[Gap], set[str]] = defaultdict(set)
    for word, some in sorted(words.items()):
        gaps[frozenset(some)].add(word)
    is_new = context.is_joined and part.is_inner_else
    is_free = goes_on(part) and part.is_inside and not is_last
    name = f"INNER_{part.symbol}" if part.is_inner_else else part.symbol
    for one, found in gaps.items():
        yield (Terminal(name, one, frozenset(found) if part.symbol == "NAME" else frozenset(), is_free, is_new),)


def _steps(parts: Parts) -> list[Parts]:
    """Returns the parts of a rule. A word and what may follow it with or without a space are one step, or there would be many ways."""
    steps: list[Parts] = []
    for part in parts:
        firsts = {is_word(t) for t in edge_terminals(part.symbol, last=False)}
        before = steps[-1][0].symbol if steps and len(steps[-1]) == 1 else "_NL"
        if len(firsts) == 2 and len(parts) > 2 and before not in productions() and is_word(before):
            steps[-1] = (*steps[-1], part)
        else:
            steps.append((part,))
    return steps


def _is_block(symbol: str) -> bool:
    return symbol.startswith("___block")


@cache
def _layered() -> frozenset[str]:
    """Returns the symbols that hold blocks, directly or inside."""
    found = {name for name, alternatives in productions().items() if any("_INDENT" in parts for parts in alternatives)}
    while True:
        more = {n for n, alternatives in productions().items() if any(found & set(parts) for parts in alternatives)}
        more |= {n for n in productions() if _is_block(n)} | set(_CONTINUE)
        if more <= found:
            return frozenset(found)
        found |= more
