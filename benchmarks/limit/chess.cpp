// Chess, with repetition, fifty moves and dead positions as draws. No list of moves: a set of landings a direction, 28 sets;
// slides of four directions at once are Kogge-Stone fills in one vector. The counts are bytes, their running sums
// products, so the set of the k-th move is found without a branch, and the origin is the next piece the way back. A move is drawn first
// and asked for its own king's safety afterwards; a refused one is taken out of its set. Six kinds of pieces and two
// sides are eight words: any usual move changes all eight alike, without a branch.
#include "plays.hpp"

enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, WHITE, BLACK };
enum { KNIGHTS = 8, ONE = 16, TWO, TAKE_A, TAKE_B, KINGS, PASS_A, PASS_B, SHORT, LONG, RISE, RISE_A, RISE_B, SETS };

static constexpr u64 A = 0x0101010101010101ull, H = A << 7, ALL = ~0ull;
// Directions: n e s w, ne nw sw se; squares that can be reached by a step that way.
static constexpr u64 LEFT[8] = {8, 1, 64, 64, 9, 7, 64, 64}, RIGHT[8] = {64, 64, 8, 1, 64, 64, 9, 7};
static constexpr u64 INSIDE[8] = {ALL, ~A, ALL, ~H, ~A, ~H, ~H, ~A};
static constexpr int LEAP[8] = {17, 10, -6, -15, -17, -10, 6, 15};
static constexpr u64 LANDS[8] = {~A, ~(A | A << 1), ~(A | A << 1), ~A, ~H, ~(H | H >> 1), ~(H | H >> 1), ~H};

static inline u64 shift(u64 x, int by) { return by > 0 ? x << by : x >> -by; }

struct Tables {
    u64 ray[8][64], knight[64], king[64];
    constexpr Tables() : ray(), knight(), king() {
        for (int s = 0; s < 64; s++) {
            for (int d = 0; d < 8; d++) {
                u64 x = 1ull << s;
                for (int i = 0; i < 7; i++) {
                    x = (LEFT[d] < 64 ? x << LEFT[d] : x >> RIGHT[d]) & INSIDE[d];
                    ray[d][s] |= x;
                    if (i == 0) king[s] |= x;
                }
                const u64 one = 1ull << s;
                knight[s] |= (LEAP[d] > 0 ? one << LEAP[d] : one >> -LEAP[d]) & LANDS[d];
            }
        }
    }
};
static constexpr Tables TABLES;

// What sliders reach in four directions, blockers included.
static inline void fill(u64 from, u64 empty, int first, u64* to) {
#ifdef __AVX2__
    const __m256i l = _mm256_loadu_si256((const __m256i*)(LEFT + first)), r = _mm256_loadu_si256((const __m256i*)(RIGHT + first));
    const __m256i inside = _mm256_loadu_si256((const __m256i*)(INSIDE + first));
    const auto move = [](__m256i x, __m256i l, __m256i r) {
        return _mm256_or_si256(_mm256_sllv_epi64(x, l), _mm256_srlv_epi64(x, r));
    };
    __m256i x = _mm256_set1_epi64x(from), open = _mm256_and_si256(_mm256_set1_epi64x(empty), inside);
    x = _mm256_or_si256(x, _mm256_and_si256(open, move(x, l, r)));
    open = _mm256_and_si256(open, move(open, l, r));
    const __m256i l2 = _mm256_add_epi64(l, l), r2 = _mm256_add_epi64(r, r);
    x = _mm256_or_si256(x, _mm256_and_si256(open, move(x, l2, r2)));
    open = _mm256_and_si256(open, move(open, l2, r2));
    x = _mm256_or_si256(x, _mm256_and_si256(open, move(x, _mm256_add_epi64(l2, l2), _mm256_add_epi64(r2, r2))));
    _mm256_storeu_si256((__m256i*)to, _mm256_and_si256(move(x, l, r), inside));
#else
    for (int i = 0; i < 4; i++) {
        const int d = first + i, by = LEFT[d] < 64 ? int(LEFT[d]) : -int(RIGHT[d]);
        u64 x = from, open = empty & INSIDE[d];
        x |= open & shift(x, by), open &= shift(open, by);
        x |= open & shift(x, 2 * by), open &= shift(open, 2 * by);
        x |= open & shift(x, 4 * by);
        to[i] = shift(x, by) & INSIDE[d];
    }
#endif
}

struct State {
    alignas(32) u64 w[8] = {0x00FF00000000FF00ull, 0x4200000000000042ull, 0x2400000000000024ull, 0x8100000000000081ull,
                            0x0800000000000008ull, 0x1000000000000010ull, 0xFFFFull, 0xFFFFull << 48};
    u64 passed = 0;               // the square behind a pawn that has just gone two
    u32 rights = 15, quiet = 0;  // white short, white long, black short, black long
    bool black = false;
    alignas(32) u64 set[SETS];
    u64 counts[4], sums[4];

    template <bool W>
    bool attacked(u64 square) const {
        const int s = __builtin_ctzll(square);
        const u64 theirs = w[W ? BLACK : WHITE], empty = ~(w[WHITE] | w[BLACK]);
        const u64 pawns = W ? ((square & ~H) << 9 | (square & ~A) << 7) : ((square & ~A) >> 9 | (square & ~H) >> 7);
        alignas(32) u64 t[8];
        fill(square, empty, 0, t);
        fill(square, empty, 4, t + 4);
        const u64 straight = t[0] | t[1] | t[2] | t[3], slanting = t[4] | t[5] | t[6] | t[7];
        return (((straight & (w[ROOK] | w[QUEEN])) | (slanting & (w[BISHOP] | w[QUEEN])) | (TABLES.knight[s] & w[KNIGHT]) |
                 (TABLES.king[s] & w[KING]) | (pawns & w[PAWN])) & theirs) != 0;
    }

    template <bool W>
    bool in_check() const { return attacked<W>(w[KING] & w[W ? WHITE : BLACK]); }

    // Candidates: a set for each direction.
    template <bool W>
    u32 candidates() {
        const u64 mine = w[W ? WHITE : BLACK], theirs = w[W ? BLACK : WHITE], empty = ~(mine | theirs);
        fill((w[ROOK] | w[QUEEN]) & mine, empty, 0, set);
        fill((w[BISHOP] | w[QUEEN]) & mine, empty, 4, set + 4);
#pragma GCC unroll 8
        for (int d = 0; d < 8; d++) set[d] &= ~mine;
        const u64 knights = w[KNIGHT] & mine, pawns = w[PAWN] & mine;
#pragma GCC unroll 8
        for (int d = 0; d < 8; d++) set[KNIGHTS + d] = shift(knights, LEAP[d]) & LANDS[d] & ~mine;
        const u64 last = W ? 0xFFull << 56 : 0xFF, third = W ? 0xFFull << 16 : 0xFFull << 40;
        const u64 a = W ? (pawns & ~A) << 7 : (pawns & ~A) >> 9, b = W ? (pawns & ~H) << 9 : (pawns & ~H) >> 7;
        const u64 one = (W ? pawns << 8 : pawns >> 8) & empty, two = one & third;
        set[ONE] = one & ~last, set[RISE] = one & last;
        set[TWO] = (W ? two << 8 : two >> 8) & empty;
        set[TAKE_A] = a & theirs & ~last, set[RISE_A] = a & theirs & last;
        set[TAKE_B] = b & theirs & ~last, set[RISE_B] = b & theirs & last;
        set[PASS_A] = a & passed, set[PASS_B] = b & passed;
        const u64 king = w[KING] & mine;
        set[KINGS] = TABLES.king[__builtin_ctzll(king)] & ~mine;
        const u64 way_short = W ? 0x60 : 0x60ull << 56, way_long = W ? 0x0E : 0x0Eull << 56;
        const u32 own = W ? rights : rights >> 2;
        set[SHORT] = (own & 1) && !(way_short & ~empty) ? (W ? king << 2 : king << 2) : 0;
        set[LONG] = (own & 2) && !(way_long & ~empty) ? king >> 2 : 0;
#pragma GCC unroll 4
        for (int j = 0; j < 4; j++) {
            u64 word = 0;
#pragma GCC unroll 8
            for (int i = 8 * j; i < 8 * j + 8 && i < SETS; i++) {
                const u64 n = __builtin_popcountll(set[i]);
                word |= (i < RISE ? n : 4 * n) << (8 * (i & 7));
            }
            counts[j] = word;
        }
        return sum();
    }

    // The running sums of the counts: a byte a set, four words.
    u32 sum() {
        const u64 ones = 0x0101010101010101ull;
        sums[0] = counts[0] * ones;
#pragma GCC unroll 4
        for (int j = 1; j < 4; j++) sums[j] = (counts[j] + (sums[j - 1] >> 56)) * ones;
        return sums[3] >> 56;
    }

    // The set that holds candidate k, and what is left of k within it.
    u32 find(u32& k) const {
        u32 i = 0;
#ifdef __AVX2__
        const __m256i x = _mm256_set_epi64x(sums[3], sums[2], sums[1], sums[0]);
        i = __builtin_popcount(_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(x, _mm256_set1_epi8(char(k))), x)));
#else
        while (u8(sums[i >> 3] >> (8 * (i & 7))) <= k) i++;
#endif
        k -= u8(sums[i >> 3] >> (8 * (i & 7))) - u8(counts[i >> 3] >> (8 * (i & 7)));
        return i;
    }

    void change(u64 from, u64 to) {
        const u64 both = from | to;
        for (int i = 0; i < 8; i++) {
            const u64 m = w[i] & from ? both : 0;
            w[i] = (w[i] & ~to) ^ m;
        }
    }

    // Makes candidate k of set i. False when it leaves the own king in check: then the state is spoilt.
    template <bool W>
    bool go(u32 i, u32 k) {
        const u64 mine = w[W ? WHITE : BLACK], occupied = w[WHITE] | w[BLACK];
        const u64 to = kth(set[i], i >= RISE ? k >> 2 : k);
        u64 from;
        if (i < 8) {
            const u64 back = TABLES.ray[i ^ 2][__builtin_ctzll(to)] & occupied;
            from = LEFT[i] < 64 ? 1ull << (63 - __builtin_clzll(back)) : back & -back;
        } else if (i < ONE) {
            from = shift(to, -LEAP[i - KNIGHTS]);
        } else if (i == KINGS || i == SHORT || i == LONG) {
            from = w[KING] & mine;
        } else {
            static constexpr int BACK[SETS] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 16, 7, 9, 0, 7, 9, 0, 0, 8, 7, 9};
            static constexpr int FORTH[SETS] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 16, 9, 7, 0, 9, 7, 0, 0, 8, 9, 7};
            from = W ? to >> BACK[i] : to << FORTH[i];
        }
        quiet = (w[PAWN] & from) | (occupied & to) ? 0 : quiet + 1;
        if (i >= PASS_A) special<W>(i, k, from, to, mine);
        else change(from, to);
        passed = i == TWO ? (W ? to >> 8 : to << 8) : 0;
        const u64 touched = from | to;
        rights &= ~(touched & 0x90 ? 1u : 0) & ~(touched & 0x11 ? 2u : 0) & ~(touched & 0x90ull << 56 ? 4u : 0) & ~(touched & 0x11ull << 56 ? 8u : 0);
        black = W;
        return !in_check<W>() && safe;
    }

    bool safe = true;  // the way of a castling king

    template <bool W>
    __attribute__((noinline)) void special(u32 i, u32 k, u64 from, u64 to, u64 mine) {
        if (i == PASS_A || i == PASS_B) {
            change(from, to);
            const u64 taken = W ? to >> 8 : to << 8;
            w[PAWN] &= ~taken, w[W ? BLACK : WHITE] &= ~taken;
        } else if (i == SHORT || i == LONG) {
            const u64 over = i == SHORT ? from << 1 : from >> 1;
            safe = !attacked<W>(from) && !attacked<W>(over) && !attacked<W>(to);
            change(from, to);
            change(i == SHORT ? from << 3 : from >> 4, over);
        } else {
            change(from, to);
            w[PAWN] &= ~to;
            w[KNIGHT + (k & 3)] |= to;
        }
    }

    void take_out(u32 i, u32 k) {
        set[i] ^= kth(set[i], i >= RISE ? k >> 2 : k);
        counts[i >> 3] -= (i >= RISE ? 4ull : 1ull) << (8 * (i & 7));
    }

    bool dead() const {
        if (w[PAWN] | w[ROOK] | w[QUEEN]) return false;
        const u64 minor = w[KNIGHT] | w[BISHOP], dark = 0xAA55AA55AA55AA55ull;
        return __builtin_popcountll(minor) <= 1 || (!w[KNIGHT] && (!(w[BISHOP] & dark) || !(w[BISHOP] & ~dark)));
    }

    u64 hash() const {
        return mix(w[KNIGHT] + passed, w[BISHOP]) + mix(w[ROOK] + rights, w[QUEEN] + black) * 3 + mix(w[KING], w[WHITE]) * 5;
    }

    bool over() const { return dead() || quiet >= 100; }
    u32 count() { return black ? candidates<false>() : candidates<true>(); }
    bool make(u32 k) {
        const u32 i = find(k);
        safe = true;
        return black ? go<false>(i, k) : go<true>(i, k);
    }
};

static Noted noted;

// A ply; 0: goes on, 1: drawn, 2: mated.
template <bool W>
static inline int ply(State& s, Random& random) {
    u32 n = s.candidates<W>();
    if (s.quiet == 0) {
        noted.forget();
        if (s.passed) {  // does it belong to the position?
            bool can = false;
            for (u32 i = PASS_A; i <= PASS_B; i++) {
                State t = s;
                can |= s.set[i] && t.go<W>(i, 0);
            }
            if (!can) {
                s.passed = 0;
                for (u32 i = PASS_A; i <= PASS_B; i++)
                    if (s.set[i]) s.take_out(i, 0);
                n = s.sum();
            }
        }
    }
    if (noted.note(s.hash(), 3) || s.dead()) return 1;
    alignas(32) u64 kept[8];
    memcpy(kept, s.w, sizeof kept);
    const u64 passed = s.passed;
    const u32 rights = s.rights, quiet = s.quiet;
    while (n) {
        u32 k = random.below(n);
        const u32 i = s.find(k);
        if (s.go<W>(i, k)) return quiet >= 100;
        memcpy(s.w, kept, sizeof kept);
        s.passed = passed, s.rights = rights, s.quiet = quiet, s.safe = true;
        s.take_out(i, k);
        n = s.sum();
    }
    return s.in_check<W>() ? 2 : 1;
}

int main(int count, char** words) {
    return plays<State>(count, words, 100, [](Random& random, u64& plies) {
        State s;
        for (;; plies++) {
            if (const int end = ply<true>(s, random)) return end == 1 ? -1 : 1;
            plies++;
            if (const int end = ply<false>(s, random)) return end == 1 ? -1 : 0;
        }
    });
}
