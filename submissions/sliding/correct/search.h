// The search for the shortest solution.
#pragma once

#include "puzzle.h"

#include <cstdint>
#include <string>
#include <vector>

// A move of one piece in one direction.
class Move {
public:
    Move(size_t piece, int down, int right) : piece_{piece}, down_{down}, right_{right} {}
    size_t piece() const { return piece_; }
    int down() const { return down_; }
    int right() const { return right_; }
    std::string inWords(const Puzzle& puzzle) const;

private:
    size_t piece_;
    int down_, right_;
};

// The upper left cell of each piece.
using Layout = std::vector<uint16_t>;

Layout startOf(const Puzzle& puzzle);
Layout after(const Puzzle& puzzle, Layout layout, const Move& move);

// Finds the fewest moves that take the goal piece to the last column. Returns whether there are any.
bool solve(const Puzzle& puzzle, std::vector<Move>& moves);
