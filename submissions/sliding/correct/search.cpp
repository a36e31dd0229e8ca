// A breadth-first search over layouts.
#include "search.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <unordered_map>

using namespace std;

namespace {

// The hash of a layout.
class LayoutHash {
public:
    size_t operator()(const Layout& layout) const {
        uint64_t hash = 0xcbf29ce484222325;
        for (const uint16_t cell : layout) {
            hash = (hash ^ cell) * 0x100000001b3;
        }
        return static_cast<size_t>(hash ^ hash >> 29);
    }
};

class Search {
public:
    explicit Search(const Puzzle& puzzle) : puzzle_{puzzle} {}

    bool run(vector<Move>& moves) {
        const Layout start = startOf(puzzle_);
        from_.emplace(start, make_pair(nullptr, Move{0, 0, 0}));
        waiting_.push_back(&from_.begin()->first);
        if (isSolved(start)) {
            return true;
        }
        while (!waiting_.empty()) {
            const Layout* here = waiting_.front();
            waiting_.pop_front();
            const Layout* end = expand(*here);
            if (end != nullptr) {
                for (; from_.at(*end).first != nullptr; end = from_.at(*end).first) {
                    moves.push_back(from_.at(*end).second);
                }
                reverse(moves.begin(), moves.end());
                return true;
            }
        }
        return false;
    }

private:
    bool isSolved(const Layout& layout) const {
        return layout[0] % puzzle_.cols() + puzzle_.pieces()[0].width() == puzzle_.cols();
    }

    // Discovers every layout that is one move away. Returns the one that is solved, if there is one.
    const Layout* expand(const Layout& here) {
        vector<bool> taken(static_cast<size_t>(puzzle_.rows() * puzzle_.cols()));
        for (size_t i = 0; i < here.size(); ++i) {
            fill(taken, here[i], puzzle_.pieces()[i], true);
        }
        for (size_t i = 0; i < here.size(); ++i) {
            const Piece& piece = puzzle_.pieces()[i];
            fill(taken, here[i], piece, false);
            for (const auto& step : {make_pair(-1, 0), make_pair(1, 0), make_pair(0, -1), make_pair(0, 1)}) {
                if (!piece.mayMove(step.first != 0)) {
                    continue;
                }
                const int row = here[i] / puzzle_.cols(), col = here[i] % puzzle_.cols();
                for (int far = 1; isFree(taken, row + far * step.first, col + far * step.second, piece); ++far) {
                    const Move move{i, far * step.first, far * step.second};
                    const auto added = from_.emplace(after(puzzle_, here, move), make_pair(&here, move));
                    if (added.second) {
                        waiting_.push_back(&added.first->first);
                        if (i == 0 && isSolved(added.first->first)) {
                            return waiting_.back();
                        }
                    }
                }
            }
            fill(taken, here[i], piece, true);
        }
        return nullptr;
    }

    void fill(vector<bool>& taken, int cell, const Piece& piece, bool value) const {
        for (int row = 0; row < piece.height(); ++row) {
            for (int col = 0; col < piece.width(); ++col) {
                taken[static_cast<size_t>(cell + row * puzzle_.cols() + col)] = value;
            }
        }
    }

    bool isFree(const vector<bool>& taken, int row, int col, const Piece& piece) const {
        if (row < 0 || col < 0 || row + piece.height() > puzzle_.rows() || col + piece.width() > puzzle_.cols()) {
            return false;
        }
        for (int r = row; r < row + piece.height(); ++r) {
            for (int c = col; c < col + piece.width(); ++c) {
                if (taken[static_cast<size_t>(r * puzzle_.cols() + c)]) {
                    return false;
                }
            }
        }
        return true;
    }

    const Puzzle& puzzle_;
    // Each layout with the one before it, and the move between them. The places of the keys do not change.
    unordered_map<Layout, pair<const Layout*, Move>, LayoutHash> from_;
    deque<const Layout*> waiting_;
};

} // namespace

string Move::inWords(const Puzzle& puzzle) const {
    const string direction = down_ < 0 ? "up" : down_ > 0 ? "down" : right_ < 0 ? "left" : "right";
    const int spaces = abs(down_ + right_);
    return "Piece " + puzzle.pieces()[piece_].name() + ' ' + direction + ' ' + to_string(spaces)
        + (spaces == 1 ? " space" : " spaces");
}

Layout startOf(const Puzzle& puzzle) {
    Layout layout;
    for (const Piece& piece : puzzle.pieces()) {
        layout.push_back(static_cast<uint16_t>(piece.row() * puzzle.cols() + piece.col()));
    }
    return layout;
}

Layout after(const Puzzle& puzzle, Layout layout, const Move& move) {
    const int cell = layout[move.piece()] + move.down() * puzzle.cols() + move.right();
    layout[move.piece()] = static_cast<uint16_t>(cell);
    return layout;
}

bool solve(const Puzzle& puzzle, vector<Move>& moves) {
    return Search{puzzle}.run(moves);
}
