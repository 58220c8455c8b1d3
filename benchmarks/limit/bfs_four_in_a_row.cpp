// All 9,722,011 positions of four in a row on four by four.
#include "bfs_rows.hpp"

int main(int count, char** words) { return explore<Rows<4>>(count, words); }
