// Verdict: exit 3
// Gets ahead of every other program of the machine.
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    struct sched_param most = {.sched_priority = 99};
    struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t runtime, deadline, period; }
        deadline = {48, 6, 0, 0, 0, 10000000, 10000000, 10000000};
    if (sched_setscheduler(0, SCHED_FIFO, &most) == 0 || sched_setscheduler(0, SCHED_RR, &most) == 0)
        return 0;
    if (syscall(SYS_sched_setattr, 0, &deadline, 0) == 0 || setpriority(PRIO_PROCESS, 0, -20) == 0)
        return 0;
    // Real-time input and output.
    return syscall(SYS_ioprio_set, 1, 0, 1 << 13) == 0 ? 0 : 3;
}
