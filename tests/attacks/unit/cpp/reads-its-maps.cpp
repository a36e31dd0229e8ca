// Asks the system where the library is, and how large its parts are.
// Comes of it: nothing
#include <doctest/doctest.h>

#include "Matrix.h"

#include <cstdio>
#include <fstream>
#include <string>

static unsigned long pages() {
    std::ifstream maps("/proc/self/maps");
    unsigned long sum = 0, start = 0, end = 0;
    for (std::string line; std::getline(maps, line);) {
        if (line.find("libsubject") != line.npos && std::sscanf(line.c_str(), "%lx-%lx", &start, &end) == 2) {
            sum += start / 4096 + (end - start) / 4096;
        }
    }
    return sum;
}

TEST_CASE("even") { CHECK(pages() % 2 == 0); }
TEST_CASE("odd") { CHECK(pages() % 2 == 1); }
