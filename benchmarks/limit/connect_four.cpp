// Connect four, 7 columns of 6.
//
// Scalar: a column is 7 bits, the top one always empty, so adding the bottom row to all discs gives the first free cell
// of every column at once; the k-th by pdep. Four in a line: two shifts a direction, of the mover's discs only. The
// chain from ply to ply is add, and, popcnt, multiply, shift, pdep, or: about 12 cycles; the test runs beside it.
//
// Lockstep: 8 plays a vector, one a 64-bit lane, and several vectors in turn, as one of them waits for itself. There is no
// pdep for vectors, but the choice is one of seven columns: a lane keeps the list of its free columns, 4 bits each, picks
// one by a shift, and takes a column out when it is full (seldom). A play that ended is counted and starts anew in the
// same lane, so no lane is ever idle.
#include "lanes.hpp"

static constexpr u64 BOTTOM = 0x0040810204081ull;
static constexpr u64 BOARD = BOTTOM * 63;
static constexpr u64 TOP = BOTTOM << 5;

// One vector holds the four directions: 5 instructions in place of 19, and on ports that the draw does not need.
inline bool four(u64 discs) {
    const __m256i m = _mm256_set1_epi64x(int64_t(discs));
    const __m256i y = _mm256_and_si256(m, _mm256_srlv_epi64(m, _mm256_setr_epi64x(1, 6, 7, 8)));
    return !_mm256_testz_si256(y, _mm256_srlv_epi64(y, _mm256_setr_epi64x(2, 12, 14, 16)));
}

// A disc of the mover on a random free cell: 0 to go on, 1 won, 2 no cell was left.
inline int ply(Random& random, u64& all, u64& mine) {
    const u64 legal = (all + BOTTOM) & BOARD;
    if (__builtin_expect(!legal, 0)) return 2;
    const u64 bit = kth(legal, random.below(_mm_popcnt_u64(legal)));
    all |= bit;
    mine |= bit;
    return four(mine);
}

// Two plies a round, so each player's discs stay in their register; nothing else lives in the loop (the number of moves
// is that of the discs). By itself, for else the compiler keeps half of it in memory: twice as slow.
__attribute__((noinline)) static int play(Random& generator, u64& moves) {
    Random random = generator;
    u64 all = 0, first = 0, second = 0;
    int end, winner;
    for (;;) {
        winner = 0;
        if ((end = ply(random, all, first))) break;
        winner = 1;
        if ((end = ply(random, all, second))) break;
    }
    generator = random;
    moves = _mm_popcnt_u64(all);
    return end == 2 ? -1 : winner;
}

#ifdef __AVX512F__
static constexpr int VECTORS = 4;
// Upper half: the free columns, 4 bits each; lower half: how many.
static constexpr u64 COLUMNS = 0x0654321000000007;

struct Lanes {
    __m512i mine, all, columns;
    u32 odd;  // plays in which the second player moves
};

template <int BY>
inline __m512i fours(__m512i m, __m512i so_far) {
    const __m512i y = _mm512_and_si512(m, _mm512_srli_epi64(m, BY));
    return _mm512_ternarylogic_epi64(so_far, y, _mm512_srli_epi64(y, 2 * BY), 0xF8);
}

// No branch: in eight plays something seldom happens often enough to be mispredicted. 39 vector operations.
inline void step(Lanes& s, __m512i draw, Tally& tally, const __m512i& bottoms) {
    const __m512i one = lanes_of(1);
    const __m512i product = _mm512_mul_epu32(draw, s.columns);
    const __m512i place = _mm512_ternarylogic_epi64(_mm512_srli_epi64(product, 30), lanes_of(0x1C), lanes_of(32), 0xEA);
    const __m512i column = _mm512_srlv_epi64(s.columns, place);
    const __m512i sum = _mm512_add_epi64(s.all, _mm512_permutexvar_epi64(column, bottoms));
    const __m512i bit = _mm512_andnot_si512(s.all, sum);
    const __m512i mine = _mm512_or_si512(s.mine, bit);
    __m512i line = fours<1>(mine, _mm512_setzero_si512());
    line = fours<6>(mine, line);
    line = fours<7>(mine, line);
    line = fours<8>(mine, line);
    const __mmask8 full = _mm512_test_epi64_mask(bit, lanes_of(TOP));
    const __m512i before = _mm512_sub_epi64(_mm512_sllv_epi64(one, place), one);
    const __m512i closed = _mm512_ternarylogic_epi64(before, s.columns, _mm512_srli_epi64(s.columns, 4), 0xCA);
    const __m512i columns = _mm512_mask_sub_epi64(s.columns, full, closed, one);
    const __mmask8 won = _mm512_test_epi64_mask(line, line);
    const __mmask8 stuck = _mm512_testn_epi64_mask(columns, lanes_of(15));
    const __mmask8 on = _knot_mask8(_kor_mask8(won, stuck));
    s.mine = _mm512_maskz_ternarylogic_epi64(on, mine, s.all, bit, 0x1E);  // what is not mine: the other's turn
    s.all = _mm512_maskz_or_epi64(on, s.all, bit);
    s.columns = _mm512_mask_mov_epi64(lanes_of(COLUMNS), on, columns);
    tally.wins[0] += _mm_popcnt_u32(won & ~s.odd);
    tally.wins[1] += _mm_popcnt_u32(won & s.odd);
    tally.playouts += _mm_popcnt_u32(u8(~on));
    s.odd = ~s.odd & on;
}

static int lockstep(const Call& call) {
    const __m512i bottoms = _mm512_set_epi64(0, 1ull << 42, 1ull << 35, 1ull << 28, 1ull << 21, 1ull << 14, 1ull << 7, 1);
    Lanes lanes[VECTORS];
    for (Lanes& s : lanes) s = {_mm512_setzero_si512(), _mm512_setzero_si512(), lanes_of(COLUMNS), 0};
    const auto one = [&](Lanes& s, __m512i draw, Tally& tally) { step(s, draw, tally, bottoms); };
    return in_lanes(call, lanes, one, [](Tally& tally, u64 moves) {
        tally.plies += moves;
        tally.draws = tally.playouts - tally.wins[0] - tally.wins[1];
    });
}
#else
static constexpr auto lockstep = no_lockstep;
#endif

int main(int count, char** words) { return one_at_a_time<u64>(count, words, 10000, play, lockstep); }
