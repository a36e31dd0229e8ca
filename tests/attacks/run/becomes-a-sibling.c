// Verdict: exit 3
// Starts processes whose parent is the one that guards it, and ends before them.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 3; i++) {
        long child = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
        if (child == 0) {
            signal(SIGTERM, SIG_IGN);
            setsid();
            for (;;)
                pause();
        }
        if (child < 0)
            return 4;
    }
    return 3;
}
