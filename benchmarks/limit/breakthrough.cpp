// Breakthrough, 8 by 8.
//
// Scalar: three masks of target squares (straight, and the two slanting ways), counted, never listed: the drawn number
// picks the mask by conditional moves and the target in it by pdep. Two plies a round, one a colour, so all shifts are
// constants. Only the moved piece is looked at for the end.
//
// Lockstep: 8 plays a vector. After every ply the board is turned round (the bytes of a word in reverse), so the player to
// move always goes up and lanes need not agree whose turn it is: a play that ended starts anew in its lane. The k-th bit
// of a word without pdep: counts of the bytes, their running sums by one product, a comparison, then the same once more
// within the byte that was found.
#include "lanes.hpp"

static constexpr u64 A_FILE = 0x0101010101010101ull, H_FILE = A_FILE << 7;
static constexpr u64 WHITE = 0xFFFFull, BLACK = WHITE << 48;

template <bool UP>
inline u64 ahead(u64 men, int by) {
    return UP ? men << by : men >> by;
}

// Moves a random man; true when the mover has won.
template <bool UP>
inline bool ply(Random& random, u64& mine, u64& other) {
    const u64 straight = ahead<UP>(mine, 8) & ~(mine | other);
    const u64 west = ahead<UP>(mine & ~A_FILE, UP ? 7 : 9) & ~mine;
    const u64 east = ahead<UP>(mine & ~H_FILE, UP ? 9 : 7) & ~mine;
    const u32 a = u32(_mm_popcnt_u64(straight)), b = a + u32(_mm_popcnt_u64(west)), n = b + u32(_mm_popcnt_u64(east));
    const u32 k = random.below(n);
    u64 mask = straight;
    u32 less = 0, by = 8;
    asm("cmp %[a], %[k]\n cmovae %[west], %[mask]\n cmovae %[a], %[less]\n cmovae %[west_by], %[by]\n"
        "cmp %[b], %[k]\n cmovae %[east], %[mask]\n cmovae %[b], %[less]\n cmovae %[east_by], %[by]"
        : [mask] "+r"(mask), [less] "+r"(less), [by] "+r"(by)
        : [a] "r"(a), [b] "r"(b), [k] "r"(k), [west] "r"(west), [east] "r"(east), [west_by] "r"(UP ? 7 : 9),
          [east_by] "r"(UP ? 9 : 7)
        : "cc");
    const u64 to = kth(mask, k - less);
    mine ^= to | ahead<!UP>(to, int(by));
    other &= ~to;
    return __builtin_expect((to & (UP ? 0xFFull << 56 : 0xFFull)) != 0 || other == 0, 0);
}

__attribute__((noinline)) static int play(Random& generator, int& moves) {
    Random random = generator;
    u64 white = WHITE, black = BLACK;
    int rounds = 0, winner;
    for (;; rounds++) {
        winner = 0;
        if (ply<true>(random, white, black)) break;
        winner = 1;
        if (ply<false>(random, black, white)) break;
    }
    generator = random;
    moves = 2 * rounds + 1 + winner;
    return winner;
}

#ifdef __AVX512F__
static constexpr int VECTORS = 4;

struct Lanes {
    __m512i mine, other;
    u32 odd;  // plays in which black moves
};

inline __m512i turned(__m512i x) {
    const __m512i order = _mm512_set4_epi32(0x08090A0B, 0x0C0D0E0F, 0x00010203, 0x04050607);
    return _mm512_shuffle_epi8(x, order);
}

inline void step(Lanes& s, __m512i draw, Tally& tally) {
    const __m512i straight = _mm512_ternarylogic_epi64(_mm512_slli_epi64(s.mine, 8), s.mine, s.other, 0x10);
    const __m512i west = _mm512_ternarylogic_epi64(_mm512_slli_epi64(s.mine, 7), s.mine, lanes_of(H_FILE), 0x10);
    const __m512i east = _mm512_ternarylogic_epi64(_mm512_slli_epi64(s.mine, 9), s.mine, lanes_of(A_FILE), 0x10);
    const __m512i a = _mm512_popcnt_epi64(straight), b = _mm512_add_epi64(a, _mm512_popcnt_epi64(west));
    const __m512i n = _mm512_add_epi64(b, _mm512_popcnt_epi64(east));
    __m512i k = _mm512_srli_epi64(_mm512_mul_epu32(draw, n), 32);
    const __mmask8 not_straight = _mm512_cmpge_epu64_mask(k, a), is_east = _mm512_cmpge_epu64_mask(k, b);
    const __m512i mask = _mm512_mask_mov_epi64(_mm512_mask_mov_epi64(straight, not_straight, west), is_east, east);
    const __m512i by = _mm512_mask_mov_epi64(_mm512_mask_mov_epi64(lanes_of(8), not_straight, lanes_of(7)), is_east, lanes_of(9));
    k = _mm512_sub_epi64(k, _mm512_mask_mov_epi64(_mm512_maskz_mov_epi64(not_straight, a), is_east, b));
    const __m512i to = _mm512_sllv_epi64(lanes_of(1), kth_of(mask, k));
    const __m512i mine = _mm512_ternarylogic_epi64(s.mine, to, _mm512_srlv_epi64(to, by), 0x1E);
    const __m512i other = _mm512_andnot_si512(to, s.other);
    const __mmask8 won = _mm512_test_epi64_mask(to, lanes_of(0xFFull << 56)) | _mm512_testn_epi64_mask(other, other);
    s.mine = _mm512_mask_mov_epi64(turned(other), won, lanes_of(WHITE));
    s.other = _mm512_mask_mov_epi64(turned(mine), won, lanes_of(BLACK));
    tally.wins[0] += _mm_popcnt_u32(won & ~s.odd);
    tally.wins[1] += _mm_popcnt_u32(won & s.odd);
    s.odd = ~s.odd & ~won & 0xFF;
}

static int lockstep(const Call& call) {
    Lanes lanes[VECTORS];
    for (Lanes& s : lanes) s = {lanes_of(WHITE), lanes_of(BLACK), 0};
    return in_lanes(call, lanes, step, [](Tally& tally, u64 moves) {
        tally.plies += moves;
        tally.playouts = tally.wins[0] + tally.wins[1];
    });
}
#else
static constexpr auto lockstep = no_lockstep;
#endif

int main(int count, char** words) { return one_at_a_time<int>(count, words, 2000, play, lockstep); }
