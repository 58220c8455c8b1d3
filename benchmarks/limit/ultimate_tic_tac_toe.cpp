// Ultimate tic-tac-toe. A small board is nine bits; the marks of a player likewise. Lines are a table of 512. The free
// squares loses all of a small board that is won; a mark sends to one small board, or anywhere: the k-th bit of a mask either way.
#include "plays.hpp"

struct Tables {
    bool line[512];
    constexpr Tables() : line() {
        const int lines[8] = {7, 56, 448, 73, 146, 292, 273, 84};
        for (int p = 0; p < 512; p++)
            for (int l : lines) line[p] |= (p & l) == l;
    }
};
static constexpr Tables TABLES;

static constexpr u32 ANY = 9;

struct State {
    u32 free[9], marks[2][9] = {}, won[2] = {0, 0}, me = 0, board = ANY, open = 0x1FF;
    int result = 2;  // 2: goes on

    State() {
        for (u32& f : free) f = 0x1FF;
    }

    u32 count() const {
        if (board != ANY) return __builtin_popcount(free[board]);
        u32 n = 0;
        for (u32 f : free) n += __builtin_popcount(f);
        return n;
    }

    int put(u32 k) {
        u32 b = board;
        if (b == ANY)
            for (b = 0; k >= u32(__builtin_popcount(free[b])); b++) k -= __builtin_popcount(free[b]);
        const u32 bit = u32(kth(free[b], k)), at = __builtin_ctz(bit);
        const u32 mine = marks[me][b] |= bit;
        free[b] ^= bit;
        if (TABLES.line[mine]) {
            free[b] = 0;
            won[me] |= 1u << b;
            if (TABLES.line[won[me]]) return int(me);
        }
        if (!free[b]) open &= ~(1u << b);
        me ^= 1;
        board = free[at] ? at : ANY;
        return open ? 2 : -1;
    }

    int over() const { return result != 2; }
    bool make(u32 k) { return result = put(k), true; }
};

int main(int count, char** words) {
    static const State START;
    return plays<State>(count, words, 1000, [](Random& random, u64& plies) {
        State s = START;
        for (; s.result == 2; plies++) s.make(random.below(s.count()));
        return s.result;
    });
}
