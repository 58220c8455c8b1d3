"""Notation of moves. A printed move is read back as the same move, and never as another move of the same part."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import cached_property

from gamedsl.language.core import nodes as n
from gamedsl.language.core import offset
from gamedsl.language.source import lazy_dataclass

Template = tuple[str | int, ...]
PASS = "pass"
MOST_READINGS = 64


@lazy_dataclass(frozen=True)
class Reading:
    """A possible meaning of a text: a move of a schema, a chosen value, an outcome of chance, or passing."""

    kind: str
    schema: int | None
    name: str
    args: tuple[int, ...]


def value_words(t: n.ValueT) -> tuple[str, ...]:
    """A type's values as people read them, from the lowest code on."""
    match t:
        case n.ElemT(domain):
            return domain.words
        case n.OptT(inner):
            return ("-", *value_words(inner))
        case _:
            return value_names(t)


def value_names(t: n.ValueT) -> tuple[str, ...]:
    """The names of a type's values in the rules, from the lowest code on."""
    match t:
        case n.ElemT(domain):
            return domain.names
        case n.BoolT():
            return ("no", "yes")
        case n.IntT(low, high):
            return tuple(str(i) for i in range(low, high + 1))
        case n.OptT(inner):
            return ("-", *value_names(inner))
        case n.SetT():
            raise AssertionError("a parameter is a single value")


def tidy(text: str) -> str:
    """Collapses runs of spaces, and removes those at the ends."""
    return " ".join(text.split())


def has_tuple(schema: n.Schema) -> bool:
    """Whether a parameter is a tuple, whose values are written in parentheses: ``(2, hearts)``."""
    return any(_is_tuple(value_names(p.local.type)) for p in schema.params)


def _is_tuple(names: Collection[str]) -> bool:
    """Whether these are the names of tuples, or of tuples and none."""
    return any(name.startswith("(") for name in names) and all(name.startswith("(") or name == "-" for name in names)


def _closed_up(text: str) -> str:
    """The text in lower case, without spaces."""
    return "".join(text.casefold().split())


class _Reader:
    """Reads the moves of one schema by its templates."""

    def __init__(self, schema: n.Schema, templates: tuple[Template, ...], change: Callable[[str], str]) -> None:
        self.schema = schema
        self.templates = [tuple(change(p) if isinstance(p, str) else p for p in t) for t in templates]
        self.codes: list[dict[str, int]] = []
        self.longest: list[int] = []
        for param in schema.params:
            low = offset(param.local.type)
            codes: dict[str, int] = {}
            for names in (
                value_names(param.local.type),
                value_words(param.local.type),
            ):  # where both use a name, the words win
                codes |= {change(name): low + i for i, name in enumerate(names)}
            self.codes.append(codes)
            self.longest.append(max(map(len, codes), default=0))

    def read(self, text: str) -> Iterator[tuple[int, ...]]:
        """The arguments of every way to read the whole text."""
        for template in self.templates:
            yield from self._match(template, 0, text, 0, {})

    def _match(self, template: Template, i: int, text: str, at: int, got: dict[int, int]) -> Iterator[tuple[int, ...]]:
        if i == len(template):
            if at == len(text) and len(got) == len(self.codes):
                yield tuple(got[k] for k in range(len(self.codes)))
            return
        piece = template[i]
        if isinstance(piece, str):
            if text.startswith(piece, at):
                yield from self._match(template, i + 1, text, at + len(piece), got)
            return
        codes = self.codes[piece]
        for end in range(at + 1, min(len(text), at + self.longest[piece]) + 1):
            code = codes.get(text[at:end])
            if code is not None and got.get(piece, code) == code:
                yield from self._match(template, i + 1, text, end, {**got, piece: code})


class _Table:
    """Reads the moves of all schemas, with one way to compare letters."""

    def __init__(self, notation: Notation, change: Callable[[str], str]) -> None:
        schemas = zip(notation.program.schemas, notation.read_templates, strict=True)
        self.readers = [_Reader(s, t, change) for s, t in schemas]
        self.fixed: dict[str, list[Reading]] = {}
        for text, reading in notation.fixed_texts():
            self.fixed.setdefault(change(text), []).append(reading)

    def read(self, text: str) -> list[Reading]:
        found = dict.fromkeys(self.fixed.get(text, ()))
        for reader in self.readers:
            for args in reader.read(text):
                found[Reading("move", reader.schema.index, reader.schema.name, args)] = None
                if len(found) >= MOST_READINGS:
                    return list(found)
        return list(found)


class Notation:
    """The notation of a program's moves."""

    def __init__(self, program: n.Program) -> None:
        self.program = program
        self.templates = tuple(self._ladder(s) for s in program.schemas)
        self.read_templates = tuple(
            (*self._ladder(s), *map(_tidy_template, s.also), plain_template(s)) for s in program.schemas
        )
        self._names = [tuple(value_words(p.local.type) for p in s.params) for s in program.schemas]
        self._texts: dict[tuple[int, tuple[int, ...]], str] = {}
        self._choices: dict[str, str] = {}

    def _ladder(self, s: n.Schema) -> tuple[Template, ...]:
        """The ways to write a move, from the shortest to one that no other kind of move shares."""
        arguments: list[str | int] = []
        for i in range(len(s.params)):
            arguments += [", ", i] if i else [i]
        full: Template = (f"{s.name}(", *arguments, ")")
        part = self.program.parts[s.part].name if s.part < len(self.program.parts) else str(s.part)
        written = s.written or plain_template(s)
        return (_tidy_template(written), full, (f"{part}: ", *full), (f"kind {s.index}: ", *full))

    @property
    def _can_pass(self) -> bool:
        return any(isinstance(b.end, n.Decide) and b.end.may_pass is not None for b in self.program.blocks)

    def fixed_texts(self) -> Iterator[tuple[str, Reading]]:
        """The texts that belong to no schema: passing, chosen values, outcomes of chance."""
        if self._can_pass or not any(t[0] == (PASS,) for t in self.templates):
            yield PASS, Reading("pass", None, PASS, ())
        for block in self.program.blocks:
            match block.end:
                case n.Choose(names=names, var=var):
                    for form, name in _forms(var.type, names):
                        yield form, choice(name)
                        yield f"choose {form}", choice(name)
                case n.Chance(names=names, what=what, local=local):
                    for form, name in _forms(local.type, names):
                        yield chance_text(what, form), outcome(what, name)

    @cached_property
    def _exact(self) -> _Table:
        return _Table(self, str)

    @cached_property
    def _loose(self) -> _Table:
        return _Table(self, str.casefold)

    @cached_property
    def _closed(self) -> _Table | None:
        """The table that ignores spaces, as tuples may be typed with others; None where nothing is a tuple."""
        ends = (b.end for b in self.program.blocks)
        named = (e.names for e in ends if isinstance(e, n.Choose | n.Chance))
        some = any(map(has_tuple, self.program.schemas)) or any(map(_is_tuple, named))
        return _Table(self, _closed_up) if some else None

    def readings(self, text: str) -> list[Reading]:
        """All meanings of a text. Case is ignored unless the text has a meaning in its exact case. If it has no meaning
        at all, and there are tuples, spaces are ignored as well."""
        text = tidy(text)
        found = self._exact.read(text) or self._loose.read(text.casefold())
        if found or self._closed is None:
            return found
        return self._closed.read(_closed_up(text))

    def move_text(self, schema: int, args: tuple[int, ...]) -> str:
        """The first form of a move, from the shortest on, that has no other meaning."""
        key = (schema, args)
        if key not in self._texts:
            self._texts[key] = self._unique(schema, args)
        return self._texts[key]

    def _unique(self, schema: int, args: tuple[int, ...]) -> str:
        me = Reading("move", schema, self.program.schemas[schema].name, args)
        text = ""
        for template in self.templates[schema]:
            text = self._fill(schema, template, args)
            if [r for r in self._exact.read(text) if self.may_be_meant(r, self.program.schemas[schema].part)] == [me]:
                break
        return text

    def may_be_meant(self, reading: Reading, part: int) -> bool:
        """Whether a text can have this meaning while this part is played."""
        return reading.schema is None or self.program.schemas[reading.schema].part == part

    def _fill(self, schema: int, template: Template, args: tuple[int, ...]) -> str:
        names, params = self._names[schema], self.program.schemas[schema].params
        return "".join(
            p if isinstance(p, str) else names[p][args[p] - offset(params[p].local.type)] for p in template
        ).strip()

    def partial_text(self, schema: int, args: tuple[int | None, ...]) -> str:
        """A move of which only some arguments are known, with ``?`` for the others."""
        names, params = self._names[schema], self.program.schemas[schema].params
        known = ["?" if a is None else names[i][a - offset(params[i].local.type)] for i, a in enumerate(args)]
        return "".join(p if isinstance(p, str) else known[p] for p in self.templates[schema][0]).strip()

    def choice_text(self, name: str) -> str:
        """The notation for choosing the value of this name."""
        if name not in self._choices:
            alone = self._exact.read(tidy(name)) == [choice(name)]
            self._choices[name] = tidy(name) if alone else f"choose {tidy(name)}"
        return self._choices[name]


def plain_template(schema: n.Schema) -> Template:
    """The name of a move and its parameters, as the rules name them."""
    return (schema.name, *(x for i in range(len(schema.params)) for x in (" ", i)))


def _forms(t: n.VarT, words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The ways to write the values of a type, each with the words for the value: the words themselves, and the names in
    the rules."""
    yield from zip(words, words, strict=True)
    if isinstance(t, n.ElemT) and len(t.domain.names) == len(words):
        others = set(words)
        yield from ((name, word) for name, word in zip(t.domain.names, words, strict=True) if name not in others)


def _tidy_template(template: Template) -> Template:
    """Collapses spaces in a template, as moves are tidied before they are read."""
    pieces = [re.sub(r"\s+", " ", p) if isinstance(p, str) else p for p in template]
    if pieces and isinstance(pieces[0], str):
        pieces[0] = pieces[0].lstrip()
    if pieces and isinstance(pieces[-1], str):
        pieces[-1] = pieces[-1].rstrip()
    return tuple(p for p in pieces if p != "")


def choice(name: str) -> Reading:
    return Reading("choose", None, name, ())


def outcome(what: str, name: str) -> Reading:
    return Reading("chance", None, chance_text(what, name), ())


def chance_text(what: str, name: str) -> str:
    return tidy(f"{what} {name}")
