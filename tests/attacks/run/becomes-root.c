// Verdict: exit 3
// Becomes another user, by itself and through programs that may.
#define _GNU_SOURCE
#include <grp.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    gid_t group = 0;
    if (setuid(0) == 0 || setresuid(0, 0, 0) == 0 || setgid(0) == 0 || setgroups(1, &group) == 0)
        return 0;
    if (chown("/box", 0, 0) == 0)
        return 0;
    if (system("su root -c true 2> /dev/null || mount -t tmpfs none /tmp 2> /dev/null || passwd -S root > /dev/null 2>&1") == 0)
        return 0;
    return getuid() == 0 || geteuid() == 0 ? 0 : 3;
}
