// Includes a number that the system counts up.
// Comes of it: rejected: expected primary-expression
#include <doctest/doctest.h>

#include "Matrix.h"

const int number =
#include "/proc/sys/kernel/ns_last_pid"
    ;

TEST_CASE("even") { CHECK(number % 2 == 0); }
TEST_CASE("odd") { CHECK(number % 2 == 1); }
