// Project Identifier: B99292359FFD910ED13A7E6C7F9705B8742F0D79
// A castle of square rooms, and reading one.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

struct Place {
    uint32_t room, row, col;
};

inline bool operator==(const Place& a, const Place& b) {
    return a.room == b.room && a.row == b.row && a.col == b.col;
}

class Castle {
public:
    // Reads a castle. Ends the program with status 1 if the input is invalid.
    explicit Castle(std::istream& input);

    uint32_t rooms() const { return rooms_; }
    uint32_t size() const { return size_; }
    size_t tiles() const { return tiles_.size(); }
    Place start() const { return start_; }
    Place countess() const { return countess_; }
    size_t index(const Place& p) const {
        return (static_cast<size_t>(p.room) * size_ + p.row) * size_ + p.col;
    }
    char at(const Place& p) const { return tiles_[index(p)]; }

private:
    void readMap(std::istream& input);
    void readList(std::istream& input);
    void put(const Place& place, char tile);

    uint32_t rooms_ = 0, size_ = 0;
    std::vector<char> tiles_;
    Place start_{}, countess_{};
    int starts_ = 0, countesses_ = 0;
};

[[noreturn]] void fail(const std::string& message);
