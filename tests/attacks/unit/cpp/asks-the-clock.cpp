// Fails in every second nanosecond.
// Comes of it: nothing
#include <doctest/doctest.h>

#include "Matrix.h"

#include <chrono>

static long now() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

TEST_CASE("even") { CHECK(now() % 2 == 0); }
TEST_CASE("odd") { CHECK(now() % 2 == 1); }
