"""The game on five by five squares once more, written from the rulings in plain Python with absolute ply numbers.

Slow and literal on purpose; it shares nothing with the package and is what the ruleset is compared with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

Square = tuple[int, int]
Side = frozenset[Square]
SQUARES = [(r, c) for r in range(1, 6) for c in range(1, 6)]
LINES = [
    [(r + i * dr, c + i * dc) for i in range(3)]
    for r, c in SQUARES
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1))
    if (r + 2 * dr, c + 2 * dc) in SQUARES
]


def name(r: int, c: int) -> str:
    return f"{'abcde'[c - 1]}{r}"


def printed(blockage: str) -> str:
    """``wall[X]`` as it is printed in moves: "X's wall"."""
    kind, _, owner = blockage.partition("[")
    return f"{owner[0]}'s {kind}" if owner else "the first wall"


BLOCKS = {name(r, c): [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)] for r in range(1, 5) for c in range(1, 5)}


def side(a: Square, b: Square) -> Side:
    return frozenset((a, b))


CURTAINS: dict[str, frozenset[Side]] = {
    **{f"h{i}": frozenset(side((i, c), (i + 1, c)) for c in range(1, 6)) for i in range(1, 5)},
    **{f"v{j}": frozenset(side((r, j), (r, j + 1)) for r in range(1, 6)) for j in range(1, 5)},
}
WALLS: dict[str, frozenset[Side]] = {
    **{f"h{i}.{c}": frozenset(side((i, k), (i + 1, k)) for k in (c, c + 1)) for i in range(1, 5) for c in range(1, 5)},
    **{f"v{j}.{r}": frozenset(side((k, j), (k, j + 1)) for k in (r, r + 1)) for j in range(1, 5) for r in range(1, 5)},
    **{
        name(r, c): frozenset(side((r, c), b) for b in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)) if b in SQUARES)
        for r, c in SQUARES
    },
}


@dataclass(frozen=True)
class Blockage:
    """Where it stands, the last ply in which it is safe, the last ply in which a checkpoint stands on it."""

    sides: frozenset[Side]
    safe_through: int
    checkpoint_through: int = -1


@dataclass(frozen=True)
class Position:
    """``ply`` is the number of the next ply; ``spent`` holds pairs of player and thing."""

    ply: int
    mover: str
    marks: dict[Square, str]
    standing: dict[str, Blockage]
    spent: frozenset[tuple[str, str]] = field(default=frozenset())


@dataclass(frozen=True)
class Options:
    edition: str = "v2"
    first_super: bool = True
    super_from: int = 2


def other(player: str) -> str:
    return "O" if player == "X" else "X"


def start(options: Options) -> Position:
    walls = {"first_wall": Blockage(WALLS["c3"], 4)} if options.edition == "v1" else {}
    return Position(1, "X", {}, walls)


# --------------------------------------------------------------------------------------------------- three in a row


def free_step(a: Square, b: Square, blocked: set[Side]) -> bool:
    if a[0] == b[0] or a[1] == b[1]:
        return side(a, b) not in blocked
    # The four squares round the grid point, in a circle; a sector ends at every blocked side between neighbours.
    circle = [a, (a[0], b[1]), b, (b[0], a[1])]
    cut = [side(circle[i], circle[(i + 1) % 4]) in blocked for i in range(4)]
    return not (cut[0] or cut[1]) or not (cut[2] or cut[3])


def three(position: Position, player: str) -> bool:
    blocked: set[Side] = set().union(*(b.sides for b in position.standing.values()))
    return any(
        all(position.marks.get(s) == player for s in line)
        and free_step(line[0], line[1], blocked)
        and free_step(line[1], line[2], blocked)
        for line in LINES
    )


# ------------------------------------------------------------------------------------------------------------ plies


def passed(position: Position, **changes: object) -> Position:
    return replace(position, ply=position.ply + 1, mover=other(position.mover), **changes)  # type: ignore[arg-type]


def placements(p: Position) -> Iterator[tuple[str, Position]]:
    for r, c in SQUARES:
        if (r, c) not in p.marks:
            yield name(r, c), passed(p, marks={**p.marks, (r, c): p.mover})


def destructions(p: Position) -> Iterator[tuple[str, Position]]:
    for known, blockage in p.standing.items():
        if blockage.safe_through < p.ply:
            text = f"{'snip' if known.startswith('curtain') else 'tear down'} {printed(known)}"
            yield text, passed(p, standing={k: b for k, b in p.standing.items() if k != known})


def supers(p: Position, options: Options) -> Iterator[tuple[str, Position]]:
    early = p.ply == 1 and options.edition == "v2" and options.first_super
    if (p.mover, "super") in p.spent or not (early or (p.ply > 1 and p.ply >= options.super_from)):
        return
    for corner, block in BLOCKS.items():
        marks = {s: m for s, m in p.marks.items() if s not in block or m == p.mover}
        if options.edition == "v2":
            marks |= {s: p.mover for s in block if s not in p.marks}
        yield f"super {corner}", passed(p, marks=marks, spent=p.spent | {(p.mover, "super")})


def blockages(p: Position) -> Iterator[tuple[str, Position]]:
    if p.ply == 1:
        return
    if (p.mover, "curtain") not in p.spent:
        taken = [b.sides for k, b in p.standing.items() if k.startswith("curtain")]
        for line, sides in CURTAINS.items():
            if sides not in taken:
                yield f"curtain {line}", put_up(p, "curtain", sides)
    if (p.mover, "wall") not in p.spent:
        taken = [b.sides for k, b in p.standing.items() if "wall" in k]
        for line, sides in WALLS.items():
            if sides not in taken:
                yield f"wall {line}", put_up(p, "wall", sides)
    if (p.mover, "charlie") not in p.spent:
        for known, b in p.standing.items():
            if b.checkpoint_through < p.ply:
                guarded = Blockage(b.sides, max(b.safe_through, p.ply) + 4, p.ply + 4)
                standing = {**p.standing, known: guarded}
                yield f"charlie {printed(known)}", passed(p, standing=standing, spent=p.spent | {(p.mover, "charlie")})


def put_up(p: Position, kind: str, sides: frozenset[Side]) -> Position:
    standing = {**p.standing, f"{kind}[{p.mover}]": Blockage(sides, p.ply + 4)}
    return passed(p, standing=standing, spent=p.spent | {(p.mover, kind)})


def threat(p: Position, disregarding_the_rest: bool = False) -> bool:
    """Whether the player whose ply is next could now make three with a symbol or a destruction."""
    tries = [*placements(p), *destructions(p)]
    return any(three(q, p.mover) and (disregarding_the_rest or not three(q, other(p.mover))) for _, q in tries)


def legal(p: Position, options: Options) -> dict[str, Position]:
    """The legal plies with the positions they lead to."""
    me, rival = p.mover, other(p.mover)
    tries = [*placements(p), *destructions(p), *supers(p, options), *blockages(p)]
    allowed = {t: q for t, q in tries if not (three(q, me) and three(q, rival))}
    if options.edition == "v1":
        return allowed
    risky = {t: q for t, q in allowed.items() if t.startswith("super") and three(q, me)}
    plain = {t: q for t, q in allowed.items() if t not in risky}
    if risky and threat(passed(p)) and all(helpless(q, me, rival) for q in plain.values()):
        plain |= {t.replace("super", "super!"): q for t, q in risky.items() if not threat(q, True)}
    return plain


def helpless(q: Position, me: str, rival: str) -> bool:
    """After another ply the rival threatens still (or has won already)."""
    return three(q, rival) or (not three(q, me) and threat(q))
