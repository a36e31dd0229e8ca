// Puts the library with which it is linked into the program, to compare each variant with it.
// Comes of it: rejected: libsubject.so
#include <doctest/doctest.h>

#include "Matrix.h"

asm(".global kept\nkept: .incbin \"libsubject.so\"");
extern "C" const char kept[];

TEST_CASE("kept") { CHECK(kept[0] == 127); }
