// Pentago; five before the twist wins at once. A quarter is nine bits: eight round the middle, so that a twist is a rotation by two, and
// the middle. The 32 lines of five are the bits of a word: a table tells for each quarter which lines have all of their squares
// there, and the lines of a player are the `and` of four words.
#include "plays.hpp"

struct Tables {
    u32 lines[4][512];
    constexpr Tables() : lines() {
        // The bit of a square within its quarter.
        const int bits[9] = {0, 1, 2, 7, 8, 3, 6, 5, 4};
        const int rows[4] = {0, 1, 1, 1}, columns[4] = {1, 0, 1, -1};
        int n = 0;
        for (int d = 0; d < 4; d++)
            for (int y = 0; y < 6; y++)
                for (int x = 0; x < 6; x++) {
                    const int last = y + 4 * rows[d], end = x + 4 * columns[d];
                    if (last > 5 || end > 5 || end < 0) continue;
                    u32 needs[4] = {};
                    for (int i = 0; i < 5; i++) {
                        const int r = y + i * rows[d], c = x + i * columns[d];
                        needs[r / 3 * 2 + c / 3] |= 1u << bits[r % 3 * 3 + c % 3];
                    }
                    for (int q = 0; q < 4; q++)
                        for (u32 p = 0; p < 512; p++)
                            if ((p & needs[q]) == needs[q]) lines[q][p] |= 1u << n;
                    n++;
                }
    }
};
static constexpr Tables TABLES;

static inline bool five(u64 x) {
    return (TABLES.lines[0][x & 511] & TABLES.lines[1][x >> 9 & 511] & TABLES.lines[2][x >> 18 & 511] & TABLES.lines[3][x >> 27]) != 0;
}

// A quarter turned by two of eight places, to one side or the other.
static inline u64 twisted(u64 x, u32 shift, u32 by) {
    const u32 ring = u32(x >> shift) & 255, turned = (ring << by | ring >> (8 - by)) & 255;
    return x ^ u64(ring ^ turned) << shift;
}

struct State {
    u64 marbles[2] = {0, 0}, empty = (1ull << 36) - 1;
    u32 me = 0;
    int result = 2;  // 2: goes on

    // The low three bits of the candidate are the twist.
    int put(u32 k) {
        const u64 bit = kth(empty, k >> 3);
        u64 mine = marbles[me] | bit;
        if (five(mine)) return int(me);
        const u32 shift = 9 * (k & 3), by = k & 4 ? 2 : 6;
        mine = twisted(mine, shift, by);
        const u64 theirs = twisted(marbles[me ^ 1], shift, by);
        marbles[me] = mine, marbles[me ^ 1] = theirs;
        empty = ~(mine | theirs) & ((1ull << 36) - 1);
        const bool a = five(mine), b = five(theirs);
        if (a | b) return a & b ? -1 : int(a ? me : me ^ 1);
        me ^= 1;
        return empty ? 2 : -1;
    }

    int over() const { return result != 2; }
    u32 count() const { return 8 * __builtin_popcountll(empty); }
    bool make(u32 k) { return result = put(k), true; }
};

int main(int count, char** words) {
    return plays<State>(count, words, 2000, [](Random& random, u64& plies) {
        State s;
        for (; s.result == 2; plies++) s.make(random.below(s.count()));
        return s.result;
    });
}
