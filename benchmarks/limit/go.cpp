// Go, 9 by 9: positional superko, area, suicide allowed (Tromp-Taylor), 7.5 points for white. Draw first, ask afterwards: a point
// is drawn from the list of empty ones and pass, and asked for the hash of the board that would be; a refused one goes
// to the end of the list. Groups are rings of stones with pseudo-liberties (pairs of a stone and an empty neighbour) and the sum
// of their stones' hashes, so what a move takes off is known before it is made. Boards of a play are kept as hashes of 48 bits in
// one table, whose slots are stamped and never cleared. `perft DEPTH SIDE` counts on smaller boards too.
#include "plays.hpp"

struct Hashes {
    u64 of[2][128];
    Hashes() {
        Random random(2026);
        for (auto& side : of)
            for (u64& h : side) h = random.next();
    }
};
static const Hashes HASHES;

// Boards that were there: in plays a table, in counts of sequences a list that is copied with the state.
struct Table {
    static constexpr u32 SLOTS = 2048;
    u64 slots[SLOTS] = {}, stamp = 0;
    u32 used = 0;
    void clear() {
        stamp++, used = 0;
        if (stamp == 0xFFFF) memset(slots, 0, sizeof slots), stamp = 1;
    }
    u32 find(u64 key) const {
        u32 i = key >> 53;
        while ((slots[i] & 0xFFFF) == stamp && slots[i] != key) i = (i + 1) % SLOTS;
        return i;
    }
    // True when it is new; then it is there.
    bool add(u64 hash) {
        const u64 key = (hash & ~0xFFFFull) | stamp;
        u64& slot = slots[find(key)];
        if (slot == key) return false;
        if (++used > SLOTS - 64) abort();
        slot = key;
        return true;
    }
};
struct List {
    u64 boards[24];
    u32 used = 0;
    bool has(u64 hash) const {
        for (u32 i = 0; i < used; i++)
            if (boards[i] == hash) return true;
        return false;
    }
    void add(u64 hash) { boards[used++] = hash; }
};

enum { BLACK, WHITE, EMPTY, WALL };

template <int N>
struct Board {
    static constexpr int WIDTH = N + 1, CELLS = WIDTH * (N + 2) + 1;
    static constexpr int WAYS[4] = {1, -1, WIDTH, -WIDTH};
    u8 colour[CELLS], head[CELLS], next[CELLS], size[CELLS], at[CELLS], empty[N * N];
    u16 liberties[CELLS];
    u64 sum[CELLS];
    u64 hash = 0;
    u32 free = 0, passes = 0, me = BLACK;

    Board() {
        memset(colour, WALL, sizeof colour);
        memset(liberties, 1, sizeof liberties);
        memset(head, 0, sizeof head);
        for (int y = 1; y <= N; y++)
            for (int x = 1; x <= N; x++) add_empty(y * WIDTH + x);
    }

    void add_empty(u32 c) {
        colour[c] = EMPTY;
        head[c] = u8(c);
        at[c] = u8(free);
        empty[free++] = u8(c);
    }
    void swap_empty(u32 i, u32 j) {
        const u8 a = empty[i], b = empty[j];
        empty[i] = b, at[b] = u8(i);
        empty[j] = a, at[a] = u8(j);
    }

    // The board's hash when me puts a stone on c. The neighbours' liberties are taken already; `give_back` undoes that.
    u64 after(u32 c) {
        u32 heads[4], zero = 0, open = 0, alive = 0;
        for (int i = 0; i < 4; i++) {
            const u32 d = c + WAYS[i];
            heads[i] = head[d];
            liberties[heads[i]]--;
        }
        for (int i = 0; i < 4; i++) {
            const u32 d = c + WAYS[i], none = liberties[heads[i]] == 0;
            open += colour[d] == EMPTY;
            zero |= (none & (colour[d] == (me ^ 1))) << i;
            alive |= !none & (colour[d] == me);
        }
        u64 found = hash ^ HASHES.of[me][c];
        if (zero) {
            for (int i = 0; i < 4; i++)
                if (zero >> i & 1 && once(heads, i)) found ^= sum[heads[i]];
        } else if (!open && !alive) {
            found = hash;
            for (int i = 0; i < 4; i++)
                if (colour[heads[i]] == me && once(heads, i)) found ^= sum[heads[i]];
        }
        return found;
    }
    static bool once(const u32* heads, int i) {
        for (int j = 0; j < i; j++)
            if (heads[j] == heads[i]) return false;
        return true;
    }
    void give_back(u32 c) {
        for (int w : WAYS) liberties[head[c + w]]++;
    }

    void take_off(u32 h) {
        u32 c = h;
        do {
            add_empty(c);
            for (int w : WAYS) liberties[head[c + w]]++;
            c = next[c];
        } while (c != h);
    }

    void put(u32 c) {
        swap_empty(at[c], free - 1);
        free--;
        colour[c] = u8(me), head[c] = next[c] = u8(c), size[c] = 1;
        sum[c] = HASHES.of[me][c];
        u32 open = 0;
        for (int w : WAYS) {
            open += colour[c + w] == EMPTY;
        }
        liberties[c] = u16(open);
        for (int w : WAYS) {
            const u32 d = c + w;
            if (colour[d] == me && head[d] != head[c]) join(head[c], head[d]);
        }
        for (int w : WAYS) {
            const u32 d = c + w;
            if (colour[d] == (me ^ 1) && liberties[head[d]] == 0) take_off(head[d]);
        }
        if (liberties[head[c]] == 0) take_off(head[c]);
    }

    void join(u32 a, u32 b) {
        if (size[a] < size[b]) {
            const u32 t = a;
            a = b, b = t;
        }
        u32 c = b;
        do {
            head[c] = u8(a);
            c = next[c];
        } while (c != b);
        const u8 t = next[a];
        next[a] = next[b], next[b] = t;
        size[a] += size[b], liberties[a] += liberties[b], sum[a] ^= sum[b];
    }

    // Black's points less white's, in half points.
    int score(int komi) const {
        u128 stones[2] = {0, 0}, open = 0;
        for (int c = WIDTH; c < CELLS - 1; c++) {
            const u128 bit = u128(1) << c;
            if (colour[c] == EMPTY) open |= bit;
            else if (colour[c] != WALL) stones[colour[c]] |= bit;
        }
        u128 around[2];
        for (int p = 0; p < 2; p++) {
            u128 x = stones[p], y;
            do {
                y = x;
                x |= (x << 1 | x >> 1 | x << WIDTH | x >> WIDTH) & open;
            } while (x != y);
            around[p] = x & open;
        }
        const auto count = [](u128 x) { return __builtin_popcountll(u64(x)) + __builtin_popcountll(u64(x >> 64)); };
        return 2 * (count(stones[0] | (around[0] & ~around[1])) - count(stones[1] | (around[1] & ~around[0]))) - komi;
    }
};

template <int N>
struct Sequences : Board<N> {
    List seen;
    Sequences() { seen.add(0); }
    int over() const { return this->passes == 2; }
    u32 count() const { return this->free + 1; }
    bool make(u32 k) {
        if (k == this->free) {
            this->passes++;
        } else {
            const u32 c = this->empty[k];
            const u64 h = this->after(c);
            if (seen.has(h)) return false;
            this->put(c);
            this->hash = h, this->passes = 0;
            seen.add(h);
        }
        this->me ^= 1;
        return true;
    }
};

static Table seen;

int main(int count, char** words) {
    if (count > 3 && !strcmp(words[1], "perft") && atoi(words[3]) < 4) {
        const int depth = atoi(words[2]);
        const u64 found = atoi(words[3]) == 2 ? perft(Sequences<2>(), depth) : perft(Sequences<3>(), depth);
        printf("{\"perft\": %llu}\n", (unsigned long long)found);
        return 0;
    }
    return plays<Sequences<9>>(count, words, 200, [](Random& random, u64& plies) {
        static const Board<9> START;
        Board<9> b = START;
        seen.clear();
        seen.add(0);
        while (b.passes < 2) {
            plies++;
            u32 left = b.free;
            for (;;) {
                const u32 k = random.below(left + 1);
                if (k == left) {
                    b.passes++;
                    break;
                }
                const u32 c = b.empty[k];
                const u64 h = b.after(c);
                if (seen.add(h)) {
                    b.put(c);
                    b.hash = h, b.passes = 0;
                    break;
                }
                b.give_back(c);
                b.swap_empty(k, --left);
            }
            b.me ^= 1;
        }
        return b.score(15) > 0 ? 0 : 1;
    });
}
