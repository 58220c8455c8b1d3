// What the programs of connection games on cells with six neighbours share. The empty cells are a list that shrinks. Every cell knows which of its
// neighbours are each player's, in turn around: a byte that a new stone mends. Neighbours side by side belong to one
// chain, so a stone touches three chains at most, one an arc. Chains are trees.
#pragma once

#include "plays.hpp"

struct Arcs {
    u8 number[64] = {}, first[64][3] = {};  // by the neighbours: how many arcs, where each begins
    constexpr Arcs() {
        for (int p = 0; p < 64; p++)
            for (int i = 0; i < 6; i++)
                if (p >> i & 1 && !(p >> ((i + 5) % 6) & 1)) first[p][number[p]++] = u8(i);
        number[63] = 1;
    }
};
static constexpr Arcs ARCS;

template <class Cell, int WIDTH, int CELLS, int COUNT>
struct Stones {
    static constexpr int WAYS[6] = {1, WIDTH, WIDTH - 1, -1, -WIDTH, 1 - WIDTH};
    u8 near[2][CELLS] = {};
    Cell empty[COUNT], parent[CELLS];
    u32 left = COUNT, me = 0;
    bool won = false;

    explicit Stones(const Cell (&cells)[COUNT]) { memcpy(empty, cells, sizeof empty); }

    void begin_again(const Stones& start) {
        memcpy(near, start.near, sizeof near);
        memcpy(empty, start.empty, sizeof empty);
        left = COUNT;
    }
    u32 root(u32 c) {
        while (parent[c] != c) c = parent[c] = parent[parent[c]];
        return c;
    }
    // The chain of an arc round the cell.
    u32 chain(u32 c, u32 pattern, u32 arc) { return root(c + WAYS[ARCS.first[pattern][arc]]); }
    // Takes the k-th empty cell.
    u32 take(u32 k) {
        const u32 c = empty[k];
        empty[k] = empty[--left];
        return c;
    }
    // The neighbours that are the player's, to all of which the new stone is told.
    u32 stand(u32 c, u32 p) {
        u8* mine = near[p];
        const u32 pattern = mine[c];
        for (int i = 0; i < 6; i++) mine[c + WAYS[i]] |= 1 << (i < 3 ? i + 3 : i - 3);
        return pattern;
    }

    int over() const { return won; }
    u32 count() const { return left; }
};
