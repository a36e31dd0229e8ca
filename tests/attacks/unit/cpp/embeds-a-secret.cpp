// Puts a file of the machine into the program.
// Comes of it: rejected: file not found
#include <doctest/doctest.h>

asm(".global kept\nkept: .incbin \"OUTSIDE/secret\"");
extern "C" const char kept[];

TEST_CASE("kept") { CHECK(kept == nullptr); }
