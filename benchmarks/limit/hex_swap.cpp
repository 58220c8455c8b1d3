// Hex, 11 by 11, where blue's first move may be to take over red's stone, which then lies on the mirrored cell. As hex.cpp; only the
// second ply has one candidate more.
#include "hex.hpp"
#include "plays.hpp"

struct State {
    alignas(64) u8 empty[128];
    Player players[2];
    u32 left = CELLS, ply = 0, me = 0, first = 0;
    bool won = false;

    State() { memcpy(empty, TABLES.order, 128); }

    u32 draw(u32 k) {
        const u32 c = empty[k];
        empty[k] = empty[--left];
        return c;
    }
    void begin(u32 k) {
        first = draw(k);
        empty[left] = u8(first);
        players[0].put(TABLES.near[0], first);
    }
    void second(u32 k) {
        if (k < left) {
            players[1].put(TABLES.near[1], draw(k));
            return;
        }
        const u32 mirrored = first % SIDE * SIDE + first / SIDE;
        players[0] = Player();
        left++;
        draw(mirrored == first ? CELLS - 1 : mirrored == CELLS - 1 ? first : mirrored);
        players[1].put(TABLES.near[1], mirrored);
    }

    int over() const { return won; }
    u32 count() const { return left + (ply == 1); }
    bool make(u32 k) {
        if (ply == 0) begin(k);
        else if (ply == 1) second(k);
        else won = players[me].put(TABLES.near[me], draw(k));
        me ^= 1, ply++;
        return true;
    }
};

int main(int count, char** words) {
    return plays<State>(count, words, 1000, [](Random& random, u64& plies) {
        State s;
        s.begin(random.below(s.left));
        s.second(random.below(s.left + 1));
        for (plies = 2;;) {
            plies++;
            if (s.players[0].put(TABLES.near[0], s.draw(random.below(s.left)))) return 0;
            plies++;
            if (s.players[1].put(TABLES.near[1], s.draw(random.below(s.left)))) return 1;
        }
    });
}
