"""Rules of a grammar that read the same become one, and what alternatives have in common at their beginning is read once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from typing import NamedTuple, TypeAlias

from gamedsl.language.grammars.contextual_rules import Body, Terminal

Rules: TypeAlias = "dict[Hashable, list[Body]]"


def shared_rules(root: Hashable, rules: Mapping[Hashable, list[Body]]) -> Rules:
    """Returns rules of the same language; the first is that of the root."""
    made = _merged(root, _fruitful(rules))
    return _merged(next(iter(made)), _factored(made))


def _fruitful(rules: Mapping[Hashable, list[Body]]) -> Rules:
    """Returns the rules without those that can never end, and without what needs them."""
    left: dict[tuple[Hashable, int], int] = {}
    users: dict[Hashable, list[tuple[Hashable, int]]] = defaultdict(list)
    good: dict[Hashable, None] = {}
    for symbol, bodies in rules.items():
        for number, body in enumerate(bodies):
            inner = {part for part in body if not isinstance(part, Terminal)}
            left[symbol, number] = len(inner)
            for part in inner:
                users[part].append((symbol, number))
            if not inner:
                good[symbol] = None
    pending = list(good)
    while pending:
        for user in users[pending.pop()]:
            left[user] -= 1
            if left[user] == 0 and user[0] not in good:
                good[user[0]] = None
                pending.append(user[0])
    return {s: [b for n, b in enumerate(bodies) if left[s, n] == 0] for s, bodies in rules.items() if s in good}


def _merged(root: Hashable, rules: Rules) -> Rules:
    """Returns the rules without those that are like another, from the root on."""
    while True:
        before = len(rules)
        one = _representatives(rules)
        rules = {
            s: list(dict.fromkeys(tuple(one.get(p, p) for p in body) for body in rules[s]))
            for s in dict.fromkeys(one.values())
        }
        only = {s: b[0][0] for s, b in rules.items() if len(b) == 1 and len(b[0]) == 1 and b[0][0] in rules}
        root = _through(one[root], only)
        rules = _reached(
            root, {s: [tuple(_through(p, only) for p in b) for b in bodies] for s, bodies in rules.items()}
        )
        rules = {s: _joined([body for body in dict.fromkeys(bodies) if body != (s,)]) for s, bodies in rules.items()}
        if len(rules) == before:
            return rules


def _representatives(rules: Rules) -> dict[Hashable, Hashable]:
    """Returns for each symbol the first one with the same rules: all are taken to be the same until they differ."""
    numbers: dict[Hashable, int] = {symbol: n for n, symbol in enumerate(rules)}
    words: dict[Hashable, int] = {}
    coded = [
        [[numbers[p] if p in numbers else ~words.setdefault(p, len(words)) for p in body] for body in bodies]
        for bodies in rules.values()
    ]
    kinds, count = [0] * len(coded), 1
    while True:
        found: dict[Hashable, int] = {}
        kinds = [
            found.setdefault(
                (kind, frozenset(tuple(kinds[p] if p >= 0 else p for p in body) for body in bodies)), len(found)
            )
            for kind, bodies in zip(kinds, coded, strict=True)
        ]
        if len(found) == count:
            break
        count = len(found)
    first: dict[int, Hashable] = {}
    return {symbol: first.setdefault(kind, symbol) for symbol, kind in zip(rules, kinds, strict=True)}


def _through(part: Hashable, only: Mapping[Hashable, Hashable]) -> Hashable:
    """Returns what a symbol is, where it is only another one."""
    seen = {part}
    while part in only and only[part] not in seen:
        part = only[part]
        seen.add(part)
    return part


def _reached(root: Hashable, rules: Rules) -> Rules:
    """Returns the rules that the root needs, in the order in which they are met."""
    found: dict[Hashable, None] = {root: None}
    pending = [root]
    for symbol in pending:
        new = [p for p in dict.fromkeys(p for body in rules[symbol] for p in body) if p in rules and p not in found]
        found |= dict.fromkeys(new)
        pending += new
    return {symbol: rules[symbol] for symbol in found}


def _joined(bodies: list[Body]) -> list[Body]:
    """Joins bodies that differ in the words or in the gaps of one terminal."""
    for differing in ("words", "gaps"):
        for place in range(max(map(len, bodies), default=0)):
            groups: dict[Hashable, list[Body]] = defaultdict(list)
            for body in bodies:
                groups[body[:place], _without(body[place : place + 1], differing), body[place + 1 :]].append(body)
            bodies = [_join(alike, place) if len(alike) > 1 else alike[0] for alike in groups.values()]
    return bodies


def _without(parts: Body, differing: str) -> Body:
    """Returns a terminal without its words or its gap; anything else as it is."""
    if not parts or not isinstance(parts[0], Terminal):
        return parts
    return (parts[0]._replace(words=frozenset()) if differing == "words" else parts[0]._replace(gaps=frozenset()),)


def _join(bodies: list[Body], place: int) -> Body:
    terminals = [part for body in bodies if isinstance(part := body[place], Terminal)]
    words = frozenset().union(*(t.words for t in terminals))
    gaps = frozenset().union(*(t.gaps for t in terminals))
    return (*bodies[0][:place], terminals[0]._replace(words=words, gaps=gaps), *bodies[0][place + 1 :])


class Tail(NamedTuple):
    """What follows the same beginning in several alternatives."""

    bodies: tuple[Body, ...]


def _factored(rules: Rules) -> Rules:
    """Returns rules in which no two alternatives of a symbol begin with the same part and go on: what follows is a symbol of its own."""
    found: Rules = {}
    pending = list(rules.items())
    while pending:
        symbol, bodies = pending.pop()
        groups: dict[Hashable, list[Body]] = defaultdict(list)
        for body in bodies:
            groups[body[0]].append(body[1:])
        found[symbol] = []
        for first, rests in groups.items():
            longer = [rest for rest in rests if rest]
            if len(longer) > 1:
                tail = Tail(tuple(longer))
                if tail not in found:
                    pending.append((tail, longer))
                longer = [(tail,)]
            found[symbol] += [(first, *rest) for rest in [*([()] if () in rests else []), *longer]]
    return {**{symbol: found[symbol] for symbol in rules}, **found}
