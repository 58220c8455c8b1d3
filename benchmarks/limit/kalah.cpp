// Kalah, six houses a side, four seeds each. Houses and stores are bytes of one vector in the order of sowing; sowing is an addition
// from a table by house and seeds, which leaves out the rival's store. What can be sown and which rows are empty are sets of bits.
#include "plays.hpp"

struct Tables {
    alignas(16) u8 sown[14][49][16];
    u8 end[14][49];
    constexpr Tables() : sown(), end() {
        for (int h = 0; h < 13; h++)
            for (int n = 1; n < 49; n++) {
                sown[h][n][h] = u8(-n);
                int at = h;
                for (int i = 0; i < n; i++) {
                    do at = (at + 1) % 14;
                    while (at == (h < 6 ? 13 : 6));
                    sown[h][n][at]++;
                }
                end[h][n] = u8(at);
            }
    }
};
static constexpr Tables TABLES;

struct State {
    alignas(16) u8 seeds[16] = {4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0};
    u32 me = 0, can = 0x3F;
    int ended = 0;

    static u32 row(u32 p) { return p ? 0x1F80 : 0x3F; }

    // Sows from a house; what can be sown next is known then, and whether the play is over.
    void sow(u32 h) {
        const u32 n = seeds[h], end = TABLES.end[h][n], own = row(me);
        __m128i x = _mm_add_epi8(_mm_load_si128((const __m128i*)seeds), _mm_load_si128((const __m128i*)TABLES.sown[h][n]));
        _mm_store_si128((__m128i*)seeds, x);
        u32 filled = ~_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_setzero_si128()));
        const u32 store = me ? 13 : 6;
        if ((own >> end & 1) && seeds[end] == 1 && (filled >> (12 - end) & 1)) {
            seeds[store] += 1 + seeds[12 - end];
            seeds[end] = seeds[12 - end] = 0;
            filled &= ~(1u << end | 1u << (12 - end));
        }
        ended = !(filled & row(0)) || !(filled & row(1));
        me ^= end != store;
        can = filled & row(me);
    }

    int winner() const {
        int lead = 0;
        for (int i = 0; i < 7; i++) lead += int(seeds[i]) - int(seeds[i + 7]);
        return lead > 0 ? 0 : lead < 0 ? 1 : -1;
    }

    int over() const { return ended; }
    u32 count() const { return __builtin_popcount(can); }
    bool make(u32 k) { return sow(__builtin_ctzll(kth(can, k))), true; }
};

int main(int count, char** words) {
    return plays<State>(count, words, 500, [](Random& random, u64& plies) {
        State s;
        for (; !s.ended; plies++) s.make(random.below(s.count()));
        return s.winner();
    });
}
