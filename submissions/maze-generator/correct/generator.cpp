// Makes a maze by a drunken walk and writes it to a file.
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace std;

namespace {

[[noreturn]] void fail(const string& message) {
    cerr << message << "\nusage: generator [--seed N] [--size WxH] MAZE\n";
    exit(1);
}

// East, west, south, north: the bit of the wall, and that of the same wall seen from the other room.
const int walls[4] = {8, 4, 2, 1};
const int opposite[4] = {4, 8, 1, 2};
const int right_[4] = {1, -1, 0, 0};
const int down[4] = {0, 0, 1, -1};

// A room of the walk, with the directions that are left.
class Room {
public:
    Room(size_t x_, size_t y_, mt19937_64& random) : x{x_}, y{y_} {
        for (int i = 3; i > 0; --i) {
            swap(directions[i], directions[random() % static_cast<unsigned>(i + 1)]);
        }
    }
    size_t x, y;
    int directions[4] = {0, 1, 2, 3};
    int next = 0;
};

vector<int> walk(size_t width, size_t height, mt19937_64& random) {
    vector<int> rooms(width * height, 15);
    vector<bool> visited(width * height);
    vector<Room> path{Room{0, 0, random}};
    visited[0] = true;
    while (!path.empty()) {
        Room& here = path.back();
        if (here.next == 4) {
            path.pop_back();
            continue;
        }
        const int direction = here.directions[here.next++];
        // A step beyond the first row or column wraps around to a large number.
        const size_t x = here.x + static_cast<size_t>(right_[direction]);
        const size_t y = here.y + static_cast<size_t>(down[direction]);
        if (x >= width || y >= height || visited[y * width + x]) {
            continue;
        }
        visited[y * width + x] = true;
        rooms[here.y * width + here.x] &= ~walls[direction];
        rooms[y * width + x] &= ~opposite[direction];
        path.emplace_back(x, y, random);
    }
    return rooms;
}

unsigned long long number(const string& word) {
    if (word.empty() || word.size() > 20 || word.find_first_not_of("0123456789") != string::npos) {
        fail("'" + word + "' is not a number");
    }
    return strtoull(word.c_str(), nullptr, 10);
}

} // namespace

int main(int argc, char* argv[]) {
    string file;
    unsigned long long seed = random_device{}() ^ static_cast<unsigned long long>(time(nullptr));
    size_t width = 25, height = 10;
    for (int i = 1; i < argc; ++i) {
        const string word = argv[i];
        if (word == "--seed" && i + 1 < argc) {
            seed = number(argv[++i]);
        } else if (word == "--size" && i + 1 < argc) {
            const string size = argv[++i];
            const size_t cross = size.find('x');
            if (cross == string::npos) {
                fail("a size is written as 25x10");
            }
            width = number(size.substr(0, cross));
            height = number(size.substr(cross + 1));
        } else if (file.empty() && word[0] != '-') {
            file = word;
        } else {
            fail("unexpected '" + word + "'");
        }
    }
    if (file.empty() || width < 1 || height < 1) {
        fail("the name of the maze file is missing, or the size is 0");
    }
    mt19937_64 random{seed};
    const vector<int> rooms = walk(width, height, random);
    ofstream output{file};
    for (size_t y = 0; y < height; ++y) {
        string row;
        for (size_t x = 0; x < width; ++x) {
            row += "0123456789abcdef"[rooms[y * width + x]];
        }
        output << row << '\n';
    }
    if (!output.flush()) {
        fail("cannot write " + file);
    }
    return 0;
}
