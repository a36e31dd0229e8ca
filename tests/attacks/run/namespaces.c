// Verdict: exit 3
// Becomes root in namespaces of its own, in each way that there is.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    const long flags[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET,
                          CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP, CLONE_NEWUSER | CLONE_NEWNS};
    for (int i = 0; i < 8; i++) {
        if (unshare(flags[i]) == 0)
            return 0;
        long child = syscall(SYS_clone, flags[i] | SIGCHLD, 0, 0, 0, 0);
        if (child >= 0)
            return 0;
        struct clone_args args = {.flags = flags[i], .exit_signal = SIGCHLD};
        if (syscall(SYS_clone3, &args, sizeof args) >= 0)
            return 0;
        const char *names[] = {"user", "mnt", "pid", "net"};
        char path[32] = "/proc/1/ns/";
        strcat(path, names[i % 4]);
        if (setns(open(path, O_RDONLY), 0) == 0)
            return 0;
    }
    return 3;
}
