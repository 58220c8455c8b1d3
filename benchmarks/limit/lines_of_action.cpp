// Lines of action. No list of moves: each of the 42 lines of two squares or more is a number in base three, kept up to date; tables by that
// number tell how many moves both players have along the line, and whose men go which way. Six words hold the counts of a player's lines as bytes:
// running sums by products find the line of the drawn move. Whether an army is united is asked of the mover, and of the rival
// only if a man was taken, and flooded only when no man of it is alone.
#include "plays.hpp"

static constexpr int LINES = 42, ENTRIES = 9 + 27 + 81 + 243 + 729 + 2187 + 6561;  // of two to eight squares
static constexpr u64 ONES = 0x0101010101010101ull, A = ONES, H = A << 7;
static constexpr u32 THREES[8] = {1, 3, 9, 27, 81, 243, 729, 2187};

struct Line {
    u8 cell = 0, by = 0, length = 0;  // the first square, the step
    u16 base = 0;                     // where its table begins
};

struct Tables {
    u8 counts[ENTRIES][2] = {};   // of moves, of black and of white
    u8 far[ENTRIES] = {};         // how far men go
    u8 men[ENTRIES][2][2] = {};   // places of the line from which a man goes on, and back
    Line lines[48];
    struct {
        u8 line;
        u16 weight;
    } through[64][4];
    u16 start[48] = {};

    Tables() {
        u16 base[9] = {};
        int n = 0;
        for (int length = 2; length <= 8; length++) {
            base[length] = u16(n);
            for (u32 x = 0; x < THREES[length - 1] * 3; x++) fill(n++, x, length);
        }
        for (auto& four : through)
            for (auto& t : four) t = {47, 0};
        static constexpr int WAYS[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
        int l = 0;
        for (int c = 0; c < 64; c++)
            for (int w = 0; w < 4; w++) {
                const int dx = WAYS[w][0], dy = WAYS[w][1], x = c & 7, y = c >> 3;
                if (inside(x - dx, y - dy) || !inside(x + dx, y + dy)) continue;
                Line& line = lines[l];
                line.cell = u8(c), line.by = u8(8 * dy + dx);
                for (; inside(x + dx * line.length, y + dy * line.length); line.length++)
                    through[c + line.by * line.length][w] = {u8(l), u16(THREES[line.length])};
                line.base = base[line.length];
                l++;
            }
    }
    static bool inside(int x, int y) { return x >= 0 && x < 8 && y >= 0 && y < 8; }
    void fill(int at, u32 x, int length) {
        u32 men_of[2] = {0, 0};
        for (int i = 0; i < length; i++, x /= 3)
            if (x % 3) men_of[x % 3 - 1] |= 1u << i;
        const int n = far[at] = u8(__builtin_popcount(men_of[0] | men_of[1]));
        for (int p = 0; p < 2; p++)
            for (int i = 0; i < length; i++) {
                if (!(men_of[p] >> i & 1)) continue;
                for (int back = 0; back < 2; back++) {
                    const int to = back ? i - n : i + n, low = back ? to : i;
                    if (to < 0 || to >= length || men_of[p] >> to & 1) continue;
                    const u32 between = ((1u << (n - 1)) - 1) << (low + 1);
                    if (!(between & men_of[1 - p])) men[at][p][back] |= 1u << i;
                }
                counts[at][p] = u8(__builtin_popcount(men[at][p][0]) + __builtin_popcount(men[at][p][1]));
            }
    }
};
static const Tables TABLES;

static inline u64 around(u64 x) {
    const u64 row = x | (x & ~H) << 1 | (x & ~A) >> 1;
    return row << 8 | row >> 8 | row;
}

static inline bool united(u64 men) {
    const u64 left = (men & ~A) >> 1, right = (men & ~H) << 1, row = men | left | right;
    if (men & ~(row << 8 | row >> 8 | left | right)) return !(men & (men - 1));
    u64 x = men & -men, y;
    do {
        y = x;
        x = around(x) & men;
    } while (x != y);
    return x == men;
}

struct State {
    u64 men[2];
    union {
        u8 counts[2][48] = {};
        u64 words[2][6];
    };
    u16 at[48];      // the entries of the lines
    u64 sums[6];
    u32 me = 0, before[6], found = 0, turns = 0;
    int end = 0;     // 0: none, 1: won by black, 2: by white, 3: drawn

    State() {
        men[0] = 0x7Eull | 0x7Eull << 56, men[1] = 0x0081818181818100ull;
        for (int l = 0; l < 48; l++) at[l] = TABLES.lines[l].base;
        for (int c = 0; c < 64; c++)
            for (int p = 0; p < 2; p++)
                if (men[p] >> c & 1) add(c, p + 1);
        for (int c = 0; c < 64; c++) tell(c);
    }
    void add(int c, int what) {
#pragma GCC unroll 4
        for (const auto& t : TABLES.through[c]) at[t.line] += u16(t.weight * what);
    }
    void tell(int c) {
#pragma GCC unroll 4
        for (const auto& t : TABLES.through[c]) {
            const u8* found = TABLES.counts[at[t.line]];
            counts[0][t.line] = found[0], counts[1][t.line] = found[1];
        }
    }

    u32 sum() {
        for (int i = 0; i < 6; i++) sums[i] = words[me][i] * ONES;
        found = 0;
        for (int i = 0; i < 6; i++) before[i] = found, found += sums[i] >> 56;
        return found;
    }

    // True when a man is taken.
    bool go(u32 k) {
        u32 i = 0;
        for (int j = 1; j < 6; j++) i += k >= before[j];
        k -= before[i];
        // The first byte whose running sum is above k; all are below 128.
        const u64 above = ((sums[i] | H) - (k + 1) * ONES) & H;
        const u32 byte = __builtin_ctzll(above) >> 3, l = 8 * i + byte;
        k -= u8(sums[i] << 8 >> (8 * byte));
        const u32 entry = at[l];
        const Line& line = TABLES.lines[l];
        const u32 on = TABLES.men[entry][me][0], n = __builtin_popcount(on), far = TABLES.far[entry] * line.by;
        const bool back = k >= n;
        const u32 place = __builtin_ctz(_pdep_u32(1u << (back ? k - n : k), back ? TABLES.men[entry][me][1] : on));
        const u32 from = line.cell + place * line.by, to = back ? from - far : from + far;
        const bool taken = men[me ^ 1] >> to & 1;
        men[me] ^= 1ull << from | 1ull << to;
        men[me ^ 1] &= ~(1ull << to);
        add(from, -int(me + 1));
        add(to, int(me + 1) - (taken ? int(2 - me) : 0));
        tell(from), tell(to);
        return taken;
    }

    void turn(u32 k) {
        turns++;
        if (found) {
            const bool taken = go(k), mine = united(men[me]), theirs = taken && united(men[me ^ 1]);
            if (mine | theirs) end = mine && theirs ? 3 : 1 + int(mine ? me : me ^ 1);
        }
        me ^= 1;
    }

    int over() const { return end || turns >= 1000; }
    u32 count() { return sum() ? found : 1; }
    bool make(u32 k) { return turn(k), true; }
};

int main(int count, char** words) {
    static const State START;
    return plays<State>(count, words, 500, [](Random& random, u64& plies) {
        State s = START;
        while (!s.over()) s.turn(random.below(s.count()));
        plies = s.turns;
        return s.end == 1 ? 0 : s.end == 2 ? 1 : -1;
    });
}
