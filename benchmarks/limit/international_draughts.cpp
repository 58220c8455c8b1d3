// International draughts. Two rows of five dark squares are eleven bits, one of which stays clear: so each of the four ways is one
// shift everywhere. Steps, flights of kings (fills) and jumps of many men at once are sets of landings, and the k-th is found without a list. Only if a
// man could go on jumping, or a king captures, are captures searched for the longest, and listed. A jump by a single piece is a
// ply, as in the ruleset. Positions since the last capture or man's move are counted in a stamped table.
#include "plays.hpp"

static constexpr u64 rows(int from, int to) {
    u64 found = 0;
    for (int y = from; y < to; y++) found |= 0x1Full << (11 * (y / 2) + 6 * (y & 1));
    return found;
}
static constexpr u64 BOARD = rows(0, 10), LAST[2] = {rows(9, 10), rows(0, 1)};

// Ways: up to the right, up to the left, and their opposites.
template <int way>
static inline u64 go(u64 x) {
    constexpr int by = way & 1 ? 5 : 6;
    return way < 2 ? x << by : x >> by;
}

struct Hop {
    u64 from, to, over;
};

struct State {
    u64 men[2] = {rows(0, 4), rows(6, 10)}, kings[2] = {0, 0};
    u64 jumped = 0, hopper = 0, sets[8];
    u32 before[8], need = 0, quiet = 0, me = 0, endings[2] = {0, 0}, found = 0;
    bool listed = false;
    Hop hops[64];

    // ------------------------------------------------------------------------- captures of more than one
    // Calls f(to, over) for the captures from c; `open`: the squares that are free for this piece.
    template <int way, class F>
    static void ways(u64 c, u64 open, u64 victims, bool king, F f) {
        u64 x = go<way>(c);
        if (king)
            while (x & open) x = go<way>(x);
        if (!(x & victims)) return;
        const u64 over = x;
        for (x = go<way>(x); x & open; x = go<way>(x)) {
            f(x, over);
            if (!king) return;
        }
    }
    template <class F>
    static void targets(u64 c, u64 open, u64 victims, bool king, F f) {
        ways<0>(c, open, victims, king, f), ways<1>(c, open, victims, king, f);
        ways<2>(c, open, victims, king, f), ways<3>(c, open, victims, king, f);
    }
    static u32 best(u64 c, u64 open, u64 victims, bool king) {
        u32 most = 0;
        targets(c, open, victims, king, [&](u64 to, u64 over) {
            const u32 n = 1 + best(to, open, victims & ~over, king);
            most = n > most ? n : most;
        });
        return most;
    }

    // Lists the captures of as many pieces as possible by these pieces; `need` becomes that number.
    __attribute__((noinline)) u32 longest(u64 pieces) {
        const u64 victims = (men[me ^ 1] | kings[me ^ 1]) & ~jumped;
        const u64 empty = BOARD & ~(men[0] | men[1] | kings[0] | kings[1]);
        need = found = 0, listed = true;
        for (; pieces; pieces &= pieces - 1) {
            const u64 from = pieces & -pieces, open = empty | from;
            const bool king = from & kings[me];
            targets(from, open, victims, king, [&](u64 to, u64 over) {
                const u32 n = 1 + best(to, open, victims & ~over, king);
                if (n < need) return;
                if (n > need) need = n, found = 0;
                hops[found++] = {from, to, over};
            });
        }
        return found;
    }

    // ----------------------------------------------------------------------------------- a turn's beginning
    template <int way>
    static u64 flights(u64 x, u64 empty) {
        u64 open = empty;
        constexpr int by = way & 1 ? 5 : 6;
        const auto shift = [](u64 y, int n) { return way < 2 ? y << n : y >> n; };
        x |= shift(x, by) & open, open &= shift(open, by);
        x |= shift(x, 2 * by) & open, open &= shift(open, 2 * by);
        x |= shift(x, 4 * by) & open, open &= shift(open, 4 * by);
        x |= shift(x, 8 * by < 63 ? 8 * by : 63) & open;
        return x;
    }
    // The pieces that jump this way, by where they land.
    template <int way>
    static u64 jumps(u64 x, u64 theirs, u64 empty) { return go<way>(go<way>(x) & theirs) & empty; }

    // True when some man that lands there can jump on, other than back.
    template <int way>
    static bool goes_on(u64 landed, u64 theirs, u64 empty) {
        constexpr int back = way ^ 2;
        u64 more = 0;
        if (back != 0) more |= jumps<0>(landed, theirs, empty);
        if (back != 1) more |= jumps<1>(landed, theirs, empty);
        if (back != 2) more |= jumps<2>(landed, theirs, empty);
        if (back != 3) more |= jumps<3>(landed, theirs, empty);
        return more != 0;
    }

    u32 sum(int n) {
        found = 0;
        for (int i = 0; i < 8; i++) before[i] = i < n ? found : ~0u, found += i < n ? __builtin_popcountll(sets[i]) : 0;
        return found;
    }

    template <int ME>
    u32 count_as() {
        const u64 m = men[ME], k = kings[ME], theirs = men[ME ^ 1] | kings[ME ^ 1], empty = BOARD & ~(m | k | theirs);
        listed = false, need = 0;
        sets[0] = jumps<0>(m, theirs, empty), sets[1] = jumps<1>(m, theirs, empty);
        sets[2] = jumps<2>(m, theirs, empty), sets[3] = jumps<3>(m, theirs, empty);
        if (k) {
            sets[4] = flights<0>(k, empty), sets[5] = flights<1>(k, empty);
            sets[6] = flights<2>(k, empty), sets[7] = flights<3>(k, empty);
            const u64 takes = jumps<0>(sets[4], theirs, empty) | jumps<1>(sets[5], theirs, empty) |
                              jumps<2>(sets[6], theirs, empty) | jumps<3>(sets[7], theirs, empty);
            if (takes) return longest(m | k);
        }
        if (sets[0] | sets[1] | sets[2] | sets[3]) {
            if (goes_on<0>(sets[0], theirs, empty) | goes_on<1>(sets[1], theirs, empty) |
                goes_on<2>(sets[2], theirs, empty) | goes_on<3>(sets[3], theirs, empty))
                return longest(m);
            need = 1;
            return sum(4);
        }
        constexpr int right = ME ? 2 : 0, left = ME ? 3 : 1;
        sets[0] = go<right>(m) & empty, sets[1] = go<left>(m) & empty;
        if (!k) return sum(2);
        sets[2] = sets[4] & empty, sets[3] = sets[5] & empty, sets[4] = sets[6] & empty, sets[5] = sets[7] & empty;
        return sum(6);
    }

    // ------------------------------------------------------------------------------------------- moves
    static u64 shifted(u64 x, u32 way, bool back) {
        const u32 by = way & 1 ? 5 : 6;
        return (way < 2) != back ? x << by : x >> by;
    }

    // The k-th from a list: true when the turn goes on.
    bool hop(u32 k) {
        const Hop h = hops[k];
        (h.from & kings[me] ? kings[me] : men[me]) ^= h.from | h.to;
        jumped |= h.over;
        quiet = 0;
        hopper = h.to;
        return --need != 0;
    }

    void finish(int who) {
        men[who ^ 1] &= ~jumped, kings[who ^ 1] &= ~jumped;
        const u64 crowned = men[who] & LAST[who];
        men[who] ^= crowned, kings[who] |= crowned;
        jumped = hopper = 0;
        me ^= 1;
    }

    template <int ME>
    bool make_as(u32 k) {
        if (listed) {
            if (hop(k)) return true;
            return finish(ME), false;
        }
        u32 i = 0;
        for (int j = 1; j < 6; j++) i += k >= before[j];
        const u64 to = kth(sets[i], k - before[i]);
        if (need) {
            jumped = shifted(to, i, true);
            men[ME] ^= to | shifted(jumped, i, true);
            need = quiet = 0;
        } else if (i < 2) {
            men[ME] ^= to | shifted(to, i + 2 * ME, true);
            quiet = 0;
        } else {
            u64 from = shifted(to, i - 2, true);
            while (!(from & kings[ME])) from = shifted(from, i - 2, true);
            kings[ME] ^= from | to;
            quiet++;
        }
        return finish(ME), false;
    }

    // A king alone against three pieces, or against one or two, with a king among them.
    void mind_endings() {
        for (int e = 0; e < 2; e++) {
            bool there = false;
            for (int p = 0; p < 2; p++) {
                const u32 n = __builtin_popcountll(men[p ^ 1] | kings[p ^ 1]);
                there |= !men[p] && __builtin_popcountll(kings[p]) == 1 && kings[p ^ 1] && (e ? n <= 2 : n == 3);
            }
            endings[e] += endings[e] || there;
        }
    }
    bool too_long() const { return quiet >= 50 || endings[0] > 32 || endings[1] > 10; }

    int over() const { return !need && too_long(); }
    u32 count() {
        if (need) return longest(hopper);
        return me ? count_as<1>() : count_as<0>();
    }
    bool make(u32 k) {
        if (!(me ? make_as<1>(k) : make_as<0>(k))) mind_endings();
        return true;
    }
};

static Noted noted;

// A turn; 0: goes on, 1: drawn, 2: stuck.
template <int ME>
static inline int turn(State& s, Random& random, u64& plies) {
    if (s.quiet == 0) noted.forget();
    const bool again = noted.note(mix(s.kings[0] + 0x1234567 * ME, s.kings[1]), 3);
    if (!s.men[0] | !s.men[1]) s.mind_endings();
    u32 n = s.count_as<ME>();
    if (n == 0) return 2;
    if (again || s.too_long()) return 1;
    plies++;
    while (s.make_as<ME>(random.below(n))) n = s.longest(s.hopper), plies++;
    return 0;
}

int main(int count, char** words) {
    return plays<State>(count, words, 1000, [](Random& random, u64& plies) {
        State s;
        for (;;) {
            if (const int end = turn<0>(s, random, plies)) return end == 1 ? -1 : 1;
            if (const int end = turn<1>(s, random, plies)) return end == 1 ? -1 : 0;
        }
    });
}
