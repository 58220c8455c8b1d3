// Brandub, seven by seven, rows of eight bits of which one stays clear. Slides of all pieces at once are fills of the empty squares: what a direction
// reaches has one origin, so there is a set of landings a direction, and the way back is the nearest piece. Castle and corners
// are looked at only when the king stands in line with them. Positions since the last capture are counted in a stamped table.
#include "plays.hpp"

static constexpr u64 at(int x, int y) { return 1ull << (8 * y + x); }
static constexpr u64 BOARD = 0x007F7F7F7F7F7F7Full, CASTLE = at(3, 3), CORNERS = at(0, 0) | at(6, 0) | at(0, 6) | at(6, 6),
                     BESIDE = at(2, 3) | at(4, 3) | at(3, 2) | at(3, 4), COLUMN = 0x0001010101010101ull,
                     IN_LINE = 0x7F | 0x7Full << 24 | 0x7Full << 48 | COLUMN | COLUMN << 3 | COLUMN << 6;

// Ways: up, right, down, left.
template <int way, int n = 1>
static inline u64 go(u64 x) {
    constexpr int by = (way & 1 ? 1 : 8) * n;
    return way < 2 ? x << by : x >> by;
}

// The squares of `empty` that a slide from `x` reaches; a way is at most six long.
template <int way>
static inline u64 slides(u64 x, u64 empty) {
    u64 open = empty;
    x |= go<way>(x) & open, open &= go<way>(open);
    x |= go<way, 2>(x) & open, open &= go<way, 2>(open);
    x |= go<way, 4>(x) & open;
    return x & empty;
}

static inline u64 neighbors(u64 x) { return (x << 1 | x >> 1 | x << 8 | x >> 8) & BOARD; }

struct State {
    u64 men[2] = {at(3, 0) | at(3, 1) | at(3, 5) | at(3, 6) | at(0, 3) | at(1, 3) | at(5, 3) | at(6, 3), BESIDE};
    u64 king = CASTLE, sets[4];
    u32 me = 0, quiet = 0, before[4];

    template <int way>
    void reach(u64 pieces, u64 empty, u64 ends) {
        u64 found = slides<way>(pieces, empty) & BOARD & ~(CASTLE | CORNERS);
        if (ends) found |= slides<way>(king, empty) & ends;
        sets[way] = found;
    }

    template <int ME>
    u32 count_as() {
        const u64 pieces = ME ? men[1] | king : men[0], empty = BOARD & ~(men[0] | men[1] | king);
        const u64 ends = ME && (king & IN_LINE) ? (CASTLE | CORNERS) & empty : 0;
        reach<0>(pieces, empty, ends), reach<1>(pieces, empty, ends), reach<2>(pieces, empty, ends), reach<3>(pieces, empty, ends);
        u32 n = 0;
        for (int w = 0; w < 4; w++) before[w] = n, n += __builtin_popcountll(sets[w]);
        return n;
    }

    // The piece that comes to a landing by the way.
    static u64 origin(u64 pieces, u64 to, u32 way) {
        const u32 c = __builtin_ctzll(to);
        const u64 line = way & 1 ? 0x7Full << (c & 56) : COLUMN << (c & 7);
        if (way >= 2) return pieces & line & -(to << 1) & -(pieces & line & -(to << 1));
        return 1ull << (63 - __builtin_clzll(pieces & line & (to - 1)));
    }

    // True when a man is taken.
    template <int ME>
    bool make_as(u32 k) {
        const u32 way = (k >= before[1]) + (k >= before[2]) + (k >= before[3]);
        const u64 to = kth(sets[way], k - before[way]);
        const u64 from = origin(ME ? men[1] | king : men[0], to, way);
        const bool royal = ME && (from & king);
        (royal ? king : men[ME]) ^= from | to;
        const u64 all = men[0] | men[1] | king;
        const u64 walls = men[ME] | (ME ? king : 0) | CORNERS | (CASTLE & ~all);
        const u64 pinched = (to << 1 & walls >> 1) | (to >> 1 & walls << 1) | (to << 8 & walls >> 8) | (to >> 8 & walls << 8);
        const u64 taken = pinched & men[ME ^ 1];
        men[ME ^ 1] ^= taken;
        if (!ME) {
            const bool guarded = king & (CASTLE | BESIDE);
            const u64 round = neighbors(king);
            const bool falls = guarded ? (round & to) && !(round & ~(men[0] | CASTLE)) : (king & pinched) != 0;
            if (falls) king = 0;
        }
        quiet = taken ? 0 : quiet + 1;
        return taken != 0;
    }

    int over() const { return !king || (king & CORNERS) || quiet >= 100; }
    u32 count() { return me ? count_as<1>() : count_as<0>(); }
    bool make(u32 k) {
        me ? make_as<1>(k) : make_as<0>(k);
        me ^= 1;
        return true;
    }
};

static Noted noted;

// A turn; 0: goes on, 1: drawn, 2: stuck, 3: won.
template <int ME>
static inline int turn(State& s, Random& random, u64& plies) {
    if (s.quiet >= 100 || noted.note(mix(s.men[0] | u64(__builtin_ctzll(s.king)) << 56, s.men[1] << 1 | ME), 3)) return 1;
    const u32 n = s.count_as<ME>();
    if (n == 0) return 2;
    plies++;
    if (s.make_as<ME>(random.below(n))) noted.forget();
    return (ME ? (s.king & CORNERS) != 0 : !s.king) ? 3 : 0;
}

int main(int count, char** words) {
    return plays<State>(count, words, 1000, [](Random& random, u64& plies) {
        State s;
        noted.forget();
        for (;;) {
            if (const int end = turn<0>(s, random, plies)) return end == 1 ? -1 : end == 2;
            if (const int end = turn<1>(s, random, plies)) return end == 1 ? -1 : end == 3;
        }
    });
}
