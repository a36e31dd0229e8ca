// Verdict: exit 3
// Changes its own input, which the next run would read.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
    int input = open("/proc/self/fd/0", O_RDWR);
    int truncated = open("/proc/self/fd/0", O_RDONLY | O_TRUNC);
    (void)truncated;
    if (write(0, "x", 1) > 0 || write(input, "x", 1) > 0 || ftruncate(0, 0) == 0)
        return 0;
    if (mmap(0, 1, PROT_READ | PROT_WRITE, MAP_SHARED, 0, 0) != MAP_FAILED)
        return 0;
    char byte;
    return pread(0, &byte, 1, 0) == 1 ? 3 : 0;
}
