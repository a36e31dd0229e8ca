// Reads and checks the pieces of a sliding block puzzle.
#include "puzzle.h"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <utility>

using namespace std;

namespace {

const int64_t mostCells = 32767;

// The words of a file, with their lines.
class Words {
public:
    explicit Words(istream& input) : text_{istreambuf_iterator<char>(input), istreambuf_iterator<char>()} {}

    bool isAtEnd() {
        while (at_ < text_.size() && isspace(static_cast<unsigned char>(text_[at_]))) {
            line_ += text_[at_++] == '\n';
        }
        return at_ >= text_.size();
    }
    int line() const { return line_; }
    string next() {
        isAtEnd();
        const size_t first = at_;
        while (at_ < text_.size() && !isspace(static_cast<unsigned char>(text_[at_]))) {
            ++at_;
        }
        return text_.substr(first, at_ - first);
    }
    void skipLine() {
        while (at_ < text_.size() && text_[at_] != '\n') {
            ++at_;
        }
    }

private:
    string text_;
    size_t at_ = 0;
    int line_ = 1;
};

// Reads a whole number. A number that is too large becomes a very large one.
bool parse(const string& word, int64_t& number) {
    const bool isSigned = !word.empty() && (word[0] == '-' || word[0] == '+');
    if (word.size() == (isSigned ? 1U : 0U)) {
        return false;
    }
    number = 0;
    for (size_t i = isSigned ? 1 : 0; i < word.size(); ++i) {
        if (word[i] < '0' || word[i] > '9') {
            return false;
        }
        number = min<int64_t>(number * 10 + (word[i] - '0'), int64_t{1} << 40);
    }
    if (word[0] == '-') {
        number = -number;
    }
    return true;
}

// The name of a piece: Z, 1 to 9, a to z, A to Y, and then letters from U+0100 on.
string nameOf(size_t index) {
    const string names = "Z123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY";
    if (index < names.size()) {
        return string(1, names[index]);
    }
    const unsigned code = 0x100 + static_cast<unsigned>(index - names.size());
    return {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
}

int64_t readSize(Words& words) {
    int64_t size = 0;
    if (words.isAtEnd() || !parse(words.next(), size) || size < 1 || size > mostCells) {
        fail("the numbers of rows and columns must be positive integers");
    }
    return size;
}

} // namespace

void fail(const string& message) {
    cerr << message << '\n';
    exit(1);
}

Piece::Piece(string name, int row, int col, int width, int height, char direction)
    : name_{std::move(name)}, row_{row}, col_{col}, width_{width}, height_{height},
      direction_{direction} {}

bool Piece::mayMove(bool isVertical) const {
    return direction_ == 'b' || direction_ == (isVertical ? 'v' : 'h');
}

Puzzle::Puzzle(istream& input) {
    Words words{input};
    const int64_t rows = readSize(words), cols = readSize(words);
    if (rows * cols > mostCells) {
        fail("the grid is too large");
    }
    rows_ = static_cast<int>(rows);
    cols_ = static_cast<int>(cols);
    vector<int> taken(static_cast<size_t>(rows * cols), -1);
    while (!words.isAtEnd()) {
        const string line = "line " + to_string(words.line()) + ": the piece ";
        int64_t numbers[4];
        string wrong;
        for (int64_t& number : numbers) {
            if (words.isAtEnd()) {
                wrong = "is cut short by the end of the file";
                break;
            }
            const string word = words.next();
            if (!parse(word, number)) {
                wrong = "has '" + word + "' in place of an integer";
                words.skipLine();
                break;
            }
        }
        if (wrong.empty() && words.isAtEnd()) {
            wrong = "is cut short by the end of the file";
        }
        const string direction = wrong.empty() ? words.next() : "";
        const auto [row, col, width, height] = numbers;
        if (wrong.empty() && (row < 1 || col < 1 || width < 1 || height < 1 || row + height - 1 > rows || col + width - 1 > cols)) {
            wrong = "falls outside of the grid";
        }
        if (wrong.empty() && direction != "h" && direction != "v" && direction != "b" && direction != "n") {
            wrong = "has the direction '" + direction + "', which is not h, v, b or n";
        }
        for (int64_t r = row; wrong.empty() && r < row + height; ++r) {
            for (int64_t c = col; wrong.empty() && c < col + width; ++c) {
                const int other = taken[static_cast<size_t>((r - 1) * cols + c - 1)];
                if (other >= 0) {
                    wrong = "overlaps piece " + pieces_[static_cast<size_t>(other)].name();
                }
            }
        }
        if (!wrong.empty()) {
            messages_.push_back(line + wrong + "; it is discarded");
            continue;
        }
        for (int64_t r = row; r < row + height; ++r) {
            for (int64_t c = col; c < col + width; ++c) {
                taken[static_cast<size_t>((r - 1) * cols + c - 1)] = static_cast<int>(pieces_.size());
            }
        }
        pieces_.emplace_back(nameOf(pieces_.size()), static_cast<int>(row - 1), static_cast<int>(col - 1),
                             static_cast<int>(width), static_cast<int>(height), direction[0]);
    }
    if (pieces_.empty()) {
        fail("the file has no valid piece");
    }
}
