// Quoridor, 9 by 9, ten fences each. Places for fences are two words that lose at most four bits a fence. A fence is drawn first and asked for
// the ways afterwards, and only if it touches other wood or the rim at two of its three points: else it can't shut anything
// in. Then both pawns' ways are flooded, all squares of a ring at once. A refused fence is taken out and drawn again. When the fences are
// used up a ply is a step: one byte a square holds its open sides, and a table the k-th of them.
#include "plays.hpp"

#include <initializer_list>

static constexpr int WIDTH = 10, CELLS = 90;  // nine squares and a gap in a row
static constexpr int STEP[4] = {WIDTH, 1, -WIDTH, -1};

struct Tables {
    signed char step[16][4];
    u8 count[16];
    u64 cut[2][64][2];  // places that a fence takes: [h or v][place][of h, of v]
    constexpr Tables() : step(), count(), cut() {
        for (int m = 0; m < 16; m++)
            for (int d = 0; d < 4; d++)
                if (m >> d & 1) step[m][count[m]++] = (signed char)(STEP[d]);
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++)
                for (int w = 0; w < 2; w++) {
                    const int p = 8 * y + x;
                    cut[w][p][0] = cut[w][p][1] = 1ull << p;
                    for (int i = -1; i < 2; i += 2) {
                        const int a = w ? y + i : y, b = w ? x : x + i;
                        if (a >= 0 && a < 8 && b >= 0 && b < 8) cut[w][p][w] |= 1ull << (8 * a + b);
                    }
                }
    }
};
static constexpr Tables TABLES;

static constexpr u128 row_of(int y) { return u128(0x1FF) << (WIDTH * y); }

struct State {
    u8 open[CELLS] = {};               // sides without fence or rim: n e s w
    bool touched[100] = {};            // corners of squares with wood or rim
    u128 north = 0, east = 0;          // squares whose way there is open
    u64 places[2] = {~0ull, ~0ull}, left_places[2];
    u32 pawn[2] = {4, 84}, left[2] = {10, 10}, me = 0, steps = 0, places_now = 0;
    int winner = -1;
    u8 targets[8];

    State() {
        for (int y = 0; y < 9; y++)
            for (int x = 0; x < 9; x++) {
                const int c = WIDTH * y + x;
                open[c] = u8((y < 8) | (x < 8) << 1 | (y > 0) << 2 | (x > 0) << 3);
                if (y < 8) north |= u128(1) << c;
                if (x < 8) east |= u128(1) << c;
            }
        for (int i = 0; i < 10; i++) touched[i] = touched[90 + i] = touched[10 * i] = touched[10 * i + 9] = true;
    }

    static bool beside(int d) { return d == 1 || d == -1 || d == WIDTH || d == -WIDTH; }

    // Where the pawn may go; when the pawns stand side by side.
    __attribute__((noinline)) u32 jumps() {
        const u32 from = pawn[me], over = pawn[me ^ 1];
        u32 n = 0;
        for (int d = 0; d < 4; d++) {
            if (!(open[from] >> d & 1)) continue;
            const u32 to = from + STEP[d];
            if (to != over) {
                targets[n++] = u8(to);
            } else if (open[over] >> d & 1) {
                targets[n++] = u8(over + STEP[d]);
            } else {
                for (int e = 0; e < 4; e++)
                    if (e != (d ^ 2) && open[over] >> e & 1) targets[n++] = u8(over + STEP[e]);
            }
        }
        return n;
    }

    bool flooded(u32 p) const {
        const u128 goal = p ? row_of(0) : row_of(8);
        u128 x = u128(1) << pawn[p], y;
        do {
            y = x;
            x |= (x & north) << WIDTH | ((x >> WIDTH) & north) | (x & east) << 1 | ((x >> 1) & east);
            if (x & goal) return true;
        } while (x != y);
        return false;
    }

    // Puts fence w on place p; false when it shuts a pawn in (then nothing has changed).
    bool build(u32 w, u32 p) {
        const u32 y = p >> 3, x = p & 7, c = WIDTH * y + x, middle = 10 * (y + 1) + x + 1, along = w ? 10 : 1;
        const u128 first = u128(1) << c, both = first | first << (w ? WIDTH : 1);
        u128& side = w ? east : north;
        side ^= both;
        if (touched[middle - along] + touched[middle] + touched[middle + along] > 1 && !(flooded(0) && flooded(1))) {
            side ^= both;
            return false;
        }
        touched[middle - along] = touched[middle] = touched[middle + along] = true;
        const u32 across = w ? 1 : WIDTH, here = w ? 2 : 1, next = w ? WIDTH : 1;
        for (u32 a : {c, c + next}) open[a] &= ~here, open[a + across] &= ~(here << 2);
        places[0] &= ~TABLES.cut[w][p][0], places[1] &= ~TABLES.cut[w][p][1];
        left[me]--;
        return true;
    }

    void walk(u32 to) {
        pawn[me] = to;
        if (me ? to < 9 : to >= 80) winner = int(me);
    }

    int over() const { return winner >= 0; }
    u32 count() {
        steps = jumps();
        left_places[0] = left[me] ? places[0] : 0, left_places[1] = left[me] ? places[1] : 0;
        const u32 n = steps + __builtin_popcountll(left_places[0]) + __builtin_popcountll(left_places[1]);
        return n ? n : 1;
    }
    bool make(u32 k) {
        if (k < steps) {
            walk(targets[k]);
        } else {
            const u32 h = __builtin_popcountll(left_places[0]), v = __builtin_popcountll(left_places[1]);
            if (h + v) {
                const u32 w = k - steps >= h;
                if (!build(w, __builtin_ctzll(kth(left_places[w], k - steps - (w ? h : 0))))) return false;
            }
        }
        me ^= 1;
        return true;
    }

    // A ply of me; true when the play is over.
    template <int ME>
    bool play(Random& random) {
        me = ME;
        const u32 from = pawn[ME];
        const int d = int(pawn[ME ^ 1]) - int(from);
        if (left[ME] == 0 && !beside(d)) {
            const u32 m = open[from], to = from + TABLES.step[m][random.below(TABLES.count[m])];
            pawn[ME] = to;
            return ME ? to < 9 : to >= 80;
        }
        steps = jumps();
        u64 h = left[ME] ? places[0] : 0, v = left[ME] ? places[1] : 0;
        for (;;) {
            const u32 nh = __builtin_popcountll(h), n = steps + nh + __builtin_popcountll(v);
            if (n == 0) return false;
            u32 k = random.below(n);
            if (k < steps) {
                walk(targets[k]);
                return winner >= 0;
            }
            k -= steps;
            const u32 w = k >= nh;
            const u64 bit = w ? kth(v, k - nh) : kth(h, k);
            if (build(w, __builtin_ctzll(bit))) return false;
            (w ? v : h) ^= bit;
        }
    }
};

int main(int count, char** words) {
    static const State START;
    return plays<State>(count, words, 200, [](Random& random, u64& plies) {
        State s = START;
        for (;;) {
            plies++;
            if (s.play<0>(random)) return 0;
            plies++;
            if (s.play<1>(random)) return 1;
        }
    });
}
