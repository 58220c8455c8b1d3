// T-Tic-T-Tac-Toe, one game of either version; a super may be the first ply of version 2.0. The players are first and second.
//
// Marks are words of 25 bits; a blockage is two words, the right and the upper sides of squares it stands on. Which steps
// are free, in four directions, is made of them when a blockage comes or goes, and three in a row is two shifts a direction.
// Moves are counted by kind: empty squares; supers, all sixteen blocks tried at once in the lanes of a vector; curtains
// and walls, of which only those that stand are taken; the few others one by one. A rescue is looked at only when some
// super makes three, and its last condition only when the others hold.
#pragma once

#include "common.hpp"

static constexpr u32 BOARD = 0x1FFFFFF, EAST_OK = 0x0F7BDEF, NORTH_OK = 0x00FFFFF, WEST_OK = 0x1EF7BDE;
static constexpr int CURTAINS = 8, WALLS = 57, RING = 44;  // the ring round the centre

struct Sides {
    u32 right = 0, upper = 0;
};

struct Tables {
    Sides curtains[CURTAINS], walls[WALLS];
    alignas(64) u32 blocks[16];
    constexpr Tables() : curtains(), walls(), blocks() {
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 5; j++) {
                curtains[i].upper |= 1u << (5 * i + j);
                curtains[4 + i].right |= 1u << (5 * j + i);
            }
        int n = 0;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                walls[n++].upper = 3u << (5 * i + j);
                walls[n++].right = 1u << (5 * j + i) | 1u << (5 * j + 5 + i);
                blocks[4 * i + j] = 3u << (5 * i + j) | 3u << (5 * i + 5 + j);
            }
        for (int y = 0; y < 5; y++)
            for (int x = 0; x < 5; x++) {
                Sides& ring = walls[n++];
                const int c = 5 * y + x;
                if (x < 4) ring.right |= 1u << c;
                if (x > 0) ring.right |= 1u << (c - 1);
                if (y < 4) ring.upper |= 1u << c;
                if (y > 0) ring.upper |= 1u << (c - 5);
            }
    }
};
static constexpr Tables TABLES;

// From which squares a step east, north, north-east, north-west is free.
struct Steps {
    u32 east, north, north_east, north_west;
    explicit Steps(Sides b = {}) {
        const u32 r = ~b.right, u = ~b.upper;
        east = r & EAST_OK;
        north = u & NORTH_OK;
        north_east = ((r & (u >> 1)) | (u & (r >> 5))) & EAST_OK & NORTH_OK;
        north_west = (((r << 1) & (u << 1)) | (u & (r >> 4))) & WEST_OK & NORTH_OK;
    }
};

inline u32 in_line(u32 m, u32 steps, int by) {
    const u32 pairs = m & (m >> by) & steps;
    return pairs & (pairs >> by);
}

inline bool three(u32 m, const Steps& s) {
    return in_line(m, s.east, 1) | in_line(m, s.north, 5) | in_line(m, s.north_east, 6) | in_line(m, s.north_west, 4);
}

inline u32 third(u32 m, u32 steps, int by) {
    const u32 lines = steps & (steps >> by);
    return (m >> by & m >> 2 * by & lines) | (m & m >> 2 * by & lines) << by | (m & m >> by & lines) << 2 * by;
}

// The squares on which one more mark would make three.
inline u32 thirds(u32 m, const Steps& s) {
    return third(m, s.east, 1) | third(m, s.north, 5) | third(m, s.north_east, 6) | third(m, s.north_west, 4);
}

#ifdef __AVX512F__
inline __m512i lines_of_each(__m512i m, u32 steps, int by) {
    const __m128i shift = _mm_cvtsi32_si128(by);
    const __m512i pairs = _mm512_ternarylogic_epi32(m, _mm512_srl_epi32(m, shift), _mm512_set1_epi32(int(steps)), 0x80);
    return _mm512_and_si512(pairs, _mm512_srl_epi32(pairs, shift));
}
#endif

template <int EDITION>
struct State {
    // Curtains of both, walls of both; in version 1.0 a wall that nobody put up.
    static constexpr int BLOCKAGES = EDITION == 1 ? 5 : 4;
    u32 marks[2] = {0, 0};
    Sides on[BLOCKAGES];
    u8 shape[BLOCKAGES];  // number of the shape that stands there
    u8 safe[BLOCKAGES] = {}, charlie[BLOCKAGES] = {};
    bool stands[BLOCKAGES] = {}, spent[BLOCKAGES] = {};
    bool super_spent[2] = {}, charlie_spent[2] = {};
    bool first = true;
    Steps steps;

    State() {
        if (EDITION == 1) put_up(4, TABLES.walls[RING], RING);
    }

    u32 empty() const { return BOARD & ~(marks[0] | marks[1]); }

    Steps steps_without(int gone) const {
        Sides all;
        for (int b = 0; b < BLOCKAGES; b++) {
            if (b == gone) continue;
            all.right |= on[b].right;
            all.upper |= on[b].upper;
        }
        return Steps(all);
    }

    void tick() {
        for (int b = 0; b < BLOCKAGES; b++) {
            safe[b] -= safe[b] > 0;
            charlie[b] -= charlie[b] > 0;
        }
    }

    bool may_destroy(int b) const {
        if (!stands[b] || safe[b]) return false;
        const Steps s = steps_without(b);
        return !(three(marks[0], s) && three(marks[1], s));
    }

    // Whether a mark or a destruction of this player, were it the next ply, makes three; `strict`: and not for both.
    bool threatens(int who, bool strict) const {
        const bool other_has = strict && three(marks[1 - who], steps);
        if (!other_has && (thirds(marks[who], steps) & empty())) return true;
        if (!other_has && three(marks[who], steps) && empty()) return true;
        for (int b = 0; b < BLOCKAGES; b++)
            if (stands[b] && !safe[b]) {
                const Steps s = steps_without(b);
                if (three(marks[who], s) && !(strict && three(marks[1 - who], s))) return true;
            }
        return false;
    }

    // Which of the sixteen blocks make three for the mover.
    u32 making_three(int me) const {
#ifdef __AVX512F__
        const __m512i blocks = _mm512_and_si512(_mm512_load_si512(TABLES.blocks), _mm512_set1_epi32(int(empty())));
        const __m512i m = _mm512_or_si512(blocks, _mm512_set1_epi32(int(marks[me])));
        const __m512i found = _mm512_or_si512(
            _mm512_or_si512(lines_of_each(m, steps.east, 1), lines_of_each(m, steps.north, 5)),
            _mm512_or_si512(lines_of_each(m, steps.north_east, 6), lines_of_each(m, steps.north_west, 4)));
        return _mm512_test_epi32_mask(found, found);
#else
        u32 made = 0;
        for (int i = 0; i < 16; i++) {
            const u32 m = (TABLES.blocks[i] & empty()) | marks[me];
            const auto line = [m](u32 steps, int by) {
                const u32 pairs = m & m >> by & steps;
                return pairs & pairs >> by;
            };
            made |= u32((line(steps.east, 1) | line(steps.north, 5) | line(steps.north_east, 6) | line(steps.north_west, 4)) != 0) << i;
        }
        return made;
#endif
    }

    void put_up(int b, const Sides& sides, int number) {
        on[b] = sides;
        shape[b] = u8(number);
        stands[b] = spent[b] = true;
        safe[b] = 4;
        steps = steps_without(-1);
    }

    void destroy(int b) {
        on[b] = {};
        stands[b] = false;
        steps = steps_without(-1);
    }

    void super(int me, int block) {
        const u32 s = TABLES.blocks[block], vacant = s & empty();
        marks[1 - me] &= ~s;
        if (EDITION == 2) marks[me] |= vacant;
        super_spent[me] = true;
    }
};

struct Kinds {
    u32 supers, rescues, curtains, walls, charlies, destroyed;  // sets, but for curtains and walls: how many
    u32 places;
};

static u32 rescues(const State<2>& s, int me, u32 making);

template <int EDITION>
inline Kinds kinds_of(const State<EDITION>& s, int me, bool with_rescues = true) {
    Kinds k{};
    k.places = s.empty();
    if constexpr (EDITION == 1) {
        if (!s.super_spent[me] && !s.first) k.supers = 0xFFFF;
    } else if (!s.super_spent[me]) {
        const u32 making = s.making_three(me);
        k.supers = 0xFFFF & ~making;
        if (with_rescues && making) k.rescues = rescues(s, me, making);
    }
    if (s.first) return k;
    if (!s.spent[me]) k.curtains = CURTAINS - s.stands[1 - me];
    if (!s.spent[2 + me]) k.walls = WALLS - s.stands[3 - me] - (EDITION == 1 && s.stands[4]);
    for (int b = 0; b < s.BLOCKAGES; b++) {
        if (!s.charlie_spent[me] && s.stands[b] && !s.charlie[b]) k.charlies |= 1u << b;
        if (s.may_destroy(b)) k.destroyed |= 1u << b;
    }
    return k;
}

inline u32 pick(u32 mask, u32 k) { return u32(_tzcnt_u32(_pdep_u32(1u << k, mask))); }

// The k-th move of the kinds, in place.
template <int EDITION>
inline void play_move(State<EDITION>& s, int me, const Kinds& kinds, u32 k) {
    s.tick();
    s.first = false;
    u32 n = u32(_mm_popcnt_u32(kinds.places));
    if (k < n) {
        s.marks[me] |= 1u << pick(kinds.places, k);
        return;
    }
    k -= n;
    if (k < kinds.walls) {
        u32 low = s.stands[3 - me] ? s.shape[3 - me] : WALLS, high = WALLS;
        if (EDITION == 1 && s.stands[4]) (low < RING ? high : (high = low, low)) = RING;
        u32 number = k + (k >= low);
        if (EDITION == 1) number += number >= high;
        return s.put_up(2 + me, TABLES.walls[number], int(number));
    }
    k -= kinds.walls;
    n = u32(_mm_popcnt_u32(kinds.supers));
    if (k < n) return s.super(me, int(pick(kinds.supers, k)));
    k -= n;
    if (k < kinds.curtains) {
        const u32 number = k + (s.stands[1 - me] && k >= s.shape[1 - me]);
        return s.put_up(me, TABLES.curtains[number], int(number));
    }
    k -= kinds.curtains;
    n = u32(_mm_popcnt_u32(kinds.charlies));
    if (k < n) {
        const u32 b = pick(kinds.charlies, k);
        s.charlie_spent[me] = true;
        s.charlie[b] = 4;
        s.safe[b] = u8(s.safe[b] + 4);
        return;
    }
    k -= n;
    n = u32(_mm_popcnt_u32(kinds.destroyed));
    if (k < n) return s.destroy(int(pick(kinds.destroyed, k)));
    s.super(me, int(pick(kinds.rescues, k - n)));
}

inline u32 number_of(const Kinds& k) {
    return u32(_mm_popcnt_u32(k.places) + _mm_popcnt_u32(k.supers) + _mm_popcnt_u32(k.charlies) +
               _mm_popcnt_u32(k.destroyed) + _mm_popcnt_u32(k.rescues)) + k.curtains + k.walls;
}

// The blocks that may be hit although that makes three: the rival threatens, this prevents it, and nothing else would.
__attribute__((noinline)) static u32 rescues(const State<2>& s, int me, u32 making) {
    State<2> waited = s;
    waited.tick();
    if (!waited.threatens(1 - me, true)) return 0;
    u32 found = 0;
    for (u32 rest = making; rest; rest = _blsr_u32(rest)) {
        State<2> after = waited;
        after.super(me, int(_tzcnt_u32(rest)));
        if (!after.threatens(1 - me, false)) found |= _blsi_u32(rest);
    }
    if (!found) return 0;
    const Kinds others = kinds_of(s, me, false);
    const u32 n = number_of(others);
    for (u32 k = 0; k < n; k++) {
        State<2> after = s;
        play_move(after, me, others, k);
        if (three(after.marks[1 - me], after.steps)) continue;
        if (three(after.marks[me], after.steps) || !after.threatens(1 - me, true)) return 0;
    }
    return found;
}

// A whole game: 0 when the first player wins, 1 the second, -1 nobody.
template <int EDITION>
__attribute__((noinline)) static int play(Random& random, u64& moves) {
    State<EDITION> s;
    for (moves = 0;; moves++) {
        const int me = int(moves & 1);
        const Kinds kinds = kinds_of(s, me);
        const u32 n = number_of(kinds);
        if (!n) return -1;
        play_move(s, me, kinds, random.below(n));
        if (three(s.marks[me], s.steps)) return moves++, me;
        if (three(s.marks[1 - me], s.steps)) return moves++, 1 - me;
    }
}
