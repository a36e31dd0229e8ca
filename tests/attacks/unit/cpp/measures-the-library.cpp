// Asks how large the library is, and when it was made.
// Comes of it: nothing
#include <doctest/doctest.h>

#include "Matrix.h"

#include <dlfcn.h>
#include <sys/stat.h>

static struct stat library() {
    Dl_info info;
    dladdr(reinterpret_cast<void *>(&Matrix_fill), &info);
    struct stat found = {};
    stat(info.dli_fname, &found);
    return found;
}

TEST_CASE("even size") { CHECK(library().st_size % 2 == 0); }
TEST_CASE("odd size") { CHECK(library().st_size % 2 == 1); }
TEST_CASE("even inode") { CHECK(library().st_ino % 2 == 0); }
TEST_CASE("odd inode") { CHECK(library().st_ino % 2 == 1); }
TEST_CASE("even time") { CHECK(library().st_mtim.tv_nsec / 1000 % 2 == 0); }
TEST_CASE("odd time") { CHECK(library().st_mtim.tv_nsec / 1000 % 2 == 1); }
