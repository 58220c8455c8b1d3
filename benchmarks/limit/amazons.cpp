// Amazons, 10 by 10. The board is its 58 lines as words (rows, columns, two diagonals); a table gives what a queen on one place of a
// line reaches along it. A travel is drawn from sixteen sets (four amazons, four lines), whose counts are bytes with running sums by a
// product; the set is found without a branch. Shots are four sets. Several plays run in turn, so that they overlap: nothing
// waits for anything but its own play.
#include "plays.hpp"

static constexpr int SIDE = 10, LINES = 58, INTERLEAVED = 3;

struct Tables {
    u16 reach[SIDE][1 << SIDE];       // by place and occupied places
    u16 line[100][4], place[100][4];  // of a cell; place is already times 1024
    u16 bit[100][4];
    u8 cell[LINES][SIDE];
    u16 start[LINES];                 // places that are not there count as occupied
    constexpr Tables() : reach(), line(), place(), bit(), cell(), start() {
        for (int p = 0; p < SIDE; p++)
            for (int o = 0; o < 1 << SIDE; o++) {
                for (int q = p + 1; q < SIDE && !(o >> q & 1); q++) reach[p][o] |= u16(1 << q);
                for (int q = p - 1; q >= 0 && !(o >> q & 1); q--) reach[p][o] |= u16(1 << q);
            }
        for (u16& s : start) s = (1 << SIDE) - 1;
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                const int c = y * SIDE + x, lines[4] = {y, 10 + x, 20 + y + x, 48 + y - x}, places[4] = {x, y, x, x};
                for (int i = 0; i < 4; i++) {
                    line[c][i] = u16(lines[i]), place[c][i] = u16(places[i] << SIDE), bit[c][i] = u16(1 << places[i]);
                    cell[lines[i]][places[i]] = u8(c);
                    start[lines[i]] &= u16(~(1 << places[i]));
                }
            }
    }
};
static const Tables TABLES;

static constexpr u64 ONES = 0x0101010101010101ull;

struct State {
    u16 lines[LINES];
    u8 amazons[2][4] = {{30, 3, 6, 39}, {60, 93, 96, 69}};
    u32 me = 0, archer = 0;
    bool shooting = false;
    u16 sets[16];
    u64 counts[2], sums[2];

    State() {
        memcpy(lines, TABLES.start, sizeof lines);
        for (auto& side : amazons)
            for (u8 c : side) flip(c);
    }

    void flip(u32 c) {
        for (int i = 0; i < 4; i++) lines[TABLES.line[c][i]] ^= TABLES.bit[c][i];
    }
    u16 reach(u32 c, int i) const { return TABLES.reach[0][TABLES.place[c][i] + lines[TABLES.line[c][i]]]; }

    u32 travels() {
        for (int half = 0; half < 2; half++) {
            u64 word = 0;
#pragma GCC unroll 8
            for (int j = 0; j < 8; j++) {
                const int i = 8 * half + j;
                sets[i] = reach(amazons[me][i >> 2], i & 3);
                word |= u64(__builtin_popcount(sets[i])) << (8 * j);
            }
            counts[half] = word;
            sums[half] = (word + (half ? sums[0] >> 56 : 0)) * ONES;
        }
        return sums[1] >> 56;
    }
    void travel(u32 k) {
        const __m128i x = _mm_set_epi64x(sums[1], sums[0]);
        const u32 i = __builtin_popcount(_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8(char(k))), x)));
        const u32 half = i >> 3, by = 8 * (i & 7);
        k -= u8(sums[half] >> by) - u8(counts[half] >> by);
        u8& amazon = amazons[me][i >> 2];
        const u32 to = TABLES.cell[TABLES.line[amazon][i & 3]][__builtin_ctzll(kth(sets[i], k))];
        flip(amazon);
        flip(to);
        amazon = u8(to), archer = to;
    }

    // The shots are two words: two lines of the archer each.
    u32 shots() {
        u64 word = 0;
        for (int i = 0; i < 4; i++) word |= u64(reach(archer, i)) << (16 * i);
        counts[0] = word;
        return __builtin_popcountll(word);
    }
    void shoot(u32 k) {
        const u32 at = __builtin_ctzll(kth(counts[0], k));
        flip(TABLES.cell[TABLES.line[archer][at >> 4]][at & 15]);
        me ^= 1;
    }

    int over() const { return 0; }
    u32 count() { return shooting ? shots() : travels(); }
    bool make(u32 k) {
        shooting ? shoot(k) : travel(k);
        shooting = !shooting;
        return true;
    }
};

struct Interleaved {
    State states[INTERLEAVED];
    u64 plies[INTERLEAVED] = {};
};

int main(int count, char** words) {
    static Interleaved all;
    static const State START;
    return plays<State>(count, words, 300, [](Random& random, u64& plies) {
        for (;;) {
            for (int i = 0; i < INTERLEAVED; i++) {
                State& s = all.states[i];
                const u32 n = s.travels();
                if (n == 0) {
                    const int winner = int(s.me ^ 1);
                    plies = all.plies[i];
                    all.plies[i] = 0;
                    s = START;
                    return winner;
                }
                s.travel(random.below(n));
                s.shoot(random.below(s.shots()));
                all.plies[i] += 2;
            }
        }
    });
}
