// Backgammon without gammons. Each player's points are counted by what is still to go, the bar is the 25th. The sources of a die are
// `occupied & (open << n)`, and what a greater number takes off. "Use both dice": a first move is drawn, and drawn again if
// the other die can't be used after it, which is one more such set; if none is left, the higher usable die is drawn from.
// Every throw of a die and every pass counts as a ply.
#include "plays.hpp"

static constexpr u32 POINTS = 0x1FFFFFE, BAR = 1u << 25, FAR = ~0x7Fu;

struct Side {
    u8 on[26] = {};                     // by points to go
    u32 held = 0, made = 0, faced = 0;  // points with one or more, with two or more; these as the rival counts
    u32 off = 0;

    void add(u32 i) {
        const u32 n = ++on[i];
        held |= 1u << i;
        if (n == 2) made |= 1u << i, faced |= 1u << (25 - i);
    }
    void take(u32 i) {
        const u32 n = --on[i];
        if (n == 0) held &= ~(1u << i);
        if (n == 1) made &= ~(1u << i), faced &= ~(1u << (25 - i));
    }
};

// What can use the number n, as bits.
static inline u32 sources(u32 held, u32 open, u32 n) {
    const u32 bar = held & BAR, from = bar ? bar : held;
    u32 found = from & (open << n);
    if (!(held & FAR)) {
        found |= held & (1u << n);
        const u32 top = 31 - __builtin_clz(held | 1);
        if (top < n) found |= held & (1u << top);
    }
    return found;
}

struct State {
    Side sides[2];
    u32 me = 0, dice[2] = {0, 0}, unused = 0, stage = 0;  // stages: first throws of white and black, a move, a die, another
    u32 sets[2];
    bool fixed = false;  // only one of two numbers can be used

    State() {
        for (Side& s : sides) {
            for (int i = 0; i < 2; i++) s.add(24);
            for (int i = 0; i < 5; i++) s.add(13), s.add(6);
            for (int i = 0; i < 3; i++) s.add(8);
        }
    }

    u32 open() const { return POINTS & ~sides[me ^ 1].faced; }
    u32 usable(u32 n) const { return sources(sides[me].held, open(), n); }

    void move(u32 from, u32 n) {
        Side& mine = sides[me];
        mine.take(from);
        if (from <= n) {
            mine.off++;
            return;
        }
        const u32 to = from - n;
        Side& theirs = sides[me ^ 1];
        if (theirs.held >> (25 - to) & 1) theirs.take(25 - to), theirs.add(25);
        mine.add(to);
    }

    // Whether the other number can be used after the source has used n.
    bool leaves(u32 from, u32 n, u32 other) const {
        const Side& mine = sides[me];
        u32 held = mine.held;
        if (mine.on[from] == 1) held &= ~(1u << from);
        if (from > n) held |= 1u << (from - n);
        return sources(held, open(), other) != 0;
    }

    void throw_dice(u32 a, u32 b) { dice[0] = a, dice[1] = b, unused = a == b ? 4 : 2; }

    // A turn of me with the dice that are thrown. Returns the number of plies.
    u32 turn(Random& random) {
        if (dice[0] == dice[1]) {
            u32 plies = 0;
            for (; plies < 4; plies++) {
                const u32 s = usable(dice[0]);
                if (!s) break;
                move(__builtin_ctz(kth(s, random.below(__builtin_popcount(s)))), dice[0]);
            }
            return plies ? plies : 1;
        }
        const u32 all[2] = {usable(dice[0]), usable(dice[1])};
        u64 both = all[0] | u64(all[1]) << 32;
        while (both) {
            const u64 bit = kth(both, random.below(__builtin_popcountll(both)));
            const u32 i = __builtin_ctzll(bit), d = i >> 5, from = i & 31;
            if (leaves(from, dice[d], dice[d ^ 1])) {
                move(from, dice[d]);
                const u32 s = usable(dice[d ^ 1]);
                move(__builtin_ctz(kth(s, random.below(__builtin_popcount(s)))), dice[d ^ 1]);
                return 2;
            }
            both ^= bit;
        }
        const u32 high = dice[0] < dice[1], d = all[high] ? high : high ^ 1;
        if (all[d]) move(__builtin_ctz(kth(all[d], random.below(__builtin_popcount(all[d])))), dice[d]);
        return 1;
    }

    // For counting sequences, ply by ply.
    int over() const { return sides[0].off == 15 || sides[1].off == 15; }
    u32 count() {
        if (stage != 2) return 6;
        sets[0] = usable(dice[0]), sets[1] = unused == 2 ? usable(dice[1]) : 0;
        fixed = false;
        if (unused == 2 && dice[0] != dice[1]) {
            u32 on[2] = {0, 0};
            for (u32 d = 0; d < 2; d++)
                for (u32 from = 1; from < 26; from++)
                    if (sets[d] >> from & 1 && leaves(from, dice[d], dice[d ^ 1])) on[d] |= 1u << from;
            if (on[0] | on[1]) {
                sets[0] = on[0], sets[1] = on[1];
            } else {
                const u32 high = dice[0] < dice[1], d = sets[high] ? high : high ^ 1;
                sets[d ^ 1] = 0;
            }
        } else if (dice[0] == dice[1]) {
            sets[1] = 0;
        }
        const u32 n = __builtin_popcount(sets[0]) + __builtin_popcount(sets[1]);
        return n ? n : 1;
    }
    void next_turn() { me ^= 1, stage = 3; }
    bool make(u32 k) {
        if (stage == 0 || stage == 3) {
            dice[0] = k + 1, stage++;
        } else if (stage == 1) {
            if (dice[0] == k + 1) return stage = 0, true;
            me = k + 1 > dice[0];
            throw_dice(dice[0], k + 1), stage = 2;
        } else if (stage == 4) {
            throw_dice(dice[0], k + 1), stage = 2;
        } else {
            const u32 n = __builtin_popcount(sets[0]), d = k >= n;
            if (!(sets[0] | sets[1])) return next_turn(), true;
            move(__builtin_ctz(kth(sets[d], d ? k - n : k)), dice[d]);
            unused--;
            if (dice[0] != dice[1] && unused == 1) dice[0] = dice[1] = dice[d ^ 1];
            if (!unused || !usable(dice[0])) next_turn();
        }
        return true;
    }
};

int main(int count, char** words) {
    static const State START;
    return plays<State>(count, words, 100, [](Random& random, u64& plies) {
        State s = START;
        u32 a, b;
        do {
            a = random.below(6) + 1, b = random.below(6) + 1;
            plies += 2;
        } while (a == b);
        s.me = b > a;
        s.throw_dice(a, b);
        for (;;) {
            plies += s.turn(random);
            if (s.sides[s.me].off == 15) return int(s.me);
            const u32 both = random.below(36);
            s.me ^= 1;
            s.throw_dice(both / 6 + 1, both % 6 + 1);
            plies += 2;
        }
    });
}
