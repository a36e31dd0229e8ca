// Takes memory until there is no more.
// Comes of it: rejected: it runs out of memory on a right program | rejected: on a right program
#include <doctest/doctest.h>

#include "Matrix.h"

#include <cstring>
#include <new>

TEST_CASE("memory") {
    for (;;) {
        std::memset(new char[1 << 24], 1, 1 << 24);
    }
}
