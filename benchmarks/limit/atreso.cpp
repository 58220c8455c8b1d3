// Atreso, 10 by 10, squares are adjacent by sides.
//
// Scalar: sets of 128 bits, rows of eleven bits of which one stays clear, so no step leaves the board unseen. Moves
// are fifteen masks of targets, by piece and direction, counted and not listed; which of them holds the drawn number is a sum
// of comparisons, without a branch. Heights of the stacks are bytes; that a stack is a group is a
// set. Repetition: a sum of random words, one for every piece on its square, kept up to date; it is compared only with the
// same player's turns since the last loss or forward step, after which no position can come back.
#include "common.hpp"

using Set = u128;

static constexpr int ROW = 11, CELLS = 10 * ROW;

constexpr Set bit(int cell) { return Set(1) << cell; }

constexpr Set rows(int from, int to) {
    Set found = 0;
    for (int y = from; y < to; y++) found |= Set(0x3FF) << (y * ROW);
    return found;
}

static constexpr Set BOARD = rows(0, 10), HOME[2] = {rows(0, 3), rows(7, 10)}, FAR[2] = {rows(9, 10), rows(0, 1)};

inline u32 number(Set s) { return u32(_mm_popcnt_u64(u64(s)) + _mm_popcnt_u64(u64(s >> 64))); }

inline int first_of(Set s) { return int(u64(s) ? _tzcnt_u64(u64(s)) : 64 + _tzcnt_u64(u64(s >> 64))); }

inline int pick(Set s, u32 k) {
    const u32 low = u32(_mm_popcnt_u64(u64(s)));
    return int(k < low ? _tzcnt_u64(kth(u64(s), k)) : 64 + _tzcnt_u64(kth(u64(s >> 64), k - low)));
}

inline Set beside(Set s) { return s << 1 | s >> 1 | s << ROW | s >> ROW; }

// One word for every piece on its square: chips, stones, grey stones.
struct Words {
    u64 chip[2][CELLS], stone[2][CELLS], grey[CELLS];
    Words() {
        Random random(20101);
        for (int c = 0; c < CELLS; c++) {
            for (int p = 0; p < 2; p++) chip[p][c] = random.next(), stone[p][c] = random.next();
            grey[c] = random.next();
        }
    }
};
static const Words WORDS;

struct Board {
    Set chips[2] = {0, 0}, groups[2] = {0, 0}, stones[2] = {0, 0}, grey = 0;
    u8 height[CELLS] = {};
    u32 supply = 10;
    u64 sum = 0;

    Set empty() const { return BOARD & ~(chips[0] | chips[1] | stones[0] | stones[1] | grey); }

    void add_chip(int who, int c) {
        if (height[c]++) groups[who] |= bit(c);
        chips[who] |= bit(c);
        sum += WORDS.chip[who][c];
    }
    void take_chip(int who, int c) {
        const u8 left = --height[c];
        if (left < 2) groups[who] &= ~bit(c);
        if (left < 1) chips[who] &= ~bit(c);
        sum -= WORDS.chip[who][c];
    }
    void take_all(int who, int c) {
        sum -= WORDS.chip[who][c] * height[c];
        height[c] = 0;
        groups[who] &= ~bit(c);
        chips[who] &= ~bit(c);
    }
    void add_stone(int who, int c) {
        stones[who] |= bit(c);
        sum += WORDS.stone[who][c];
    }
    void take_stone(int who, int c) {
        stones[who] &= ~bit(c);
        sum -= WORDS.stone[who][c];
    }
    void release() {
        const Set shut_in = grey & ~beside(empty());
        for (Set rest = shut_in; rest; rest &= rest - 1) sum -= WORDS.grey[first_of(rest)];
        grey &= ~shut_in;
        supply += number(shut_in);
    }

    void set_up(int who, Random& random) {
        Set free = HOME[who];
        for (u32 i = 0; i < 5; i++) {
            const int c = pick(free, random.below(30 - i));
            free &= ~bit(c);
            add_stone(who, c);
        }
        for (; free; free &= free - 1) add_chip(who, first_of(free));
    }

    // True when nothing can come back as it was.
    bool step_chip(int me, int here, int there, bool ahead, Random& random) {
        const int rival = 1 - me;
        const Set target = bit(there);
        if (target & (stones[rival] | groups[rival])) {
            if (random.below(6) < 4) {
                take_chip(me, here);
                return true;
            }
        }
        const bool taken = (target & (chips[rival] | stones[rival])) != 0;
        if (target & chips[rival]) take_all(rival, there);
        if (target & stones[rival]) take_stone(rival, there);
        take_chip(me, here);
        add_chip(me, there);
        return taken || ahead;
    }

    bool slide_stone(int me, int here, int there, Random& random) {
        const int rival = 1 - me;
        const Set target = bit(there);
        take_stone(me, here);
        if (target & stones[rival]) {
            take_stone(rival, there);
            return true;
        }
        if ((target & groups[rival]) && random.below(6) >= 4) return true;
        const bool taken = (target & chips[rival]) != 0;
        if (taken) take_all(rival, there);
        add_stone(me, there);
        return taken;
    }
};

template <int BY>
inline Set shifted(Set s) {
    return BY > 0 ? s << BY : s >> -BY;
}

enum class Turn { on, fresh, won, stuck };  // fresh: nothing can come back as it was

template <int ME>
inline Turn turn(Board& b, Random& random, u64& moves) {
    constexpr int AHEAD = ME == 0 ? ROW : -ROW;
    const Set free = b.empty(), open = BOARD & ~(b.stones[ME] | b.grey), clear = open & ~b.chips[ME], stones = b.stones[ME];
    const Set north = shifted<ROW>(stones), south = shifted<-ROW>(stones), east = shifted<1>(stones), west = shifted<-1>(stones);
    const Set targets[15] = {
        shifted<AHEAD>(b.chips[ME]) & open,
        shifted<1>(b.chips[ME]) & open,
        shifted<-1>(b.chips[ME]) & open,
        north & clear,
        south & clear,
        east & clear,
        west & clear,
        shifted<1>(north) & clear,
        shifted<-1>(north) & clear,
        shifted<1>(south) & clear,
        shifted<-1>(south) & clear,
        shifted<ROW>(north & free) & clear,  // over an empty square
        shifted<-ROW>(south & free) & clear,
        shifted<1>(east & free) & clear,
        shifted<-1>(west & free) & clear,
    };
    static constexpr int BY[15] = {AHEAD, 1, -1, ROW, -ROW, 1, -1, ROW + 1, ROW - 1, 1 - ROW, -1 - ROW, 2 * ROW, -2 * ROW, 2, -2};
    u32 before[16], n = 0;
    for (int i = 0; i < 15; i++) {
        before[i] = n;
        n += number(targets[i]);
    }
    if (!n) return Turn::stuck;
    moves++;
    const u32 k = random.below(n);
    u32 kind = 0;
    for (int i = 1; i < 15; i++) kind += k >= before[i];
    const int there = pick(targets[kind], k - before[kind]), here = there - BY[kind];
    const bool fresh = kind < 3 ? b.step_chip(ME, here, there, kind == 0, random) : b.slide_stone(ME, here, there, random);
    if (b.chips[ME] & FAR[ME]) return Turn::won;
    b.release();
    if (b.supply) {
        const Set now = b.empty(), places = now & beside(now);
        if (places) {
            const int c = pick(places, random.below(number(places)));
            b.grey |= bit(c);
            b.sum += WORDS.grey[c];
            b.supply--;
            moves++;
        }
    }
    b.release();
    return fresh ? Turn::fresh : Turn::on;
}

// 0: white wins, 1: black, -1: the third time.
__attribute__((noinline)) static int play(Random& random, u64& moves) {
    Board b;
    b.set_up(0, random);
    b.set_up(1, random);
    moves = 10;
    u64 seen[4096];
    u32 length = 0;
    for (int me = 0;; me = 1 - me) {
        u32 same = 0;
        for (int i = int(length) - 2; i >= 0; i -= 2) same += seen[i] == b.sum;
        if (same >= 2) return -1;
        seen[length++] = b.sum;
        const Turn found = me ? turn<1>(b, random, moves) : turn<0>(b, random, moves);
        if (found == Turn::won) return me;
        if (found == Turn::stuck) return 1 - me;
        if (found == Turn::fresh || length == 4096) length = 0;
    }
}

int main(int count, char** words) {
    return one_at_a_time<u64>(count, words, 20, [](Random& random, u64& moves) {
        const int winner = play(random, moves);
        const int white = int(random.next() >> 63);  // the roll-off: equal rolls are repeated, so either is as likely
        return winner < 0 ? -1 : winner ^ white;
    });
}
