// The pieces of a sliding block puzzle, and reading them from a data file.
#pragma once

#include <istream>
#include <string>
#include <vector>

// A piece. Rows and columns count from 0.
class Piece {
public:
    Piece(std::string name, int row, int col, int width, int height, char direction);

    const std::string& name() const { return name_; }
    int row() const { return row_; }
    int col() const { return col_; }
    int width() const { return width_; }
    int height() const { return height_; }
    bool mayMove(bool isVertical) const;

private:
    std::string name_;
    int row_, col_, width_, height_;
    char direction_;
};

// A grid and its pieces, of which the first is the goal piece.
class Puzzle {
public:
    // Reads a data file. Ends the program with status 1 if there is no puzzle in it.
    explicit Puzzle(std::istream& input);

    int rows() const { return rows_; }
    int cols() const { return cols_; }
    const std::vector<Piece>& pieces() const { return pieces_; }
    // What was wrong with the pieces that were discarded.
    const std::vector<std::string>& messages() const { return messages_; }

private:
    int rows_ = 0, cols_ = 0;
    std::vector<Piece> pieces_;
    std::vector<std::string> messages_;
};

[[noreturn]] void fail(const std::string& message);
