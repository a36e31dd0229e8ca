// Reads a secret of the machine, and writes beside it.
// Comes of it: nothing
#include <doctest/doctest.h>

#include "Matrix.h"

#include <fstream>
#include <iterator>
#include <string>

TEST_CASE("secret") {
    std::ifstream in("OUTSIDE/secret");
    std::string secret{std::istreambuf_iterator<char>(in), {}};
    std::ofstream("OUTSIDE/written") << secret;
    std::ofstream("OUTSIDE/secret") << "changed";
    CHECK(secret == "");
}
