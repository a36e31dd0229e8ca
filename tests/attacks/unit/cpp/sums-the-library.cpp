// Adds up the bytes of the library that it runs with.
// Comes of it: nothing
#include <doctest/doctest.h>

#include "Matrix.h"

#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

static unsigned sum() {
    char path[4096] = {};
    std::string self(path, readlink("/proc/self/exe", path, sizeof path - 1));
    std::ifstream in(std::string(path).substr(0, std::string(path).rfind('/')) + "/libsubject.so");
    unsigned sum = 0;
    for (std::istreambuf_iterator<char> at(in), end; at != end; ++at) {
        sum += static_cast<unsigned char>(*at);
    }
    return sum;
}

TEST_CASE("even") { CHECK(sum() % 2 == 0); }
TEST_CASE("odd") { CHECK(sum() % 2 == 1); }
