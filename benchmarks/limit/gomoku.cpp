// Gomoku, 15 by 15, five or more.
//
// Scalar: the empty squares are a list that shrinks: the drawn one is overwritten by the last. All stones of a player are one
// register of 256 bits, a row in each of 15 lanes of 16 bits (lane 15 and the top bits stay empty); a stone is a look-up.
// Five in a row in all four directions: shifts within the lanes go sideways, a permutation of the lanes goes up, both
// together go aslant; 28 instructions on ports that the draw does not need, no store, and a ply never waits for the one
// before. (The four lines through the stone as packed 16-bit words: 2.1 million a second; this: 2.7 million.)
#include "common.hpp"

static constexpr int SIDE = 15, CELLS = SIDE * SIDE;

struct Tables {
    alignas(64) u16 stone[CELLS][16];
    alignas(64) u8 order[256];
    constexpr Tables() : stone(), order() {
        for (int c = 0; c < CELLS; c++) {
            stone[c][c / SIDE] = u16(1 << (c % SIDE));
            order[c] = u8(c);
        }
    }
};
static constexpr Tables TABLES;

template <int BY>
inline __m256i up(__m256i x) {
#ifdef __AVX512VL__
    const auto from = [](int lane) { return short(lane + BY < 16 ? lane + BY : 15); };
    return _mm256_permutexvar_epi16(
        _mm256_setr_epi16(from(0), from(1), from(2), from(3), from(4), from(5), from(6), from(7), from(8), from(9), from(10),
                          from(11), from(12), from(13), from(14), from(15)), x);
#else
    return _mm256_alignr_epi8(_mm256_permute2x128_si256(x, x, 0x81), x, 2 * BY);
#endif
}

// a | (b & c)
inline __m256i with(__m256i a, __m256i b, __m256i c) { return _mm256_or_si256(a, _mm256_and_si256(b, c)); }

inline bool five(__m256i m) {
    const __m256i up1 = up<1>(m), up4 = up<4>(m);
    __m256i y = _mm256_and_si256(m, _mm256_srli_epi16(m, 1));
    y = _mm256_and_si256(y, _mm256_srli_epi16(y, 2));
    __m256i all = _mm256_and_si256(y, _mm256_srli_epi16(m, 4));
    y = _mm256_and_si256(m, up1);
    y = _mm256_and_si256(y, up<2>(y));
    all = with(all, y, up4);
    y = _mm256_and_si256(m, _mm256_slli_epi16(up1, 1));
    y = _mm256_and_si256(y, _mm256_slli_epi16(up<2>(y), 2));
    all = with(all, y, _mm256_slli_epi16(up4, 4));
    y = _mm256_and_si256(m, _mm256_srli_epi16(up1, 1));
    y = _mm256_and_si256(y, _mm256_srli_epi16(up<2>(y), 2));
    all = with(all, y, _mm256_srli_epi16(up4, 4));
    return !_mm256_testz_si256(all, all);
}

__attribute__((noinline)) static int play(Random& generator, int& moves) {
    Random random = generator;
    alignas(64) u8 empty[256];
    memcpy(empty, TABLES.order, 256);
    __m256i black = _mm256_setzero_si256(), white = black;
    int left = CELLS, winner = -1;
    const auto put = [&](__m256i& stones) {
        const u32 k = random.below(u32(left));
        const u8 c = empty[k];
        empty[k] = empty[--left];
        stones = _mm256_or_si256(stones, _mm256_load_si256((const __m256i*)TABLES.stone[c]));
        return __builtin_expect(five(stones), 0);
    };
    for (;;) {
        if (put(black)) {
            winner = 0;
            break;
        }
        if (__builtin_expect(left == 0, 0)) break;
        if (put(white)) {
            winner = 1;
            break;
        }
    }
    generator = random;
    moves = CELLS - left;
    return winner;
}

int main(int count, char** words) {
    return one_at_a_time<int>(count, words, 2000, [](Random& random, int& moves) { return play(random, moves); });
}
