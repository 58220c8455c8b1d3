// T-Tic-T-Tac-Toe, one game of version 2.0, X begins, a super may be the first ply.
#include "t_tic_t_tac_toe_game.hpp"

int main(int count, char** words) {
    return one_at_a_time<u64>(count, words, 1000, [](Random& random, u64& moves) { return play<2>(random, moves); });
}
