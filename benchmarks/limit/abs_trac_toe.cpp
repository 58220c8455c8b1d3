// Abs-Trac-Toe for two players, on drawings made before: called as `NAME scalar SECONDS SEED FILE`.
//
// The file: the number of drawings, then of each the numbers of its spaces and borders, and the spaces of every border as a
// set of bits. A play is on one of them, drawn at random; the two drawing moves count as moves.
//
// Scalar: free spaces in one word; the chosen one by pdep. A player's points are counted at the end: all borders but those
// that a space of the rival touches, so all that a claim does is one "or" of 128 bits, the borders of the space.
#include "common.hpp"

#include <fstream>
#include <vector>

static constexpr int MOST_SPACES = 64, MOST_BORDERS = 128;

struct Drawing {
    alignas(16) u128 borders[MOST_SPACES] = {};  // of every space
    u32 spaces = 0, all = 0;
};

static std::vector<Drawing> read(const char* path) {
    std::ifstream file(path);
    size_t count = 0;
    file >> count;
    std::vector<Drawing> found(count);
    for (Drawing& d : found) {
        file >> d.spaces >> d.all;
        if (!file || d.spaces > MOST_SPACES || d.all > MOST_BORDERS) return {};
        for (u32 b = 0; b < d.all; b++) {
            u64 sides = 0;
            file >> sides;
            for (; sides; sides &= sides - 1) d.borders[_tzcnt_u64(sides)] |= u128(1) << b;
        }
    }
    return file ? found : std::vector<Drawing>();
}

inline u32 number(__m128i s) {
    return u32(_mm_popcnt_u64(u64(_mm_cvtsi128_si64(s))) + _mm_popcnt_u64(u64(_mm_extract_epi64(s, 1))));
}

// 0 or 1: who has more points; -1: as many.
inline int play(const Drawing& d, Random& random) {
    u64 free = d.spaces < 64 ? (1ull << d.spaces) - 1 : ~0ull;
    __m128i touched[2] = {_mm_setzero_si128(), _mm_setzero_si128()};
    const auto claim = [&](__m128i& mine, u32 left) {
        const u64 chosen = kth(free, random.below(left));
        free ^= chosen;
        mine = _mm_or_si128(mine, _mm_load_si128((const __m128i*)&d.borders[_tzcnt_u64(chosen)]));
    };
    u32 left = d.spaces;
    for (; left >= 2; left -= 2) {
        claim(touched[0], left);
        claim(touched[1], left - 1);
    }
    if (left) claim(touched[0], 1);
    const u32 first = d.all - number(touched[1]), second = d.all - number(touched[0]);
    return first == second ? -1 : first < second;
}

int main(int count, char** words) {
    const Call call(count, words);
    if (call.simd) return no_such_form();
    const std::vector<Drawing> drawings = count > 4 ? read(words[4]) : std::vector<Drawing>();
    if (drawings.empty()) {
        fprintf(stderr, "no drawings\n");
        return 2;
    }
    Random random(call.seed);
    return report(call.seconds, [&](Tally& tally) {
        for (int i = 0; i < 2000; i++) {
            const Drawing& d = drawings[random.below(u32(drawings.size()))];
            tally.add(play(d, random), d.spaces + 2);
        }
    });
}
