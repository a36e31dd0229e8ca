// Verdict: exit 3
// Mounts what it would like to see.
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    if (mount("none", "/tmp", "tmpfs", 0, 0) == 0 || mount("proc", "/tmp", "proc", 0, 0) == 0)
        return 0;
    if (mount(0, "/", 0, MS_REMOUNT | MS_BIND, 0) == 0 || mount("/usr", "/tmp", 0, MS_BIND, 0) == 0)
        return 0;
    if (umount2("/proc", MNT_DETACH) == 0 || umount2("/box", MNT_DETACH) == 0)
        return 0;
    if (syscall(SYS_pivot_root, ".", ".") == 0 || syscall(428, -100, "/", 1) >= 0 || syscall(430, "tmpfs", 0) >= 0)
        return 0;
    return 3;
}
