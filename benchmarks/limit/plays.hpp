// For programs that also count sequences: called as `NAME perft DEPTH` they print {"perft": N}, the number of sequences of so
// many plies. Here every ply counts as the ruleset has it: passes and throws of dice too; so do the lengths of plays, and
// the line of JSON has their variance, that they can be compared.
#pragma once

#include "common.hpp"

// State: `int over()`, `u32 count()` (candidates), `bool make(k)` (false: the k-th is not legal; the state is spoilt then).
template <class State>
u64 perft(const State& state, int depth) {
    if (depth == 0) return 1;
    State here = state;
    if (here.over()) return 0;
    const u32 n = here.count();
    u64 found = 0;
    for (u32 k = 0; k < n; k++) {
        State next = here;
        if (next.make(k)) found += perft(next, depth - 1);
    }
    return found;
}

// `play(random, plies)` plays once: the winner, or -1. `lockstep(call)` is the lockstep form's program.
template <class State, class Play, class Lockstep = int (*)(const Call&)>
int plays(int count, char** words, int batch, Play play, Lockstep lockstep = no_lockstep) {
    if (count > 2 && !strcmp(words[1], "perft")) {
        printf("{\"perft\": %llu}\n", (unsigned long long)perft(State(), atoi(words[2])));
        return 0;
    }
    const Call call(count, words);
    if (call.simd) return lockstep(call);
    Random random(call.seed);
    Tally tally;
    double squares = 0, spent = 0;
    const double start = cpu_seconds();
    do {
        for (int i = 0; i < batch; i++) {
            u64 plies = 0;
            const int winner = play(random, plies);
            tally.add(winner, plies);
            squares += double(plies) * double(plies);
        }
        spent = cpu_seconds() - start;
    } while (spent < call.seconds);
    const double n = double(tally.playouts), mean = double(tally.plies) / n, ghz = clock_ghz();
    printf("{\"playouts\": %llu, \"cpu_seconds\": %.6f, \"wins\": [%llu, %llu], \"draws\": %llu, \"plies\": %.4f, "
           "\"plies_variance\": %.4f, \"clock_ghz\": %.3f, \"cycles_per_ply\": %.2f}\n",
           (unsigned long long)tally.playouts, spent, (unsigned long long)tally.wins[0], (unsigned long long)tally.wins[1],
           (unsigned long long)tally.draws, mean, squares / n - mean * mean, ghz, ghz * 1e9 * spent / double(tally.plies));
    return 0;
}

// How often a position was noted since the last move that can't be undone. The table counts by a part of the hash, and
// is stamped, so nothing is ever cleared; only where it says `times` are the hashes themselves counted.
struct Noted {
    static constexpr u32 SLOTS = 2048;
    u32 table[SLOTS] = {}, stamp = 4, length = 0;
    u64 hashes[512];
    void forget() { stamp += 4, length = 0; }
    bool note(u64 hash, u32 times) {
        hashes[length++] = hash;
        u32& slot = table[hash >> 53];
        slot = (slot < stamp ? stamp : slot) + 1;
        if (slot - stamp < times) return false;
        slot = stamp + times - 1;  // never overflows into the stamp
        u32 found = 0;
        for (u32 i = 0; i < length; i++) found += hashes[i] == hash;
        return found >= times;
    }
};

inline u64 mix(u64 a, u64 b) {
    const u128 product = u128(a ^ 0x9E3779B97F4A7C15ull) * (b ^ 0xD1B54A32D192ED03ull);
    return u64(product >> 64) ^ u64(product);
}
