// Verdict: exit 3
// Has the system write all its disks, which every other program waits for.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    int file = open("/usr", O_RDONLY | O_DIRECTORY);
    if (syscall(SYS_sync) == 0 || syscall(SYS_syncfs, file) == 0)
        return 0;
    return errno == ENOSYS ? 3 : 4;
}
