// Dots and boxes, three by three boxes. Lines are 24 bits, a box a mask of four; a line knows the one or two boxes beside it (a line of the
// rim has one box that is never full). The turn changes by arithmetic, without a branch.
#include "plays.hpp"

struct Tables {
    u32 beside[24][2];
    constexpr Tables() : beside() {
        for (auto& b : beside) b[0] = b[1] = ~0u;
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 3; x++) {
                const int top = 3 * y + x, left = 12 + 4 * y + x, sides[4] = {top, top + 3, left, left + 1};
                u32 mask = 0;
                for (int s : sides) mask |= 1u << s;
                for (int s : sides) beside[s][beside[s][0] != ~0u] = mask;
            }
    }
};
static constexpr Tables TABLES;

struct State {
    u32 open = 0xFFFFFF, me = 0;
    int lead = 0;

    int over() const { return !open; }
    u32 count() const { return __builtin_popcount(open); }
    bool make(u32 k) {
        const u32 bit = u32(kth(open, k)), e = __builtin_ctz(bit);
        open ^= bit;
        const u32 a = TABLES.beside[e][0], b = TABLES.beside[e][1];
        const int boxes = !(a & open) + !(b & (open | 1u << 31));
        lead += me ? -boxes : boxes;
        me ^= boxes == 0;
        return true;
    }
};

int main(int count, char** words) {
    return plays<State>(count, words, 2000, [](Random& random, u64& plies) {
        State s;
        for (u32 n = 24; n; n--) s.make(random.below(n));
        plies = 24;
        return s.lead > 0 ? 0 : s.lead < 0 ? 1 : -1;
    });
}
