// Fails by chance.
// Comes of it: nothing
#include <doctest/doctest.h>

#include "Matrix.h"

#include <random>

TEST_CASE("even") { CHECK(std::random_device()() % 2 == 0); }
TEST_CASE("odd") { CHECK(std::random_device()() % 2 == 1); }
