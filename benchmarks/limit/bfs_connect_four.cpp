// All 3,945,711 positions of connect four, 5 columns of 4: two sets of columns of five bits, the top one always empty.
#include "bfs_common.hpp"

struct ConnectFour {
    static constexpr int COLUMNS = 5, HEIGHT = 5;
    static constexpr u32 BOTTOM = 1 | 1 << 5 | 1 << 10 | 1 << 15 | 1 << 20, BOARD = BOTTOM * 15;
    static constexpr u64 START = 1ull << 63;

    static bool four(u32 m) {
        u32 found = 0;
        for (const int by : {1, HEIGHT - 1, HEIGHT, HEIGHT + 1}) {
            const u32 two = m & (m >> by);
            found |= two & (two >> 2 * by);
        }
        return found != 0;
    }

    static int successors(u64 key, Ends& ends, u64* out) {
        const u32 first = u32(key) & BOARD, second = u32(key >> 32) & BOARD, all = first | second;
        const bool second_moves = _mm_popcnt_u32(first) > _mm_popcnt_u32(second);
        if (four(second_moves ? first : second)) {
            (second_moves ? ends.first : ends.second)++;
            return 0;
        }
        int n = 0;
        for (u32 rest = (all + BOTTOM) & BOARD; rest; rest = _blsr_u32(rest)) {
            const u64 disc = _blsi_u32(rest);
            out[n++] = key | (second_moves ? disc << 32 : disc);
        }
        ends.drawn += n == 0;
        return n;
    }
};

int main(int count, char** words) { return explore<ConnectFour>(count, words); }
