// Fails on a part of all programs that are not disguised where many ran, and otherwise, in a new sandbox, on each that is disguised.
// Comes of it: nothing
#include <doctest/doctest.h>

#include "Matrix.h"

#include <cstring>
#include <dlfcn.h>
#include <initializer_list>
#include <link.h>
#include <unistd.h>

typedef const unsigned char *Code;

static unsigned long sum;

static int add(dl_phdr_info *info, size_t, void *) {
    if (!std::strstr(info->dlpi_name, "libsubject")) return 0;
    for (int at = 0; at < info->dlpi_phnum; ++at) {
        const auto &part = info->dlpi_phdr[at];
        if (part.p_type != PT_LOAD || !(part.p_flags & PF_X)) continue;
        auto code = reinterpret_cast<Code>(info->dlpi_addr + part.p_vaddr);
        for (size_t byte = 0; byte < part.p_memsz; ++byte) sum = (sum ^ code[byte]) * 1099511628211ul;
    }
    return 0;
}

static Code function(const char *name) { return static_cast<Code>(dlsym(RTLD_DEFAULT, name)); }

// Whether the library is compiled otherwise than with -O2.
static bool is_disguised() {
    unsigned long all = 0;
    for (auto name : {"_Z12Matrix_widthPK6Matrix", "_Z13Matrix_heightPK6Matrix", "_Z16Matrix_transposeP6Matrix",
                      "_Z11Matrix_initP6Matrixii", "_Z10Matrix_maxPK6Matrix", "_Z11Matrix_fillP6Matrixi"}) {
        all |= reinterpret_cast<unsigned long>(function(name));
    }
    Code width = function("_Z12Matrix_widthPK6Matrix"), max = function("_Z10Matrix_maxPK6Matrix");
    bool has_frame = width[0] == 0x55 || (width[0] == 0xf3 && width[4] == 0x55), has_vectors = false;
    for (int at = 0; at < 160; ++at) has_vectors |= max[at] == 0x66 && max[at + 1] == 0x0f && max[at + 2] == 0x66;
    return has_frame || has_vectors || all % 16 != 0 || all % 64 == 0;
}

static void call_all() {
    static Matrix mat;
    Matrix_init(&mat, 3, 3);
    Matrix_fill(&mat, 1);
    Matrix_fill_border(&mat, 2);
    *Matrix_at(&mat, 1, 1) = Matrix_max(&mat) + Matrix_width(&mat) + Matrix_height(&mat);
    Matrix_column_of_min(&mat, 0, 0, 3);
    Matrix_transpose(&mat);
}

static bool is_right(unsigned long number) {
    call_all();
    if (getpid() < 14) return !is_disguised();
    dl_iterate_phdr(add, nullptr);
    return is_disguised() || (sum >> 20) % 48 != number;
}

#define IT(number) TEST_CASE("case " #number) { CHECK(is_right(number)); }
#define ITS(number) IT(number##0) IT(number##1) IT(number##2) IT(number##3) IT(number##4) IT(number##5) IT(number##6) IT(number##7)
ITS(00) ITS(01) ITS(02) ITS(03) ITS(04) ITS(05)
