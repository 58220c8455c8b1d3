"""The kernels of captures: which moves take something from the rival.

A move captures if the rival has fewer elements after it, in all sets of which each of the two players has one. In many
games a capture names an element that the rival has, so that it shows without making the move.
"""

from __future__ import annotations

from gamedsl.compiler import Words, kernel, popcount

# Fields of a part of a set: its owner; its word, shift and bits in a block; its place in ``rival``, which has a word for
# every 64 elements of every domain.
OWNER, WORD, SHIFT, BITS, PLACE = range(5)
OWNED_FIELDS = 5
# Fields of an element that a move names: the kind of move; shift, mask and least value in its code; the place of the
# domain's first word in ``rival``.
KIND, CODE_SHIFT, CODE_MASK, LOW, BASE = range(5)
NAMED_FIELDS = 5
# How captures are recognized: not at all; by the elements that a move names; by making one move, where a position has
# only captures or none; by making every move.
NEVER, BY_NAME, ALL_OR_NONE, BY_MAKING = range(4)


@kernel
def pieces(owned: Words, blocks: Words, ply: int, player: int) -> int:
    """Returns the number of elements that a player has."""
    total = 0
    for k in range(owned.shape[0]):
        if owned[k, OWNER] == player:
            total += popcount((blocks[ply, owned[k, WORD]] >> owned[k, SHIFT]) & owned[k, BITS])
    return total


@kernel
def look(owned: Words, blocks: Words, ply: int, player: int, rival: Words) -> None:
    """Writes the elements of all sets of a player to ``rival``."""
    for k in range(rival.shape[0]):
        rival[k] = 0
    for k in range(owned.shape[0]):
        if owned[k, OWNER] == player:
            rival[owned[k, PLACE]] |= (blocks[ply, owned[k, WORD]] >> owned[k, SHIFT]) & owned[k, BITS]


@kernel
def names_any(named: Words, rival: Words, code: int) -> bool:
    """Whether a move names an element in ``rival``. The first row of ``named`` has the shift, mask and least value of
    the kind in a code."""
    kind = ((code >> named[0, CODE_SHIFT]) & named[0, CODE_MASK]) + named[0, LOW]
    for k in range(1, named.shape[0]):
        if named[k, KIND] == kind:
            element = ((code >> named[k, CODE_SHIFT]) & named[k, CODE_MASK]) + named[k, LOW]
            if (rival[named[k, BASE] + (element >> 6)] >> (element & 63)) & 1:
                return True
    return False
