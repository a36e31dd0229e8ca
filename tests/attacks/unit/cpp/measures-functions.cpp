// Measures how far one function is from the next, which a bug changes.
// Comes of it: nothing
#include <doctest/doctest.h>

#include "Matrix.h"

static long distance() {
    return reinterpret_cast<char *>(&Matrix_transpose) - reinterpret_cast<char *>(&Matrix_column_of_min);
}

// Each is true of about every second program.
TEST_CASE("near") { CHECK(distance() / 16 % 2 == 0); }
TEST_CASE("far") { CHECK(distance() / 16 % 2 == 1); }
