// Nim with heaps of three, four and five. The 120 positions have numbers; a ply looks up the k-th next one.
#include "plays.hpp"

struct Tables {
    u8 next[120][12], moves[120];
    constexpr Tables() : next(), moves() {
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 5; b++)
                for (int c = 0; c < 6; c++) {
                    const int i = 30 * a + 6 * b + c;
                    int n = 0;
                    for (int x = 0; x < a; x++) next[i][n++] = u8(30 * x + 6 * b + c);
                    for (int x = 0; x < b; x++) next[i][n++] = u8(30 * a + 6 * x + c);
                    for (int x = 0; x < c; x++) next[i][n++] = u8(30 * a + 6 * b + x);
                    moves[i] = u8(n);
                }
    }
};
static constexpr Tables TABLES;

struct State {
    u32 at = 119;
    int over() const { return 0; }
    u32 count() const { return TABLES.moves[at]; }
    bool make(u32 k) { return at = TABLES.next[at][k], true; }
};

int main(int count, char** words) {
    return plays<State>(count, words, 10000, [](Random& random, u64& plies) {
        State s;
        u32 n = 0;
        for (; s.at; n++) s.make(random.below(s.count()));
        plies = n;
        return int(n & 1 ^ 1);
    });
}
