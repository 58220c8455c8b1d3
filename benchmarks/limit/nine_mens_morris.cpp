// Nine men's morris, flying, a draw after 100 quiet moves. The three squares are three bytes, eight points round each: a slide round is a
// rotation of all bytes, one inwards or outwards a shift by eight. Four sets of landings are two words. The men in mills
// are found for all points at once. Positions since the last capture are counted in a stamped table.
#include "plays.hpp"

static constexpr u32 ALL = 0xFFFFFF, MIDDLES = 0xAAAAAA;

static inline u32 round_on(u32 x) { return ((x << 1) & 0xFEFEFE) | ((x >> 7) & 0x010101); }
static inline u32 round_back(u32 x) { return ((x >> 1) & 0x7F7F7F) | ((x << 7) & 0x808080); }

static inline u32 in_mills(u32 x) {
    const u32 sides = x & round_on(x) & round_back(x) & MIDDLES;
    const u32 spokes = x & (x >> 8) & (x >> 16) & 0xAA;
    return sides | round_on(sides) | round_back(sides) | spokes | spokes << 8 | spokes << 16;
}

struct State {
    u32 men[2] = {0, 0}, me = 0, placed = 0, quiet = 0;
    bool taking = false, flying = false;
    u64 around = 0, across = 0;

    // Slides: round on and back, inwards and outwards.
    u32 slides() {
        const u32 m = men[me], empty = ALL & ~(m | men[me ^ 1]);
        flying = __builtin_popcount(m) == 3;
        if (flying) {
            around = empty;
            return 3 * __builtin_popcount(empty);
        }
        around = (round_on(m) & empty) | u64(round_back(m) & empty) << 32;
        const u32 spokes = m & MIDDLES;
        across = (spokes << 8 & empty) | u64(spokes >> 8 & empty) << 32;
        return __builtin_popcountll(around) + __builtin_popcountll(across);
    }

    // True when a mill is made.
    bool slide(u32 k) {
        u32 from, to;
        if (flying) {
            const u32 n = __builtin_popcountll(around);
            from = kth(men[me], k / n), to = kth(around, k % n);
        } else {
            const u32 n = __builtin_popcountll(around);
            const bool round = k < n;
            const u64 l = kth(round ? around : across, round ? k : k - n);
            const bool back = l >> 32;
            to = u32(l | l >> 32);
            from = round ? (back ? round_on(to) : round_back(to)) : (back ? to << 8 : to >> 8);
        }
        men[me] ^= from | to;
        quiet++;
        return in_mills(men[me]) & to;
    }

    u32 empties() const { return ALL & ~(men[0] | men[1]); }
    bool place(u32 k) {
        const u32 to = kth(empties(), k);
        men[me] |= to;
        placed++;
        return in_mills(men[me]) & to;
    }
    u32 safe_to_take() const {
        const u32 theirs = men[me ^ 1], open = theirs & ~in_mills(theirs);
        return open ? open : theirs;
    }
    void take(u32 k) {
        men[me ^ 1] ^= kth(safe_to_take(), k);
        quiet = 0;
    }

    int over() const { return placed == 18 && !taking && (__builtin_popcount(men[me]) < 3 || quiet >= 100); }
    u32 count() {
        if (taking) return __builtin_popcount(safe_to_take());
        return placed < 18 ? __builtin_popcount(empties()) : slides();
    }
    bool make(u32 k) {
        if (taking) take(k), taking = false;
        else taking = placed < 18 ? place(k) : slide(k);
        if (!taking) me ^= 1;
        return true;
    }
};

static Noted noted;

int main(int count, char** words) {
    return plays<State>(count, words, 500, [](Random& random, u64& plies) {
        State s;
        for (int i = 0; i < 18; i++, plies++, s.me ^= 1)
            if (s.place(random.below(__builtin_popcount(s.empties())))) {
                s.take(random.below(__builtin_popcount(s.safe_to_take())));
                plies++;
            }
        noted.forget();
        for (;; s.me ^= 1) {
            if (__builtin_popcount(s.men[s.me]) < 3) return int(s.me ^ 1);
            if (s.quiet >= 100 || noted.note(mix(s.men[0] | u64(s.men[1]) << 32, s.me), 3)) return -1;
            const u32 n = s.slides();
            if (n == 0) return int(s.me ^ 1);
            plies++;
            if (s.slide(random.below(n))) {
                s.take(random.below(__builtin_popcount(s.safe_to_take())));
                plies++;
                noted.forget();
            }
        }
    });
}
