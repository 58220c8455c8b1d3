// What the lockstep programs share: words in the eight lanes of a vector.
#pragma once

#include "common.hpp"

#ifdef __AVX512F__
inline __m512i lanes_of(u64 x) { return _mm512_set1_epi64(int64_t(x)); }

// The lowest byte of every word in all of its bytes.
inline __m512i spread(__m512i x) { return _mm512_shuffle_epi8(x, _mm512_set4_epi32(0x08080808, 0x08080808, 0, 0)); }

// How many bytes of every word are at most those of `k` (all below 128).
inline __m512i at_most(__m512i sums, __m512i k) {
    return _mm512_popcnt_epi64(_mm512_andnot_si512(_mm512_sub_epi8(k, sums), lanes_of(0x8080808080808080ull)));
}

// The number of the k-th set bit of every word. There is no pdep for vectors: counts of the bytes, their running sums by one
// product, a comparison, then the same within the byte that was found. 21 operations.
inline __m512i kth_of(__m512i mask, __m512i k) {
    const __m512i ones = lanes_of(0x0101010101010101ull);
    const __m512i sums = _mm512_mullo_epi64(_mm512_popcnt_epi8(mask), ones);
    const __m512i shift = _mm512_slli_epi64(at_most(sums, spread(k)), 3);
    const __m512i rest = _mm512_sub_epi64(k, _mm512_srlv_epi64(_mm512_slli_epi64(sums, 8), shift));
    const __m512i from = _mm512_or_si512(spread(shift), lanes_of(0x0706050403020100));
    const __m512i bits = _mm512_and_si512(_mm512_multishift_epi64_epi8(from, mask), ones);
    return _mm512_add_epi64(shift, at_most(_mm512_mullo_epi64(bits, ones), spread(rest)));
}

// The program of plays that begin anew where they end: `step(lanes, draw, tally)` is a move of eight plays, by the lower halves of
// `draw`; `told(tally)` fills in what follows from the rest after as many moves in all as it is given.
template <class Lanes, size_t VECTORS, class Step, class Told>
int in_lanes(const Call& call, Lanes (&lanes)[VECTORS], Step step, Told told) {
    static_assert(VECTORS % 2 == 0);
    Random8 random(call.seed);
    return report(call.seconds, [&](Tally& tally) {
        const int moves = 10000;
        for (int i = 0; i < moves; i++) {
            for (size_t v = 0; v < VECTORS; v += 2) {
                const __m512i draw = random.next();
                step(lanes[v], draw, tally);
                step(lanes[v + 1], _mm512_srli_epi64(draw, 32), tally);
            }
        }
        told(tally, u64(moves) * VECTORS * 8);
    });
}
#endif
