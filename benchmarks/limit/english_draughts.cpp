// English draughts. No list of moves: the steps (or jumps) of many pieces at once are a shift and two `and`s, one set of
// landings a direction. Landings lie on dark squares, so those of the second direction are moved by one square, onto
// light ones: two directions are one word, the count two popcounts, the k-th one pdep. Wraps round the edge land
// on light squares, and vanish with the mask of empty dark ones. A jump by a single piece is a ply, as in the ruleset.
// Positions since the last capture or man's move are counted in a stamped table.
#include "plays.hpp"

#include <bit>

static constexpr u64 DARK = 0xAA55AA55AA55AA55ull, LIGHT = ~DARK, TOP = 0xFFull << 56, BOTTOM = 0xFF;

template <bool up, int n>
static inline u64 go(u64 x) { return up ? x << n : x >> n; }

struct State {
    u64 men[2] = {0x000000000055AA55ull, 0xAA55AA0000000000ull}, kings[2] = {0, 0};
    u64 ahead = 0, back = 0, hopper = 0;
    u32 quiet = 0;
    bool jumping = false, white = false;

    template <bool up>
    static u64 jumps(u64 x, u64 t, u64 e) {
        const u64 a = go<up, 9>(go<up, 9>(x) & t) & e, b = go<up, 7>(go<up, 7>(x) & t) & e;
        return a | go<up, 1>(b);
    }
    template <bool up>
    static u64 steps(u64 x, u64 e) { return (go<up, 9>(x) & e) | go<up, 1>(go<up, 7>(x) & e); }

    // How many candidates; all are legal.
    template <bool up>
    u32 count_as() {
        const u64 m = men[!up], k = kings[!up], t = men[up] | kings[up], e = DARK & ~(m | k | t);
        const u64 from = hopper ? hopper : m | k;
        ahead = jumps<up>(from, t, e), back = jumps<!up>(from & k, t, e);
        jumping = (ahead | back) != 0;
        if (!jumping) ahead = steps<up>(m | k, e), back = k ? steps<!up>(k, e) : 0;
        return __builtin_popcountll(ahead) + __builtin_popcountll(back);
    }

    // Makes the k-th; true when the turn goes on.
    template <bool up>
    bool make_as(u32 k) {
        const u32 n = __builtin_popcountll(ahead);
        const bool forward = k < n;
        u64 l = kth(forward ? ahead : back, forward ? k : k - n);
        const bool second = l & LIGHT, rising = forward == up;
        // Back to the landing, the square jumped over and the origin, all by rotations.
        l = std::rotl(l, second ? (rising ? 63 : 1) : 0);
        const u32 by = rising ? (second ? 57 : 55) : (second ? 7 : 9);
        const u64 near = std::rotl(l, by);
        if (!jumping) return move<up>(near, l), false;
        const u64 from = std::rotl(near, by);
        men[up] &= ~near;
        kings[up] &= ~near;
        quiet = 0;
        if (move<up>(from, l)) return hopper = 0, false;
        const u64 t = men[up] | kings[up], e = DARK & ~(men[!up] | kings[!up] | t);
        const u64 more = jumps<up>(l, t, e) | jumps<!up>(l & kings[!up], t, e);
        hopper = more ? l : 0;
        return more != 0;
    }

    // True when a man is crowned.
    template <bool up>
    bool move(u64 from, u64 to) {
        const bool king = kings[!up] & from, crowned = !king && (to & (up ? TOP : BOTTOM));
        quiet = king & !jumping ? quiet + 1 : 0;
        const u64 both = from | to;
        men[!up] ^= king ? 0 : (crowned ? from : both);
        kings[!up] ^= king ? both : (crowned ? to : 0);
        return crowned;
    }

    bool over() const { return quiet >= 80; }
    u32 count() { return white ? count_as<false>() : count_as<true>(); }
    bool make(u32 k) {
        const bool on = white ? make_as<false>(k) : make_as<true>(k);
        if (!on) white = !white;
        return true;
    }
};

static Noted noted;

// A turn; 0: goes on, 1: drawn, 2: stuck.
template <bool up>
static inline int turn(State& s, Random& random, u64& plies) {
    if (s.quiet == 0) noted.forget();
    if (s.quiet >= 80 || noted.note(mix(s.kings[0] + 0x1234567 * up, s.kings[1]), 3)) return 1;
    u32 n = s.count_as<up>();
    if (n == 0) return 2;
    plies++;
    while (s.make_as<up>(random.below(n))) n = s.count_as<up>(), plies++;
    return 0;
}

int main(int count, char** words) {
    return plays<State>(count, words, 2000, [](Random& random, u64& plies) {
        State s;
        for (;;) {
            if (const int end = turn<true>(s, random, plies)) return end == 1 ? -1 : 1;
            if (const int end = turn<false>(s, random, plies)) return end == 1 ? -1 : 0;
        }
    });
}
