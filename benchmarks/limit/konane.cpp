// Konane, eight by eight. A step of many stones at once is a shift and two `and`s; longer jumps are the same again from the landings, so
// there is a set of landings for each way and length: twelve sets. The rows of a length are disjoint, and the origin is the
// landing moved back. The counts are bytes of two words with running sums by a product, so the set is found without a branch.
#include "plays.hpp"

static constexpr u64 A = 0x0101010101010101ull, H = A << 7, ONES = A;
static constexpr u64 BLACK = 0xAA55AA55AA55AA55ull;
static constexpr int WAYS[4] = {8, 1, -8, -1};
static constexpr u64 INSIDE[4] = {~0ull, ~A, ~0ull, ~H};

static inline u64 shift(u64 x, int by) { return by > 0 ? x << by : x >> -by; }

struct State {
    u64 stones[2] = {BLACK, ~BLACK}, sets[12], counts[2], sums[2];
    u32 me = 0, ply = 0;

    u64 opening() const {
        if (ply == 0) return stones[0] & 0x8100001818000081ull;
        const u64 gap = ~(stones[0] | stones[1]);
        return (gap << 8 | gap >> 8 | (gap & ~H) << 1 | (gap & ~A) >> 1) & stones[1];
    }

    u32 jumps() {
        const u64 mine = stones[me], theirs = stones[me ^ 1], empty = ~(mine | theirs);
        counts[0] = counts[1] = 0;
#pragma GCC unroll 4
        for (int d = 0; d < 4; d++) {
            u64 x = mine;
#pragma GCC unroll 3
            for (int i = 0; i < 3; i++) {
                x = shift(shift(x, WAYS[d]) & INSIDE[d] & theirs, WAYS[d]) & INSIDE[d] & empty;
                const int at = 4 * i + d;
                sets[at] = x;
                counts[at >> 3] |= u64(__builtin_popcountll(x)) << (8 * (at & 7));
            }
        }
        sums[0] = counts[0] * ONES;
        sums[1] = (counts[1] + (sums[0] >> 56)) * ONES;
        return sums[1] >> 56;
    }

    void jump(u32 k) {
        const __m128i x = _mm_set_epi64x(sums[1], sums[0]);
        const u32 i = __builtin_popcount(_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8(char(k))), x)));
        const u32 half = i >> 3, by = 8 * (i & 7);
        k -= u8(sums[half] >> by) - u8(counts[half] >> by);
        const u64 to = kth(sets[i], k);
        const int back = -WAYS[i & 3];
        u64 at = to, taken = 0;
        for (u32 n = 0; n <= i >> 2; n++) {
            at = shift(at, back);
            taken |= at;
            at = shift(at, back);
        }
        stones[me] ^= at | to;
        stones[me ^ 1] ^= taken;
        me ^= 1;
    }

    void take(u32 k) {
        stones[me] ^= kth(opening(), k);
        me ^= 1;
        ply++;
    }

    int over() const { return 0; }
    u32 count() { return ply < 2 ? __builtin_popcountll(opening()) : jumps(); }
    bool make(u32 k) {
        ply < 2 ? take(k) : jump(k);
        return true;
    }
};

int main(int count, char** words) {
    return plays<State>(count, words, 1000, [](Random& random, u64& plies) {
        State s;
        for (int i = 0; i < 2; i++) s.take(random.below(s.count()));
        for (plies = 2;; plies++) {
            const u32 n = s.jumps();
            if (n == 0) return int(s.me ^ 1);
            s.jump(random.below(n));
        }
    });
}
