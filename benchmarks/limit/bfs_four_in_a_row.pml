/* All 9,722,011 positions of four in a row on four by four: the marks of who moves next, and those of the other. */
unsigned mine : 16;
unsigned other : 16;
hidden int after;

#define DOWN(m) ((m) & ((m) >> 4) & ((m) >> 8) & ((m) >> 12))
#define ACROSS(m) ((m) & ((m) >> 1) & ((m) >> 2) & ((m) >> 3) & 4369)
#define HAS(m, l) (((m) & (l)) == (l))
#define LINE(m) (DOWN(m) || ACROSS(m) || HAS(m, 33825) || HAS(m, 4680))
#define PLACE(k) \
    :: d_step { !LINE(other) && !((mine | other) & (1 << k)) -> after = mine | (1 << k); mine = other; other = after }

active proctype play() {
end:
    do
    PLACE(0) PLACE(1) PLACE(2) PLACE(3) PLACE(4) PLACE(5) PLACE(6) PLACE(7)
    PLACE(8) PLACE(9) PLACE(10) PLACE(11) PLACE(12) PLACE(13) PLACE(14) PLACE(15)
    od
}
