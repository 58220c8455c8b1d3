// Y on a triangle of eleven. The empty cells are a list that shrinks. Every cell knows which of its six neighbours are each player's, in
// turn around; neighbours side by side belong to one chain, so a stone asks three chains at most. Chains are trees with the
// sides they touch as bits of the root.
#include "plays.hpp"

static constexpr int N = 11, WIDTH = N + 2, CELLS = WIDTH * WIDTH, COUNT = N * (N + 1) / 2;
static constexpr int WAYS[6] = {1, WIDTH, WIDTH - 1, -1, -WIDTH, 1 - WIDTH};

struct Tables {
    u8 cells[COUNT], sides[CELLS], arcs[64], first[64][3];
    constexpr Tables() : cells(), sides(), arcs(), first() {
        int n = 0;
        for (int y = 0; y < N; y++)
            for (int x = 0; x + y < N; x++) {
                const int c = WIDTH * (y + 1) + x + 1;
                cells[n++] = u8(c);
                sides[c] = u8((y == 0) | (x == 0) << 1 | (x + y == N - 1) << 2);
            }
        for (int p = 0; p < 64; p++)
            for (int i = 0; i < 6; i++)
                if (p >> i & 1 && !(p >> ((i + 5) % 6) & 1)) first[p][arcs[p]++] = u8(i);
        arcs[63] = 1;
    }
};
static constexpr Tables TABLES;

struct State {
    u8 near[2][CELLS] = {}, empty[COUNT], parent[CELLS], sides[CELLS];
    u32 left = COUNT, me = 0;
    bool won = false;

    State() { memcpy(empty, TABLES.cells, sizeof empty); }

    u32 root(u32 c) {
        while (parent[c] != c) c = parent[c] = parent[parent[c]];
        return c;
    }

    bool put(u32 k, u32 p) {
        const u32 c = empty[k];
        empty[k] = empty[--left];
        u8* mine = near[p];
        const u32 pattern = mine[c];
        for (int i = 0; i < 6; i++) mine[c + WAYS[i]] |= 1 << (i < 3 ? i + 3 : i - 3);
        u32 touched = TABLES.sides[c], r = c;
        const u32 n = TABLES.arcs[pattern];
        if (n) {
            r = root(c + WAYS[TABLES.first[pattern][0]]);
            touched |= sides[r];
            for (u32 i = 1; i < n; i++) {
                const u32 s = root(c + WAYS[TABLES.first[pattern][i]]);
                touched |= sides[s];
                parent[s] = u8(r);
            }
        }
        parent[c] = u8(r);
        sides[r] = u8(touched);
        return touched == 7;
    }

    int over() const { return won; }
    u32 count() const { return left; }
    bool make(u32 k) {
        won = put(k, me);
        me ^= 1;
        return true;
    }
};

int main(int count, char** words) {
    static const State START;
    return plays<State>(count, words, 1000, [](Random& random, u64& plies) {
        static State s;
        memcpy(s.near, START.near, sizeof s.near);
        memcpy(s.empty, START.empty, sizeof s.empty);
        s.left = COUNT;
        for (;;) {
            plies++;
            if (s.put(random.below(s.left), 0)) return 0;
            plies++;
            if (s.put(random.below(s.left), 1)) return 1;
        }
    });
}
