// Reversi, 8 by 8; who can't move passes, the play ends when neither can.
//
// Scalar: one play, with the eight directions in the lanes of a vector. Moves: three doubling steps of "rival discs beyond
// mine" (Kogge and Stone). Flips: no steps at all: along the four upward rays of the square a carry runs through the rival
// discs to the first other square, along the downward rays a count of leading zeros finds it. The boards stay spread over
// all lanes, so only the mask of moves and the drawn square cross between vector and scalar registers. Choice by pdep.
// The whole chain from ply to ply is about 70 cycles; nothing runs beside it.
//
// Lockstep: 8 plays a vector, one a lane, several vectors in turn. The rays come from the drawn square by shifts and a
// look-up of the diagonals in registers. East is an addition. A lane without a move passes, twice: counted and begun anew.
#include <utility>

#include "lanes.hpp"

static constexpr u64 A_FILE = 0x0101010101010101ull, H_FILE = A_FILE << 7, INNER = ~(A_FILE | H_FILE);
static constexpr u64 BLACK = 1ull << 28 | 1ull << 35, WHITE = 1ull << 27 | 1ull << 36;

struct Rays {
    alignas(64) u64 of[64][8];  // up: 1, 7, 8, 9; down: the same
    constexpr Rays() : of() {
        const int across[4] = {1, -1, 0, 1}, along[4] = {0, 1, 1, 1};
        for (int square = 0; square < 64; square++)
            for (int d = 0; d < 8; d++) {
                const int sign = d < 4 ? 1 : -1;
                int x = square % 8 + sign * across[d % 4], y = square / 8 + sign * along[d % 4];
                for (; x >= 0 && x < 8 && y >= 0 && y < 8; x += sign * across[d % 4], y += sign * along[d % 4])
                    of[square][d] |= 1ull << (8 * y + x);
            }
    }
};
static constexpr Rays RAYS;

inline int lead(u64 first, u64 second) {
    return int(_mm_popcnt_u64(first)) - int(_mm_popcnt_u64(second));
}

#ifdef __AVX512F__
// All lanes get what any lane has.
inline __m512i joined(__m512i x) {
    x = _mm512_or_si512(x, _mm512_shuffle_i64x2(x, x, 0x4E));
    x = _mm512_or_si512(x, _mm512_shuffle_i64x2(x, x, 0xB1));
    return _mm512_or_si512(x, _mm512_permutex_epi64(x, 0xB1));
}

inline __m512i joined4(__m256i x) {
    x = _mm256_or_si256(x, _mm256_permute4x64_epi64(x, 0x4E));
    return _mm512_broadcastq_epi64(_mm_or_si128(_mm256_castsi256_si128(x), _mm_shuffle_epi32(_mm256_castsi256_si128(x), 0x4E)));
}

inline u64 moves_of(__m512i mine, __m512i other) {
    const __m512i by = _mm512_setr_epi64(1, 7, 8, 9, 63, 57, 56, 55), twice = _mm512_add_epi64(by, by);
    const __m512i inner = _mm512_setr_epi64(INNER, INNER, -1, INNER, INNER, INNER, -1, INNER);
    // No wrap from the last row to the first: rotations bring a disc of the edge rows to the other edge row only.
    const __m512i rows = _mm512_setr_epi64(~0ull, ~0xFFull, ~0xFFull, ~0xFFull, ~0ull, ~0ull >> 8, ~0ull >> 8, ~0ull >> 8);
    const __m512i rival = _mm512_and_si512(other, _mm512_and_si512(inner, rows));
    const __m512i pair = _mm512_and_si512(rival, _mm512_rolv_epi64(rival, by));
    __m512i t = _mm512_and_si512(rival, _mm512_rolv_epi64(mine, by));
    t = _mm512_ternarylogic_epi64(t, rival, _mm512_rolv_epi64(t, by), 0xF8);
    t = _mm512_ternarylogic_epi64(t, pair, _mm512_rolv_epi64(t, twice), 0xF8);
    t = _mm512_ternarylogic_epi64(t, pair, _mm512_rolv_epi64(t, twice), 0xF8);
    t = _mm512_and_si512(rows, _mm512_rolv_epi64(t, by));
    const __m512i all = joined(t);
    return u64(_mm_cvtsi128_si64(_mm512_castsi512_si128(_mm512_andnot_si512(_mm512_or_si512(mine, other), all))));
}

inline __m512i flips_of(u32 square, __m512i mine, __m512i other) {
    const __m256i up = _mm256_load_si256((const __m256i*)RAYS.of[square]);
    const __m256i down = _mm256_load_si256((const __m256i*)(RAYS.of[square] + 4));
    const __m256i m = _mm512_castsi512_si256(mine), o = _mm512_castsi512_si256(other), one = _mm256_set1_epi64x(1);
    const __m256i carried = _mm256_add_epi64(_mm256_ternarylogic_epi64(o, up, up, 0xF3), one);
    const __m256i above = _mm256_ternarylogic_epi64(carried, up, m, 0x80);
    const __mmask8 any = _mm256_test_epi64_mask(above, above);
    const __m256i free = _mm256_andnot_si256(o, down);
    const __m256i found = _mm256_srlv_epi64(_mm256_set1_epi64x(int64_t(1ull << 63)), _mm256_lzcnt_epi64(free));
    const __m256i below = _mm256_and_si256(found, m);
    const __m256i higher = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(below, below));
    const __m256i flips_up = _mm256_maskz_and_epi64(any, _mm256_sub_epi64(above, one), up);
    return joined4(_mm256_ternarylogic_epi64(flips_up, higher, down, 0xF8));
}

using Word = __m512i;
inline Word word(u64 x) { return lanes_of(x); }
inline u64 bits(Word x) { return u64(_mm_cvtsi128_si64(_mm512_castsi512_si128(x))); }
#else
// The same without such vectors.
inline u64 turned(u64 x, int by) { return by > 0 ? x << by : x >> -by; }

inline u64 moves_of(u64 mine, u64 other) {
    const int ways[8] = {1, 7, 8, 9, -1, -7, -8, -9};
    u64 found = 0;
#pragma GCC unroll 8
    for (int by : ways) {
        const u64 rival = by == 8 || by == -8 ? other : other & INNER, pair = rival & turned(rival, by);
        u64 t = rival & turned(mine, by);
        t |= rival & turned(t, by);
        t |= pair & turned(t, 2 * by);
        t |= pair & turned(t, 2 * by);
        found |= turned(t, by);
    }
    return found & ~(mine | other);
}

inline u64 flips_of(u32 square, u64 mine, u64 other) {
    u64 found = 0;
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
        const u64 up = RAYS.of[square][d], above = ((other | ~up) + 1) & up & mine;
        found |= above ? (above - 1) & up : 0;
        const u64 down = RAYS.of[square][d + 4], free = down & ~other;
        const u64 below = free ? (1ull << 63 >> __builtin_clzll(free)) & mine : 0;
        found |= (0 - 2 * below) & down;
    }
    return found;
}

using Word = u64;
inline u64 word(u64 x) { return x; }
inline u64 bits(u64 x) { return x; }
#endif

// The winner, or -1.
__attribute__((noinline)) static int play(Random& generator, u64& moves) {
    Random random = generator;
    Word mine = word(BLACK), other = word(WHITE);
    bool turn = false;  // the second player's
    for (;;) {
        u64 legal = moves_of(mine, other);
        if (__builtin_expect(!legal, 0)) {
            legal = moves_of(other, mine);
            if (!legal) break;
            std::swap(mine, other);
            turn = !turn;
        }
        const u64 to = kth(legal, random.below(u32(_mm_popcnt_u64(legal))));
        const Word flips = flips_of(u32(_tzcnt_u64(to)), mine, other), next = other & ~flips;
        other = mine | flips | word(to);
        mine = next;
        turn = !turn;
    }
    generator = random;
    moves = u64(_mm_popcnt_u64(bits(mine) | bits(other))) - 4;
    const int found = lead(bits(mine), bits(other));
    return found == 0 ? -1 : (found < 0) != turn;
}

#ifdef __AVX512F__
static constexpr int VECTORS = 2;

struct Lanes {
    __m512i mine, other;
    u32 odd, passed;  // plays in which the second player moves; in which the last player passed
};

template <bool UP, int BY>
inline __m512i by(__m512i x) {
    return UP ? _mm512_slli_epi64(x, BY) : _mm512_srli_epi64(x, BY);
}

// Where a run of rival discs that begins beside mine ends: the first square after it, in one direction.
template <bool UP, int BY>
inline __m512i after(__m512i mine, __m512i rival) {
    const __m512i pair = _mm512_and_si512(rival, by<UP, BY>(rival));
    __m512i t = _mm512_and_si512(rival, by<UP, BY>(mine));
    t = _mm512_ternarylogic_epi64(t, rival, by<UP, BY>(t), 0xF8);
    t = _mm512_ternarylogic_epi64(t, pair, by<UP, 2 * BY>(t), 0xF8);
    t = _mm512_ternarylogic_epi64(t, pair, by<UP, 2 * BY>(t), 0xF8);
    return by<UP, BY>(t);
}

inline __m512i moves_of_each(__m512i mine, __m512i other) {
    const __m512i inner = _mm512_and_si512(other, lanes_of(INNER));
    const __m512i east = _mm512_andnot_si512(inner, _mm512_add_epi64(inner, _mm512_and_si512(inner, by<true, 1>(mine))));
    __m512i all = _mm512_ternarylogic_epi64(east, after<false, 1>(mine, inner), after<true, 8>(mine, other), 0xFE);
    all = _mm512_ternarylogic_epi64(all, after<false, 8>(mine, other), after<true, 7>(mine, inner), 0xFE);
    all = _mm512_ternarylogic_epi64(all, after<false, 7>(mine, inner), after<true, 9>(mine, inner), 0xFE);
    all = _mm512_or_si512(all, after<false, 9>(mine, inner));
    return _mm512_ternarylogic_epi64(all, mine, other, 0x10);
}

// The discs to turn on one line through the square: up by a carry, down by a count of leading zeros.
inline __m512i turned(__m512i so_far, __m512i line, __m512i to, __m512i below, __m512i mine, __m512i other) {
    const __m512i one = lanes_of(1);
    const __m512i up = _mm512_ternarylogic_epi64(line, to, below, 0x10), down = _mm512_and_si512(line, below);
    const __m512i carried = _mm512_add_epi64(_mm512_ternarylogic_epi64(other, up, up, 0xF3), one);
    const __m512i above = _mm512_ternarylogic_epi64(carried, up, mine, 0x80);
    const __m512i filled = _mm512_sub_epi64(above, _mm512_min_epu64(above, one));
    const __m512i zeros = _mm512_lzcnt_epi64(_mm512_andnot_si512(other, down));
    const __m512i found = _mm512_and_si512(_mm512_srlv_epi64(lanes_of(1ull << 63), zeros), mine);
    const __m512i higher = _mm512_sub_epi64(_mm512_setzero_si512(), _mm512_add_epi64(found, found));
    so_far = _mm512_ternarylogic_epi64(so_far, filled, up, 0xF8);
    return _mm512_ternarylogic_epi64(so_far, higher, down, 0xF8);
}

struct Diagonals {
    alignas(64) u64 falling[16], rising[16];  // by 7 + row - column, by row + column
    constexpr Diagonals() : falling(), rising() {
        for (int square = 0; square < 64; square++) {
            falling[7 + square / 8 - square % 8] |= 1ull << square;
            rising[square / 8 + square % 8] |= 1ull << square;
        }
    }
};
static constexpr Diagonals DIAGONALS;

inline __m512i of_sixteen(const u64* table, __m512i index) {
    return _mm512_permutex2var_epi64(_mm512_load_si512(table), index, _mm512_load_si512(table + 8));
}

inline __m512i flips_of_each(__m512i square, __m512i to, __m512i mine, __m512i other) {
    const __m512i below = _mm512_sub_epi64(to, lanes_of(1));
    const __m512i x = _mm512_and_si512(square, lanes_of(7)), y = _mm512_srli_epi64(square, 3);
    const __m512i row = _mm512_sllv_epi64(lanes_of(0xFF), _mm512_slli_epi64(y, 3)), column = _mm512_sllv_epi64(lanes_of(A_FILE), x);
    const __m512i sum = _mm512_add_epi64(x, y), difference = _mm512_add_epi64(_mm512_sub_epi64(y, x), lanes_of(7));
    __m512i flips = turned(_mm512_setzero_si512(), row, to, below, mine, other);
    flips = turned(flips, column, to, below, mine, other);
    flips = turned(flips, of_sixteen(DIAGONALS.rising, sum), to, below, mine, other);
    return turned(flips, of_sixteen(DIAGONALS.falling, difference), to, below, mine, other);
}

inline void end(Lanes& s, __mmask8 ended, Tally& tally) {
    const __m512i a = _mm512_popcnt_epi64(s.mine), b = _mm512_popcnt_epi64(s.other);
    const __mmask8 more = _mm512_mask_cmpgt_epu64_mask(ended, a, b), less = _mm512_mask_cmpgt_epu64_mask(ended, b, a);
    tally.wins[0] += _mm_popcnt_u32((more & ~s.odd) | (less & s.odd));
    tally.wins[1] += _mm_popcnt_u32((more & s.odd) | (less & ~s.odd));
    tally.playouts += _mm_popcnt_u32(ended);
    tally.plies += u64(_mm512_mask_reduce_add_epi64(ended, _mm512_add_epi64(a, b))) - 4 * _mm_popcnt_u32(ended);
    s.mine = _mm512_mask_mov_epi64(s.mine, ended, lanes_of(WHITE));  // as if white had just passed
    s.other = _mm512_mask_mov_epi64(s.other, ended, lanes_of(BLACK));
    s.odd |= ended;
}

inline void step(Lanes& s, __m512i draw, Tally& tally) {
    const __m512i legal = moves_of_each(s.mine, s.other), n = _mm512_popcnt_epi64(legal);
    const __m512i square = kth_of(legal, _mm512_srli_epi64(_mm512_mul_epu32(draw, n), 32));
    const __mmask8 can = _mm512_test_epi64_mask(legal, legal);
    const __mmask8 full = _mm512_cmpeq_epi64_mask(_mm512_or_si512(s.mine, s.other), lanes_of(~0ull));
    const __mmask8 ended = ~can & (s.passed | full);
    if (ended) end(s, ended, tally);
    s.passed = ~can & ~ended;
    const __m512i to = _mm512_maskz_sllv_epi64(can, lanes_of(1), square);
    const __m512i flips = _mm512_maskz_mov_epi64(can, flips_of_each(square, to, s.mine, s.other));
    const __m512i mine = _mm512_ternarylogic_epi64(s.mine, flips, to, 0xFE);
    s.mine = _mm512_andnot_si512(flips, s.other);
    s.other = mine;
    s.odd = ~s.odd & 0xFF;
}

static int lockstep(const Call& call) {
    Lanes lanes[VECTORS];
    for (Lanes& s : lanes) s = {lanes_of(BLACK), lanes_of(WHITE), 0, 0};
    return in_lanes(call, lanes, step, [](Tally& tally, u64) { tally.draws = tally.playouts - tally.wins[0] - tally.wins[1]; });
}
#else
static constexpr auto lockstep = no_lockstep;
#endif

int main(int count, char** words) { return one_at_a_time<u64>(count, words, 500, play, lockstep); }
