"""The kernel of alpha-beta search: negamax with a transposition table.

Sources: Knuth and Moore, "An Analysis of Alpha-Beta Pruning", 1975. All actions but the first of a position are searched
with an empty window, and again where they turn out better (Marsland and Campbell, "Parallel Search of Strongly Ordered
Game Trees", 1982); late ones less deep. Beyond the horizon only captures are searched, and the mover may decline them
(quiescence: Harris, "The Heuristic Search and the Game of Chess", 1975). ``alphabeta_memory`` describes scores.
(``lab.solve.depth_kernel`` explains why that search is separate.)
"""

from __future__ import annotations

from gamedsl.agents.alphabeta_memory import (
    ACTION,
    ACTION_COUNT,
    AGAIN,
    ALL_SOLID,
    ALPHA,
    BEST,
    BEST_ACTION,
    BEST_SOLID,
    BETA,
    BOUND,
    CAPTURES,
    CODE,
    CONTEXT,
    CRAMPED,
    DEPTH,
    ERROR,
    EXACT,
    GRAIN,
    HASH,
    INFINITE,
    LEFT,
    LIMIT,
    LOW,
    LOWER,
    MARK,
    MILLION,
    MOST,
    MOST_PLIES,
    MOVER,
    NEXT,
    NODE,
    NODES,
    NOISY,
    NUMBER,
    PLAYOUT_AT,
    PLAYOUTS,
    RANK,
    RETURNS_AT,
    SCORE,
    SELECTIVE,
    SIZE,
    SOLID,
    SPENT,
    STOP,
    SURE,
    TOP,
    TRIAL,
    TRUSTED,
    UPPER,
    VALUES,
    RootActions,
    Search,
    found,
    hashed,
    keep,
    moved,
)
from gamedsl.agents.captures_kernel import NEVER
from gamedsl.agents.move_order import (
    captures_at,
    has_cut,
    list_actions,
    next_best,
    rank_actions,
    stepped,
    valued,
    write_actions,
)
from gamedsl.agents.position import NO_ACTION, NOT_ZERO_SUM
from gamedsl.compiler import Words, call3, call5, kernel, peek, poke

UNFINISHED = -2  # status of a playout that was too long to finish
QUIET = 12  # plies of captures beyond the horizon, at most
LATE, LATER = 3, 12  # actions after so many are searched one ply less deep, or two
LEAST_LEFT, MUCH_LEFT = 3, 5  # plies to the horizon, at least


@kernel
def judged(search: Search, ply: int, seat: int) -> int:
    """Returns the score at the horizon: the leaf value, or the mean of a few playouts, seeded by the position's hash."""
    entry, shape, result, signal = search.rules.entry, search.rules.shape, search.result, search.signal
    if shape[PLAYOUTS] == 0:
        return valued(search, ply, seat)
    h = hashed(search.path.blocks, ply, shape[VALUES])
    s = search.path.blocks.ctypes.data + ply * shape[SIZE] * 8
    total = 0.0
    for index in range(shape[PLAYOUTS]):
        status = call5(entry[PLAYOUT_AT], entry[CONTEXT], s, h, index, result.ctypes.data)
        if status >= 0:
            total += result[seat]
            signal[SPENT] += status
        elif status != UNFINISHED:
            signal[ERROR] = status
            return 0
    return int(0.999 * MILLION * total / (shape[PLAYOUTS] * shape[MOST])) * GRAIN


@kernel
def ended(search: Search, ply: int, seat: int) -> int:
    """Returns a terminal score for a player."""
    entry, shape, result, signal = search.rules.entry, search.rules.shape, search.result, search.signal
    s = search.path.blocks.ctypes.data + ply * shape[SIZE] * 8
    status = call3(entry[RETURNS_AT], entry[CONTEXT], s, result.ctypes.data)
    if status < 0:
        signal[ERROR] = status
    elif abs(result[0] + result[1]) > 1e-9:
        signal[ERROR] = NOT_ZERO_SUM
    score = round(result[seat] / shape[MOST] * MILLION) * GRAIN
    return score - ply if score > 0 else score + ply if score < 0 else 0


@kernel
def answered(shape: Words, slots: Words, at: int, frame: Words, ply: int) -> bool:
    """Whether a table entry settles the search of its position."""
    if slots[at, DEPTH] < frame[ply, LEFT] and (slots[at, SOLID] == 0 or shape[TRUSTED] == 0):
        return False
    score = moved(slots[at, SCORE], ply)
    if slots[at, BOUND] == LOWER:
        return bool(score >= frame[ply, BETA])
    return bool(slots[at, BOUND] == EXACT or score <= frame[ply, ALPHA])


@kernel
def begin(search: Search, ply: int, action_count: int) -> None:
    """Prepares a frame to try actions."""
    frame = search.path.frame
    frame[ply, LOW], frame[ply, AGAIN] = frame[ply, ALPHA], 0
    frame[ply, BEST_ACTION], frame[ply, BEST], frame[ply, BEST_SOLID] = 0, -INFINITE, 0
    frame[ply, ALL_SOLID], frame[ply, NEXT], frame[ply, ACTION_COUNT] = 1, 0, action_count


@kernel
def crowded(search: Search, ply: int, action_count: int) -> bool:
    """Whether the actions of a ply cannot be tried: there are none, or too many for the room there is."""
    signal = search.signal
    room = min(search.moves.order.shape[0] - search.path.frame[ply, TOP], search.moves.codes.shape[0])
    if 0 < action_count <= room:
        return False
    signal[ERROR] = action_count if action_count < 0 else NO_ACTION
    signal[CRAMPED] = max(0, action_count)
    return True


@kernel
def quieted(search: Search, ply: int) -> bool:
    """Enters a position beyond the horizon, as ``entered``: only captures are tried, unless there is nothing else."""
    shape, frame, order = search.rules.shape, search.path.frame, search.moves.order
    seat, top = frame[ply, MOVER], frame[ply, TOP]
    worth = judged(search, ply, seat)
    frame[ply, BEST] = worth
    if shape[CAPTURES] == NEVER or shape[PLAYOUTS] > 0 or frame[ply, LEFT] <= -QUIET or search.signal[ERROR] != 0:
        return True
    if worth >= frame[ply, BETA]:
        return True
    action_count = list_actions(search, ply)
    if crowded(search, ply, action_count):
        return True
    write_actions(search, ply, action_count)
    captures = captures_at(search, ply, action_count)
    if search.signal[ERROR] != 0 or captures == 0:
        return True
    floor = max(worth, frame[ply, ALPHA])
    if captures == action_count:
        floor = -INFINITE  # they cannot be declined
    kept, best = top, worth
    for k in range(top, top + action_count):
        if order[k, NOISY] == 0:
            continue
        if order[k, RANK] <= floor:
            best = max(best, order[k, RANK])  # the rival may decline all captures after it
        else:
            if k != kept:
                for j in range(order.shape[1]):
                    order[kept, j] = order[k, j]
            kept += 1
    frame[ply, BEST] = best
    if kept == top:
        return True
    begin(search, ply, kept - top)
    if captures < action_count:
        frame[ply, BEST], frame[ply, LOW], frame[ply, ALL_SOLID] = best, floor, 0
    return False


@kernel
def entered(search: Search, ply: int) -> bool:
    """Enters the position of a ply; its frame holds mover, horizon, window and TOP.

    Returns whether the score is known at once (in BEST, and ``solid[ply]``).
    """
    shape, table, signal = search.rules.shape, search.table, search.signal
    blocks, frame, solid = search.path.blocks, search.path.frame, search.path.solid
    signal[NODES] += 1
    signal[SPENT] += NODE
    if signal[SPENT] >= signal[LIMIT]:
        signal[STOP] = 1
    solid[ply] = 0
    if ply >= MOST_PLIES or ply + 2 >= blocks.shape[0]:
        frame[ply, BEST] = judged(search, ply, frame[ply, MOVER])
        return True
    if frame[ply, LEFT] <= 0:
        return quieted(search, ply)
    words = shape[VALUES]
    h = hashed(blocks, ply, words)
    frame[ply, HASH] = h
    at, first = found(table, blocks, ply, words, h), -1
    if at >= 0:
        if answered(shape, table.slots, at, frame, ply):
            solid[ply] = table.slots[at, SOLID] & shape[TRUSTED]
            frame[ply, BEST] = moved(table.slots[at, SCORE], ply)
            return True
        first = table.slots[at, ACTION]
    action_count = list_actions(search, ply)
    if crowded(search, ply, action_count):
        return True
    write_actions(search, ply, action_count)
    rank_actions(search, ply, action_count, first if first < action_count else -1)
    begin(search, ply, action_count)
    return False


@kernel
def reduction(search: Search, ply: int, at: int) -> int:
    """Returns by how many plies less the action ``at`` is to be searched at first; -1 for the whole window at once."""
    frame, order = search.path.frame, search.moves.order
    nth, left = at - frame[ply, TOP], frame[ply, LEFT]
    if nth == 0 or left <= 0 or frame[ply, LOW] <= -INFINITE:
        return -1
    if search.rules.shape[SELECTIVE] == 0 or left < LEAST_LEFT or nth < LATE or order[at, NOISY] == 1:
        return 0
    return 2 if left >= MUCH_LEFT and nth >= LATER else 1


@kernel
def scored(search: Search, ply: int, score: int) -> bool:
    """Takes the score of the action last tried at a ply, from its mover's point of view.

    ``solid[ply + 1]`` holds whether it is solid. Returns whether the position is finished.
    """
    solid, frame, order = search.path.solid, search.path.frame, search.moves.order
    sure = solid[ply + 1]
    n = frame[ply, TOP] + frame[ply, NEXT] - 1
    trial = frame[ply, TRIAL]
    if trial >= 0 and score > frame[ply, LOW] and (trial > 0 or score < frame[ply, BETA]):
        frame[ply, NEXT] -= 1
        frame[ply, AGAIN] = 1
        return False
    frame[ply, AGAIN] = 0
    frame[ply, ALL_SOLID] &= sure
    if score > frame[ply, BEST]:
        frame[ply, BEST_ACTION], frame[ply, BEST], frame[ply, BEST_SOLID] = order[n, NUMBER], score, sure
    frame[ply, LOW] = max(frame[ply, LOW], score)
    cut = frame[ply, LOW] >= frame[ply, BETA]
    if not cut and frame[ply, NEXT] < frame[ply, ACTION_COUNT]:
        return False
    if cut:
        frame[ply, ALL_SOLID] = sure
        has_cut(search, ply, n)
    best = frame[ply, BEST]
    solid[ply] = 1 if frame[ply, ALL_SOLID] == 1 or (frame[ply, BEST_SOLID] == 1 and best > SURE) else 0
    if frame[ply, LEFT] > 0:
        bound = UPPER if best <= frame[ply, ALPHA] else LOWER if cut else EXACT
        keep(search.table, search.path, ply, search.rules.shape[VALUES], bound, search.signal)
    return True


@kernel
def descend(search: Search, ply: int) -> int:
    """Makes the next action of a ply, and prepares the frame after it. Returns as ``stepped``."""
    frame, order = search.path.frame, search.moves.order
    top, seat = frame[ply, TOP], frame[ply, MOVER]
    at = top + frame[ply, NEXT]
    if frame[ply, AGAIN] == 0:
        next_best(order, at, top + frame[ply, ACTION_COUNT])
    frame[ply, NEXT] += 1
    then = stepped(search, ply, seat, order[at, NUMBER], order[at, CODE])
    frame[ply, TRIAL] = -1
    if then < 0:
        return then
    low, high, less = frame[ply, LOW], frame[ply, BETA], 0
    if frame[ply, AGAIN] == 0:
        frame[ply, TRIAL] = reduction(search, ply, at)
        if frame[ply, TRIAL] >= 0:
            high, less = low + 1, frame[ply, TRIAL]
    frame[ply + 1, MOVER] = seat if then == 0 else 1 - seat
    frame[ply + 1, LEFT] = frame[ply, LEFT] - 1 - less
    frame[ply + 1, ALPHA] = low if then == 0 else -high
    frame[ply + 1, BETA] = high if then == 0 else -low
    frame[ply + 1, TOP] = top + frame[ply, ACTION_COUNT]
    return then


@kernel
def deepen(search: Search) -> int:
    """Searches ``blocks[1]`` and returns its fail-soft score for the mover in ``frame[1]``.

    ``solid[1]`` receives whether it is solid. The result is void if ``signal`` reports a stop or an error.
    """
    shape, signal = search.rules.shape, search.signal
    frame, solid, marks = search.path.frame, search.path.solid, search.path.marks
    ply = 1
    done = entered(search, ply)
    while signal[ERROR] == 0 and signal[STOP] == 0:
        if done:
            score = int(frame[ply, BEST])
            if ply == 1:
                return score
            if frame[ply, MOVER] != frame[ply - 1, MOVER]:
                score = -score
            ply -= 1
            if shape[MARK] != 0:
                poke(shape[MARK], marks[ply])
            done = scored(search, ply, score)
            continue
        if shape[MARK] != 0:
            marks[ply] = peek(shape[MARK])
        if descend(search, ply) < 0:
            solid[ply + 1] = 1
            score = ended(search, ply + 1, frame[ply, MOVER])
            if shape[MARK] != 0:
                poke(shape[MARK], marks[ply])
            done = scored(search, ply, score)
            continue
        ply += 1
        done = entered(search, ply)
    return 0


@kernel
def from_root(search: Search, depth: int, seat: int, then: int, low: int, high: int) -> int:
    """Searches the position after an action at the root with a window. Returns its score for the mover at the root."""
    frame = search.path.frame
    frame[1, MOVER], frame[1, LEFT], frame[1, TOP] = seat if then == 0 else 1 - seat, depth - 1, 0
    frame[1, ALPHA], frame[1, BETA] = (low, high) if then == 0 else (-high, -low)
    score = deepen(search)
    return score if then == 0 else -score


@kernel
def at_root(search: Search, actions: RootActions, depth: int, seat: int, whole: bool) -> int:
    """Searches the position in ``blocks[0]`` to a depth and fills in ``actions``.

    ``whole``: every score is wanted. Returns how many actions were completed.
    """
    shape, signal, solid = search.rules.shape, search.signal, search.path.solid
    order, codes = actions.order, search.moves.codes
    best = -INFINITE
    mark = peek(shape[MARK]) if shape[MARK] != 0 else 0
    for n in range(order.shape[0]):
        before = signal[NODES]
        list_actions(search, 0)
        code = codes[order[n]] if order[n] < codes.shape[0] else -1
        then = stepped(search, 0, seat, order[n], code)
        if then < 0:
            solid[1] = 1
            score = ended(search, 1, seat)
        elif whole or n == 0:
            score = from_root(search, depth, seat, then, -INFINITE, INFINITE)
        else:
            score = from_root(search, depth, seat, then, best, best + 1)
            if score > best and signal[ERROR] == 0 and signal[STOP] == 0:
                if shape[MARK] != 0:
                    poke(shape[MARK], mark)
                stepped(search, 0, seat, order[n], code)
                score = from_root(search, depth, seat, then, best, INFINITE)
        if shape[MARK] != 0:
            poke(shape[MARK], mark)
        if signal[ERROR] != 0 or signal[STOP] != 0:
            return n
        actions.scores[n], actions.sure[n], actions.spent[n] = score, solid[1], signal[NODES] - before
        best = max(best, score)
    return int(order.shape[0])
