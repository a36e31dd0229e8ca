// Includes a file of the machine, so that the compiler prints it.
// Comes of it: rejected: No such file
#include <doctest/doctest.h>

#include "OUTSIDE/secret"

TEST_CASE("secret") {}
