// K in a row on a board of SIDE by SIDE, K = SIDE, for breadth-first search: the first player's marks in the lower half of the
// key, the second's in the upper, and a bit that keeps the empty board from being zero.
#pragma once

#include "bfs_common.hpp"

template <int SIDE>
struct Rows {
    static constexpr u32 CELLS = SIDE * SIDE, FULL = (1u << CELLS) - 1;
    static constexpr u64 START = 1ull << 63;

    static bool line(u32 m) {
        u32 down = m, across = m;
        for (int i = 1; i < SIDE; i++) {
            down &= m >> (i * SIDE);
            across &= m >> i;
        }
        constexpr u32 column = [] {
            u32 found = 0;
            for (int i = 0; i < SIDE; i++) found |= 1u << (i * SIDE);
            return found;
        }();
        constexpr u32 falling = [] {
            u32 found = 0;
            for (int i = 0; i < SIDE; i++) found |= 1u << (i * (SIDE + 1));
            return found;
        }();
        constexpr u32 rising = [] {
            u32 found = 0;
            for (int i = 0; i < SIDE; i++) found |= 1u << ((i + 1) * (SIDE - 1));
            return found;
        }();
        return down || (across & column) || (m & falling) == falling || (m & rising) == rising;
    }

    static int successors(u64 key, Ends& ends, u64* out) {
        const u32 first = u32(key) & FULL, second = u32(key >> 32) & FULL, empty = FULL & ~(first | second);
        const bool second_moves = _mm_popcnt_u32(first) > _mm_popcnt_u32(second);
        if (line(second_moves ? first : second)) {
            (second_moves ? ends.first : ends.second)++;
            return 0;
        }
        if (!empty) {
            ends.drawn++;
            return 0;
        }
        int n = 0;
        for (u32 rest = empty; rest; rest = _blsr_u32(rest)) {
            const u64 mark = _blsi_u32(rest);
            out[n++] = key | (second_moves ? mark << 32 : mark);
        }
        return n;
    }
};
