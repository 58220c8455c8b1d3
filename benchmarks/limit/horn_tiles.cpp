// Noughts-and-crosses tiles, 10 by 10, with diagonals, the first play fixes the orientations.
//
// Scalar: the empty squares are two words of five rows of twelve bits (ten and two that stay clear), so the places for a tile
// are an and with a shift, sideways or up; they are counted and the k-th is found by pdep, and the last bit of the draw
// turns the tile round. Lines are counted, not looked for: a counter for every row, column and diagonal and symbol, four
// of them go up for a symbol; a line scores when its counter comes to six. Diagonals shorter than six share one that starts
// out of reach.
#include "common.hpp"

static constexpr int SIDE = 10, STRIDE = 12, LINES = 10 + 10 + 19 + 19;

struct Lines {
    u8 of[2][64][4];  // by half of the board and bit
    u8 first[64];     // counters at the start
    constexpr Lines() : of(), first() {
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                u8* lines = of[y / 5][y % 5 * STRIDE + x];
                lines[0] = u8(y);
                lines[1] = u8(10 + x);
                lines[2] = u8(20 + x + y);
                lines[3] = u8(39 + x - y + 9);
            }
        for (int d = 0; d < 19; d++)
            if (d < 5 || d > 13) first[20 + d] = first[39 + d] = 100;
    }
};
static constexpr Lines TABLE;

struct Pair {
    u64 low, high;
    u32 count() const { return u32(_mm_popcnt_u64(low) + _mm_popcnt_u64(high)); }
};

struct Board {
    u64 low, high;  // empty squares
    alignas(64) u8 counters[2][64];

    Pair level() const { return {low & (low >> 1), high & (high >> 1)}; }
    Pair upright() const { return {low & ((low >> STRIDE) | (high << 4 * STRIDE)), high & (high >> STRIDE)}; }
    Pair places(bool up) const { return up ? upright() : level(); }

    // A symbol on a square: how many of its lines come to six.
    u32 put(int symbol, u32 half, u32 bit) {
        u32 sixes = 0;
        for (const u8 line : TABLE.of[half][bit]) sixes += ++counters[symbol][line] == 6;
        return sixes;
    }

    // The k-th tile among those on these places (k counts both ways round); `own` is the mover's symbol. Gives the lines that
    // its half of the tile brings to six.
    u32 lay(Pair places, bool up, u32 k, int own) {
        const int here_symbol = k & 1;
        k >>= 1;
        const u32 in_low = u32(_mm_popcnt_u64(places.low)), half = k >= in_low;
        const u32 bit = u32(_tzcnt_u64(half ? kth(places.high, k - in_low) : kth(places.low, k)));
        u32 other_half = half, other_bit = bit + (up ? STRIDE : 1);
        if (other_bit >= 5 * STRIDE) {
            other_half = 1;
            other_bit -= 5 * STRIDE;
        }
        const u64 a = 1ull << bit, b = 1ull << other_bit;
        low &= ~((half ? 0 : a) | (other_half ? 0 : b));
        high &= ~((half ? a : 0) | (other_half ? b : 0));
        const u32 here = put(here_symbol, half, bit), there = put(1 - here_symbol, other_half, other_bit);
        return here_symbol == own ? here : there;
    }
};

// A random tile, either way.
inline u32 lay_any(Board& board, Random& random, int own, bool& up) {
    const Pair level = board.level(), upright = board.upright();
    const u32 n = level.count(), m = upright.count(), k = random.below(2 * (n + m));
    up = k >= 2 * n;
    return up ? board.lay(upright, true, k - 2 * n, own) : board.lay(level, false, k, own);
}

__attribute__((noinline)) static int play(Random& random, u64& moves) {
    Board board;
    const u64 rows = 0x3FFull | 0x3FFull << 12 | 0x3FFull << 24 | 0x3FFull << 36 | 0x3FFull << 48;
    board.low = board.high = rows;
    memcpy(board.counters[0], TABLE.first, 64);
    memcpy(board.counters[1], TABLE.first, 64);
    bool up;
    lay_any(board, random, 0, up);
    const u64 choices = random.next() >> 62;
    const int symbol_of_a = int(choices & 1);
    int turn = int(choices >> 1);
    int stock = 44, scored[2] = {0, 0};
    const auto score = [&](u32 sixes) {
        stock--;
        const int won = int(sixes) < stock ? int(sixes) : stock;
        scored[turn] += won;
        stock -= won;
    };
    score(lay_any(board, random, turn ? 1 - symbol_of_a : symbol_of_a, up));
    moves = 2;
    while (stock > 0) {
        turn = 1 - turn;
        up = !up;
        Pair places = board.places(up);
        u32 n = places.count();
        if (__builtin_expect(!n, 0)) {  // passes
            turn = 1 - turn;
            up = !up;
            places = board.places(up);
            n = places.count();
            if (!n) break;
        }
        score(board.lay(places, up, random.below(2 * n), turn ? 1 - symbol_of_a : symbol_of_a));
        moves++;
    }
    return scored[0] > scored[1] ? 0 : scored[0] < scored[1] ? 1 : -1;
}

int main(int count, char** words) {
    return one_at_a_time<u64>(count, words, 2000, [](Random& random, u64& moves) { return play(random, moves); });
}
