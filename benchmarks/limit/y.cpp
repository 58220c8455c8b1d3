// Y on a triangle of eleven. Chains keep the sides they touch as bits of the root.
#include "chains.hpp"

static constexpr int N = 11, WIDTH = N + 2, CELLS = WIDTH * WIDTH, COUNT = N * (N + 1) / 2;

struct Tables {
    u8 cells[COUNT], sides[CELLS];
    constexpr Tables() : cells(), sides() {
        int n = 0;
        for (int y = 0; y < N; y++)
            for (int x = 0; x + y < N; x++) {
                const int c = WIDTH * (y + 1) + x + 1;
                cells[n++] = u8(c);
                sides[c] = u8((y == 0) | (x == 0) << 1 | (x + y == N - 1) << 2);
            }
    }
};
static constexpr Tables TABLES;

struct State : Stones<u8, WIDTH, CELLS, COUNT> {
    u8 sides[CELLS];

    State() : Stones(TABLES.cells) {}

    bool put(u32 k, u32 p) {
        const u32 c = take(k), pattern = stand(c, p);
        u32 touched = TABLES.sides[c], r = c;
        const u32 n = ARCS.number[pattern];
        if (n) {
            r = chain(c, pattern, 0);
            touched |= sides[r];
            for (u32 i = 1; i < n; i++) {
                const u32 s = chain(c, pattern, i);
                touched |= sides[s];
                parent[s] = u8(r);
            }
        }
        parent[c] = u8(r);
        sides[r] = u8(touched);
        return touched == 7;
    }

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
        s.begin_again(START);
        for (;;) {
            plies++;
            if (s.put(random.below(s.left), 0)) return 0;
            plies++;
            if (s.put(random.below(s.left), 1)) return 1;
        }
    });
}
