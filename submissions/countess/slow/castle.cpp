// Project Identifier: B99292359FFD910ED13A7E6C7F9705B8742F0D79
#include "castle.h"

#include <cstdlib>
#include <iostream>

using namespace std;

namespace {

const char notListed = 0;

void trim(string& line) {
    if (!line.empty() && line.back() == '\r') {
        line.pop_back();
    }
}

bool isBlank(const string& line) { return line.find_first_not_of(" \t\r\f") == string::npos; }
bool isComment(const string& line) { return line.compare(0, 2, "//") == 0; }
bool isTile(char tile) { return tile != 0 && string(".#!SC0123456789").find(tile) != string::npos; }

uint32_t readNumber(istream& input, const char* what, uint32_t most) {
    string line;
    getline(input, line);
    line.erase(line.find_last_not_of(" \t\r\f") + 1);
    uint64_t number = 0;
    for (char digit : line) {
        if (digit < '0' || digit > '9' || number > most) {
            fail(string("invalid ") + what);
        }
        number = number * 10 + static_cast<uint64_t>(digit - '0');
    }
    if (number < 1 || number > most) {
        fail(string("invalid ") + what);
    }
    return static_cast<uint32_t>(number);
}

} // namespace

void fail(const string& message) {
    cerr << message << '\n';
    exit(1);
}

Castle::Castle(istream& input) {
    string mode;
    getline(input, mode);
    mode.erase(mode.find_last_not_of(" \t\r\f") + 1);
    if (mode != "M" && mode != "L") {
        fail("the input mode must be M or L");
    }
    rooms_ = readNumber(input, "number of rooms", 10);
    size_ = readNumber(input, "room size", UINT32_MAX);
    tiles_.assign(static_cast<size_t>(rooms_) * size_ * size_, notListed);
    if (mode == "M") {
        readMap(input);
    } else {
        readList(input);
    }
    for (char& tile : tiles_) {
        tile = tile == notListed ? '.' : tile;
    }
    if (starts_ != 1 || countesses_ != 1) {
        fail("the castle needs one start and one Countess");
    }
}

void Castle::put(const Place& place, char tile) {
    char& known = tiles_[index(place)];
    if (known != notListed && known != tile) {
        fail("the same coordinate was given before");
    }
    if (known == tile) {
        return;
    }
    known = tile;
    if (tile == 'S') {
        start_ = place;
        ++starts_;
    } else if (tile == 'C') {
        countess_ = place;
        ++countesses_;
    }
}

void Castle::readMap(istream& input) {
    string line;
    uint32_t row = 0;
    while (row < rooms_ * size_) {
        if (!getline(input, line)) {
            fail("the castle is incomplete");
        }
        trim(line);
        if (isComment(line)) {
            continue;
        }
        if (line.size() != size_) {
            fail("a row has another length");
        }
        for (uint32_t col = 0; col < size_; ++col) {
            if (!isTile(line[col])) {
                fail("invalid map character");
            }
            put({row / size_, row % size_, col}, line[col]);
        }
        ++row;
    }
    while (getline(input, line)) {
        trim(line);
        if (!isBlank(line) && !isComment(line)) {
            fail("a row is left over");
        }
    }
}

void Castle::readList(istream& input) {
    string line;
    bool hasEnded = false;
    while (getline(input, line)) {
        trim(line);
        if (isComment(line)) {
            continue;
        }
        if (isBlank(line)) {
            hasEnded = true;
            continue;
        }
        size_t at = 0;
        const auto expect = [&](char wanted) {
            if (at >= line.size() || line[at++] != wanted) {
                fail("invalid coordinate");
            }
        };
        const auto number = [&](uint32_t limit) {
            uint64_t value = 0;
            const size_t first = at;
            while (at < line.size() && line[at] >= '0' && line[at] <= '9' && value < limit) {
                value = value * 10 + static_cast<uint64_t>(line[at++] - '0');
            }
            if (at == first || value >= limit) {
                fail("invalid room, row or column");
            }
            expect(',');
            return static_cast<uint32_t>(value);
        };
        expect('(');
        const uint32_t room = number(rooms_), row = number(size_), col = number(size_);
        const char tile = at < line.size() ? line[at++] : '\0';
        if (hasEnded || !isTile(tile)) {
            fail("invalid map character");
        }
        expect(')');
        if (at != line.size()) {
            fail("text after a coordinate");
        }
        put({room, row, col}, tile);
    }
}
