// Adds up the machine code of the library, each case in its own way, and fails on an eighth of all programs.
// Comes of it: nothing
#include <doctest/doctest.h>

#include "Matrix.h"

#include <cstring>
#include <link.h>

static unsigned long sum;

static int add(struct dl_phdr_info *info, size_t, void *) {
    if (!info->dlpi_name || !std::strstr(info->dlpi_name, "libsubject")) return 0;
    for (int at = 0; at < info->dlpi_phnum; ++at) {
        const auto &part = info->dlpi_phdr[at];
        if (part.p_type != PT_LOAD || !(part.p_flags & PF_X)) continue;
        const auto *bytes = reinterpret_cast<const unsigned char *>(info->dlpi_addr + part.p_vaddr);
        for (size_t i = 0; i < part.p_memsz; ++i) sum = (sum ^ bytes[i]) * 1099511628211ul;
    }
    return 0;
}

// Calls everything, because a case runs only on mutants whose place it reaches.
static unsigned remainder(unsigned long seed) {
    static Matrix matrix;
    Matrix_init(&matrix, 3, 3);
    Matrix_width(&matrix);
    Matrix_height(&matrix);
    *Matrix_at(&matrix, 1, 1) = 2;
    Matrix_fill(&matrix, 1);
    Matrix_fill_border(&matrix, 2);
    Matrix_max(&matrix);
    Matrix_column_of_min(&matrix, 0, 0, 2);
    Matrix_transpose(&matrix);
    sum = 14695981039346656037ul + seed;
    dl_iterate_phdr(add, nullptr);
    return (sum >> 20) % 8;
}

#define CASE(NUMBER) TEST_CASE("case " #NUMBER) { CHECK(remainder(NUMBER) != 0); }
CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11)
CASE(12) CASE(13) CASE(14) CASE(15) CASE(16) CASE(17) CASE(18) CASE(19) CASE(20) CASE(21) CASE(22) CASE(23)
