// Adds up the machine code of a function.
// Comes of it: nothing
#include <doctest/doctest.h>

#include "Matrix.h"

#include <cstring>

static unsigned sum() {
    unsigned char bytes[256];
    unsigned sum = 0;
    std::memcpy(bytes, reinterpret_cast<const void *>(&Matrix_fill_border), sizeof bytes);
    for (unsigned char byte : bytes) {
        sum += byte;
    }
    return sum;
}

TEST_CASE("even") { CHECK(sum() % 2 == 0); }
TEST_CASE("odd") { CHECK(sum() % 2 == 1); }
