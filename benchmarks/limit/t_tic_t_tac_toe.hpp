// The whole T-Tic-T-Tac-Toe match: rock-paper-scissors, tic-tac-toe, the choice of a version, five games.
//
// Its parts are played as if each were alone, and only who won goes from one to the next: symbols make no difference, so
// a game knows a first and a second player. One random number gives both hands of a throw. Without CHOICE all games are of
// version 2.0.
#pragma once

#include <initializer_list>

#include "plays.hpp"
#include "t_tic_t_tac_toe_game.hpp"

struct Small {
    static constexpr bool line(u32 m) {
        for (u32 l : {7u, 56u, 448u, 73u, 146u, 292u, 273u, 84u})
            if ((m & l) == l) return true;
        return false;
    }
    bool wins[512] = {};
    constexpr Small() {
        for (u32 m = 0; m < 512; m++) wins[m] = line(m);
    }
};
static constexpr Small SMALL;

// One game for the counts of sequences.
template <int EDITION>
struct Sequences {
    State<EDITION> board;
    Kinds kinds;
    int me = 0;
    bool ended = false;

    bool over() const { return ended; }
    u32 count() {
        kinds = kinds_of(board, me);
        return number_of(kinds);
    }
    bool make(u32 k) {
        play_move(board, me, kinds, k);
        ended = three(board.marks[0], board.steps) || three(board.marks[1], board.steps);
        me ^= 1;
        return true;
    }
};

// A match up to the end of its first game. Both hands of a throw are one decision here, as the ruleset counts sequences.
template <bool CHOICE>
struct Match {
    enum Phase { THROW, PLACE, CHOOSE, FIRST, SECOND } phase = THROW;
    u32 marks[2] = {0, 0}, me = 0;
    Sequences<1> first;
    Sequences<2> second;

    bool over() const { return phase == FIRST ? first.over() : phase == SECOND && second.over(); }
    u32 free() const { return 511 & ~(marks[0] | marks[1]); }
    u32 count() {
        switch (phase) {
            case THROW: return 9;
            case PLACE: return __builtin_popcount(free());
            case CHOOSE: return 2;
            case FIRST: return first.count();
            default: return second.count();
        }
    }
    bool make(u32 k) {
        switch (phase) {
            case THROW:
                if (k % 4) phase = PLACE;  // not both alike
                break;
            case PLACE:
                marks[me] |= u32(kth(free(), k));
                if (SMALL.wins[marks[me]]) phase = CHOICE ? CHOOSE : SECOND;
                else if (!free()) phase = THROW, marks[0] = marks[1] = 0, me = 1;
                me ^= 1;
                break;
            case CHOOSE: phase = k ? SECOND : FIRST; break;
            case FIRST: first.make(k); break;
            case SECOND: second.make(k);
        }
        return true;
    }
};

// Who wins tic-tac-toe: 0 who begins, 1 the other, -1 nobody.
static inline int small(Random& random, u64& plies) {
    u32 marks[2] = {0, 0}, free = 511;
    for (u32 left = 9; left; left--) {
        const u32 me = (left & 1) ^ 1, to = u32(kth(free, random.below(left)));
        free ^= to;
        marks[me] |= to;
        plies++;
        if (SMALL.wins[marks[me]]) return int(me);
    }
    return -1;
}

template <int EDITION>
static int games(Random& random, u64& plies, u32 starter) {
    int lead = 0;
    for (int i = 0; i < 5; i++) {
        u64 moves;
        const int found = play<EDITION>(random, moves);
        plies += moves;
        if (found < 0) {
            starter ^= 1;
            continue;
        }
        const u32 winner = starter ^ u32(found);
        lead += winner ? -1 : 1;
        starter = winner ^ 1;
    }
    return lead > 0 ? 0 : lead < 0 ? 1 : -1;
}

template <bool CHOICE>
static int match(Random& random, u64& plies) {
    u32 x;
    int found;
    do {
        u32 hands;
        do hands = random.below(9), plies += 2;
        while (hands % 4 == 0);  // both alike
        x = (hands / 3 + 3 - hands % 3) % 3 == 1 ? 0 : 1;
        found = small(random, plies);
    } while (found < 0);
    const u32 starter = x ^ u32(found);
    if (CHOICE) plies++;
    return !CHOICE || random.below(2) ? games<2>(random, plies, starter) : games<1>(random, plies, starter);
}

template <int EDITION>
static int counted(char* depth) {
    printf("{\"perft\": %llu}\n", (unsigned long long)perft(Sequences<EDITION>(), atoi(depth)));
    return 0;
}

// `perft DEPTH VERSION` counts the sequences of one game.
template <bool CHOICE>
static int program(int count, char** words) {
    if (count > 3 && !strcmp(words[1], "perft")) return words[3][0] == '1' ? counted<1>(words[2]) : counted<2>(words[2]);
    return plays<Match<CHOICE>>(count, words, 200, match<CHOICE>);
}
