// Batch environments for tic-tac-toe and connect four that write what `VectorEnv` writes: per lane the observation of
// the player to act (float32), the mask, the rewards, whether the play ended, and the player to act; plays restart in
// the same step. `NAME LANES SECONDS SEED`; prints {"steps_per_second"}. The choice of actions is not counted.
//
// Observations: to act (2), kind (2), won (2), returns (2), the discs of the first and of the second player. Actions are
// cells, row by row from the bottom.
#include <string>
#include <vector>

#include "common.hpp"

template <int COLUMNS, int ROWS>
struct Board {
    static constexpr int CELLS = COLUMNS * ROWS;
    static constexpr u64 FULL = (1ull << CELLS) - 1;
};

struct TicTacToe : Board<3, 3> {
    static bool won(u64 m) {
        static constexpr u64 lines[8] = {7, 56, 448, 73, 146, 292, 273, 84};
        for (u64 l : lines)
            if ((m & l) == l) return true;
        return false;
    }
    static u64 legal(u64 all) { return FULL & ~all; }
};

struct ConnectFour : Board<7, 6> {
    // Cells row by row, so lines are shifts by 1, 7, 8 and 6; masks keep them from going round the edge.
    static constexpr u64 columns(int first, int last) {
        u64 m = 0;
        for (int r = 0; r < 6; r++)
            for (int c = first; c <= last; c++) m |= 1ull << (7 * r + c);
        return m;
    }
    static bool line(u64 m, int by, u64 start) { return m & (m >> by) & (m >> 2 * by) & (m >> 3 * by) & start; }
    static bool won(u64 m) {
        return line(m, 1, columns(0, 3)) || line(m, 7, FULL) || line(m, 8, columns(0, 3)) || line(m, 6, columns(3, 6));
    }
    static u64 legal(u64 all) { return FULL & ~all & (all << 7 | 127); }
};

template <class G>
struct Environments {
    static constexpr int SIZE = 8 + 2 * G::CELLS;
    struct Lane {
        u64 discs[2];
        int player;
    };
    std::vector<Lane> lanes;
    std::vector<float> observations, rewards;
    std::vector<u8> masks, done;
    std::vector<int64_t> players, actions;

    explicit Environments(int n)
        : lanes(n, Lane{{0, 0}, 0}), observations(size_t(n) * SIZE), rewards(2 * size_t(n)), masks(size_t(n) * G::CELLS),
          done(n), players(n), actions(n) {
        for (int i = 0; i < n; i++) tell(i);
    }

    void tell(size_t i) {
        const Lane& lane = lanes[i];
        float* out = &observations[i * SIZE];
        u8* mask = &masks[i * G::CELLS];
        const u64 legal = G::legal(lane.discs[0] | lane.discs[1]);
        std::memset(out, 0, 8 * sizeof(float));
        out[lane.player] = 1;
        out[2] = 1;
        for (int c = 0; c < G::CELLS; c++) {
            out[8 + c] = float(lane.discs[0] >> c & 1);
            out[8 + G::CELLS + c] = float(lane.discs[1] >> c & 1);
            mask[c] = u8(legal >> c & 1);
        }
        players[i] = lane.player;
    }

    void step() {
        for (size_t i = 0; i < lanes.size(); i++) {
            Lane& lane = lanes[i];
            lane.discs[lane.player] |= 1ull << actions[i];
            rewards[2 * i] = rewards[2 * i + 1] = 0;
            const bool won = G::won(lane.discs[lane.player]);
            const bool over = won || (lane.discs[0] | lane.discs[1]) == G::FULL;
            if (won) {
                rewards[2 * i + lane.player] = 1;
                rewards[2 * i + 1 - lane.player] = -1;
            }
            done[i] = over;
            lane.player ^= 1;
            if (over) lane = Lane{{0, 0}, 0};
            tell(i);
        }
    }

    void choose(Random& random) {
        for (size_t i = 0; i < lanes.size(); i++) {
            const u64 legal = G::legal(lanes[i].discs[0] | lanes[i].discs[1]);
            actions[i] = __builtin_ctzll(_pdep_u64(1ull << random.below(_mm_popcnt_u64(legal)), legal));
        }
    }
};

template <class G>
void run(int n, double seconds, u64 seed) {
    Environments<G> all(n);
    Random random(seed);
    double spent = 0, steps = 0, ends = 0;
    while (spent < seconds) {
        all.choose(random);
        const double begun = cpu_seconds();
        all.step();
        spent += cpu_seconds() - begun;
        steps += n;
        for (u8 d : all.done) ends += d;
    }
    std::printf("{\"steps_per_second\": %.0f, \"plies\": %.4f}\n", steps / spent, steps / ends);
}

int main(int argc, char** argv) {
    if (argc != 5) return 1;
    const std::string name = argv[1];
    const int n = std::atoi(argv[2]);
    const double seconds = std::atof(argv[3]);
    if (name == "tic-tac-toe") run<TicTacToe>(n, seconds, std::strtoull(argv[4], nullptr, 10));
    else if (name == "connect-four") run<ConnectFour>(n, seconds, std::strtoull(argv[4], nullptr, 10));
    else return 2;
}
