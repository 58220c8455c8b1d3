// English draughts. No list of moves: the steps (or jumps) of many pieces at once are a shift and two `and`s, one set of
// landings a direction. Landings lie on dark squares, so those of the second direction are moved by one square, onto
// light ones: two directions are one word, the count two popcounts, the k-th one pdep. Wraps round the edge land
// on light squares, and vanish with the mask of empty dark ones. A jump by a single piece is a ply, as in the ruleset.
// Positions since the last capture or man's move are counted in a stamped table.
#include "plays.hpp"

#include <bit>
#include <initializer_list>

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

#ifdef __AVX2__
// Lockstep: four plays a vector, one a lane, with sets of the mover's and of the rival's pieces. A lane goes up or down by the
// amounts of its shifts, so lanes of both players are one vector, and a lane that goes on jumping just keeps its player.
// Only the draw, by popcnt and pdep, and the counting of positions go lane by lane.
using V = __m256i;
static constexpr int VECTORS = 4;

static inline V all(u64 x) { return _mm256_set1_epi64x(int64_t(x)); }
static inline V no(V x) { return _mm256_cmpeq_epi64(x, _mm256_setzero_si256()); }
static inline V word_of(const u64 (&x)[4]) { return _mm256_set_epi64x(x[3], x[2], x[1], x[0]); }
static inline V pick(V mask, V a, V b) { return _mm256_blendv_epi8(b, a, mask); }

// Shifts by n, upwards where the lane's mask is set, downwards elsewhere.
struct Way {
    V up, down;
    Way(V rising, V n) : up(pick(rising, n, all(64))), down(pick(rising, all(64), n)) {}
    Way(V a, V b, int) : up(a), down(b) {}
    V operator()(V x) const { return _mm256_sllv_epi64(x, up) | _mm256_srlv_epi64(x, down); }
    Way back() const { return {down, up, 0}; }
};

struct Lanes {
    alignas(32) u64 ahead[4], back[4];
    V men, kings, their_men, their_kings, hopper, quiet, up, kings_before, their_kings_before, up_before;
    u64 plies[4];

    void begin(int lane) {
        const State s;
        ((u64*)&men)[lane] = s.men[0], ((u64*)&their_men)[lane] = s.men[1];
        for (V* v : {&kings, &their_kings, &hopper, &quiet}) ((u64*)v)[lane] = 0;
        ((u64*)&up)[lane] = ~0ull;
        plies[lane] = 0;
    }
};

// The two directions that go ahead, or back.
struct Ways {
    Way nine, seven, one;
    explicit Ways(V up) : nine(up, all(9)), seven(up, all(7)), one(up, all(1)) {}
    Ways(Way a, Way b, Way c) : nine(a), seven(b), one(c) {}
    Ways back() const { return {nine.back(), seven.back(), one.back()}; }
};
struct Landings {
    V nine, seven;
    Landings(const Ways& w, V from) : nine(w.nine(from)), seven(w.seven(from)) {}
    Landings(V a, V b) : nine(a), seven(b) {}
    Landings within(V x) const { return {nine & x, seven & x}; }
    Landings jumps(const Ways& w, V t, V e) const { return {w.nine(nine & t) & e, w.seven(seven & t) & e}; }
    V any() const { return nine | seven; }
    Landings or_else(V mask, const Landings& other) const { return {pick(mask, nine, other.nine), pick(mask, seven, other.seven)}; }
    V word(const Ways& w) const { return nine | w.one(seven); }
};

static inline u64 hash_of(const V& kings, const V& their_kings, const V& up, int lane) {
    return mix(((const u64*)&kings)[lane] + 0x1234567 * ((const u64*)&up)[lane], ((const u64*)&their_kings)[lane]);
}

// A turn after `quiet` quiet ones begins: true when it is a draw. A position after none is noted only when a quiet move has followed.
__attribute__((noinline)) static bool drawn(const Lanes& s, int lane, u64 quiet, Noted& positions) {
    if (quiet == 1) {
        positions.forget();
        positions.note(hash_of(s.kings_before, s.their_kings_before, s.up_before, lane), 3);
    }
    return quiet >= 80 || positions.note(hash_of(s.kings, s.their_kings, s.up, lane), 3);
}

static inline void step(Lanes& s, Random& random, Noted* positions, Tally& tally) {
    const V dark = all(DARK);
    const Ways ways(s.up), ways_back = ways.back();
    V t = s.their_men | s.their_kings, pieces = s.men | s.kings, e = _mm256_andnot_si256(pieces | t, dark);
    const V from = pick(no(s.hopper), pieces, s.hopper);
    // A piece in the middle of its jumps can jump, so steps of others are not asked for.
    const Landings near_ahead(ways, from), near_back(ways_back, from & s.kings);
    const Landings ahead = near_ahead.jumps(ways, t, e), back = near_back.jumps(ways_back, t, e);
    const V quietly = no(ahead.any() | back.any());
    _mm256_store_si256((V*)s.ahead, near_ahead.within(e).or_else(quietly, ahead).word(ways));
    _mm256_store_si256((V*)s.back, near_back.within(e).or_else(quietly, back).word(ways_back));
    u64 ends = 0, landed[4], ahead_too[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        const u64 a = s.ahead[i], b = s.back[i];
        const u32 here = u32(__builtin_popcountll(a)), n = here + u32(__builtin_popcountll(b)), k = random.below(n);
        const u64 forward = u64(int64_t(int(k - here)) >> 63);
        landed[i] = kth(b ^ ((a ^ b) & forward), k - (here & ~u32(forward)));
        ahead_too[i] = forward;
        s.plies[i]++;
        const u64 quiet = ((const u64*)&s.quiet)[i];
        const bool draw = quiet && drawn(s, i, quiet, positions[i]);
        ends |= u64(draw) << i | u64(n == 0) << (4 + i);
    }
    const V forward = word_of(ahead_too), rising = _mm256_cmpeq_epi64(forward, s.up);
    V to = word_of(landed);
    const V first = no(to & all(LIGHT));
    to = pick(first, to, Way(_mm256_andnot_si256(rising, all(~0ull)), all(1))(to));
    const Way origin(_mm256_andnot_si256(rising, all(~0ull)), pick(first, all(9), all(7)));
    const V near = origin(to), taken = _mm256_andnot_si256(quietly, near), start = pick(quietly, near, origin(near));
    s.their_men = _mm256_andnot_si256(taken, s.their_men), s.their_kings = _mm256_andnot_si256(taken, s.their_kings);
    s.kings_before = s.kings, s.their_kings_before = s.their_kings, s.up_before = s.up;
    const V man = no(s.kings & start), stays = no(to & pick(s.up, all(TOP), all(BOTTOM))), crowned = _mm256_andnot_si256(stays, man);
    const V both = start | to;
    s.men = s.men ^ (man & pick(crowned, start, both));
    s.kings = s.kings ^ pick(man, crowned & to, both);
    s.quiet = _mm256_and_si256(_mm256_andnot_si256(man, quietly), _mm256_add_epi64(s.quiet, all(1)));
    t = s.their_men | s.their_kings, e = _mm256_andnot_si256(s.men | s.kings | t, dark);
    const V more = Landings(ways, to).jumps(ways, t, e).any() | Landings(ways_back, to & s.kings).jumps(ways_back, t, e).any();
    s.hopper = _mm256_andnot_si256(no(more) | quietly | crowned, to);
    const V next = no(s.hopper), men = s.men, kings = s.kings;
    s.men = pick(next, s.their_men, men), s.their_men = pick(next, men, s.their_men);
    s.kings = pick(next, s.their_kings, kings), s.their_kings = pick(next, kings, s.their_kings);
    s.up = s.up ^ next;
    if (__builtin_expect(ends, 0))
        for (int i = 0; i < 4; i++) {
            const bool draw = ends >> i & 1, stuck = ends >> (4 + i) & 1;
            if (!(draw | stuck)) continue;
            // A lane without a move has changed its player.
            tally.add(draw ? -1 : ((const u64*)&s.up)[i] ? 0 : 1, s.plies[i] - 1);
            s.begin(i);
        }
}

static int lockstep(const Call& call) {
    Random random(call.seed);
    static Lanes lanes[VECTORS];
    static Noted positions[VECTORS][4];
    for (Lanes& s : lanes)
        for (int i = 0; i < 4; i++) s.begin(i);
    return report(call.seconds, [&](Tally& tally) {
        for (int i = 0; i < 10000; i++)
            for (int v = 0; v < VECTORS; v++) step(lanes[v], random, positions[v], tally);
    });
}
#else
static constexpr auto lockstep = no_lockstep;
#endif

int main(int count, char** words) {
    return plays<State>(count, words, 2000, [](Random& random, u64& plies) {
        State s;
        for (;;) {
            if (const int end = turn<true>(s, random, plies)) return end == 1 ? -1 : 1;
            if (const int end = turn<false>(s, random, plies)) return end == 1 ? -1 : 0;
        }
    }, lockstep);
}
