// Verdict: exit 3
// Asks which parts of a file are in memory, and removes them from it: so a run could leave bits for a later one.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
int main(void) {
    char bytes[16];
    struct iovec part = {bytes, sizeof bytes};
    long range[2] = {0, 4096}, counts[8];
    int file = open("/proc/self/exe", O_RDONLY);
    int tells = preadv2(file, &part, 1, 0, RWF_NOWAIT) >= 0 || syscall(451, file, range, counts, 0) == 0;
    int changes = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0 || readahead(file, 0, 4096) == 0;
    if (tells || changes || pread(file, bytes, sizeof bytes, 0) != sizeof bytes)
        write(1, "BROKEN", 6);
    return 3;
}
