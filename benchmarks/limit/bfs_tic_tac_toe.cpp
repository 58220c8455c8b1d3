// All 5,478 positions of tic-tac-toe.
#include "bfs_rows.hpp"

int main(int count, char** words) { return explore<Rows<3>>(count, words); }
