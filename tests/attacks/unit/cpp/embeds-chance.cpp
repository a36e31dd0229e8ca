// Puts random bytes into the program while it is compiled.
// Comes of it: rejected: unable to include
#include <doctest/doctest.h>

#include "Matrix.h"

asm(".global chance\nchance: .incbin \"/dev/urandom\", 0, 1");
extern "C" const unsigned char chance[];

TEST_CASE("even") { CHECK(chance[0] % 2 == 0); }
TEST_CASE("odd") { CHECK(chance[0] % 2 == 1); }
