// What the breadth-first searches share: a set of 64-bit keys with open addressing, and the line of JSON.
//
// Called `NAME SECONDS`; explores all positions that can be reached in play (a finished game is not continued), again and again
// until the CPU time is over, and prints {"states", "moves", "first", "second", "drawn", "times", "cpu_seconds",
// "bytes_per_state"}: `cpu_seconds` is the time of all `times`. No state is zero.
#pragma once

#include "common.hpp"

#include <sys/mman.h>
#include <vector>

// Power of two slots, at most two thirds full; doubles by inserting again. The hash is one product and the upper bits.
// Keys are looked up only after all successors of a few states were made and their slots fetched ahead: the search waits for
// memory, not for the rules.
class KeySet {
  public:
    explicit KeySet(u32 bits) { open(bits); }
    ~KeySet() { munmap(slots, bytes()); }
    u64 size() const { return used; }
    u64 bytes() const { return sizeof(u64) << bits; }
    void fetch(u64 key) const { __builtin_prefetch(slots + place(key)); }
    bool insert(u64 key) {
        for (u64 at = place(key);; at = (at + 1) & mask()) {
            if (slots[at] == key) return false;
            if (slots[at] == 0) {
                slots[at] = key;
                if (++used * 3 > 2 * (mask() + 1)) grow();
                return true;
            }
        }
    }

  private:
    u64* slots;
    u32 bits;
    u64 used = 0;
    u64 mask() const { return (1ull << bits) - 1; }
    u64 place(u64 key) const { return (key * 0x9E3779B97F4A7C15ull) >> (64 - bits); }
    void open(u32 size) {
        bits = size;
        slots = (u64*)mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        madvise(slots, bytes(), MADV_HUGEPAGE);
    }
    void grow() {
        u64* const old = slots;
        const u64 n = mask() + 1, old_bytes = bytes();
        open(bits + 1);
        for (u64 i = 0; i < n; i++)
            if (old[i]) {
                u64 at = place(old[i]);
                while (slots[at]) at = (at + 1) & mask();
                slots[at] = old[i];
            }
        munmap(old, old_bytes);
    }
};

struct Ends {
    u64 first = 0, second = 0, drawn = 0;
};

// `Game::START` is the first key; `Game::successors(key, ends, out)` writes the keys that follow (at most 64; none when the
// game is over, which it counts in `ends`), and returns how many.
struct Explored {
    u64 states, moves, bytes;
    Ends ends;
};

template <class Game>
Explored explored() {
    constexpr int BLOCK = 32;
    KeySet seen(12);
    Ends ends;
    u64 moves = 0, most = 0;
    std::vector<u64> layer{Game::START}, next;
    seen.insert(Game::START);
    u64 found[BLOCK * 64];
    while (!layer.empty()) {
        next.clear();
        for (size_t i = 0; i < layer.size(); i += BLOCK) {
            int n = 0;
            for (size_t j = i; j < layer.size() && j < i + BLOCK; j++) n += Game::successors(layer[j], ends, found + n);
            for (int k = 0; k < n; k++) seen.fetch(found[k]);
            for (int k = 0; k < n; k++)
                if (seen.insert(found[k])) next.push_back(found[k]);
            moves += u64(n);
        }
        const u64 bytes = seen.bytes() + 8 * (layer.capacity() + next.capacity());
        most = bytes > most ? bytes : most;
        layer.swap(next);
    }
    return {seen.size(), moves, most, ends};
}

template <class Game>
int explore(int count, char** words) {
    const double seconds = count > 1 ? atof(words[1]) : 0.0, start = cpu_seconds();
    u64 times = 0;
    Explored e;
    double spent;
    do {
        e = explored<Game>();
        times++;
        spent = cpu_seconds() - start;
    } while (spent < seconds);
    printf("{\"states\": %llu, \"moves\": %llu, \"first\": %llu, \"second\": %llu, \"drawn\": %llu, \"times\": %llu, "
           "\"cpu_seconds\": %.6f, \"bytes_per_state\": %.1f}\n",
           (unsigned long long)e.states, (unsigned long long)e.moves, (unsigned long long)e.ends.first,
           (unsigned long long)e.ends.second, (unsigned long long)e.ends.drawn, (unsigned long long)times, spent,
           double(e.bytes) / double(e.states));
    return 0;
}
