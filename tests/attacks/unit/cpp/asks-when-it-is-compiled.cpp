// Depends on the second in which it is compiled.
// Comes of it: nothing
#include <doctest/doctest.h>

#include "Matrix.h"

TEST_CASE("even") { CHECK(__TIME__[7] % 2 == 0); }
TEST_CASE("odd") { CHECK(__TIME__[7] % 2 == 1); }
