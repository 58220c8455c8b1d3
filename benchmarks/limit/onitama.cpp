// Onitama, five by five. Every step of a card moves all men at once: a mask of the men that stay on the board, and a shift. The four
// steps of both cards are the eight lanes of a vector; two lanes are a word, so the count is four popcounts.
// Cards are numbers; the player who uses one takes the one aside in its place.
#include "plays.hpp"

#include <utility>

static constexpr int CARDS = 16;
// Squares to the right and forward; a missing step is no step.
static constexpr int STEPS[CARDS][4][2] = {
    {{0, 2}, {0, -1}},                       // tiger
    {{-2, 1}, {2, 1}, {-1, -1}, {1, -1}},    // dragon
    {{-2, 0}, {-1, 1}, {1, -1}},             // frog
    {{2, 0}, {1, 1}, {-1, -1}},              // rabbit
    {{-2, 0}, {2, 0}, {0, 1}},               // crab
    {{-1, 0}, {1, 0}, {-1, 1}, {1, 1}},      // elephant
    {{-1, 0}, {1, 0}, {-1, 1}, {1, -1}},     // goose
    {{-1, 0}, {1, 0}, {-1, -1}, {1, 1}},     // rooster
    {{-1, 1}, {1, 1}, {-1, -1}, {1, -1}},    // monkey
    {{-1, 1}, {1, 1}, {0, -1}},              // mantis
    {{0, 1}, {-1, 0}, {0, -1}},              // horse
    {{0, 1}, {1, 0}, {0, -1}},               // ox
    {{0, 1}, {-1, -1}, {1, -1}},             // crane
    {{0, 1}, {-1, 0}, {1, 0}},               // boar
    {{-1, 1}, {-1, -1}, {1, 0}},             // eel
    {{1, 1}, {1, -1}, {-1, 0}},              // cobra
};
static constexpr u32 BLUE = 1u << 0 | 1u << 3 | 1u << 4 | 1u << 6 | 1u << 8 | 1u << 11 | 1u << 12 | 1u << 14;  // stamps
static constexpr u32 TEMPLE[2] = {1u << 2, 1u << 22};

struct Tables {
    struct alignas(16) Four {
        u32 word[4] = {};
    };
    Four from[2][CARDS], up[2][CARDS], down[2][CARDS];  // of a player and a card
    constexpr Tables() : from(), up(), down() {
        for (int p = 0; p < 2; p++)
            for (int k = 0; k < CARDS; k++)
                for (int i = 0; i < 4; i++) {
                    const int dx = (p ? -1 : 1) * STEPS[k][i][0], dy = (p ? -1 : 1) * STEPS[k][i][1], by = 5 * dy + dx;
                    up[p][k].word[i] = by > 0 ? by : 0;
                    down[p][k].word[i] = by < 0 ? -by : 0;
                    for (int y = 0; y < 5; y++)
                        for (int x = 0; x < 5; x++)
                            if ((dx || dy) && x + dx >= 0 && x + dx < 5 && y + dy >= 0 && y + dy < 5)
                                from[p][k].word[i] |= 1u << (5 * y + x);
                }
    }
};
static constexpr Tables TABLES;

struct State {
    u32 men[2] = {0x1F, 0x1F00000}, master[2] = {TEMPLE[0], TEMPLE[1]};
    u32 hand[2][2], aside = 0, me = 0, dealt = 0, free = 0xFFFF;
    union {
        u32 landings[8];
        u64 pairs[4];
    };
    u32 before[4], found = 0;
    int winner = -1;

    void deal(u32 k) {
        const u32 card = __builtin_ctz(_pdep_u32(1u << k, free));
        free &= ~(1u << card);
        if (dealt < 4) hand[dealt >> 1][dealt & 1] = card;
        else aside = card, me = BLUE >> card & 1;
        dealt++;
    }

    template <int ME>
    u32 count_as() {
        const u32 m = men[ME], open = ~m;
#pragma GCC unroll 2
        for (int h = 0; h < 2; h++) {
            const u32 card = hand[ME][h];
            const Tables::Four &from = TABLES.from[ME][card], &up = TABLES.up[ME][card], &down = TABLES.down[ME][card];
            for (int i = 0; i < 4; i++) landings[4 * h + i] = (m & from.word[i]) << up.word[i] >> down.word[i] & open;
        }
        found = 0;
        for (int i = 0; i < 4; i++) before[i] = found, found += __builtin_popcountll(pairs[i]);
        return found ? found : 2;
    }

    // The k-th; true when it wins.
    template <int ME>
    bool make_as(u32 k) {
        if (__builtin_expect(found == 0, 0)) return std::swap(hand[ME][k], aside), false;
        const u32 i = (k >= before[1]) + (k >= before[2]) + (k >= before[3]);
        const u64 l = kth(pairs[i], k - before[i]);
        const u32 second = u32(l) == 0, to = u32(l | l >> 32), lane = 2 * i + second, h = lane >> 2, card = hand[ME][h];
        const u32 from = to << TABLES.down[ME][card].word[lane & 3] >> TABLES.up[ME][card].word[lane & 3];
        men[ME] ^= from | to;
        master[ME] = from == master[ME] ? to : master[ME];
        men[ME ^ 1] &= ~to;
        std::swap(hand[ME][h], aside);
        return to == master[ME ^ 1] || master[ME] == TEMPLE[ME ^ 1];
    }

    int over() const { return winner >= 0; }
    u32 count() {
        if (dealt < 5) return 16 - dealt;
        return me ? count_as<1>() : count_as<0>();
    }
    bool make(u32 k) {
        if (dealt < 5) return deal(k), true;
        if (me ? make_as<1>(k) : make_as<0>(k)) winner = int(me);
        me ^= 1;
        return true;
    }
};

template <int ME>
static inline bool turn(State& s, Random& random, u64& plies) {
    plies++;
    return s.make_as<ME>(random.below(s.count_as<ME>()));
}

int main(int count, char** words) {
    return plays<State>(count, words, 2000, [](Random& random, u64& plies) {
        State s;
        for (plies = 0; plies < 5; plies++) s.deal(random.below(16 - u32(plies)));
        if (s.me && turn<1>(s, random, plies)) return 1;
        for (;;) {
            if (turn<0>(s, random, plies)) return 0;
            if (turn<1>(s, random, plies)) return 1;
        }
    });
}
