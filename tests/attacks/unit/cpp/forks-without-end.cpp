// Starts processes until there are no more.
// Comes of it: rejected: on a right program
#include <doctest/doctest.h>

#include "Matrix.h"

#include <unistd.h>

TEST_CASE("bomb") {
    for (;;) {
        if (fork() < 0) {
            _exit(3);
        }
    }
}
