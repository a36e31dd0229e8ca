// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
//
// The puzzle in one file. A state is a color, a row and a column; color 0 is the trap.
#include <deque>
#include <getopt.h>
#include <iostream>
#include <string>
#include <vector>
#include <map>
#include <sstream>

using namespace std;

struct State {
    int color, row, col;
};

static bool operator==(const State& a, const State& b) {
    return a.color == b.color && a.row == b.row && a.col == b.col;
}

class Puzzle {
public:
    bool readOptions(int argc, char* argv[]);
    void readMap();
    void solve();

private:
    [[noreturn]] static void fail(const string& message) {
        cerr << message << '\n';
        exit(1);
    }
    static char nameOf(int color) { return color == 0 ? '^' : static_cast<char>('a' + color - 1); }
    char at(int row, int col) const { return map_[static_cast<size_t>(row)][static_cast<size_t>(col)]; }
    bool isTile(char tile) const;
    bool isOpen(char tile, int color) const;
    void discover(const State& next, const State& from);
    bool expand(const State& current);
    void printList(const vector<State>& path) const;
    void printMaps(const vector<State>& path) const;
    void printDiscovered() const;

    bool isStack_ = false, isList_ = false;
    int colors_ = 0, height_ = 0, width_ = 0;
    vector<string> map_;
    State start_{0, -1, -1}, target_{0, -1, -1};
    deque<State> waiting_;
    // The way back from each state, by its name.
    map<string, State> from_;
    static string key(const State& s) {
        ostringstream text;
        text << s.color << ' ' << s.row << ' ' << s.col;
        return text.str();
    }
    void prepare() {}
    bool isKnown(const State& s) const { return from_.count(key(s)) > 0; }
    State from(const State& s) const { return from_.at(key(s)); }
};

bool Puzzle::readOptions(int argc, char* argv[]) {
    const option longOptions[] = {{"help", no_argument, nullptr, 'h'},
                                  {"queue", no_argument, nullptr, 'q'},
                                  {"stack", no_argument, nullptr, 's'},
                                  {"output", required_argument, nullptr, 'o'},
                                  {nullptr, 0, nullptr, 0}};
    int modes = 0, outputs = 0, choice;
    while ((choice = getopt_long(argc, argv, "hqso:", longOptions, nullptr)) != -1) {
        switch (choice) {
        case 'h':
            cout << "Usage: puzzle (--queue | --stack) [--output map|list] < MAP\n";
            return false;
        case 'q':
        case 's':
            isStack_ = choice == 's';
            ++modes;
            break;
        case 'o': {
            const string type = optarg;
            if (type != "map" && type != "list") {
                fail("the output is map or list");
            }
            isList_ = type == "list";
            ++outputs;
            break;
        }
        default:
            fail("unknown option");
        }
    }
    if (modes != 1 || outputs > 1) {
        fail("choose exactly one of --queue and --stack, and at most one output");
    }
    return true;
}

bool Puzzle::isTile(char tile) const {
    const int letter = tile >= 'a' ? tile - 'a' : tile - 'A';
    return tile == '.' || tile == '#' || tile == '^' || tile == '@' || tile == '?'
        || (isalpha(static_cast<unsigned char>(tile)) && letter < colors_);
}

void Puzzle::readMap() {
    if (!(cin >> colors_ >> height_ >> width_) || colors_ < 0 || colors_ > 26 || height_ < 1 || width_ < 1) {
        fail("the first line must hold the colors, the height and the width");
    }
    string line;
    getline(cin, line);
    while (static_cast<int>(map_.size()) < height_ && getline(cin, line)) {
        if (map_.empty() && line.rfind("//", 0) == 0) {
            continue;
        }
        if (static_cast<int>(line.size()) != width_) {
            fail("a row has another width");
        }
        for (int col = 0; col < width_; ++col) {
            const char tile = line[static_cast<size_t>(col)];
            if (!isTile(tile)) {
                fail("invalid character in the map");
            }
            if (tile == '@' || tile == '?') {
                State& place = tile == '@' ? start_ : target_;
                if (place.row >= 0) {
                    fail("a second start or target");
                }
                place = {0, static_cast<int>(map_.size()), col};
            }
        }
        map_.push_back(line);
    }
    if (static_cast<int>(map_.size()) < height_ || start_.row < 0 || target_.row < 0) {
        fail("the map is incomplete");
    }
    while (getline(cin, line)) {
        if (line.find_first_not_of(" \t\r") != string::npos) {
            fail("there is more after the map");
        }
    }
}

bool Puzzle::isOpen(char tile, int color) const {
    if (tile == '#') {
        return false;
    }
    return !(tile >= 'A' && tile <= 'Z') || tile - 'A' + 1 == color;
}

void Puzzle::discover(const State& next, const State& from) {
    from_[key(next)] = from;
    waiting_.push_back(next);
}

// Discovers what comes after a state. Returns whether the target was discovered.
bool Puzzle::expand(const State& current) {
    const char tile = at(current.row, current.col);
    const bool isButton = tile == '^' || (tile >= 'a' && tile <= 'z');
    const int color = tile == '^' ? 0 : tile - 'a' + 1;
    if (isButton && color != current.color) {
        const State next{color, current.row, current.col};
        if (!isKnown(next)) {
            discover(next, current);
        }
        return false;
    }
    static const int steps[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};
    for (const auto& step : steps) {
        const State next{current.color, current.row + step[0], current.col + step[1]};
        if (next.row < 0 || next.row >= height_ || next.col < 0 || next.col >= width_) {
            continue;
        }
        if (!isOpen(at(next.row, next.col), next.color) || isKnown(next)) {
            continue;
        }
        discover(next, current);
        if (next.row == target_.row && next.col == target_.col) {
            return true;
        }
    }
    return false;
}

void Puzzle::solve() {
    prepare();
    discover(start_, start_);
    bool isSolved = false;
    while (!isSolved && !waiting_.empty()) {
        const State current = isStack_ ? waiting_.back() : waiting_.front();
        if (isStack_) {
            waiting_.pop_back();
        } else {
            waiting_.pop_front();
        }
        isSolved = expand(current);
    }
    if (!isSolved) {
        printDiscovered();
        return;
    }
    vector<State> path{waiting_.back()};
    while (!(path.back() == start_)) {
        path.push_back(from(path.back()));
    }
    const vector<State> forward(path.rbegin(), path.rend());
    if (isList_) {
        printList(forward);
    } else {
        printMaps(forward);
    }
}

void Puzzle::printList(const vector<State>& path) const {
    for (const State& state : path) {
        cout << '(' << nameOf(state.color) << ", (" << state.row << ", " << state.col << "))\n";
    }
}

void Puzzle::printMaps(const vector<State>& path) const {
    vector<vector<string>> maps;
    for (int color = 0; color <= colors_; ++color) {
        vector<string> map = map_;
        for (string& row : map) {
            for (char& tile : row) {
                const bool isOwn = (color == 0 && tile == '^')
                    || (color > 0 && (tile == 'a' + color - 1 || tile == 'A' + color - 1));
                if (isOwn || (tile == '@' && color > 0)) {
                    tile = '.';
                }
            }
        }
        maps.push_back(map);
    }
    for (size_t i = 0; i < path.size(); ++i) {
        const State& state = path[i];
        char& tile = maps[static_cast<size_t>(state.color)][static_cast<size_t>(state.row)]
                         [static_cast<size_t>(state.col)];
        const bool presses = i + 1 < path.size() && path[i + 1].color != state.color;
        const bool pressed = i > 0 && path[i - 1].color != state.color;
        if (presses) {
            tile = '%';
        } else if (pressed) {
            tile = '@';
        } else if (!(state == start_) && at(state.row, state.col) != '?') {
            tile = '+';
        }
    }
    for (int color = 0; color <= colors_; ++color) {
        cout << "// color " << nameOf(color) << '\n';
        for (const string& row : maps[static_cast<size_t>(color)]) {
            cout << row << '\n';
        }
    }
}

void Puzzle::printDiscovered() const {
    cout << "No solution.\nDiscovered:\n";
    for (int row = 0; row < height_; ++row) {
        string line = map_[static_cast<size_t>(row)];
        for (int col = 0; col < width_; ++col) {
            bool isDiscovered = false;
            for (int color = 0; color <= colors_ && !isDiscovered; ++color) {
                isDiscovered = isKnown({color, row, col});
            }
            if (!isDiscovered) {
                line[static_cast<size_t>(col)] = '#';
            }
        }
        cout << line << '\n';
    }
}

int main(int argc, char* argv[]) {
    ios_base::sync_with_stdio(false);
    Puzzle* puzzle = new Puzzle;
    if (puzzle->readOptions(argc, argv)) {
        puzzle->readMap();
        puzzle->solve();
    }
    delete puzzle;
    return 0;
}
