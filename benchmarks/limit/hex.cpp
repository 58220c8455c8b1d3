// Hex, 11 by 11: red joins top and bottom, blue left and right.
//
// Scalar: the empty cells are a list that shrinks. A player's stones are two sets of 128 bits: those joined to the player's
// first side, and the others; the sides are two cells more, so the test is whether the second side was reached. A stone that
// does not touch the first set goes to the second: three instructions and a branch. One that does is taken over with
// all that hangs on it, cell by cell, by a table of neighbours; every stone is taken over at most once in a play.
#include "hex.hpp"

__attribute__((noinline)) static int play(Random& generator, int& moves) {
    Random random = generator;
    alignas(64) u8 empty[128];
    memcpy(empty, TABLES.order, 128);
    Player red, blue;
    int left = CELLS, winner;
    const auto draw = [&]() -> u32 {
        const u32 k = random.below(u32(left));
        const u32 c = empty[k];
        empty[k] = empty[--left];
        return c;
    };
    for (;;) {
        winner = 0;
        if (red.put(TABLES.near[0], draw())) break;
        winner = 1;
        if (blue.put(TABLES.near[1], draw())) break;
    }
    generator = random;
    moves = CELLS - left;
    return winner;
}

int main(int count, char** words) {
    return one_at_a_time<int>(count, words, 1000, [](Random& random, int& moves) { return play(random, moves); });
}
