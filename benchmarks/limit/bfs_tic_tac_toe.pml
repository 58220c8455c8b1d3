/* All 5,478 positions of tic-tac-toe. A position: the marks of who moves next, and those of the other, one bit a square. */
int mine, other;
hidden int after;

#define HAS(m, l) (((m) & (l)) == (l))
#define LINE(m) (HAS(m, 7) || HAS(m, 56) || HAS(m, 448) || HAS(m, 73) || HAS(m, 146) || HAS(m, 292) || HAS(m, 273) || HAS(m, 84))
#define PLACE(k) \
    :: d_step { !LINE(other) && !((mine | other) & (1 << k)) -> after = mine | (1 << k); mine = other; other = after }

active proctype play() {
end:
    do
    PLACE(0) PLACE(1) PLACE(2) PLACE(3) PLACE(4) PLACE(5) PLACE(6) PLACE(7) PLACE(8)
    od
}
