// X's and Lines, 8 by 8.
//
// Scalar: sets of 64 bits. The x's: eight draws, the k-th empty square by pdep, nothing else to look at. A line is never listed:
// from the pen, the nearest thing on each of the four rays tells the straight line there and the squares to turn on; these
// squares all lie in one row (or column), so one flood fill up, one down finds what can be reached by turning on any of
// them, and the goal's column tells which. So all lines are the bits of five masks; the drawn one is the k-th bit. The
// first line, from any x, counts the five masks of all eight, draws, and makes them again for the one drawn.
#include "common.hpp"

static constexpr u64 FIRST_FILE = 0x0101010101010101ull, FIRST_ROW = 0xFF;

struct Rays {
    u64 east[64], west[64], north[64], south[64];
    constexpr Rays() : east(), west(), north(), south() {
        for (int s = 0; s < 64; s++) {
            for (int x = s % 8 + 1; x < 8; x++) east[s] |= 1ull << (s / 8 * 8 + x);
            for (int x = s % 8 - 1; x >= 0; x--) west[s] |= 1ull << (s / 8 * 8 + x);
            for (int y = s / 8 + 1; y < 8; y++) north[s] |= 1ull << (y * 8 + s % 8);
            for (int y = s / 8 - 1; y >= 0; y--) south[s] |= 1ull << (y * 8 + s % 8);
        }
    }
};
static constexpr Rays RAYS;

struct Paper {
    u64 x = 0, free = 0;            // all x's; those no line ends at
    u64 level = 0, upright = 0;     // squares that a line goes straight through
};

// Goals: by a straight line; by going sideways first, then up or down; up or down first, then east or west.
struct Goals {
    u64 straight, up, down, right, left;
    u32 count() const {
        return u32(_mm_popcnt_u64(straight) + _mm_popcnt_u64(up) + _mm_popcnt_u64(down) + _mm_popcnt_u64(right) +
                   _mm_popcnt_u64(left));
    }
};

inline u64 highest(u64 m) { return m ? 1ull << (63 - _lzcnt_u64(m)) : 0; }
inline u64 down_to_highest(u64 m) { return ~0ull << (63 - _lzcnt_u64(m | 1)); }

template <int BY>
inline u64 forward(u64 from, u64 through) {
    from |= through & (from << BY);
    through &= through << BY;
    from |= through & (from << 2 * BY);
    through &= through << 2 * BY;
    return from | (through & (from << 4 * BY));
}

template <int BY>
inline u64 backward(u64 from, u64 through) {
    from |= through & (from >> BY);
    through &= through >> BY;
    from |= through & (from >> 2 * BY);
    through &= through >> 2 * BY;
    return from | (through & (from >> 4 * BY));
}

inline Goals goals_of(const Paper& p, u32 start) {
    const u64 beside = p.x | p.upright, above = p.x | p.level;
    const u64 e = RAYS.east[start], w = RAYS.west[start], n = RAYS.north[start], s = RAYS.south[start];
    const u64 hit_e = e & beside, hit_w = w & beside, hit_n = n & above, hit_s = s & above;
    Goals g;
    g.straight = (_blsi_u64(hit_e) | highest(hit_w) | _blsi_u64(hit_n) | highest(hit_s)) & p.free;
    const u64 row = ((_blsmsk_u64(hit_e) & e) | (down_to_highest(hit_w) & w)) & ~p.x;
    const u64 column = ((_blsmsk_u64(hit_n) & n) | (down_to_highest(hit_s) & s)) & ~p.x;
    // No square of the last file may go on to the first of the next row, nor back.
    const u64 not_first = ~FIRST_FILE, not_last = ~(FIRST_FILE << 7);
    g.up = (forward<8>(row, ~above) << 8) & p.free;
    g.down = (backward<8>(row, ~above) >> 8) & p.free;
    g.right = (forward<1>(column, ~beside & not_first) << 1) & not_first & p.free;
    g.left = (backward<1>(column, ~beside & not_last) >> 1) & not_last & p.free;
    return g;
}

// The squares strictly between two of one row, or of one column.
inline u64 between_in_row(u32 a, u32 b) {
    return (RAYS.east[a] & RAYS.west[b]) | (RAYS.west[a] & RAYS.east[b]);
}
inline u64 between_in_column(u32 a, u32 b) {
    return (RAYS.north[a] & RAYS.south[b]) | (RAYS.south[a] & RAYS.north[b]);
}

// Draws the k-th line from the start; gives its goal.
inline u32 draw(Paper& p, u32 start, const Goals& g, u32 k) {
    const u64 masks[5] = {g.straight, g.up, g.down, g.right, g.left};
    u32 kind = 0;
    for (u32 n; k >= (n = u32(_mm_popcnt_u64(masks[kind]))); kind++) k -= n;
    const u64 bit = kth(masks[kind], k);
    const u32 goal = u32(_tzcnt_u64(bit));
    p.free &= ~(bit | 1ull << start);
    if (kind == 0) {
        p.level |= between_in_row(start, goal);
        p.upright |= between_in_column(start, goal);
    } else {
        const u32 bend = kind < 3 ? (start & 56) | (goal & 7) : (goal & 56) | (start & 7);
        p.level |= kind < 3 ? between_in_row(start, bend) : between_in_row(bend, goal);
        p.upright |= kind < 3 ? between_in_column(bend, goal) : between_in_column(start, bend);
    }
    return goal;
}

__attribute__((noinline)) static int play(Random& random, u64& moves) {
    Paper p;
    for (u32 i = 0; i < 8; i++) p.x |= kth(~p.x, random.below(64 - i));
    p.free = p.x;
    moves = 8;
    u32 starts[8], counts[8], total = 0;
    u64 rest = p.x;
    for (int i = 0; i < 8; i++, rest = _blsr_u64(rest)) {
        starts[i] = u32(_tzcnt_u64(rest));
        counts[i] = goals_of(p, starts[i]).count();
        total += counts[i];
    }
    if (!total) return 0;
    u32 k = random.below(total), i = 0;
    for (; k >= counts[i]; i++) k -= counts[i];
    u32 pen = starts[i];
    Goals g = goals_of(p, pen);
    for (;;) {
        pen = draw(p, pen, g, k);
        moves++;
        g = goals_of(p, pen);
        const u32 n = g.count();
        if (!n) return int(moves & 1);  // whoever is to move wins
        k = random.below(n);
    }
}

int main(int count, char** words) {
    return one_at_a_time<u64>(count, words, 2000, [](Random& random, u64& moves) { return play(random, moves); });
}
