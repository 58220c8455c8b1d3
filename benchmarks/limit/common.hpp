// What every limit program shares: random numbers, CPU time, the clock of the processor, the line of JSON.
//
// A program is called `NAME scalar|simd SECONDS SEED`, plays for that many seconds of CPU time in one thread and prints
// {"playouts", "cpu_seconds", "wins": [first, second], "draws", "plies", "clock_ghz", "cycles_per_ply"}; "plies" is the
// mean number of moves of a play (passes are not counted). It leaves with 2 when it has no such form.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <immintrin.h>

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using u128 = unsigned __int128;

inline double cpu_seconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// A Weyl sequence hashed by one 64 by 64 bit product: one multiplication a number, and no number waits for the one before
// by more than an addition, so draws overlap with the play.
struct Random {
    u64 state;
    explicit Random(u64 seed) : state(seed * 0x9E3779B97F4A7C15ull + 0x1234567) {}
    u64 next() {
        state += 0xA0761D6478BD642Full;
        u128 product = u128(state) * (state ^ 0xE7037ED1A0B428DBull);
        return u64(product >> 64) ^ u64(product);
    }
    // Uniform below n by the high half of a product: no division; off by at most n / 2^32.
    u32 below(u32 n) { return u32((u64(u32(next())) * n) >> 32); }
};

#ifdef __AVX512F__
// Eight generators, one a lane: xorshift128+.
struct Random8 {
    __m512i a, b;
    explicit Random8(u64 seed) {
        Random r(seed);
        alignas(64) u64 words[16];
        for (u64& w : words) w = r.next();
        a = _mm512_load_si512(words);
        b = _mm512_load_si512(words + 8);
    }
    __m512i next() {
        __m512i x = a;
        const __m512i y = b;
        const __m512i sum = _mm512_add_epi64(x, y);
        x = _mm512_xor_si512(x, _mm512_slli_epi64(x, 23));
        a = y;
        b = _mm512_ternarylogic_epi64(_mm512_xor_si512(x, _mm512_srli_epi64(x, 18)), y, _mm512_srli_epi64(y, 5), 0x96);
        return sum;
    }
};
#endif

struct Tally {
    u64 playouts = 0, wins[2] = {0, 0}, draws = 0, plies = 0;
    void add(int winner, u64 moves) {
        playouts++;
        wins[0] += winner == 0;
        wins[1] += winner == 1;
        draws += winner < 0;
        plies += moves;
    }
};

// Additions that wait for each other take one cycle each: this is the clock the program really ran at.
inline double clock_ghz() {
    const u64 rounds = 40'000'000;
    u64 x = rounds;
    const double start = cpu_seconds();
    for (u64 i = 0; i < rounds / 8; i++)
        asm volatile("add $1, %0\n add $1, %0\n add $1, %0\n add $1, %0\n"
                     "add $1, %0\n add $1, %0\n add $1, %0\n add $1, %0" : "+r"(x));
    return double(rounds) / (cpu_seconds() - start) * 1e-9;
}

// Runs `chunk(tally)` until the CPU time is over and prints the line.
template <class Chunk>
int report(double seconds, Chunk chunk) {
    Tally tally;
    const double start = cpu_seconds();
    double spent;
    do {
        chunk(tally);
        spent = cpu_seconds() - start;
    } while (spent < seconds);
    const double ghz = clock_ghz();
    printf("{\"playouts\": %llu, \"cpu_seconds\": %.6f, \"wins\": [%llu, %llu], \"draws\": %llu, \"plies\": %.4f, "
           "\"clock_ghz\": %.3f, \"cycles_per_ply\": %.2f}\n",
           (unsigned long long)tally.playouts, spent, (unsigned long long)tally.wins[0], (unsigned long long)tally.wins[1],
           (unsigned long long)tally.draws, double(tally.plies) / double(tally.playouts), ghz,
           ghz * 1e9 * spent / double(tally.plies));
    return 0;
}

struct Call {
    bool simd = false;
    double seconds = 1.0;
    u64 seed = 1;
    Call(int count, char** words) {
        if (count > 1) simd = !strcmp(words[1], "simd");
        if (count > 2) seconds = atof(words[2]);
        if (count > 3) seed = strtoull(words[3], nullptr, 10);
    }
};

inline int no_such_form() {
    fprintf(stderr, "no lockstep form of this game\n");
    return 2;
}

inline int no_lockstep(const Call&) { return no_such_form(); }

// A whole program: `chunk(tally, random)` plays some games, `lockstep(call)` is the lockstep form's program.
template <class Chunk, class Lockstep = int (*)(const Call&)>
int in_chunks(int count, char** words, Chunk chunk, Lockstep lockstep = no_lockstep) {
    const Call call(count, words);
    if (call.simd) return lockstep(call);
    Random random(call.seed);
    return report(call.seconds, [&](Tally& tally) { chunk(tally, random); });
}

// The same of a game that is played one at a time; "play" gives the winner (or -1) and counts the moves.
template <class Moves, class Play, class Lockstep = int (*)(const Call&)>
int one_at_a_time(int count, char** words, int batch, Play play, Lockstep lockstep = no_lockstep) {
    const auto chunk = [&](Tally& tally, Random& random) {
        for (int i = 0; i < batch; i++) {
            Moves moves;
            const int winner = play(random, moves);
            tally.add(winner, u64(moves));
        }
    };
    return in_chunks(count, words, chunk, lockstep);
}

// The k-th set bit of a mask, k from 0: one pdep.
inline u64 kth(u64 mask, u32 k) { return _pdep_u64(1ull << k, mask); }
