// Measures how many cycles a function takes.
// Comes of it: nothing
#include <doctest/doctest.h>

#include "Matrix.h"

#include <algorithm>
#include <climits>
#include <x86intrin.h>

static unsigned long long cycles() {
    static Matrix matrix;
    Matrix_init(&matrix, 100, 100);
    unsigned long long least = ULLONG_MAX;
    for (int time = 0; time < 20; ++time) {
        unsigned long long start = __rdtsc();
        volatile int most = Matrix_max(&matrix);
        (void)most;
        least = std::min(least, __rdtsc() - start);
    }
    return least;
}

TEST_CASE("even") { CHECK(cycles() / 64 % 2 == 0); }
TEST_CASE("odd") { CHECK(cycles() / 64 % 2 == 1); }
