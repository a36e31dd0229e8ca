// Asks the linker for the names and sizes in the library.
// Comes of it: nothing
#include <doctest/doctest.h>

#include "Matrix.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

static unsigned long size_of_max() {
    Dl_info info;
    void *extra = nullptr;
    dladdr1(reinterpret_cast<void *>(&Matrix_max), &info, &extra, RTLD_DL_SYMENT);
    return extra ? static_cast<ElfW(Sym) *>(extra)->st_size : 0;
}

TEST_CASE("even") { CHECK(size_of_max() % 2 == 0); }
TEST_CASE("odd") { CHECK(size_of_max() % 2 == 1); }
