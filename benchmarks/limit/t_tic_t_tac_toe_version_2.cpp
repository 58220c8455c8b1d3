// The whole T-Tic-T-Tac-Toe match where nobody chooses: version 2.0.
#include "t_tic_t_tac_toe.hpp"

int main(int count, char** words) { return program<false>(count, words); }
