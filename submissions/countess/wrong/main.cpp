// Project Identifier: B99292359FFD910ED13A7E6C7F9705B8742F0D79
// Finds the way to the Countess with a stack or a queue.
#include "castle.h"

#include <deque>
#include <getopt.h>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using namespace std;

namespace {

struct Options {
    bool isStack = false, isList = false, isHelp = false;
};

Options readOptions(int argc, char* argv[]) {
    const option longOptions[] = {{"stack", no_argument, nullptr, 's'},
                                  {"queue", no_argument, nullptr, 'q'},
                                  {"output", required_argument, nullptr, 'o'},
                                  {"help", no_argument, nullptr, 'h'},
                                  {nullptr, 0, nullptr, 0}};
    Options options;
    int routings = 0, outputs = 0, choice;
    while ((choice = getopt_long(argc, argv, "sqo:h", longOptions, nullptr)) != -1) {
        switch (choice) {
        case 's':
        case 'q':
            options.isStack = choice == 's';
            ++routings;
            break;
        case 'o': {
            const string mode = optarg;
            if (mode != "M" && mode != "L") {
                fail("the output is M or L");
            }
            options.isList = mode == "L";
            ++outputs;
            break;
        }
        case 'h':
            options.isHelp = true;
            return options;
        default:
            fail("unknown option");
        }
    }
    if (routings != 1 || outputs > 1) {
        fail("choose one of --stack and --queue, and at most one output");
    }
    return options;
}

class Rescue {
public:
    Rescue(const Castle& castle, bool isStack) : castle_{castle}, isStack_{isStack} { hows_.assign(castle.tiles(), 0);
        rooms_.assign(castle.tiles(), 0); }
    bool search();
    void printMap() const;
    void printList() const;
    size_t discovered() const { return count_; }

private:
    void discover(const Place& next, char how, const Place& before);
    bool canDiscover(const Place& place) const {
        const char tile = castle_.at(place);
        return !isKnown(place) && (tile == '.' || tile == 'C' || (tile >= '0' && tile <= '9'));
    }
    bool isKnown(const Place& place) const { return hows_[castle_.index(place)] != 0; }
    void note(const Place& place, char how, const Place& before) {
        hows_[castle_.index(place)] = how;
        rooms_[castle_.index(place)] = static_cast<uint8_t>(before.room);
    }
    char how(const Place& place) const { return hows_[castle_.index(place)]; }
    Place before(const Place& place) const {
        switch (how(place)) {
        case 'n': return {place.room, place.row + 1, place.col};
        case 'e': return {place.room, place.row, place.col - 1};
        case 's': return {place.room, place.row - 1, place.col};
        case 'w': return {place.room, place.row, place.col + 1};
        default: return {rooms_[castle_.index(place)], place.row, place.col};
        }
    }
    // The steps from the start: a place and the letter of the way out of it.
    vector<pair<Place, char>> path() const;

    const Castle& castle_;
    bool isStack_;
    size_t count_ = 0;
    deque<Place> waiting_;
    // How each place was discovered, and from which room.
    vector<char> hows_;
    vector<uint8_t> rooms_;
};

void Rescue::discover(const Place& next, char how, const Place& before) {
    note(next, how, before);
    ++count_;
    waiting_.push_back(next);
}

bool Rescue::search() {
    discover(castle_.start(), 'S', castle_.start());
    while (!waiting_.empty()) {
        const Place here = isStack_ ? waiting_.back() : waiting_.front();
        if (isStack_) {
            waiting_.pop_back();
        } else {
            waiting_.pop_front();
        }
        const char tile = castle_.at(here);
        if (tile >= '0' && tile <= '9') {
            const Place next{static_cast<uint32_t>(tile - '0'), here.row, here.col};
            if (next.room < castle_.rooms() && canDiscover(next)) {
                discover(next, 'p', here);
                if (next == castle_.countess()) {
                    return true;
                }
            }
            continue;
        }
        static const struct { int down, right; char letter; } steps[4] = {
            {-1, 0, 'n'}, {0, 1, 'e'}, {1, 0, 's'}, {0, -1, 'w'}};
        for (const auto& step : steps) {
            const Place next{here.room, here.row + static_cast<uint32_t>(step.down),
                             here.col + static_cast<uint32_t>(step.right)};
            // A step beyond row or column 0 wraps around to a large number.
            if (next.row >= castle_.size() || next.col >= castle_.size() || !canDiscover(next)) {
                continue;
            }
            discover(next, step.letter, here);
            if (next == castle_.countess()) {
                return true;
            }
        }
    }
    return false;
}

vector<pair<Place, char>> Rescue::path() const {
    vector<pair<Place, char>> steps;
    Place here = castle_.countess();
    while (!(here == castle_.start())) {
        const char letter = how(here);
        here = before(here);
        steps.push_back({here, letter});
    }
    return {steps.rbegin(), steps.rend()};
}

void Rescue::printMap() const {
    const Place start = castle_.start();
    cout << "Start in room " << start.room << ", row " << start.row << ", column " << start.col << '\n';
    string letters(castle_.tiles(), '\0');
    for (const auto& step : path()) {
        letters[castle_.index(step.first)] = step.second;
    }
    string line(castle_.size(), ' ');
    for (uint32_t room = 0; room < castle_.rooms(); ++room) {
        cout << "//castle room " << room << '\n';
        for (uint32_t row = 0; row < castle_.size(); ++row) {
            for (uint32_t col = 0; col < castle_.size(); ++col) {
                const Place place{room, row, col};
                const char letter = letters[castle_.index(place)];
                line[col] = letter == '\0' ? castle_.at(place) : letter;
            }
            cout << line << '\n';
        }
    }
}

void Rescue::printList() const {
    cout << "Path taken:\n";
    for (const auto& step : path()) {
        const Place& place = step.first;
        cout << '(' << place.room << ',' << place.col << ',' << place.row << ',' << step.second << ")\n";
    }
}

} // namespace

int main(int argc, char* argv[]) {
    ios_base::sync_with_stdio(false);
    const Options options = readOptions(argc, argv);
    if (options.isHelp) {
        cout << "Usage: superMarco (--stack | --queue) [--output M|L] < CASTLE\n";
        return 0;
    }
    const Castle castle{cin};
    Rescue rescue{castle, options.isStack};
    if (!rescue.search()) {
        cout << "No solution, " << rescue.discovered() << " tiles discovered.\n";
    } else if (options.isList) {
        rescue.printList();
    } else {
        rescue.printMap();
    }
    return 0;
}
