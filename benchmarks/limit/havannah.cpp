// Havannah, eight cells a side. Chains keep the corners and sides they touch as bits of the root. A ring is two arcs of one
// chain, or a stone among six of its colour. `perft DEPTH SIDE` counts on smaller boards too.
#include "chains.hpp"

template <int N>
struct Tables {
    static constexpr int WIDTH = 2 * N + 1, CELLS = WIDTH * WIDTH, COUNT = 3 * N * (N - 1) + 1;
    u16 cells[COUNT], border[CELLS];
    bool three[64];
    constexpr Tables() : cells(), border(), three() {
        int n = 0;
        for (int y = 0; y < 2 * N - 1; y++)
            for (int x = 0; x < 2 * N - 1; x++) {
                const int z = x + y - (N - 1), m = 2 * N - 2;
                if (z < 0 || z > m) continue;
                const int c = WIDTH * (y + 1) + x + 1;
                cells[n++] = u16(c);
                const bool side[6] = {x == 0, y == 0, z == m, x == m, y == m, z == 0};
                int sides = 0, corner = 0;
                for (int i = 0; i < 6; i++) sides += side[i], corner = side[i] ? corner * 6 + i : corner;
                for (int i = 0; i < 6; i++)
                    if (side[i] && sides == 1) border[c] = u16(1 << i);
                if (sides == 2) border[c] = u16(64 << (x == 0 ? (y == m ? 0 : 1) : y == 0 ? (x == m ? 2 : 3) : x == m ? 4 : 5));
            }
        for (int p = 0; p < 64; p++)
            for (int i = 0; i < 6; i++) {
                const bool here = p >> i & 1, before = p >> ((i + 5) % 6) & 1, next = p >> ((i + 1) % 6) & 1;
                three[p] |= here && before && next;
            }
    }
};

template <int N, class T = Tables<N>>
struct Board : Stones<u16, T::WIDTH, T::CELLS, T::COUNT> {
    using Base = Stones<u16, T::WIDTH, T::CELLS, T::COUNT>;
    using Base::me, Base::near, Base::parent, Base::won, Base::WAYS;
    static constexpr T TABLES{};
    u16 border[T::CELLS];

    Board() : Base(TABLES.cells) {}

    // Puts a stone on the k-th empty cell; true when that wins.
    bool put(u32 k, u32 p) {
        const u32 c = this->take(k), pattern = this->stand(c, p);
        parent[c] = u16(c);
        u32 touched = TABLES.border[c];
        if (pattern == 0) {
            border[c] = u16(touched);
            return false;
        }
        const u32 n = ARCS.number[pattern];
        const u32 r = this->chain(c, pattern, 0);
        parent[c] = u16(r);
        touched |= border[r];
        bool ring = false;
        for (u32 i = 1; i < n; i++) {
            const u32 s = this->chain(c, pattern, i);
            ring |= s == r;
            touched |= border[s];
            parent[s] = u16(r);
        }
        border[r] = u16(touched);
        if (TABLES.three[pattern]) {
            ring |= pattern == 63;
            for (int i = 0; i < 6; i++) ring |= (pattern >> i & 1) && near[p][c + WAYS[i]] == 63;
        }
        return ring || __builtin_popcount(touched >> 6) >= 2 || __builtin_popcount(touched & 63) >= 3;
    }

    bool make(u32 k) {
        won = put(k, me);
        me ^= 1;
        return true;
    }
};

int main(int count, char** words) {
    if (count > 3 && !strcmp(words[1], "perft") && atoi(words[3]) < 5) {
        const int depth = atoi(words[2]);
        const u64 found = atoi(words[3]) == 3 ? perft(Board<3>(), depth) : perft(Board<4>(), depth);
        printf("{\"perft\": %llu}\n", (unsigned long long)found);
        return 0;
    }
    static const Board<8> START;
    return plays<Board<8>>(count, words, 500, [](Random& random, u64& plies) {
        static Board<8> b;
        b.begin_again(START);
        for (;;) {
            plies++;
            if (b.put(random.below(b.left), 0)) return 0;
            if (b.left == 0) return -1;
            plies++;
            if (b.put(random.below(b.left), 1)) return 1;
            if (b.left == 0) return -1;
        }
    });
}
