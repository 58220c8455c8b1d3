// The whole T-Tic-T-Tac-Toe match.
#include "t_tic_t_tac_toe.hpp"

int main(int count, char** words) { return program<true>(count, words); }
