// Tic-tac-toe.
//
// Scalar: two words of nine bits; the k-th empty cell by pdep; all draws of a play come out of one 64-bit number (times n:
// the high half is the draw, the low half goes on; 9! of 2^64, so off by 2^-45); three in a row by a table of 512 bits
// in 8 words; no test before the fifth move. The plies are written out, so the only branches are the ends of the play.
//
// Lockstep: 64 plays at once, one a byte. A play of random moves is a random order of the cells: Fisher-Yates over
// nine vectors. A cell is a byte whose bits are the lines through it, so "a line with at least two of mine and now a
// third" is three logic operations for all eight lines. A play that ended stops counting.
#include "common.hpp"

struct Lines {
    u8 three[512];
    u8 through[9];
    constexpr Lines() : three(), through() {
        const int lines[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
        for (int s = 0; s < 512; s++)
            for (int line : lines) three[s] |= (s & line) == line;
        for (int c = 0; c < 9; c++)
            for (int l = 0; l < 8; l++) through[c] |= u8(((lines[l] >> c) & 1) << l);
    }
};
static constexpr Lines LINES;

// Where the next mark goes, and the fraction that is left of the random number.
template <int LEFT>
inline u32 draw(u64& random, u32 empty) {
    if constexpr (LEFT == 1) return empty;
    const u128 product = u128(random) * LEFT;
    random = u64(product);
    return _pdep_u32(1u << u32(product >> 64), empty);
}

static void scalar(Tally& tally, Random& generator, int n) {
    u64 ends[8] = {};  // by 2 * (moves - 5) + won, from the fifth move on; the last but one: drawn
    for (int i = 0; i < n; i++) {
        u64 random = generator.next();
        const u32 a = draw<9>(random, 0777), b = draw<8>(random, 0777 ^ a);
        u32 empty = 0777 ^ a ^ b;
        const u32 c = draw<7>(random, empty), d = draw<6>(random, empty ^= c);
        const u32 e = draw<5>(random, empty ^= d), f = draw<4>(random, empty ^= e);
        const u32 g = draw<3>(random, empty ^= f), h = draw<2>(random, empty ^= g);
        const u32 x5 = a | c | e, o6 = b | d | f;
        if (LINES.three[x5] | LINES.three[o6]) {  // one play in six
            ends[LINES.three[x5] ? 0 : 1]++;
            continue;
        }
        const u32 x7 = x5 | g, o8 = o6 | h, x9 = x7 | (empty ^ h);
        ends[_tzcnt_u32(LINES.three[x7] << 2 | LINES.three[o8] << 3 | LINES.three[x9] << 4 | 1 << 5)]++;
    }
    tally.playouts += n;
    tally.wins[0] += ends[0] + ends[2] + ends[4];
    tally.wins[1] += ends[1] + ends[3];
    tally.draws += ends[5];
    tally.plies += 5 * ends[0] + 6 * ends[1] + 7 * ends[2] + 8 * ends[3] + 9 * (ends[4] + ends[5]);
}

#ifdef __AVX512BW__
// Draws below n for 64 plays: the numbers are 32-bit fractions, split into halves of 16 bits in two vectors.
struct Fractions {
    __m512i high[2], low[2];
};

template <int N>
inline __m512i draws(Fractions& f) {
    __m512i digit[2];
    const __m512i n = _mm512_set1_epi16(N);
    for (int h = 0; h < 2; h++) {
        const __m512i carried = _mm512_mulhi_epu16(f.low[h], n);
        f.low[h] = _mm512_mullo_epi16(f.low[h], n);
        const __m512i top = _mm512_mulhi_epu16(f.high[h], n);
        f.high[h] = _mm512_add_epi16(_mm512_mullo_epi16(f.high[h], n), carried);
        digit[h] = _mm512_mask_add_epi16(top, _mm512_cmplt_epu16_mask(f.high[h], carried), top, _mm512_set1_epi16(1));
    }
    return _mm512_or_si512(digit[0], _mm512_slli_epi16(digit[1], 8));
}

inline Fractions fractions(Random8& random) {
    return {{random.next(), random.next()}, {random.next(), random.next()}};
}

struct Lockstep {
    __m512i cells[9], one[2], two[2], three[2];
    u64 running;
};

template <int PLY>
inline void step(Lockstep& s, Tally& tally, Fractions& f) {
    if constexpr (PLY < 8) {
        const __m512i chosen = draws<9 - PLY>(f);
        __m512i here = s.cells[PLY];
        for (int k = 1; k < 9 - PLY; k++) {
            const __mmask64 is = _mm512_cmpeq_epi8_mask(chosen, _mm512_set1_epi8(char(k)));
            const __m512i there = s.cells[PLY + k];
            s.cells[PLY + k] = _mm512_mask_mov_epi8(there, is, s.cells[PLY]);
            here = _mm512_mask_mov_epi8(here, is, there);
        }
        s.cells[PLY] = here;
    }
    constexpr int me = PLY & 1;
    const __m512i cell = s.cells[PLY];
    if constexpr (PLY >= 4) {
        const __m512i line = _mm512_and_si512(s.two[me], cell);
        const u64 won = s.running & _mm512_test_epi8_mask(line, line);
        tally.plies += _mm_popcnt_u64(s.running);
        tally.wins[me] += _mm_popcnt_u64(won);
        s.running &= ~won;
    }
    s.two[me] = _mm512_ternarylogic_epi64(s.two[me], s.one[me], cell, 0xF8);
    s.one[me] = _mm512_or_si512(s.one[me], cell);
}

static void simd(Tally& tally, Random8& random, int n) {
    for (int i = 0; i < n; i++) {
        Lockstep s;
        for (int c = 0; c < 9; c++) s.cells[c] = _mm512_set1_epi8(char(LINES.through[c]));
        for (int p = 0; p < 2; p++) s.one[p] = s.two[p] = _mm512_setzero_si512();
        s.running = ~0ull;
        Fractions f = fractions(random);
        step<0>(s, tally, f);
        step<1>(s, tally, f);
        step<2>(s, tally, f);
        step<3>(s, tally, f);
        f = fractions(random);
        step<4>(s, tally, f);
        step<5>(s, tally, f);
        step<6>(s, tally, f);
        step<7>(s, tally, f);
        step<8>(s, tally, f);
        tally.draws += _mm_popcnt_u64(s.running);
        tally.plies += 4 * 64;
        tally.playouts += 64;
    }
}

static int lockstep(const Call& call) {
    Random8 random(call.seed);
    return report(call.seconds, [&](Tally& tally) { simd(tally, random, 10000); });
}
#else
static constexpr auto lockstep = no_lockstep;
#endif

int main(int count, char** words) {
    return in_chunks(count, words, [](Tally& tally, Random& random) { scalar(tally, random, 100000); }, lockstep);
}
