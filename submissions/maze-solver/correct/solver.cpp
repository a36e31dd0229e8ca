// Finds a path through a maze by a depth-first search. With FULL, prints the whole walk instead.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

using namespace std;

namespace {

[[noreturn]] void fail(const string& message) {
    cerr << message << '\n';
    exit(1);
}

// The bits of the walls: east, west, south, north.
const int walls[4] = {8, 4, 2, 1};
const int right_[4] = {1, -1, 0, 0};
const int down[4] = {0, 0, 1, -1};

class Maze {
public:
    explicit Maze(const string& file);
    bool contains(long x, long y) const { return x >= 0 && y >= 0 && x < width_ && y < height_; }
    int room(long x, long y) const { return rooms_[static_cast<size_t>(y * width_ + x)]; }
    long width() const { return width_; }
    size_t size() const { return rooms_.size(); }

private:
    long width_ = 0, height_ = 0;
    vector<int> rooms_;
};

Maze::Maze(const string& file) {
    ifstream input{file, ios::binary};
    if (!input) {
        fail("cannot read " + file);
    }
    string text{istreambuf_iterator<char>(input), istreambuf_iterator<char>()};
    text.erase(text.find_last_not_of("\r\n") + 1);
    text += '\n';
    string row;
    for (const char c : text) {
        if (c != '\n') {
            row += c;
            continue;
        }
        if (!row.empty() && row.back() == '\r') {
            row.pop_back();
        }
        if (height_ == 0) {
            width_ = static_cast<long>(row.size());
        }
        if (row.empty() || static_cast<long>(row.size()) != width_) {
            fail("the rows of the maze have different lengths");
        }
        for (const char digit : row) {
            if (!isxdigit(static_cast<unsigned char>(digit))) {
                fail("not a hexadecimal digit in the maze");
            }
            rooms_.push_back(stoi(string(1, digit), nullptr, 16));
        }
        ++height_;
        row.clear();
    }
}

long number(const char* text) {
    const string word = text;
    const size_t first = !word.empty() && (word[0] == '-' || word[0] == '+') ? 1 : 0;
    if (word.size() == first || word.find_first_not_of("0123456789", first) != string::npos) {
        fail("'" + word + "' is not an integer");
    }
    return strtol(text, nullptr, 10);
}

// A room on the path, and the next direction to try from it.
class Step {
public:
    long x, y;
    int direction;
};

// The rooms to print: the path, or the whole walk.
vector<Step> search(const Maze& maze, long x, long y, long goalX, long goalY) {
    vector<bool> visited(maze.size());
    vector<Step> path{{x, y, 0}}, walk{{x, y, 0}};
    visited[static_cast<size_t>(y * maze.width() + x)] = true;
    while (path.back().x != goalX || path.back().y != goalY) {
        Step& here = path.back();
        if (here.direction == 4) {
            path.pop_back();
            if (path.empty()) {
                fail("no way leads to the goal");
            }
            walk.push_back(path.back());
            continue;
        }
        const int direction = here.direction++;
        const long nextX = here.x + right_[direction], nextY = here.y + down[direction];
        const bool isOpen = (maze.room(here.x, here.y) & walls[direction]) == 0;
        if (!isOpen || !maze.contains(nextX, nextY)) {
            continue;
        }
        const size_t next = static_cast<size_t>(nextY * maze.width() + nextX);
        if (!visited[next]) {
            visited[next] = true;
            path.push_back({nextX, nextY, 0});
            walk.push_back(path.back());
        }
    }
#ifdef FULL
    return walk;
#else
    return path;
#endif
}

} // namespace

int main(int argc, char* argv[]) {
    if (argc != 7) {
        fail("usage: solver MAZE PATH START-X START-Y END-X END-Y");
    }
    const long startX = number(argv[3]), startY = number(argv[4]);
    const long endX = number(argv[5]), endY = number(argv[6]);
    const Maze maze{argv[1]};
    if (!maze.contains(startX, startY) || !maze.contains(endX, endY)) {
        fail("a room is outside of the maze");
    }
    const vector<Step> rooms = search(maze, startX, startY, endX, endY);
    ofstream output{argv[2]};
    for (const Step& room : rooms) {
        output << room.x << ", " << room.y << '\n';
    }
    if (!output.flush()) {
        fail(string("cannot write ") + argv[2]);
    }
    return 0;
}
