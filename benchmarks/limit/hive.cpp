// Hive, the base set on a hexagon of eleven cells a side, a draw after forty turns of each. Every cell keeps its occupied neighbours as six bits, so
// slides, and often whether a bug may leave, come from tables. Rows of open bugs are words: what lies beside them is made for all rows
// at once. Nothing dear is asked before the draw: a move is drawn among candidates (an ant has all cells beside the hive), and only then is asked whether the hive
// stays in one piece and the ant gets there; if not, it is drawn again. After many vain draws all candidates are asked.
#include <initializer_list>

#include "hive.hpp"

// Cells seen in a search: stamped, never cleared.
static u32 seen[CELLS], stamp = 0;

struct Move {
    u32 from, to;  // from: a cell, or CELLS and a kind to lay
};

struct State {
    u32 rows[2][ROWS + 2] = {};  // open bugs by player
    u8 any[CELLS] = {}, top[CELLS], height[CELLS] = {};
    u8 below[22], left[2][5] = {{1, 2, 2, 3, 3}, {1, 2, 2, 3, 3}};
    u16 cell[22];
    u32 opened[2] = {}, laid[2] = {}, me = 0, plies = 0, total = 0;
    int end = 0;  // 0: none, 1: won by the first, 2: by the second, 3: drawn
    // Candidates of this ply.
    u32 kinds = 0, places = 0, number = 0, weight[11];
    alignas(32) u32 edge[ROWS], lands[ROWS];  // free cells beside bugs, and those where I may lay
    u8 bugs[11], pinned[22];
    Move moves[400];

    State() { memset(top, NONE, sizeof top); }

    void show(u32 bug, u32 c) {
        rows[bug >= 11][c / WIDTH] ^= 1u << (c % WIDTH);
        opened[bug >= 11]++;
        top[c] = u8(bug);
    }
    void cover(u32 bug, u32 c) {
        rows[bug >= 11][c / WIDTH] ^= 1u << (c % WIDTH);
        opened[bug >= 11]--;
    }
    void put(u32 bug, u32 c) {
        below[bug] = top[c], cell[bug] = u16(c);
        if (height[c]++) cover(top[c], c);
        else hide(c);
        show(bug, c);
    }
    void lift(u32 c) {
        const u32 bug = top[c];
        cover(bug, c);
        if (--height[c]) show(below[bug], c);
        else top[c] = NONE, hide(c);
    }
    // Puts a bug beside the neighbours of a cell, or takes it away.
    void hide(u32 c) {
#pragma GCC unroll 6
        for (int d = 0; d < 6; d++) any[c + WAYS[d]] ^= 1 << (d + 3) % 6;
    }

    static u32 beside(const u32* r) { return r[0] << 1 | r[0] >> 1 | r[-1] | r[-1] >> 1 | r[1] | r[1] << 1; }
    static u32 number_of(const u32* set) {
        u32 n = 0;
        for (int i = 0; i < ROWS; i += 2) n += __builtin_popcountll(set[i] | u64(set[i + 1]) << 32);
        return n;
    }
    // Fills both sets.
    void look_round() {
        const u32 *mine = rows[me], *theirs = rows[me ^ 1];
        edge[0] = lands[0] = 0;
        const u32 foreign = opened[me] ? ~0u : 0;
        for (int i = 1; i < ROWS; i++) {
            const u32 a = beside(mine + i), b = beside(theirs + i), free = TABLES.rows[i] & ~(mine[i] | theirs[i]);
            edge[i] = (a | b) & free;
            lands[i] = edge[i] & ~(b & foreign);
        }
    }

    // -------------------------------------------------------------------------------- what is asked afterwards
    bool hive_needs(u32 c) {
        if (TABLES.loose[any[c]]) return false;
        u8& known = pinned[top[c]];
        if (!known) known = 1 + torn(c);
        return known == 2;
    }
    // Floods from one side of the cell until the others are reached.
    bool torn(u32 c) const {
        u16 stack[24];
        u32 n = 1, arcs = any[c] & ~(any[c] << 1 | any[c] >> 5);  // where its neighbours begin, going round
        seen[c] = ++stamp;
        const u32 start = c + WAYS[__builtin_ctz(arcs)];
        seen[start] = stamp, stack[0] = u16(start);
        for (arcs &= arcs - 1; n;) {
            const u32 x = stack[--n];
            for (u32 m = any[x]; m; m &= m - 1) {
                const u32 y = x + WAYS[__builtin_ctz(m)];
                if (seen[y] != stamp) seen[y] = stamp, stack[n++] = u16(y);
            }
            while (seen[c + WAYS[__builtin_ctz(arcs)]] == stamp)
                if (!(arcs &= arcs - 1)) return false;
        }
        return true;
    }
    u32 slides(u32 c) const { return TABLES.slides[any[c]] & TABLES.inside[c]; }

    bool ant_comes(u32 from, u32 to) {
        u16 stack[200];
        u32 n = 1;
        bool found = false;
        hide(from);
        seen[from] = ++stamp, stack[0] = u16(from);
        while (n && !found) {
            const u32 x = stack[--n];
            for (u32 m = slides(x); m; m &= m - 1) {
                const u32 y = x + WAYS[__builtin_ctz(m)];
                if (seen[y] == stamp) continue;
                seen[y] = stamp, stack[n++] = u16(y);
                found |= y == to;
            }
        }
        hide(from);
        return found;
    }
    // The k-th cell that a spider reaches, or NONE.
    u32 spider_cell(u32 a, u32 k) {
        u32 n = 0, found = 0;
        const u32 mark = ++stamp;
        hide(a);
        for (u32 x = slides(a); x; x &= x - 1) {
            const u32 b = a + WAYS[__builtin_ctz(x)];
            for (u32 y = slides(b); y; y &= y - 1) {
                const u32 c = b + WAYS[__builtin_ctz(y)];
                if (c == a) continue;
                for (u32 z = slides(c); z; z &= z - 1) {
                    const u32 d = c + WAYS[__builtin_ctz(z)];
                    if (d == a || d == b || seen[d] == mark) continue;
                    seen[d] = mark;
                    if (n++ == k) found = d;
                }
            }
        }
        hide(a);
        if (n > SPIDER_CELLS) abort();
        return k < n ? found : u32(NONE);
    }
    bool climbs(u32 a, int d) const {
        const u32 b = a + WAYS[d], up = height[b] + 1u > height[a] ? height[b] + 1u : height[a];
        if (height[a] == 1 && !height[b]) return true;  // a slide, which is known to have room
        for (int e : {(d + 1) % 6, (d + 5) % 6})
            if (TABLES.inside[a] >> e & 1 && height[a + WAYS[e]] < up) return true;
        return false;
    }

    // ------------------------------------------------------------------------------------------ candidates
    u32 ways_of(u32 kind, u32 c) const {
        const u32 room = slides(c);
        switch (kind) {
            case QUEEN: return room;
            case BEETLE: return height[c] > 1 ? TABLES.inside[c] : room | any[c];
            case HOPPER: return any[c];
            default: return room;
        }
    }
    u32 candidates() {
        const bool queen = !left[me][QUEEN];
        kinds = number = 0;
        for (int k = 0; k < 5; k++)
            if (left[me][k] && (k == QUEEN ? laid[me] > 0 : laid[me] < 3 || queen)) kinds |= 1 << k;
        look_round();
        if (plies == 0) lands[CENTER / WIDTH] = 1u << (CENTER % WIDTH);
        places = kinds ? number_of(lands) : 0;
        total = __builtin_popcount(kinds) * places;
        if (!queen) return total;
        memset(pinned, 0, sizeof pinned);
        const u32 beside_all = number_of(edge);
        for (u32 i = 0; i < 11; i++) {
            const u32 bug = 11 * me + i, kind = KIND[i];
            if (i >= u32(FIRST[kind + 1] - left[me][kind])) continue;
            const u32 c = cell[bug];
            if (top[c] != bug) continue;
            const u32 ways = ways_of(kind, c);
            if (!ways) continue;
            bugs[number] = u8(bug);
            weight[number++] = total += kind == ANT ? beside_all : kind == SPIDER ? SPIDER_CELLS : __builtin_popcount(ways);
        }
        return total;
    }
    static u32 place(u32 k, const u32* set) {  // the k-th
        for (u32 i = 0;; i += 2) {
            const u64 x = set[i] | u64(set[i + 1]) << 32;
            const u32 n = __builtin_popcountll(x);
            if (k < n) return WIDTH * i + u32(_tzcnt_u64(kth(x, k)));
            k -= n;
        }
    }
    static u32 pick(u32 mask, u32 k) { return u32(_tzcnt_u32(_pdep_u32(1u << k, mask))); }

    // The k-th candidate; false when it is not legal.
    bool legal(u32 k, Move& move) {
        const u32 lays = __builtin_popcount(kinds) * places;
        if (k < lays) {
            move.from = CELLS + pick(kinds, k / places);
            move.to = place(k % places, lands);
            return true;
        }
        u32 i = 0;
        while (k >= weight[i]) i++;
        k -= i ? weight[i - 1] : lays;
        const u32 bug = bugs[i], c = move.from = cell[bug], kind = KIND[bug - 11 * me];
        if (height[c] == 1 && hive_needs(c)) return false;
        if (kind == ANT) return ant_comes(c, move.to = place(k, edge));
        if (kind == SPIDER) return (move.to = spider_cell(c, k)) != NONE;
        const int d = int(pick(ways_of(kind, c), k));
        move.to = c + WAYS[d];
        if (kind == BEETLE) return climbs(c, d);
        if (kind == HOPPER)
            do move.to += WAYS[d];
            while (top[move.to] != NONE);
        return TABLES.board[move.to];
    }

    void apply(const Move& m) {
        if (m.from >= CELLS) {
            const u32 kind = m.from - CELLS;
            put(11 * me + FIRST[kind + 1] - left[me][kind]--, m.to);
            laid[me]++;
        } else {
            const u32 bug = top[m.from];
            lift(m.from);
            put(bug, m.to);
        }
    }
    bool enclosed(u32 who) const {
        const u32 c = cell[11 * who];
        return !left[who][QUEEN] && any[c] == TABLES.inside[c];
    }
    void next() {
        if (enclosed(0)) end |= 2;
        if (enclosed(1)) end |= 1;
        me ^= 1, plies++;
    }

    u32 all() {
        u32 found = 0;
        const u32 n = candidates();
        for (u32 k = 0; k < n; k++) found += legal(k, moves[found]);
        return found;
    }
    void ply(Random& random) {
        if (const u32 n = candidates()) {
            Move m;
            bool found = false;
            for (int i = 0; i < TRIES && !found; i++) found = legal(random.below(n), m);
            if (!found)
                if (const u32 left_over = all()) m = moves[random.below(left_over)], found = true;
            if (found) apply(m);
        }
        next();
    }

    int over() const { return end || plies >= 80; }
    u32 count() { return (total = all()) ? total : 1; }
    bool make(u32 k) {
        if (total) apply(moves[k]);
        return next(), true;
    }
};

int main(int count, char** words) {
    static const State START;
    return plays<State>(count, words, 100, [](Random& random, u64& plies) {
        static State s;
        s = START;
        while (!s.over()) s.ply(random);
        plies = s.plies;
        return s.end == 1 ? 0 : s.end == 2 ? 1 : -1;
    });
}
