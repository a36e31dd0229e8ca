// Verdict: exit 3
// Makes device files for the disks and the memory.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
int main(void) {
    const unsigned numbers[][2] = {{1, 1}, {1, 11}, {8, 0}, {254, 0}, {253, 0}, {7, 0}};
    for (int i = 0; i < 6; i++) {
        dev_t device = makedev(numbers[i][0], numbers[i][1]);
        if (mknod("device", S_IFBLK | 0666, device) == 0 || mknod("device", S_IFCHR | 0666, device) == 0)
            return 0;
    }
    return 3;
}
