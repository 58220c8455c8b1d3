// The stones of Hex, 11 by 11: hex.cpp tells how.
#pragma once

#include "common.hpp"

static constexpr int SIDE = 11, CELLS = SIDE * SIDE, START = CELLS, GOAL = CELLS + 1;

struct alignas(16) Set {
    u64 low = 0, high = 0;
};

struct Tables {
    Set near[2][CELLS + 2], bit[CELLS + 2];
    alignas(64) u8 order[128];
    constexpr void join(int player, int a, int b) {
        (b < 64 ? near[player][a].low : near[player][a].high) |= 1ull << (b & 63);
    }
    constexpr Tables() : near(), order() {
        const int rows[6] = {0, 0, 1, -1, -1, 1}, columns[6] = {1, -1, 0, 0, 1, -1};
        for (int player = 0; player < 2; player++)
            for (int c = 0; c < CELLS; c++) {
                (c < 64 ? bit[c].low : bit[c].high) = 1ull << (c & 63);
                order[c] = u8(c);
                const int row = c / SIDE, column = c % SIDE, line = player ? column : row;
                for (int d = 0; d < 6; d++) {
                    const int y = row + rows[d], x = column + columns[d];
                    if (y >= 0 && y < SIDE && x >= 0 && x < SIDE) join(player, c, y * SIDE + x);
                }
                if (line == 0) join(player, c, START);
                if (line == SIDE - 1) join(player, c, GOAL);
            }
    }
};
static constexpr Tables TABLES;

struct Player {
    Set joined{0, 1ull << (START - 64)}, others{0, 1ull << (GOAL - 64)};

    // True when the stone joins the two sides.
    bool put(const Set* near, u32 cell) {
        const Set n = near[cell];
        const u64 low = TABLES.bit[cell].low, high = TABLES.bit[cell].high;
        if (!((n.low & joined.low) | (n.high & joined.high))) {
            others.low |= low;
            others.high |= high;
            return false;
        }
        return take(near, n, low, high);
    }

    bool take(const Set* near, Set n, u64 low, u64 high) {
        joined.low |= low;
        joined.high |= high;
        u64 open_low = 0, open_high = 0;
        for (;;) {
            n.low &= others.low;
            n.high &= others.high;
            others.low ^= n.low;
            others.high ^= n.high;
            joined.low |= n.low;
            joined.high |= n.high;
            open_low |= n.low;
            open_high |= n.high;
            if (!(open_low | open_high)) break;
            const bool in_low = open_low != 0;
            const u32 cell = u32(in_low ? _tzcnt_u64(open_low) : 64 + _tzcnt_u64(open_high));
            open_high = in_low ? open_high : _blsr_u64(open_high);
            open_low = _blsr_u64(open_low);
            n = near[cell];
        }
        return (joined.high >> (GOAL - 64)) & 1;
    }
};
