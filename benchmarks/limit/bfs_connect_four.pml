/* All 3,945,711 positions of connect four, 5 columns of 4: columns of five bits, the top one always empty. */
int mine, other;
hidden int after;

#define PAIR(m, by) ((m) & ((m) >> (by)))
#define RUN(m, by) (PAIR(m, by) & (PAIR(m, by) >> (2 * (by))))
#define FOUR(m) (RUN(m, 1) || RUN(m, 4) || RUN(m, 5) || RUN(m, 6))
#define ALL (mine | other)
#define DROP(c) \
    :: d_step { !FOUR(other) && !(ALL & (8 << 5 * c)) -> \
        after = mine | ((ALL + (1 << 5 * c)) & ~ALL & (31 << 5 * c)); mine = other; other = after }

active proctype play() {
end:
    do
    DROP(0) DROP(1) DROP(2) DROP(3) DROP(4)
    od
}
