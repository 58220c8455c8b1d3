// Oware, six houses a side, four seeds each; a capture of everything takes nothing; a position that comes back ends the play.
// Twelve houses are bytes of one vector in the order of sowing. Sowing is an addition from a table by house and seeds; what can be
// sown, and the run of twos and threes, are sets of bits out of comparisons. Boards since the last capture are counted in a
// stamped table.
#include "plays.hpp"

struct Tables {
    alignas(16) u8 sown[12][49][16];  // what falls where; the house itself loses all
    u8 end[12][49];
    constexpr Tables() : sown(), end() {
        for (int h = 0; h < 12; h++)
            for (int n = 1; n < 49; n++) {
                sown[h][n][h] = u8(-n);
                for (int i = 0; i < n; i++) {
                    const int at = (h + 1 + i % 11) % 12;
                    sown[h][n][at]++;
                    end[h][n] = u8(at);
                }
            }
    }
};
static constexpr Tables TABLES;

struct State {
    alignas(16) u8 houses[16] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
    u32 store[2] = {0, 0}, me = 0, can = 0;
    bool ended = false, captured = true;

    static u32 row(u32 p) { return p ? 0xFC0 : 0x3F; }
    u32 filled() const {
        const __m128i x = _mm_load_si128((const __m128i*)houses);
        return ~_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_setzero_si128())) & 0xFFF;
    }

    // The houses that may be sown, as bits.
    u32 open() const {
        const u32 all = filled();
        u32 found = all & row(me);
        if (__builtin_expect(!(all & row(me ^ 1)), 0))
            for (u32 h = 0; h < 12; h++)
                if (found >> h & 1 && h + 1 + houses[h] <= (me ? 12 : 6)) found &= ~(1u << h);
        return found;
    }

    // True when seeds were captured.
    bool sow(u32 h) {
        const u32 n = houses[h], end = TABLES.end[h][n], theirs = row(me ^ 1);
        __m128i x = _mm_load_si128((const __m128i*)houses);
        x = _mm_add_epi8(x, _mm_load_si128((const __m128i*)TABLES.sown[h][n]));
        const __m128i fits = _mm_cmpeq_epi8(_mm_or_si128(x, _mm_set1_epi8(1)), _mm_set1_epi8(3));
        const u32 run = _mm_movemask_epi8(fits) & theirs;
        _mm_store_si128((__m128i*)houses, x);
        me ^= 1;
        if (!(run >> end & 1)) return false;
        const u32 length = __builtin_clz(~(run << (31 - end)));
        const u32 taken = ((2u << end) - 1) & ~((1u << (end + 1 - length)) - 1);
        if (!(filled() & theirs & ~taken)) return false;
        u32 sum = 0;
        for (u32 c = end + 1 - length; c <= end; c++) sum += houses[c], houses[c] = 0;
        store[me ^ 1] += sum;
        return true;
    }

    u64 hash() const {
        u64 a, b;
        memcpy(&a, houses, 8);
        memcpy(&b, houses + 8, 8);
        return mix(a, b + (u64(me) << 40));
    }

    int sum(u32 first) const {
        int found = 0;
        for (u32 h = first; h < first + 6; h++) found += houses[h];
        return found;
    }
    int shared() const {
        const int lead = int(store[0]) + sum(0) - int(store[1]) - sum(6);
        return lead > 0 ? 0 : lead < 0 ? 1 : -1;
    }
    int leader() const { return store[0] == store[1] ? -1 : store[0] < store[1]; }
    bool decided() const { return store[me ^ 1] > 24 || store[0] + store[1] == 48; }

    int over() const { return ended; }
    u32 count() { return __builtin_popcount(can = open()); }
    bool make(u32 k) {
        ended = sow(__builtin_ctzll(kth(can, k))) && decided();
        return true;
    }
};

int main(int count, char** words) {
    static Noted noted;
    return plays<State>(count, words, 500, [](Random& random, u64& plies) {
        State s;
        noted.forget();
        for (;; plies++) {
            if (noted.note(s.hash(), 2)) return s.shared();
            const u32 open = s.open();
            if (!open) return s.shared();
            if (s.sow(__builtin_ctzll(kth(open, random.below(__builtin_popcount(open)))))) {
                if (s.decided()) return plies++, s.leader();
                noted.forget();
            }
        }
    });
}
