// The hexagon of hive and what its neighbours tell.
#pragma once

#include "plays.hpp"

static constexpr int WIDTH = 32, ROWS = 24, CELLS = WIDTH * ROWS, CENTER = 12 * WIDTH + 11, NONE = 255, TRIES = 60;
static constexpr int WAYS[6] = {1, 1 - WIDTH, -WIDTH, -1, WIDTH - 1, WIDTH};  // once round
static constexpr int QUEEN = 0, BEETLE = 1, SPIDER = 2, HOPPER = 3, ANT = 4;
static constexpr int FIRST[6] = {0, 1, 3, 5, 8, 11};  // a player's bugs by kind
static constexpr u8 KIND[11] = {0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4};
static constexpr u32 SPIDER_CELLS = 16;  // more than a spider can reach

struct Tables {
    u8 slides[64] = {};    // by the occupied neighbours: where is room
    bool loose[64] = {};   // by the same: they hang together without this cell
    u8 inside[CELLS] = {};
    bool board[CELLS] = {};
    u32 rows[ROWS + 2] = {};  // the board as sets
    constexpr Tables() {
        for (int m = 0; m < 64; m++) {
            int arcs = 0;
            for (int d = 0; d < 6; d++) {
                const bool on = m >> (d + 1) % 6 & 1, back = m >> (d + 5) % 6 & 1, here = m >> d & 1;
                if (!here && on != back) slides[m] |= 1 << d;
                arcs += here && !back;
            }
            loose[m] = arcs < 2;
        }
        for (int r = -10; r <= 10; r++)
            for (int q = -10; q <= 10; q++)
                if (q + r >= -10 && q + r <= 10) board[CENTER + WIDTH * r + q] = true, rows[12 + r] |= 1u << (11 + q);
        for (int c = WIDTH; c < CELLS - WIDTH; c++)
            for (int d = 0; d < 6; d++)
                if (board[c + WAYS[d]]) inside[c] |= 1 << d;
    }
};
static constexpr Tables TABLES;
